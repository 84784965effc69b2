"""The model and its training: losses against plain formulas, resuming by killing a run."""

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import torch

from embedding_ledger import micro_training as t
from embedding_ledger.errors import LedgerError
from embedding_ledger.micro_model import LanguageModel, full_loss, sampled_loss
from embedding_ledger.micro_tokens import split_blocks

SHAPE = {"width": 8, "layers": 1, "heads": 2, "hidden": 16, "context": 8, "init_scale": 0.02}
SETTINGS = {
    "batch": 4,
    "learning_rate": 0.003,
    "warmup": 5,
    "weight_decay": 0.01,
    "clip": 1,
    "negatives": 16,
    "negative_power": 0.75,
    "bias_from_counts": False,
    "held_out_blocks": 4,
    "save_every": 10,
    "steps": 40,
    "moments": [0, 20, 40],
}
TOKENS = np.random.default_rng(0).integers(0, 30, 2_000).astype(np.uint16)
BLOCKS = split_blocks({"all": (0, len(TOKENS), 1)}, 8, 10)


def run(checkpoint, **changed):
    return t.train(TOKENS, BLOCKS, 30, SHAPE, {**SETTINGS, **changed}, 3, checkpoint)


def test_full_loss_is_the_negative_log_of_the_softmax():
    torch.manual_seed(0)
    model = LanguageModel(30, SHAPE)
    ids, targets = torch.randint(30, (2, 8)), torch.randint(30, (16,))
    hidden = model(ids)
    scores = (hidden @ model.table.weight.T).detach().numpy().astype(float)
    expected = np.log(np.exp(scores).sum(axis=1)) - scores[range(16), targets]
    assert full_loss(model, hidden, targets).detach().numpy() == pytest.approx(expected, abs=1e-5)


def test_sampled_loss_of_the_whole_vocabulary_is_the_full_loss():
    torch.manual_seed(0)
    model = LanguageModel(30, SHAPE)
    targets = torch.randint(30, (16,))
    hidden = model(torch.randint(30, (2, 8)))
    every = sampled_loss(model, hidden, targets, torch.arange(30), torch.zeros(30))
    assert every.item() == pytest.approx(full_loss(model, hidden, targets).mean().item(), abs=1e-6)


def test_sampled_loss_is_close_to_the_full_one_on_average():
    torch.manual_seed(0)
    model = LanguageModel(30, SHAPE)
    targets = torch.randint(30, (64,))
    hidden = model(torch.randint(30, (8, 8)))
    chances = t.negative_distribution(TOKENS, 30, 0.75)
    log_expected = torch.from_numpy(np.log(2000 * chances)).float()
    cumulative = np.cumsum(chances)
    drawn = t.draw_negatives(0, 0, cumulative, 2000)
    found = sampled_loss(model, hidden, targets, drawn, log_expected)
    assert found.item() == pytest.approx(full_loss(model, hidden, targets).mean().item(), abs=0.05)


def test_no_state_sees_a_later_token():
    torch.manual_seed(0)
    model = LanguageModel(30, SHAPE)
    ids = torch.randint(30, (1, 8))
    other = ids.clone()
    other[0, 5] = (other[0, 5] + 1) % 30
    before, after = (model.states(x)[-1][0].detach() for x in (ids, other))
    assert torch.equal(before[:5], after[:5])
    assert not torch.allclose(before[5:], after[5:])


def test_table_is_the_output_layer():
    model = LanguageModel(30, SHAPE)
    assert sum(p.shape == (30, 8) for p in model.parameters()) == 1


def test_training_lowers_the_held_out_loss_and_keeps_the_tables(tmp_path):
    repeated = np.tile(np.arange(10, dtype=np.uint16), 200)
    blocks = split_blocks({"all": (0, len(repeated), 1)}, 8, 10)
    settings = {**SETTINGS, "negatives": 0, "learning_rate": 0.05}
    made = t.train(repeated, blocks, 30, SHAPE, settings, 0, tmp_path / "c.pt")
    assert made.tables.shape == (3, 30, 8)
    assert made.places.shape == (3, 8)
    assert made.curve[0][3] == pytest.approx(np.log(30), abs=0.1)
    assert made.curve[-1][3] < 1
    assert [row[:2] for row in made.curve] == [(0, 0), (20, 640), (40, 1280)]
    assert not (tmp_path / "c.pt").exists()


