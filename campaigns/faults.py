"""Disturb the pipeline: after every fault the documented command must finish, with equal results.

    python campaigns/faults.py [--kills N] [--only NAME ...]

In a temporary copy the quick pipeline is killed N times (default 30; SIGKILL and SIGINT in turn,
at seeded random moments), its disk fills up, its results folder is read-only, its registry,
configuration and code change under it, two runs start at once, its renderer is killed. After each
fault `python -m embedding_ledger.run`, which `make reproduce` calls, runs again; every file under
results must then be byte for byte that of an undisturbed run. A killed run is resumed until the
next kill, and compared whenever it gets to its end. A run of all writes
campaigns/faults_measured.csv; exit status 1 when a fault was not survived.
"""

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import copies

MEASURED = copies.ROOT / "campaigns" / "faults_measured.csv"
SEED = 8
SOME = ("positions", "bigram", "claims.csv", "pages", "site")  # results that do not take long
REFUSED = ("Read-only file system", "Permission denied", "Write-protected")
GOING_ON = "Another run is going on in this folder"
CUT_OFF = "A run was cut off here"


class Campaign:
    """A copy that is disturbed, and what an undisturbed run made, to compare with.

    `reference`: results folder of the undisturbed run; `seconds`: how long a disturbed one lasts at
    least; `cleared`: what of the results a disturbed run has to make, all when it is empty.
    """

    def __init__(self, folder, reference, seconds, cleared=()):
        self.folder, self.reference, self.seconds = Path(folder), Path(reference), seconds
        self.cleared = cleared
        self.arguments = ("--cores", "2", *copies.QUICK)
        self.results = self.folder / copies.RESULTS

    def start(self):
        return copies.start(self.folder, *self.arguments)

    def clear(self):
        """Remove what was made, the results folder itself kept (it may be a mount)."""
        self.results.mkdir(parents=True, exist_ok=True)
        for path in list(self.results.iterdir()):
            if not self.cleared or path.name in self.cleared:
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def survived(self):
        """Run the documented command; say what is wrong afterwards, nothing when all is well."""
        status, told = copies.run(self.folder, *self.arguments)
        if status:
            return f"the next run ended with status {status}: {told[-600:]}"
        return self.unlike()

    def unlike(self):
        """Say which files are not those of the undisturbed run."""
        paths = copies.differing(self.results, self.reference)
        return f"{len(paths)} files differ, such as {paths[0]}" if paths else ""


def children(process):
    """Return {pid: command line} of every process below one, read from /proc."""
    parents, commands = {}, {}
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            parents[int(entry.name)] = int(fields[1])
            commands[int(entry.name)] = (entry / "cmdline").read_text().replace("\0", " ")
    found, waiting = {}, [process]
    while waiting:
        parent = waiting.pop()
        below = [pid for pid, above in parents.items() if above == parent]
        found |= {pid: commands[pid] for pid in below}
        waiting += below
    return found


def end(process):
    """Wait for a run and for whatever it left behind in its process group."""
    told, _ = process.communicate(timeout=600)
    for _ in range(300):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.1)
    return told


def kills(campaign, number):
    """Kill a run again and again; yield (fault, moment, note, what is wrong).

    SIGINT goes to the whole group, as Ctrl-C does. SIGKILL goes to the whole group or, every other
    time, to Snakemake alone, whose jobs then live on without it.
    """
    rng, waiting = random.Random(SEED), []
    campaign.clear()
    done = 0
    while done < number:
        process = campaign.start()
        moment = rng.uniform(1, campaign.seconds / 2)
        try:
            told, _ = process.communicate(timeout=moment)
        except subprocess.TimeoutExpired:
            way = ("SIGKILL to all", "SIGINT to all", "SIGKILL to snakemake", "SIGINT to all")
            fault = way[done % 4]
            if fault == "SIGKILL to snakemake":
                below = children(process.pid)
                main = [pid for pid, told in below.items() if "-m snakemake" in told][:1]
                for pid in main or [process.pid]:
                    os.kill(pid, signal.SIGKILL)
            else:
                os.killpg(process.pid, getattr(signal, fault.split()[0]))
            told = end(process)
            done += 1
            waiting.append((fault, moment, CUT_OFF in told))
            if done < number:
                continue
            told, problem = "", campaign.survived()
        else:  # it got to its end before it was killed
            problem = campaign.unlike() if process.returncode == 0 else told[-600:]
        for fault, moment, removed in waiting:
            yield fault, f"after {moment:.1f} s", "had removed a lock" if removed else "", problem
        waiting = []
        campaign.clear()


def two_at_once(campaign):
    """Start two runs in one folder: one says so and ends, the other finishes."""
    campaign.clear()
    first, second = campaign.start(), campaign.start()
    told = [process.communicate(timeout=900)[0] for process in (first, second)]
    refused = sorted((first.returncode, second.returncode)) == [0, 1]
    problem = "" if refused and sum(GOING_ON in text for text in told) == 1 else "both ran"
    yield "two runs at once", "", "one was refused", problem or campaign.survived()


