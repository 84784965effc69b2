"""Run Snakemake, one run a folder at a time; clear away what a run that was cut off left behind.

Used by the Makefile: `python -m embedding_ledger.run --cores all [target ...]`.
"""

import fcntl
import subprocess
import sys
from pathlib import Path

GUARD = Path(".snakemake/ledger.lock")
SNAKEMAKE = [sys.executable, "-m", "snakemake"]


def _is_locked():
    """Tell whether Snakemake's own locks lie in this folder."""
    return any(Path(".snakemake/locks").glob("*"))


def main(arguments):
    """Run `snakemake` with these arguments; return its exit status, 1 when another run is going.

    The guard is held by the operating system as long as the run or a child of it lives, so
    Snakemake locks that lie there while nobody holds the guard are left over from a run that died.
    """
    GUARD.parent.mkdir(exist_ok=True)
    with GUARD.open("w") as guard:
        try:
            fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(
                "Another run is going on in this folder; wait for it or stop it.", file=sys.stderr
            )
            return 1
        if _is_locked():
            print("A run was cut off here: removing its lock; unfinished files are made again.")
            subprocess.run([*SNAKEMAKE, "--unlock", "--quiet", "all"], check=True)
        process = subprocess.Popen([*SNAKEMAKE, *arguments], pass_fds=[guard.fileno()])
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                pass  # Snakemake was told as well; it stops its jobs and then ends


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
