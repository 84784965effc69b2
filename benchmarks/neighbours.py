"""Time and memory of finding neighbours: blocks of the product against all of it at once.

Run alone: python benchmarks/neighbours.py [--all]. Random unit vectors; the second method is
torch.topk over the full product of the queries with the table. Each case runs in a process of its
own, so that its peak memory is its own. Writes neighbours_measured.csv beside this file.
"""

import argparse
import csv
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

K, WIDTH = 8, 64
CASES = [(rows, 256) for rows in (10_000, 100_000, 1_000_000)] + [(20_000, 20_000)]
FULL = (50_257, 50_257, 768)  # GPT-2's table against itself


def peak():
    """Return the peak memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(method, rows, queries, width):
    """Return (seconds, MB beside the table and what was loaded) of one search."""
    import torch

    from embedding_ledger.tables import EmbeddingTable

    torch.set_num_threads(1)
    table = np.random.default_rng(0).standard_normal((rows, width), np.float32)
    table /= np.linalg.norm(table, axis=1, keepdims=True)
    own = EmbeddingTable("random", tuple(map(str, range(rows))), table)
    asked, before, started = np.arange(queries), peak(), time.perf_counter()
    if method == "blocks":
        for _ in own.nearest_rows(asked, K):
            pass
    else:
        unit = torch.from_numpy(table)
        (unit[:queries] @ unit.T).topk(K + 1)
    return time.perf_counter() - started, peak() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="GPT-2's size too: minutes, 10 GB")
    parser.add_argument("--case", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        method, *numbers = given.case
        print(*run(method, *map(int, numbers)))
        return
    cases = [(*case, WIDTH) for case in CASES] + ([FULL] if given.all else [])
    rows = []
    for case in cases:
        for method in ("blocks", "torch.topk"):
            command = [sys.executable, __file__, "--case", method, *map(str, case)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            seconds, extra = map(float, done.stdout.split())
            rows.append((method, *case, f"{seconds:.2f}", f"{extra:.0f}"))
            print(*rows[-1])
    with Path(__file__).with_name("neighbours_measured.csv").open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(("method", "rows", "queries", "width", "seconds", "extra_mb"))
        writer.writerows(rows)


if __name__ == "__main__":
    main()
