"""The small model that needs order."""

import pytest
import torch

from embedding_ledger import order
from embedding_ledger.config import load

CONFIG = load()["order"]


def test_windows_hold_different_words():
    ids = order.windows(CONFIG, 50, torch.Generator().manual_seed(1))
    assert ids.shape == (50, CONFIG["window"])
    assert all(len(set(row)) == CONFIG["window"] for row in ids.tolist())
    assert len(set(ids.flatten().tolist())) == CONFIG["vocabulary"]


def test_without_positions_the_answer_ignores_the_order():
    torch.manual_seed(0)
    ids = order.windows(CONFIG, 8, torch.Generator().manual_seed(1))
    for positions in (False, True):
        model = order.FirstWord(CONFIG | {"init_scale": 1.0}, positions)
        with torch.no_grad():
            straight, reversed_ = model(ids), model(ids.flip(1))
        assert torch.allclose(straight, reversed_, atol=1e-6) is not positions


def test_training_repeats():
    config = CONFIG | {"steps": 5}
    assert order.train(config, 3, True) == order.train(config, 3, True)


@pytest.mark.parametrize(("places", "part"), [(0, 1.0), (1, 0.0)])
def test_shared_part_of_known_spaces(places, part):
    model = order.FirstWord({"vocabulary": 3, "window": 3, "width": 4, "init_scale": 1}, True)
    word_rows = torch.tensor([[1.0, 0, 0, 0], [-1, 1, 0, 0], [0, -1, 0, 0]])
    with torch.no_grad():
        model.words.weight.copy_(word_rows)
        model.places.weight.copy_(word_rows.roll(2 * places, dims=1))
    assert order.shared_part(model) == pytest.approx(part, abs=1e-12)
