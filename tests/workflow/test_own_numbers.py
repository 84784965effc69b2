"""Another repository imports the workflow as docs/own-numbers.md says; all of it is its own."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest


class Repository:
    """A copy of the example outside the project, with commands to run in it."""

    def __init__(self, project, folder):
        self.project, self.folder = project, folder

    def edit(self, name, old, new):
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name} holds {old!r} {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def run(self, module, *arguments):
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.project / "src")},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    def snakemake(self, *arguments):
        return self.run("snakemake", "--cores", "1", *arguments)


@pytest.fixture
def repository(project, tmp_path):
    example, folder = project / "examples" / "own-numbers", tmp_path / "my-numbers"
    ignore = shutil.ignore_patterns("results", ".snakemake", "__pycache__")
    shutil.copytree(example, folder, ignore=ignore)
    repository = Repository(project, folder)
    repository.edit("Snakefile", '"../../Snakefile"', f'"{project}/Snakefile"')
    return repository


def test_the_page_shows_what_the_example_holds(project):
    page = (project / "docs" / "own-numbers.md").read_text(encoding="utf-8")
    page = page.replace('"../embedding-ledger/Snakefile"', '"../../Snakefile"')
    blocks = [
        block.strip() for block in re.findall(r"```(?:yaml|python)\n(.*?)```", page, re.DOTALL)
    ]
    files = ("Snakefile", "config/config.yaml", "rules/count_words.smk")
    example = project / "examples" / "own-numbers"
    for block, name in zip(blocks, files, strict=True):
        text = (example / name).read_text(encoding="utf-8")
        assert all(part in text for part in block.split("\n    ...\n")), name


def test_own_claims_get_verdicts_and_a_report(repository):
    status, told = repository.snakemake()
    assert status == 0, told
    summary = json.loads((repository.folder / "results/summary.json").read_text())
    assert list(summary["documents"]) == ["101"]
    assert (summary["claims"], summary["verdicts"]["reproduced"]) == (4, 3)
    assert summary["unexpected"] == []
    page = (repository.folder / "results/site/document-101.html").read_text()
    assert all(f'id="d101.{name}"' in page for name in ("words", "different", "share.the", "dot.1"))
    assert (repository.folder / "results/site/scripts/count_words.py.txt").exists()
    # what was made is recorded with the script that made it, wherever that one lies
    for rule, script in (
        ("count_words", repository.folder / "scripts/count_words.py"),
        ("measure_positions", repository.project / "scripts/measure_positions.py"),
    ):
        record = json.loads((repository.folder / f"results/manifest/{rule}.json").read_text())
        assert (repository.folder / record["script"]).resolve() == script.resolve()

    status, told = repository.snakemake("--", "check")
    assert status == 0, told
    assert "all 4 verdicts are the expected ones" in told
    status, told = repository.snakemake()
    assert "Nothing to be done" in told
    status, told = repository.run("embedding_ledger.cli", "number", "d101.dot.1")
    assert status == 0, told
    assert "verdict    reproduced" in told

    # the guard against edited results holds here, too
    repository.edit("results/words/values.csv", "words,0,13", "words,0,14")
    status, told = repository.snakemake("--", "check")
    assert status != 0
    assert "results/words/values.csv: changed after rule count_words made it" in told


def test_planted_wrong_digit_turns_check_red(repository):
    repository.edit("claims/101.csv", "is 7.485.,7.485,", "is 7.485.,7.486,")
    status, told = repository.snakemake("--", "check")
    assert status != 0
    assert "d101.dot.1: differs, expected reproduced; stated 7.486" in told


def test_without_pages_there_are_verdicts_and_no_site(repository):
    shutil.rmtree(repository.folder / "report")
    status, told = repository.snakemake()
    assert status == 0, told
    assert (repository.folder / "results/claims.csv").exists()
    assert not (repository.folder / "results/site").exists()
    status, told = repository.snakemake("--", "check")
    assert status == 0, told


def test_unknown_experiment_is_named(repository):
    repository.edit("config/config.yaml", "rules/count_words.smk", "rules/count_word.smk")
    status, told = repository.snakemake()
    assert status != 0
    assert "'experiments' of the configuration: rules/count_word.smk: No such file" in told
