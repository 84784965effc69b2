"""Two runs compared: a moved verdict, a moved digit, a new and a gone claim, and nothing else."""

import pytest

from embedding_ledger.diff import Move, as_lines, as_markdown, compare_runs, read_run
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import write_csv

COLUMNS = ("id", "stated", "verdict", "measured", "spread_low", "spread_high", "rule")
OLD = [
    ("d7.a", "0.5", "reproduced", "0.501", "", "", "measure_a"),
    ("d7.b", "0.6", "reproduced", "0.601", "", "", "measure_b"),
    ("d7.c", "0.7", "consistent", "0.7", "0.69", "0.71", "measure_c"),
    ("d7.d", "8", "not run", "", "", "", ""),
]


def run(folder, rows):
    write_csv(folder / "claims.csv", COLUMNS, rows)
    return folder


def moved(tmp_path, change):
    new = [row for row in map(change, OLD) if row]
    old = read_run(run(tmp_path / "old", OLD))
    return compare_runs(old, read_run(run(tmp_path / "new", new)))


def test_equal_runs_have_no_moves(tmp_path):
    assert moved(tmp_path, lambda row: row) == []
    assert moved(tmp_path, lambda row: (*row[:-1], "another_rule")) == []
    assert as_lines([]) == ["no claim moved"]
    assert as_markdown([]) == ["No claim moved."]


@pytest.mark.parametrize(
    ("place", "cell", "expected"),
    [
        (0, ("verdict", 2, "differs"), "verdict"),
        (0, ("measured", 3, "0.5010"), "digits"),
        (2, ("spread_low", 4, "0.68"), "digits"),
        (2, ("spread_high", 5, "0.72"), "digits"),
    ],
)
def test_one_cell_moves_one_claim(tmp_path, place, cell, expected):
    _, column, text = cell
    row = OLD[place]
    changed = (*row[:column], text, *row[column + 1 :])
    (move,) = moved(tmp_path, lambda r: changed if r == row else r)
    assert (move.id, move.change, move.stated) == (row[0], expected, row[1])
    assert text in move.after and text not in move.before


def test_new_and_gone_claims(tmp_path):
    old = read_run(run(tmp_path / "old", OLD[:2]))
    new = read_run(run(tmp_path / "new", OLD[1:3]))
    assert compare_runs(old, new) == [
        Move("d7.a", "gone", "0.5", "reproduced: 0.501", ""),
        Move("d7.c", "new", "0.7", "", "consistent: 0.7 (0.69 to 0.71)"),
    ]


def test_tables():
    moves = [Move("d7.a", "digits", "< 1", "reproduced: 0|1", "reproduced: 0")]
    heading, line, count = as_lines(moves)
    assert heading.split() == ["claim", "change", "stated", "before", "after"]
    assert line == "d7.a   digits  < 1     reproduced: 0|1  reproduced: 0"
    assert count == "1 claim moved"
    assert as_markdown(moves) == [
        "**1 claim moved**",
        "",
        "| claim | change | stated | before | after |",
        "|---|---|---|---|---|",
        "| d7.a | digits | < 1 | reproduced: 0\\|1 | reproduced: 0 |",
    ]


def test_file_or_folder(tmp_path):
    folder = run(tmp_path / "old", OLD)
    assert read_run(folder) == read_run(folder / "claims.csv")
    assert list(read_run(folder)) == [row[0] for row in OLD]


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(LedgerError, match=r"claims\.csv"):
        read_run(tmp_path)
    (tmp_path / "claims.csv").write_text("id,stated\n")
    with pytest.raises(LedgerError, match="missing column 'verdict'"):
        read_run(tmp_path)
    with pytest.raises(LedgerError, match=r"claim d7\.a stands there more than once"):
        read_run(run(tmp_path, [OLD[0], *OLD]))
