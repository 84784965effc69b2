"""What the code may not do, found by reading it: network, pickle, eval, strings for a shell."""

import ast

import pytest

FETCH = ("fetch.py",)  # the one module that may open a connection
NETWORK = {"ftplib", "http", "httpx", "requests", "smtplib", "socket", "ssl", "urllib"}
UNSAFE = {"dill", "joblib", "marshal", "pickle", "shelve"}
SAFE_LOADERS = {"SafeLoader", "BaseLoader"}
CALLS = {"eval", "exec", "compile", "__import__"}


def faults(source, may_fetch=False):
    """List what a module's source must not hold."""
    found = []
    for node in ast.walk(ast.parse(source)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            first = name.split(".")[0]
            if first in UNSAFE or (first in NETWORK - {"urllib"} and not may_fetch):
                found.append(f"line {node.lineno}: imports {name}")
            if first == "urllib" and name != "urllib.parse" and not may_fetch:
                found.append(f"line {node.lineno}: imports {name}")
        if isinstance(node, ast.Call):
            called, keywords = ast.unparse(node.func), {k.arg: k.value for k in node.keywords}
            told = f"line {node.lineno}: {called}"
            if called in CALLS or called in ("os.system", "os.popen", "subprocess.getoutput"):
                found.append(told)
            if "shell" in keywords:
                found.append(f"{told}(shell=...)")
            loader = ast.walk(keywords.get("Loader", node.func))
            loaders = {part.attr for part in loader if isinstance(part, ast.Attribute)}
            if called in ("yaml.load", "yaml.load_all") and not loaders <= SAFE_LOADERS:
                found.append(f"{told} without a safe loader")
            if called in ("yaml.unsafe_load", "yaml.full_load"):
                found.append(told)
            # np.load refuses a pickle unless it is told otherwise; np.save writes one
            for name, argument, safe, default in (
                ("np.load", "allow_pickle", "False", "False"),
                ("np.save", "allow_pickle", "False", "True"),
                ("torch.load", "weights_only", "True", ""),
            ):
                given = ast.unparse(keywords.get(argument, ast.Name(default)))
                if called == name and given != safe:
                    found.append(f"{told} without {argument}={safe}")
    return found


@pytest.mark.parametrize("folder", ["src/embedding_ledger", "scripts"])
def test_code_is_safe(project, folder):
    files = sorted((project / folder).glob("*.py"))
    assert files
    told = [
        f"{file.name}: {fault}"
        for file in files
        for fault in faults(file.read_text(encoding="utf-8"), file.name in FETCH)
    ]
    assert not told


@pytest.mark.parametrize(
    "source",
    [
        "import socket",
        "import urllib.request",
        "from urllib import request",
        "from http.client import HTTPSConnection",
        "import pickle",
        "eval('1')",
        "subprocess.run('ls', shell=True)",
        "os.system('ls')",
        "yaml.load(text)",
        "yaml.load(text, Loader=yaml.Loader)",
        "torch.load(path)",
        "torch.load(path, weights_only=False)",
        "np.save(path, array)",
        "np.load(path, allow_pickle=True)",
    ],
)
def test_unsafe_code_is_found(source):
    assert len(faults(source)) == 1


def test_safe_code_is_no_fault():
    for source in (
        "from urllib.parse import quote",
        "yaml.load(text, Loader=yaml.SafeLoader)",
        "model.eval()",
        "np.load(path)",
        "np.load(path, allow_pickle=False)",
        "np.save(path, array, allow_pickle=False)",
        "torch.load(path, weights_only=True)",
        "subprocess.run(['ls'])",
    ):
        assert not faults(source)
    assert not faults("import urllib.request", may_fetch=True)
