"""Small language models: what they share, and how their truths are decided."""

import numpy as np
import torch

from embedding_ledger import small_models as s

TYING = {
    "vocabulary": 6,
    "window": 2,
    "widths": [4],
    "hidden": 5,
    "train_share": 0.8,
    "seeds": [0],
    "batch": 8,
    "steps": 6,
    "looks": 2,
    "patience": 1,
    "learning_rate": 0.01,
    "compared_rows": 6,
}


def test_a_tied_model_has_one_table():
    tied, untied = (s.WindowModel(10, 2, 4, 5, kind) for kind in (True, False))
    count = [sum(p.numel() for p in model.parameters()) for model in (tied, untied)]
    assert count[1] - count[0] == 40
    assert tied.head.weight is tied.embed.weight
    assert abs(s.geometry_agreement(tied, 10) - 1) < 1e-12


def test_windows_end_before_their_target():
    inputs, targets = s.windows(torch.arange(5), 2)
    assert inputs.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert targets.tolist() == [2, 3, 4]


def test_frequent_words_keep_an_id():
    ids, words = s.word_ids([["b", "a", "b"], ["c", "b", "a", "d"]], 3)
    assert words == [s.UNKNOWN, "b", "a"]
    assert ids.tolist() == [1, 2, 1, 0, 1, 2, 0]


def test_runs_repeat_and_stop():
    rng = np.random.default_rng(0)
    text = [[f"w{n}" for n in rng.integers(8, size=5)] for _ in range(40)]
    rows = s.tying_rows(text, TYING)
    assert rows == s.tying_rows(text, TYING)
    assert {row[2] for row in rows} == {True, False}
    # every run looks at least twice: it takes one look without a fall to end it
    assert max(row[4] for row in rows) <= TYING["steps"]


def tying_row(seed, tied, loss, agreement):
    return (8, seed, tied, 100, 10, loss, round(np.exp(loss), 1), agreement)


def test_tying_truth_needs_most_runs_and_two_geometries():
    def decide(gains, agreement=0.1):
        rows = []
        for seed, gain in enumerate(gains):
            rows += [tying_row(seed, True, 3 - gain, 1), tying_row(seed, False, 3, agreement)]
        return s.tying_truths(rows)["tying.often_lower_perplexity_one_geometry"][0]

    assert decide([0.1, 0.1, -0.1])
    assert not decide([0.1, -0.1])
    assert not decide([0.1, 0.1], agreement=0.95)


def test_attested_shares():
    known = s.units_of(b"the cat sat")
    shares = dict(zip(s.UNITS, s.attested(b"x the cat dog y", known), strict=True))
    assert shares["words"] == 2 / 3
    assert shares["word pairs"] == 1 / 2
    assert s.attested(b"the cat sat", known) == [1, 1, 1, 0]
    assert s.attested(b"", known) == [0, 0, 0, 0]


def test_byte_truth_is_about_the_order():
    text = ("text", None, 1, 1, 1, 1)
    start = (0, 5.0, 0, 0, 0, 0)
    early = [start, (100, 2.0, 1, 1, 0.3, 0.1), (200, 2.0, 1, 1, 1, 0.3), text]
    assert s.byte_truths(early)["bytes.patterns_before_words"][0]
    words_first = [start, (100, 2.0, 0.2, 0.1, 1, 1), (200, 2.0, 1, 1, 1, 1), text]
    assert not s.byte_truths(words_first)["bytes.patterns_before_words"][0]
    at_once = [start, (100, 2.0, 1, 1, 1, 1), text]
    assert not s.byte_truths(at_once)["bytes.patterns_before_words"][0]


def test_a_sample_has_the_asked_length_and_repeats():
    torch.manual_seed(0)
    model = s.WindowModel(256, 3, 4, 5)
    start = torch.zeros((2, 3), dtype=torch.long)
    texts = [s.sample(model, start, 7, torch.Generator().manual_seed(1)) for _ in range(2)]
    assert texts[0] == texts[1]
    assert [len(text) for text in texts[0]] == [7, 7]
