"""Mutation tests of the code that decides: would the tests notice a fault in it?

    python campaigns/mutants.py [--sample N | --survivors]

Each mutant changes one operator, comparison, constant, truth value, condition or return value of
compare.py, numerals.py or verdicts.py in a copy of the package, and runs the unit tests of these
modules on it. A mutant that no test fails on survives: it is listed, and the exit status is 1
unless it stands in EQUIVALENT. A run of all writes campaigns/mutants_measured.csv; --survivors
tries again those that survived there, after tests were added, and brings the file up to date.
"""

import argparse
import ast
import copy
import csv
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "embedding_ledger"
MODULES = ("compare", "numerals", "verdicts")
MEASURED = ROOT / "campaigns" / "mutants_measured.csv"
LIMIT = 120  # seconds of one mutant: one that runs longer hangs, which a person notices

# Mutants that no test can tell from the original: (module, change, source line) -> why.
EQUIVALENT = {
    ("compare", "'' -> 'x'", f'def {name}(stated, measured, tolerance=""):'): (
        "this kind of comparison has no tolerance and does not look at it"
    )
    for name in ("by_digits", "by_list", "by_set", "by_ordering", "by_truth", "by_bound")
} | {
    ("compare", "True -> False", "lows, highs = zip(*intervals, strict=True)"): (
        "every interval is a pair"
    ),
    (
        "compare",
        "True -> False",
        "for (bottom, top), cell in zip(intervals, measured, strict=True):",
    ): "their lengths were compared before",
    (
        "verdicts",
        "False -> True",
        'comparison, measured, spread = Comparison(False), [], ("", "")',
    ): ("without a comparison there is no edge, and nothing else is read of it"),
    (
        "verdicts",
        "True -> False",
        'return *decided, Comparison(True, low, high), measured, tuple(map(";".join, ranges))',
    ): "a spread has no edge, and nothing else is read of whether it holds",
    (
        "verdicts",
        "True -> False",
        "ranges = list(zip(split_list(claim.stated), lows, highs, strict=True))",
    ): "their lengths were compared before",
    ("numerals", "'0' -> '0x'", 'integer = re.sub(r"\\D", "", match["integer"] or "0")'): (
        "what is no digit is dropped"
    ),
}

SWAPS = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
}


def _changes(node):
    """Yield (what changes, function that changes a copy of the node in place) for one node."""
    if isinstance(node, (ast.BinOp, ast.BoolOp)):
        for other in SWAPS.get(type(node.op), ()):
            told = f"{type(node.op).__name__} -> {other.__name__}"
            yield told, lambda new, other=other: setattr(new, "op", other())
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for other in SWAPS.get(type(op), ()):
                told = f"{type(op).__name__} -> {other.__name__} ({place})"
                yield (
                    told,
                    lambda new, place=place, other=other: new.ops.__setitem__(place, other()),
                )
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield (
            "not x -> not not x",
            lambda new: setattr(new, "operand", ast.UnaryOp(ast.Not(), new.operand)),
        )
    if isinstance(node, ast.Constant):
        value = node.value
        if isinstance(value, bool):
            yield f"{value} -> {not value}", lambda new: setattr(new, "value", not value)
        elif isinstance(value, int):
            for other in (value + 1, value - 1):
                yield (
                    f"{value} -> {other}",
                    lambda new, other=other: setattr(new, "value", other),
                )
        elif isinstance(value, str):
            other = f"{value}x" if value else "x"
            yield f"{value!r} -> {other!r}", lambda new: setattr(new, "value", other)
    if isinstance(node, (ast.If, ast.IfExp)):
        yield (
            "condition -> not condition",
            lambda new: setattr(new, "test", ast.UnaryOp(ast.Not(), new.test)),
        )
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        other = {"any": "all", "all": "any", "min": "max", "max": "min"}.get(node.func.id)
        if other:
            yield f"{node.func.id} -> {other}", lambda new: setattr(new.func, "id", other)
    if isinstance(node, ast.Return) and ast.unparse(node) not in ("return", "return None"):
        yield "return value -> None", lambda new: setattr(new, "value", ast.Constant(None))


