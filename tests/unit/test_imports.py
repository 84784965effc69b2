"""The modules that a script uses, in a small package made for the test and for the real scripts."""

from modulefinder import ModuleFinder

import pytest

from embedding_ledger import imports

MODULES = {
    "__init__": "",
    "a": "from fake.b import x",
    "b": "import os, fake.c\nx = 1",
    "c": "from fake import d, VERSION",
    "d": "from fake.b import x",  # a circle: b, c, d
    "e": "def late():\n    from fake import f",
    "f": "from other.a import x\nfrom fakery import a",
    "g": "",
}


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Return a function that gives the module names found for a script's text."""
    package = tmp_path / "fake"
    package.mkdir()
    for name, text in MODULES.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.setattr(imports, "PACKAGE", package)
    monkeypatch.setattr(imports, "NAME", "fake")

    def find(text):
        script = tmp_path / "script.py"
        script.write_text(text)
        return [path.relative_to(package).stem for path in imports.module_files(script)]

    yield find
    imports._direct_modules.cache_clear()


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("import fake.a", "abcd"),
        ("from fake import a", "abcd"),
        ("from fake.a import x", "abcd"),
        ("from fake.a import x as y", "abcd"),
        ("from fake.a import *", "abcd"),
        ("from fake import (g,\n  e)", "efg"),
        ("def main():\n    import fake.g", "g"),
        ("if False:\n    from fake import g", "g"),
        ("import fake", ""),
        ("from fake.absent import x", ""),
        ("from fake.d import x", "bcd"),
    ],
)
def test_modules_of_a_script(fake, text, modules):
    found = fake(text)
    assert found == sorted(found)
    assert set(found) - {"__init__"} == set(modules)
    assert ("__init__" in found) == (text != "from fake.absent import x")


@pytest.mark.parametrize(
    "text", ["import os", "from .fake import a", "from other.fake import a", "fake = 1"]
)
def test_script_without_modules(fake, text):
    assert fake(text) == []


def test_syntax_is_read_not_run(fake):
    assert fake("raise SystemExit\nimport fake.g") == ["__init__", "g"]


def names(project, script):
    return {path.stem for path in imports.module_files(project / "scripts" / script)}


def test_real_check_script(project):
    found = names(project, "check.py")
    assert {"manifest", "verdicts", "jobs", "files", "numerals", "compare"} <= found
    assert not found & {"figures", "positions", "parameters", "pages"}


def test_no_real_script_is_without_modules(project):
    scripts = sorted(project.glob("scripts/*.py"))
    assert len(scripts) >= 9
    for script in scripts:
        found = imports.module_files(script)
        assert imports.PACKAGE / "jobs.py" in found, script
        assert all(path.is_file() for path in found)


def test_real_scripts_against_modulefinder(project):
    """Python's own module finder, kept to this package, agrees on every script."""
    package = imports.PACKAGE
    for script in sorted(project.glob("scripts/*.py")):
        finder = ModuleFinder(path=[str(package.parent)])
        finder.run_script(str(script))
        files = {m.__file__ for m in finder.modules.values() if m.__name__ != "__main__"} - {None}
        assert files == set(map(str, imports.module_files(script))), script
