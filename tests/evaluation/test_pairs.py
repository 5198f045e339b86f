"""Minimal pairs: the figures, worked by hand."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from countercase.errors import InputError
from countercase.evaluation.pairs import (
    Pair,
    compare_ranks,
    compute_p_mrr,
    pairs_section,
    read_pairs,
)

ROW = {
    "id": "bail-01", "area": "bail", "fact_type": "Evidence", "fact": "recovered / not recovered",
    "text_a": "The purse was found on him.", "text_b": "Nothing was found on him.",
    "a": "x", "b": "y", "why": "x rests on the recovery, y on its absence",
}  # fmt: skip


def pair(**changed: str) -> Pair:
    return Pair.model_validate(ROW | changed)


def test_p_mrr_by_hand() -> None:
    """a falls from 1 to 4, b rises from 4 to 2: (1 - 1/4 + 1 - 2/4) / 2."""
    assert compute_p_mrr((1, 4, 4, 2)) == pytest.approx((0.75 + 0.5) / 2)
    assert compute_p_mrr((2, 5, 2, 5)) == 0
    assert compute_p_mrr((4, 2, 1, 4)) == pytest.approx(-(0.75 + 0.5) / 2)


def test_ranks_are_counted_from_one_and_a_missing_decision_is_last() -> None:
    run = {"bail-01/a": {"x": 2.0, "y": 1.0, "z": 3.0}, "bail-01/b": {"y": 1.0}}
    assert compare_ranks(pair(), run) == (2, 3, math.inf, 1)
    section = pairs_section([pair()], {"final": run}, "final", [None])
    assert section.details["ranks"] == [{"id": "bail-01", "final": [2, 3, None, 1]}]


def test_figures_of_two_systems() -> None:
    right = {"bail-01/a": {"x": 2.0, "y": 1.0}, "bail-01/b": {"x": 1.0, "y": 2.0}}
    still = {"bail-01/a": {"x": 2.0, "y": 1.0}, "bail-01/b": {"x": 2.0, "y": 1.0}}
    section = pairs_section([pair()], {"still": still, "final": right}, "final", [True])
    figures = {it.key: it.value for it in section.measures}
    assert (figures["pairs.directions"], figures["pairs.p_mrr"]) == (1.0, 0.5)
    assert figures["pairs.paired_accuracy"] == figures["pairs.lead_moves"] == 1.0
    assert figures["pairs.evidence.paired_accuracy"] == 1.0
    assert figures["pairs.still.paired_accuracy"] == 0.0
    assert [row[0] for row in section.tables[0].rows] == ["final", "still"]


def test_pairs_are_read_by_part_and_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    rows = [ROW | {"part": "development"}, ROW | {"id": "bail-02", "part": "held-out"}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert [it.id for it in read_pairs(path, "held-out")] == ["bail-02"]
    assert len(read_pairs(path)) == 2
    with pytest.raises(InputError, match="no pair of the part"):
        read_pairs(path, "third")
    path.write_text(json.dumps(ROW | {"b": "x"}), encoding="utf-8")
    with pytest.raises(InputError, match="must differ"):
        read_pairs(path)
