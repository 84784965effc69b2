"""The short form of campaigns/mutants.py: a few faults in the code that decides, all noticed."""

import subprocess
import sys


def test_a_sample_of_mutants_is_killed(project):
    command = [sys.executable, str(project / "campaigns" / "mutants.py"), "--sample", "8"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " of 8 mutants killed" in done.stdout
