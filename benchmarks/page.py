"""From the measured CSV files to the tables and figures of docs/benchmarks.md."""

import csv
import importlib
import re
import sys
from collections import defaultdict
from statistics import median

from harness import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
FIGURES = ROOT / "docs" / "benchmarks"
# the quantities that every measurement has, and what the page calls them
HEADS = {"seconds": "time, s", "peak_mb": "peak memory, MB", "extra_mb": "of it for the call, MB"}


def read(path):
    """Return ({(side, size): {quantity: values, one a repeat}}, machines) of a measured file."""
    found, machines = defaultdict(lambda: defaultdict(list)), []
    with path.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            key = row["side"], int(row["size"])
            found[key][row["quantity"]].append(float(row["value"]))
            machines.append(row["machine"])
    return found, list(dict.fromkeys(machines))


def shown(number):
    """Print a number: four significant digits at most, thousands separated."""
    if abs(number) >= 1000 or number == int(number):
        return f"{number:,.0f}"
    return f"{number:.3g}" if abs(number) < 1 else f"{number:.4g}"


def _cell(quantity, values):
    """Print the median of a quantity; of the time the range as well, of memory whole MB."""
    middle, low, high = map(shown, (median(values), min(values), max(values)))
    if quantity.endswith("_mb"):
        return f"{median(values):,.0f}"
    return middle if quantity != "seconds" or low == high else f"{middle} ({low} to {high})"


def _head(quantity):
    told = HEADS.get(quantity, quantity.replace("_", " "))
    return f"{told.removesuffix(' s')}, s" if quantity.endswith("_s") else told


def ratio(found, benchmark, side, size):
    """Return how many times as long a side takes as ours: the median over repeats."""
    ours = found[benchmark.OURS, size]["seconds"]
    theirs = found[side, size]["seconds"]
    return median(b / a for a, b in zip(ours, theirs, strict=True))


def _ratio_cell(found, benchmark, side, size):
    if side == benchmark.OURS:
        return "1"
    if (benchmark.OURS, size) not in found:
        return ""
    return shown(ratio(found, benchmark, side, size))


def table(benchmark, found):
    """Return the table of a benchmark as lines of Markdown, a row a size and side."""
    told = {quantity: None for values in found.values() for quantity in values}
    parts = [quantity for quantity in told if quantity not in HEADS]
    quantities = [*(q for q in HEADS if q in told), *parts]
    ours = getattr(benchmark, "OURS", "")
    compared = [f"times as long as {ours}"] if len(benchmark.SIDES) > 1 and ours else []
    heads = [benchmark.AXIS, "", *compared, *map(_head, quantities)]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    skipped = getattr(benchmark, "SKIPPED", {})
    for size in benchmark.SIZES:
        for side in benchmark.SIDES:
            cells = [f"{size:,}", side]
            if (side, size) in found:
                cells += [_ratio_cell(found, benchmark, side, size) for _ in compared]
                here = found[side, size]
                cells += [_cell(q, here[q]) if q in here else "" for q in quantities]
            elif (side, size) in skipped:
                reason = f"not run: {skipped[side, size]}"
                cells += ["", reason, *[""] * (len(quantities) - 1)][1 - len(compared) :]
            else:
                continue
            lines.append(f"| {' | '.join(cells)} |")
    return lines


def section(name, measured):
    """Return what stands between the marks of a benchmark: words, figure, table, machine."""
    benchmark = importlib.import_module(name)
    title, _, words = benchmark.__doc__.strip().partition("\n")
    lines = [f"## {title}", "", words.strip(), ""]
    path = measured / f"{name}.csv"
    if not path.exists():
        return [*lines, f"Not measured yet: `python benchmarks/run.py {name}`."]
    found, machines = read(path)
    if is_drawn(benchmark):
        lines += [f"![{title}: time against {benchmark.AXIS}](benchmarks/{name}.svg)", ""]
    repeats = max(len(values) for here in found.values() for values in here.values())
    taken = f"Medians of {repeats} repeats" if repeats > 1 else "One measurement"
    return [
        *lines,
        *table(benchmark, found),
        "",
        f"{taken} by `python benchmarks/run.py {name}` ({'; and on '.join(machines)}).",
    ]


def verdict(row):
    """Say whether a goal was met: yes, no, or nothing when it was not measured."""
    if not row["measured"]:
        return ""
    return "yes" if float(row["measured"]) <= float(row["limit"]) else "no"


def goals(measured):
    """Return the section of the project's own limits."""
    path = measured / "goals.csv"
    if not path.exists():
        return ["Not measured yet: `python benchmarks/goals.py`."]
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    lines = ["| goal | at most | measured | met | |", "|---|---|---|---|---|"]
    lines += [
        f"| {row['goal']} | {row['limit']} {row['unit']} | {row['measured']} | {verdict(row)} | "
        f"{row['note']} |"
        for row in rows
    ]
    machines = dict.fromkeys(row["machine"] for row in rows if row["machine"])
    return [*lines, "", f"By `python benchmarks/goals.py` ({'; and on '.join(machines)})."]


def is_drawn(benchmark):
    """Whether a benchmark has enough sizes for a curve."""
    return len(benchmark.SIZES) > 2


def draw(name, measured):
    """Draw time against size, a line a side, bars from the least to the most over the repeats."""
    sys.path.insert(0, str(ROOT / "src"))
    from embedding_ledger.figures import figure
    from embedding_ledger.palette import BLUE, GREEN, ORANGE

    benchmark = importlib.import_module(name)
    found, _ = read(measured / f"{name}.csv")
    with figure(FIGURES / f"{name}.svg") as (_, axes):
        for side, colour in zip(benchmark.SIDES, (BLUE, ORANGE, GREEN), strict=False):
            sizes = [size for size in benchmark.SIZES if (side, size) in found]
            spans = [found[side, size]["seconds"] for size in sizes]
            middles = list(map(median, spans))
            below = [middle - min(span) for middle, span in zip(middles, spans, strict=True)]
            above = [max(span) - middle for middle, span in zip(middles, spans, strict=True)]
            axes.errorbar(
                sizes, middles, (below, above), marker="o", color=colour, label=side, capsize=3
            )
        axes.set(xscale="log", yscale="log", xlabel=benchmark.AXIS, ylabel="time, s")
        axes.legend()


def filled(text, names, measured):
    """Return the page with what stands between its marks written anew.

    Raises ValueError when a mark is missing.
    """
    sections = {"goals": goals(measured)}
    sections |= {name: section(name, measured) for name in names}
    for name, lines in sections.items():
        marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        if not marks.search(text):
            raise ValueError(f"{PAGE.name}: no <!-- {name} --> ... <!-- /{name} -->")
        inside = "\n".join(lines) + "\n"
        text = marks.sub(lambda match, inside=inside: match[1] + inside + match[2], text)
    return text


def write(names, measured):
    """Write the page's sections and draw its figures."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(filled(text, names, measured), encoding="utf-8", newline="\n")
    for name in names:
        if is_drawn(importlib.import_module(name)) and (measured / f"{name}.csv").exists():
            draw(name, measured)


def check(names, measured):
    """Return an exit status: 1 when the page is not what the measured files say."""
    text = PAGE.read_text(encoding="utf-8")
    if filled(text, names, measured) == text:
        return 0
    print(f"{PAGE.name} is not what {measured.name}/*.csv say: run.py --page", file=sys.stderr)
    return 1