def _mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def full_disk(campaign):
    """Let the disk of the results fill up, then make it larger."""
    if os.geteuid():
        yield "full disk", "", "", "skipped: mounting a small disk needs root"
        return
    campaign.clear()
    for megabytes in (0.2, 2):
        _mount("-t", "tmpfs", "-o", f"size={int(megabytes * 2**20)}", "tmpfs", campaign.results)
        try:
            status, told = copies.run(campaign.folder, *campaign.arguments)
            problem = "" if status and "No space left" in told else f"not told (status {status})"
            _mount("-o", "remount,size=1g", campaign.results)
            yield f"disk of {megabytes} MiB full", "", "told so", problem or campaign.survived()
        finally:
            subprocess.run(["umount", "-l", campaign.results], check=True)


@contextlib.contextmanager
def read_only(folder):
    """Make a folder read-only: by a mount for root, whom modes do not stop, else by its mode."""
    if os.geteuid():
        folders = [folder, *(path for path in folder.rglob("*") if path.is_dir())]
        for path in folders:
            path.chmod(0o555)
        try:
            yield
        finally:
            for path in folders:
                path.chmod(0o755)
    else:
        _mount("--bind", folder, folder)
        try:
            _mount("-o", "remount,bind,ro", folder)
            yield
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def read_only_results(campaign, finish=True):
    """Run with a results folder that cannot be written; `finish`: then run again."""
    campaign.clear()
    before = sorted(campaign.results.rglob("*"))
    with read_only(campaign.results):
        status, told = copies.run(campaign.folder, *campaign.arguments)
        named = any(text in told for text in REFUSED)
        problem = "" if status and named else f"not told (status {status}): {told[-300:]}"
        unchanged = sorted(campaign.results.rglob("*")) == before
        problem = problem or ("" if unchanged else "written all the same")
    yield "read-only results", "", "told so", problem or (campaign.survived() if finish else "")


CHANGES = {
    "registry": ("claims/004.csv", "is 7.485.,7.485,", "is 7.485.,7.486,"),
    "configuration": ("config/config.yaml", "sentences: 4000", "sentences: 3000"),
    "code": ("src/embedding_ledger/bigram.py", '"""', '"""Edited. '),
}


def changes(campaign):
    """Change what a run reads while it runs, let it end, and put it back."""
    for what, (name, old, new) in CHANGES.items():
        campaign.clear()
        file = campaign.folder / name
        text = file.read_text(encoding="utf-8")
        assert old in text, f"{name} does not hold {old!r}"
        process = campaign.start()
        moment = campaign.seconds / 5
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=moment)
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        end(process)
        ended = "finished" if process.returncode == 0 else "stopped"
        file.write_text(text, encoding="utf-8")
        yield f"{what} changed", f"after {moment:.1f} s", f"run {ended}", campaign.survived()


def killed_render(campaign):
    """Kill the job that builds the site."""
    shutil.rmtree(campaign.results / "site", ignore_errors=True)
    process = campaign.start()
    killed = []
    while process.poll() is None and not killed:
        killed = [pid for pid, told in children(process.pid).items() if ".render_site.py" in told]
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)
    end(process)
    problem = "" if killed and process.returncode else "the job was not there to be killed"
    yield "killed render", "", "", problem or campaign.survived()


FAULTS = {
    "two-at-once": two_at_once,
    "killed-render": killed_render,
    "changes": changes,
    "read-only": read_only_results,
    "full-disk": full_disk,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--only", nargs="+", choices=["kills", *FAULTS], default=None)
    options = parser.parse_args()
    from embedding_ledger.files import write_csv

    chosen = options.only or [*FAULTS, "kills"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        undisturbed = copies.copy_project(Path(folder) / "undisturbed")
        copy = copies.copy_project(Path(folder) / "disturbed")  # now: sources may change meanwhile
        started = time.monotonic()
        status, told = copies.run(undisturbed, "--cores", "2", *copies.QUICK)
        if status:
            sys.exit(told)
        reference, seconds = undisturbed / copies.RESULTS, time.monotonic() - started
        shutil.copytree(reference, copy / copies.RESULTS)
        shutil.copytree(undisturbed / ".snakemake", copy / ".snakemake")
        for name in chosen:
            if name == "kills":
                found = kills(Campaign(copy, reference, seconds), options.kills)
            else:
                found = FAULTS[name](Campaign(copy, reference, seconds / 4, SOME))
            for fault, moment, note, problem in found:
                result = problem or "survived"
                rows.append((len(rows) + 1, fault, moment, note, result.splitlines()[0]))
                print(*rows[-1][:-1], result, sep=" | ", flush=True)
    if not options.only:
        write_csv(MEASURED, ("number", "fault", "moment", "note", "result"), rows)
    lost = [row for row in rows if row[-1] != "survived" and not row[-1].startswith("skipped")]
    print(f"{len(rows) - len(lost)} of {len(rows)} faults survived")
    sys.exit(bool(lost))


if __name__ == "__main__":
    main()
