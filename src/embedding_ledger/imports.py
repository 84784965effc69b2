"""Which modules of this package a script uses, found by reading its import statements."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent
NAME = PACKAGE.name


def _imported_names(tree):
    """Yield every dotted name that a module's import statements could mean."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _direct_modules(file):
    """Return the files of this package that `file` imports itself."""
    found = set()
    for name in _imported_names(ast.parse(file.read_text(encoding="utf-8"))):
        first, *rest = name.split(".")
        candidate = PACKAGE.joinpath(*rest).with_suffix(".py") if rest else PACKAGE / "__init__.py"
        if first == NAME and candidate.is_file():
            found.add(candidate)
    return frozenset(found)


def module_files(script):
    """Return the sorted files of this package that a script imports, directly or through others.

    The package writes its own imports in full (`from embedding_ledger.x import y`), so the import
    statements tell everything; nothing is executed.
    """
    found, waiting = set(), [Path(script)]
    while waiting:
        new = _direct_modules(waiting.pop()) - found
        found |= new
        waiting += new
    return sorted(found | {PACKAGE / "__init__.py"}) if found else []