def test_stopped_and_resumed_equals_uninterrupted(tmp_path, monkeypatch):
    whole = run(tmp_path / "whole.pt")
    rows_at, calls = t.rows_at, []

    def stop(*arguments):
        calls.append(arguments)
        if len(calls) == 30:
            raise KeyboardInterrupt
        return rows_at(*arguments)

    monkeypatch.setattr(t, "rows_at", stop)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "c.pt")
    assert (tmp_path / "c.pt").exists()
    monkeypatch.setattr(t, "rows_at", rows_at)
    resumed = run(tmp_path / "c.pt")
    assert resumed.tables.tobytes() == whole.tables.tobytes()
    assert resumed.places.tobytes() == whole.places.tobytes()
    assert resumed.curve == whole.curve


KILLED = """
import sys
sys.path.insert(0, {folder!r})
from test_micro_training import run
run({checkpoint!r}, steps=4000, moments=[0, 4000], save_every=1)
"""


def test_killed_run_resumes_to_the_same_bits(tmp_path):
    """SIGKILL at whatever step it has reached; the rest of the run is done by another process."""
    checkpoint = tmp_path / "c.pt"
    script = KILLED.format(folder=os.path.dirname(__file__), checkpoint=str(checkpoint))
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while not checkpoint.exists() and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    state = torch.load(checkpoint, weights_only=False)
    assert 0 < state["done"] < 4000
    end = state["done"] + 20
    # the settings are part of the mark: the run that goes on must be the very run that was killed
    changed = {"steps": 4000, "moments": [0, 4000], "save_every": 10**6}
    assert t._resume(checkpoint, state["mark"]) is not None
    whole, resumed = (
        _run_until(path, end, **changed) for path in (tmp_path / "other.pt", checkpoint)
    )
    assert whole == resumed


def _run_until(checkpoint, end, **changed):
    """Return the bytes of the table after `end` steps of a run that may have been resumed."""
    found = {}
    optimizer_step = torch.optim.AdamW.step

    class Enough(Exception):
        pass

    def step(self, *arguments):
        result = optimizer_step(self, *arguments)
        weights = self.param_groups[0]["params"][0]
        if int(self.state[weights]["step"]) == end:
            found["table"] = weights.detach().numpy().tobytes()
            raise Enough
        return result

    torch.optim.AdamW.step = step
    try:
        run(checkpoint, **changed)
    except Enough:
        pass
    finally:
        torch.optim.AdamW.step = optimizer_step
    return found["table"]


def test_checkpoint_of_other_settings_or_a_broken_one_is_not_taken_up(tmp_path):
    t._save(tmp_path / "c.pt", {"mark": "other"})
    assert t._resume(tmp_path / "c.pt", "mine") is None
    (tmp_path / "c.pt").write_bytes(b"half")
    assert t._resume(tmp_path / "c.pt", "mine") is None


def test_infinite_loss_stops_with_a_clear_message(tmp_path):
    with pytest.raises(LedgerError, match=r"the loss is (nan|inf) at step \d+; lower the learning"):
        run(tmp_path / "c.pt", learning_rate=1e30, warmup=0)


def test_too_few_blocks_for_a_batch(tmp_path):
    with pytest.raises(LedgerError, match="blocks, a batch takes 4000"):
        run(tmp_path / "c.pt", batch=4000)


def test_every_block_comes_once_in_a_pass():
    blocks = np.arange(0, 120, 10)
    seen = np.concatenate([t.batch_at(step, 0, blocks, 4) for step in range(3)])
    assert sorted(seen) == sorted(blocks)


def test_weights_survive_being_saved(tmp_path):
    made = run(tmp_path / "c.pt", steps=2, moments=[0, 2])
    np.savez(tmp_path / "w.npz", **t.weights(made.model))
    with np.load(tmp_path / "w.npz") as arrays:
        model = t.load_model(arrays, 30, SHAPE)
    ids = torch.randint(30, (1, 8))
    assert torch.equal(model(ids), made.model(ids))
