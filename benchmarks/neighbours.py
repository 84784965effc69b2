"""Neighbours of a whole table

The eight nearest rows by cosine of every row of a random table of width 64: blocks of the product,
all of the product at once and `torch.topk`, and scikit-learn's `NearestNeighbors` (brute force,
cosine). The mean cosine of the neighbours found is printed with each: it must be the same.
"""

from harness import measured_often

AXIS = "rows"
SIZES = (34, 1_000, 10_000, 20_000, 50_000)
QUICK = (34, 1_000)
OURS = "blocks"
NEEDS = ("sklearn",)
K, WIDTH = 8, 64
SKIPPED = {
    ("torch.topk", 50_000): "the whole product would take 10 GB",
    ("scikit-learn", 50_000): "minutes: six times the row of 20,000, as time grows with the square",
}


def table_of(rows):
    """Return a random table of unit vectors, shape (rows, WIDTH), float32."""
    import numpy as np

    table = np.random.default_rng(0).standard_normal((rows, WIDTH), np.float32)
    return table / np.linalg.norm(table, axis=1, keepdims=True)


def blocks(rows):
    import numpy as np

    from embedding_ledger.tables import EmbeddingTable

    vectors = table_of(rows)
    tokens = tuple(map(str, range(rows)))

    def run():
        table = EmbeddingTable("random", tokens, vectors)
        return [cosine for near in table.nearest_rows(np.arange(rows), K) for _, cosine in near]

    told, cosines = measured_often(run)
    return {**told, "mean_cosine": float(np.mean(cosines))}


def topk(rows):
    import torch

    table = torch.from_numpy(table_of(rows))
    told, found = measured_often(lambda: (table @ table.T).topk(K + 1))
    return {**told, "mean_cosine": float(found.values[:, 1:].mean())}


def sklearn(rows):
    from sklearn.neighbors import NearestNeighbors

    table = table_of(rows)
    search = NearestNeighbors(n_neighbors=K + 1, metric="cosine", algorithm="brute")
    told, (distances, _) = measured_often(lambda: search.fit(table).kneighbors(table))
    return {**told, "mean_cosine": float(1 - distances[:, 1:].mean())}


SIDES = {OURS: blocks, "torch.topk": topk, "scikit-learn": sklearn}
