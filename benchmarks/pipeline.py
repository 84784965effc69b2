"""The whole pipeline: Snakemake, or a notebook

The quick configuration in a copy of the project, from nothing, on two cores; again after an edit of
one script (`measure_positions.py`); again with nothing to do. Against a notebook of the same work:
a cell a job, the same scripts in the same order, in one kernel, run with papermill. A notebook that
is run again makes everything again, so its three times are one. The two must come to equally many
reproduced claims.
"""

import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from harness import ROOT, peak_mb, seconds

sys.path.append(str(ROOT / "campaigns"))
import copies  # of the campaigns

AXIS = "cores"
SIZES = (2,)
QUICK = SIZES
REPEATS = 1  # a repeat takes minutes, so that what else the machine does evens out
OURS = "Snakemake"
NEEDS = ("papermill", "ipykernel")
CONFIG = copies.QUICK[-1]

# The first cell: what a job is given under Snakemake, for a script that is run in this kernel.
PRELUDE = """
import json, runpy
from pathlib import Path
from types import SimpleNamespace


class Files:
    def __init__(self, told):
        self.flat = told["flat"]
        self.named = told["named"]

    def __iter__(self):
        return iter(self.flat)

    def __getattr__(self, name):
        if name not in self.named:
            raise AttributeError(name)
        return self.named[name]

    def __getitem__(self, key):
        return self.flat[key] if isinstance(key, int) else self.named[key]

    def get(self, name):
        return self.named.get(name)


class Params(dict):
    __getattr__ = dict.__getitem__


JOBS = json.loads(Path("jobs.json").read_text(encoding="utf-8"))


def job(number):
    told = JOBS[number]
    for file in [*told["output"]["flat"], *told["log"]]:
        Path(file).parent.mkdir(parents=True, exist_ok=True)
    snakemake = SimpleNamespace(
        rule=told["rule"],
        input=Files(told["input"]),
        output=Files(told["output"]),
        params=Params(told["params"]),
        wildcards=SimpleNamespace(**told["wildcards"]),
        threads=told["threads"],
        log=told["log"],
    )
    runpy.run_path(told["script"], {"snakemake": snakemake}, "__main__")
"""


@contextmanager
def copy_of_project():
    """Give the folder of a copy of the project without anything that was made."""
    with tempfile.TemporaryDirectory() as folder:
        yield copies.copy_project(Path(folder) / "project")


def run(folder, module, *arguments):
    """Run `python -m module` in a copy, on the copy's own package; return what it printed."""
    status, told = copies.run(folder, *arguments, module=module, timeout=3600)
    if status:
        raise SystemExit(f"{module} failed:\n{told}")
    return told


def reproduced(folder):
    """Return how many claims the finished run in a copy reproduced."""
    summary = json.loads((folder / copies.RESULTS / "summary.json").read_text(encoding="utf-8"))
    return summary["verdicts"]["reproduced"]


def snakemake(cores):
    command = ["snakemake", "--cores", str(cores), "--quiet", "all", *copies.QUICK]
    with copy_of_project() as folder:
        cold, _ = seconds(run, folder, *command)
        with (folder / "scripts/measure_positions.py").open("a", encoding="utf-8") as script:
            script.write("# an edit\n")
        edited, _ = seconds(run, folder, *command)
        idle, _ = seconds(run, folder, *command)
        return {
            "seconds": cold,
            "after_an_edit_s": edited,
            "nothing_to_do_s": idle,
            "reproduced": reproduced(folder),
            "peak_mb": peak_mb(children=True),
        }


def jobs():
    """Return every job of the workflow in an order that works, as plain values.

    To be called in the folder of the project.
    """
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import (
        ConfigSettings,
        DAGSettings,
        OutputSettings,
        Quietness,
        ResourceSettings,
    )

    def files(named):
        pairs = {name: value for name, value in named.items() if name}
        return {
            "flat": list(map(str, named)),
            "named": {
                name: str(value) if isinstance(value, str) else list(map(str, value))
                for name, value in pairs.items()
            },
        }

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        settings = {
            "resource_settings": ResourceSettings(cores=1),
            "config_settings": ConfigSettings(configfiles=[Path(CONFIG)]),
        }
        # Snakemake has no public call for its jobs; these two build the graph and nothing else
        workflow = api.workflow(snakefile=Path("Snakefile"), **settings)._workflow
        workflow.dag_settings = DAGSettings(forceall=True)
        workflow._prepare_dag(forceall=True, ignore_incomplete=True, lock_warn_only=True)
        workflow._build_dag()
        ordered = [job for level in workflow.dag.toposorted() for job in level if job.is_script]
        return [
            {
                "rule": job.rule.name,
                "script": f"scripts/{job.rule.name}.py",
                "input": files(job.input),
                "output": files(job.output),
                "params": dict(job.params.items()),
                "wildcards": dict(job.wildcards_dict),
                "threads": job.threads,
                "log": list(map(str, job.log)),
            }
            for job in ordered
        ]


def write_notebook(folder):
    """Write the notebook and its jobs into a copy of the project; return its path."""
    import nbformat

    code = "import sys, json; sys.path.insert(0, sys.argv[1]); import pipeline; "
    code += "print(json.dumps(pipeline.jobs()))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    text = done.stdout.splitlines()[-1]
    (folder / "jobs.json").write_text(text, encoding="utf-8")
    cells = [
        PRELUDE,
        *[f"job({number})  # {job['rule']}" for number, job in enumerate(json.loads(text))],
    ]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    path = folder / "all.ipynb"
    nbformat.write(notebook, path)
    return path


def notebook(cores):
    with copy_of_project() as folder:
        path = write_notebook(folder)
        command = ["papermill", "--no-progress-bar", path.name, "done.ipynb"]
        whole, _ = seconds(run, folder, *command)
        return {
            "seconds": whole,
            "after_an_edit_s": whole,
            "nothing_to_do_s": whole,
            "reproduced": reproduced(folder),
            "peak_mb": peak_mb(children=True),
        }


SIDES = {OURS: snakemake, "notebook": notebook}