def _left_out(tree):
    """Return the nodes that no test need tell apart: docstrings, messages, decorators."""
    nodes = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            nodes.add(node.value)
        for decorator in getattr(node, "decorator_list", ()):  # frozen=True only guards from slips
            nodes |= set(ast.walk(decorator))
        if isinstance(node, ast.JoinedStr):
            nodes |= {part for part in node.values if isinstance(part, ast.Constant)}
            for part in node.values:  # format specifications are texts as well
                if isinstance(part, ast.FormattedValue) and part.format_spec:
                    nodes |= set(ast.walk(part.format_spec))
    return nodes


def mutants(source):
    """Yield (line, source line, change, mutated source) of every mutant of a source."""
    tree, lines = ast.parse(source), source.splitlines()
    left_out = _left_out(tree)
    for index, node in enumerate(ast.walk(tree)):
        if node in left_out:
            continue
        for told, change in _changes(node):
            mutated = copy.deepcopy(tree)
            change(next(n for i, n in enumerate(ast.walk(mutated)) if i == index))
            line = getattr(node, "lineno", 0)
            text = ast.unparse(ast.fix_missing_locations(mutated))
            yield line, lines[line - 1].strip(), told, text


def _tests_fail(folder, modules):
    """Run the tests in a forked child on the package in `folder`; tell how they ended.

    The child starts with pytest loaded and the package not, which saves seconds a mutant.
    """
    child = os.fork()
    if not child:
        os.setsid()
        sys.path.insert(0, str(folder))
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        tests = [str(ROOT / "tests" / "unit" / f"test_{module}.py") for module in modules]
        pytest = importlib.import_module("pytest")
        options = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={ROOT}"]
        os._exit(int(pytest.main([*options, *tests])))
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return {0: "survived", 1: "killed"}.get(
                os.waitstatus_to_exitcode(status), "killed (does not load)"
            )
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return "killed (hangs)"


def _try(folder, module, source, mutated):
    """Run the tests on one mutant; tell how it ended. The module's own tests fail soonest."""
    file = Path(folder) / PACKAGE / f"{module}.py"
    file.write_text(mutated, encoding="utf-8")
    result = _tests_fail(folder, sorted(MODULES, key=lambda name: name != module))
    file.write_text(source, encoding="utf-8")
    return result


def _read_measured():
    """Return {(module, source line, change): result} of the last run."""
    with MEASURED.open(encoding="utf-8", newline="") as stream:
        return {
            (r["module"], r["source"], r["change"]): r["result"] for r in csv.DictReader(stream)
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, help="try so many, drawn with a fixed seed")
    parser.add_argument("--survivors", action="store_true", help="try those that survived again")
    options = parser.parse_args()
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    for name in ("pytest", "hypothesis", "hypothesis.strategies"):
        importlib.import_module(name)  # once, for every child
    assert not any(name.startswith(PACKAGE) for name in sys.modules)
    known = _read_measured() if options.survivors else {}
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / PACKAGE
        shutil.copytree(
            ROOT / "src" / PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__")
        )
        os.environ["PYTHONPATH"] = folder
        if _tests_fail(folder, MODULES) != "survived":
            sys.exit("the tests fail on the code as it is")
        sources = {m: (package / f"{m}.py").read_text(encoding="utf-8") for m in MODULES}
        waiting = [(m, *mutant) for m, source in sources.items() for mutant in mutants(source)]
        if options.sample:
            waiting = random.Random(8).sample(waiting, options.sample)
        for module, line, text, told, mutated in waiting:
            reason = EQUIVALENT.get((module, told, text), "")
            result = known.get((module, text, told), "survived")
            if not result.startswith("killed"):
                result = _try(folder, module, sources[module], mutated)
            if result == "survived":
                result = "equivalent" if reason else "survived"
                print(f"{result}: {module}.py:{line}: {told}: {text}", flush=True)
            rows.append((module, line, text, told, result, reason))
    ended = [row[4] for row in rows]
    survived, same = ended.count("survived"), ended.count("equivalent")
    print(f"{len(rows) - survived - same} of {len(rows)} mutants killed, {same} equivalent")
    if not options.sample:
        with MEASURED.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(("module", "line", "source", "change", "result", "why_equivalent"))
            writer.writerows(rows)
    sys.exit(bool(survived))


if __name__ == "__main__":
    main()
