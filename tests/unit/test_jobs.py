"""Scripts run alone, as their own command line, and as Snakemake would run them."""

import csv
import json
import logging
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import threadpoolctl

from embedding_ledger.errors import LedgerError
from embedding_ledger.jobs import run_script

SCRIPTS = sorted(path.stem for path in Path(__file__).parents[2].glob("scripts/*.py"))
OUTPUTS = ("values", "truths", "factored")


def run(project, *arguments, script="measure_arithmetic", cwd=None):
    command = [sys.executable, str(project / "scripts" / f"{script}.py"), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd or project, capture_output=True, text=True, timeout=60)


def options(folder):
    return [part for name in OUTPUTS for part in (f"--{name}", folder / "made" / f"{name}.csv")]


@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_explains_itself(project, script):
    done = run(project, "--help", script=script)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"usage: {script}.py")


def test_script_writes_its_files(project, tmp_path):
    done = run(project, *options(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "measure_arithmetic: done in" in done.stderr
    assert done.stdout == ""
    assert sorted(p.stem for p in (tmp_path / "made").iterdir()) == sorted(OUTPUTS)
    with (tmp_path / "made" / "values.csv").open(newline="") as stream:
        found = {(r["quantity"], r["index"]): r["value"] for r in csv.DictReader(stream)}
    assert found["ids.distance", "0"] == "890"
    assert found["projection.logits", "2"] == "3"


def test_config_option(project, tmp_path):
    update = tmp_path / "update.yaml"
    update.write_text("examples: {ids: {cat: 11}}\n")
    files = ["--config", project / "config" / "config.yaml", update]
    done = run(project, *options(tmp_path), *files, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ids.distance,0,1\n" in (tmp_path / "made" / "values.csv").read_text()


def test_fault_exits_1_without_traceback(project, tmp_path):
    bad = tmp_path / "bad.yaml"
    bad.write_text("exampels: {}\nresults: 1\n")
    done = run(project, *options(tmp_path), "--config", project / "config" / "config.yaml", bad)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert f"{bad}:1: unknown key 'exampels' (did you mean 'examples'?)" in done.stderr
    assert f"{bad}:2: 'results' is 1" in done.stderr
    assert not (tmp_path / "made").exists()


def test_help_and_wrong_options(project):
    helped = run(project, "--help")
    assert helped.returncode == 0
    assert "Recompute the worked arithmetic of the documents" in helped.stdout
    assert all(f"--{name}" in helped.stdout for name in OUTPUTS)
    unknown = run(project, "--value-of-it", "x")
    assert unknown.returncode == 2
    assert "usage: measure_arithmetic.py" in unknown.stderr


def call(monkeypatch, main, *arguments, **names):
    """Run a script in this process from a command line."""
    monkeypatch.setattr(sys, "argv", ["scripts/tried.py", *map(str, arguments)])
    run_script(main, **names)


def test_names_become_options(monkeypatch):
    seen = []
    call(
        monkeypatch,
        lambda *files: seen.append(files),
        *("--dot-products", "d.csv", "--side-cars", "a.json", "b.json", "--out", "o.csv"),
        inputs=("dot_products", "side_cars*"),
        outputs=("out",),
    )
    ((inputs, outputs, config),) = seen
    assert str(inputs.dot_products) == "d.csv"
    assert list(map(str, inputs.side_cars)) == ["a.json", "b.json"]
    assert vars(outputs).keys() == {"out"}
    assert config == {}


def test_files_that_may_be_absent(monkeypatch):
    seen = []
    names = {"inputs": ("curve?", "maps*?")}
    call(monkeypatch, lambda *files: seen.append(vars(files[0])), **names)
    call(monkeypatch, lambda *files: seen.append(vars(files[0])), "--maps", "m", **names)
    assert seen == [{"curve": None, "maps": None}, {"curve": None, "maps": [Path("m")]}]


@pytest.mark.parametrize("given", [["--out"], [], ["--out", "x", "--more", "y"]])
def test_wrong_command_lines_exit_2(monkeypatch, capsys, given):
    with pytest.raises(SystemExit) as left:
        call(monkeypatch, lambda *files: pytest.fail("must not run"), *given, outputs=("out",))
    assert left.value.code == 2
    assert "--out" in capsys.readouterr().err


@pytest.mark.parametrize("error", [LedgerError(["first", "second"]), ZeroDivisionError("third")])
def test_errors_exit_1(monkeypatch, caplog, error):
    def main(inputs, outputs, config):
        raise error

    with pytest.raises(SystemExit) as left:
        call(monkeypatch, main)
    assert left.value.code == 1
    shown = [(record.message, bool(record.exc_info)) for record in caplog.records]
    if isinstance(error, LedgerError):
        assert shown == [("first", False), ("second", False)]
    else:
        assert shown == [("failed", True)]  # with its traceback


class Files(dict):
    """Named files as Snakemake hands them over: attributes, and all of them in order."""

    __getattr__ = dict.__getitem__

    def __iter__(self):
        for value in self.values():
            yield from [value] if isinstance(value, str) else value


def job(tmp_path, **changes):
    made = tmp_path / "out" / "a.csv"
    made.parent.mkdir()
    source = tmp_path / "source.csv"
    source.write_text("1")
    job = {
        "rule": "measure_it",
        "input": Files(source=str(source), many=[str(source)], code=[__file__]),
        "output": Files(made=str(made), manifest=str(tmp_path / "out" / "m.json")),
        "params": {"examples": {"x": 3}, "more": 1},
        "log": [str(tmp_path / "out" / "log")],
        "threads": 1,
    }
    return SimpleNamespace(**{**job, **changes})


def run_rule(monkeypatch, main, snakemake):
    """Run a script as a rule; it sets up logging anew, which pytest has already done."""
    with monkeypatch.context() as patch:
        patch.setattr(logging.root, "handlers", [])
        patch.setattr(logging.root, "level", logging.WARNING)
        try:
            run_script(main, snakemake, **RULE)
        finally:
            for handler in logging.root.handlers:
                handler.close()


RULE = {"inputs": ("source", "many*"), "outputs": ("made",), "sections": ("examples",)}


def test_rule_gets_files_and_parameters_and_leaves_a_sidecar(monkeypatch, tmp_path):
    snakemake, pools = job(tmp_path), []
    (tmp_path / "out" / "log").write_text("an earlier run\n")
    np.eye(2) @ np.eye(2)  # a library with a pool of threads

    def main(inputs, outputs, config):
        pools.extend(pool["num_threads"] for pool in threadpoolctl.threadpool_info())
        outputs.made.write_text(f"{inputs.source.read_text()} {len(inputs.many)} {config}")

    run_rule(monkeypatch, main, snakemake)
    assert (tmp_path / "out" / "a.csv").read_text() == "1 1 {'examples': {'x': 3}}"
    record = json.loads((tmp_path / "out" / "m.json").read_text())
    assert (record["rule"], record["script"]) == ("measure_it", __file__)
    assert set(record["inputs"]) == {str(tmp_path / "source.csv"), __file__}
    assert set(record["outputs"]) == {str(tmp_path / "out" / "a.csv")}
    assert set(pools) == {1}
    assert (tmp_path / "out" / "log").read_text().startswith("measure_it: done in")


def test_failed_rule_logs_its_traceback_and_leaves_no_sidecar(monkeypatch, tmp_path):
    def main(inputs, outputs, config):
        raise ZeroDivisionError("planted")

    with pytest.raises(SystemExit) as left:
        run_rule(monkeypatch, main, job(tmp_path))
    assert left.value.code == 1
    log = (tmp_path / "out" / "log").read_text()
    assert "Traceback" in log
    assert "ZeroDivisionError: planted" in log
    assert not (tmp_path / "out" / "m.json").exists()


@pytest.mark.parametrize("change", [lambda file: file.write_text("2"), lambda file: file.unlink()])
def test_an_input_that_changes_under_a_rule_fails_it(monkeypatch, tmp_path, change):
    def main(inputs, outputs, config):
        outputs.made.write_text(inputs.source.read_text())
        change(inputs.source)

    with pytest.raises(SystemExit) as left:
        run_rule(monkeypatch, main, job(tmp_path))
    assert left.value.code == 1
    told = (tmp_path / "out" / "log").read_text()
    assert f"{tmp_path}/source.csv: changed while rule measure_it was reading it" in told
    assert "Traceback" not in told
