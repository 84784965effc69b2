"""The quick pipeline through a real Slurm of one node, against the same run on this machine alone.

Only where LEDGER_SLURM=1 asks for it: it needs root, Debian's slurm-wlm and munge, and writes
/etc/slurm/slurm.conf, because the steps of a job find their configuration nowhere else. Where that
file exists there is a Slurm already, and the test refuses to touch it.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import copies
import pytest

pytestmark = pytest.mark.skipif(
    os.environ.get("LEDGER_SLURM") != "1", reason="LEDGER_SLURM=1 starts a Slurm on this machine"
)
CONFIGURATION = Path("/etc/slurm/slurm.conf")
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "sinfo")
MEMORY = 8000  # MB that the node offers


def configuration(folder, cpus):
    """Return a slurm.conf of one node; everything it writes is kept in `folder`."""
    host = socket.gethostname()
    return f"""\
ClusterName=ledger
SlurmctldHost={host}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} CPUs={cpus} RealMemory={MEMORY}
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def wait_for(holds, seconds=30):
    """Wait until `holds()` is true; fail after so many seconds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"nothing after {seconds} s"
        time.sleep(0.2)


def ended(pid):
    """Whether a process is gone, or waits only for its parent to take note."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def stop(pid_file):
    """End the daemon whose number stands in its pid file, and wait until it is gone."""
    if not pid_file.exists():
        return
    pid = int(pid_file.read_text())
    os.kill(pid, signal.SIGTERM)
    wait_for(lambda: ended(pid))


@pytest.fixture
def slurm():
    """A running Slurm with one node, this machine; afterwards no trace of it is left."""
    if CONFIGURATION.exists():
        pytest.fail(f"{CONFIGURATION} exists: this machine has a Slurm; the test starts its own")
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing or os.geteuid():
        pytest.fail(f"needs root, and slurm-wlm and munge of Debian (missing: {missing})")
    folder = Path(tempfile.mkdtemp(prefix="ledger-slurm-"))
    folder.chmod(0o755)  # munge wants its socket where everybody may go
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o600)
    names = {"key-file": "key", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
    options = [f"--{option}={folder}/munge.{name}" for option, name in names.items()]
    made = not CONFIGURATION.parent.exists()
    CONFIGURATION.parent.mkdir(exist_ok=True)
    text = configuration(folder, len(os.sched_getaffinity(0)))
    CONFIGURATION.write_text(text, encoding="utf-8")
    try:
        munged = ["munged", *options, f"--socket={folder}/munge.socket"]
        for command in (munged, ["slurmctld"], ["slurmd"]):
            subprocess.run(command, check=True)
        idle = ["sinfo", "--noheader", "--states=idle", "--format=%D"]
        wait_for(lambda: subprocess.run(idle, capture_output=True, text=True).stdout.strip() == "1")
        yield
    finally:
        # a job of a run that was cut off would outlive the daemons
        subprocess.run(["scancel", "--user=root"])
        queued = ["squeue", "--noheader"]
        wait_for(lambda: not subprocess.run(queued, capture_output=True, text=True).stdout)
        for name in ("slurmd", "slurmctld", "munge"):
            stop(folder / f"{name}.pid")
        CONFIGURATION.unlink()
        shutil.rmtree(folder)
        if made:
            CONFIGURATION.parent.rmdir()


def test_slurm_makes_the_same_bytes(project, slurm, fresh):
    local = project / copies.RESULTS
    assert copies.made(local), f"{local} is empty: run `make test` first"
    status, told = fresh.run(
        *(*copies.QUICK, "--profile", "profiles/slurm"),
        # of a group, one rule at a time: two jobs then share two cores
        *("--jobs", "8", "--cores", "1"),
        *("--default-resources", "slurm_partition='all'", "slurm_account='root'"),
        # no accounting database runs, and one node answers at once
        *("--slurm-status-command", "squeue", "--latency-wait", "5"),
        *("--slurm-init-seconds-before-status-checks", "2", "--seconds-between-status-checks", "2"),
        timeout=1800,  # the rules alone take 133 s of one core, and the machine may be busy
    )
    assert status == 0, told
    assert copies.differing(fresh.path(copies.RESULTS), local) == []
