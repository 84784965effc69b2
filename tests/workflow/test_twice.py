"""A second run, made as differently as may be and without a network, gives the same bytes."""

import subprocess
import sys

import copies
import pytest
from twice import OTHER

WITHOUT_NETWORK = ("unshare", "--map-root-user", "--net")


def has_namespaces():
    try:
        return not subprocess.run([*WITHOUT_NETWORK, "true"], capture_output=True).returncode
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def second(tmp_path_factory):
    """Results of a whole run on one core, with other environment, without a network if it can."""
    folder = copies.copy_project(tmp_path_factory.mktemp("second") / "a longer name")
    before = WITHOUT_NETWORK if has_namespaces() else ()
    status, told = copies.run(folder, "--cores", "1", *copies.QUICK, before=before, **OTHER)
    assert status == 0, told
    return folder / copies.RESULTS


def test_the_same_bytes_again(built, second):
    first = built.path(copies.RESULTS)
    assert len(copies.made(first)) > 100
    assert not copies.differing(first, second)


@pytest.mark.skipif(not has_namespaces(), reason="unshare cannot make a network namespace here")
def test_the_pipeline_needs_no_network(second):
    reach = [sys.executable, "-c", "import socket; socket.create_connection(('192.0.2.1', 80), 1)"]
    done = subprocess.run([*WITHOUT_NETWORK, *reach], capture_output=True, text=True, check=False)
    assert "Network is unreachable" in done.stderr  # no route in there, so the run had none
    assert (second / "summary.json").exists()
