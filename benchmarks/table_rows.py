"""Questions to a table against its number of rows

A memory-mapped random table of width 64: opening it (which checks every row), the mean cosine of
all pairs, the leaning of every row, eight neighbours of twenty rows, five analogies.
"""

import tempfile
from pathlib import Path

from harness import SCRATCH, measured, seconds

AXIS = "rows"
SIZES = (10**4, 10**5, 10**6)
QUICK = (10**4,)
OURS = "memory-mapped"
WIDTH, BLOCK = 64, 10_000


def write(path, rows):
    """Write a random table of float32 to an .npy file, some rows at a time."""
    import numpy as np

    rng, shape = np.random.default_rng(0), (rows, WIDTH)
    table = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=shape)
    for start in range(0, rows, BLOCK):
        part = table[start : start + BLOCK]
        part[:] = rng.standard_normal(part.shape, np.float32) + 0.1


def ask(path, tokens):
    """Open the table and ask everything; return the seconds of each question."""
    import numpy as np

    from embedding_ledger.tables import EmbeddingTable

    vectors = np.load(path, mmap_mode="r", allow_pickle=False)
    told = {}
    told["opening_s"], table = seconds(EmbeddingTable, "random", tokens, vectors)
    told["mean_cosine_s"], _ = seconds(table.mean_cosine)
    told["leanings_s"], _ = seconds(table.leanings)
    told["neighbours_s"], _ = seconds(lambda: list(table.nearest_rows(range(20), 8)))
    told["analogies_s"], _ = seconds(
        lambda: [table.analogy(*tokens[i : i + 3], 8) for i in range(5)]
    )
    return told


def mapped(rows):
    SCRATCH.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=SCRATCH) as folder:
        path = Path(folder) / "vectors.npy"
        write(path, rows)
        told, parts = measured(ask, path, tuple(map(str, range(rows))))
    return {**told, **parts}


SIDES = {OURS: mapped}
