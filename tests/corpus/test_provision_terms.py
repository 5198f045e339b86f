"""Provisions as terms: one law under two codes is one term, and rarity counts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from countercase.corpus.index.lexical import CitingCases, provision_terms


@pytest.mark.parametrize(
    ("provisions", "terms"),
    [
        (["IPC-302"], ("IPC-302",)),
        (["BNS-103(1)"], ("IPC-302",)),
        (["IPC-376(2)(g)"], ("IPC-376", "IPC-376(2)(g)")),
        (["IPC-304-II"], ("IPC-304", "IPC-304-II")),
        (["IPC-304A"], ("IPC-304A",)),
        (["CPC-O7R11"], ("CPC-O7R11",)),
        (["CEA-ITEM12A(v)"], ("CEA-ITEM12A", "CEA-ITEM12A(v)")),
        ([], ()),
    ],
)
def test_terms(provisions: list[str], terms: tuple[str, ...]) -> None:
    assert provision_terms(provisions) == terms


def test_scores_by_hand(tmp_path: Path) -> None:
    cases = CitingCases([["IPC-302"], ["IPC-302", "IPC-34", "IPC-307"], ["NIA-138"]])
    found = cases.scores("He was convicted under section 302 of the Indian Penal Code.")
    # ln(1 + (3 − 2 + ½) / (2 + ½)); 5 / 3 provisions a case on average
    rarity, usual = np.log(1 + 1.5 / 2.5), 1 + 5 / 3
    assert found == pytest.approx([rarity * np.sqrt(usual / 2), rarity * np.sqrt(usual / 4), 0])
    assert found == pytest.approx(cases.scores("charged under section 103(1) BNS"))
    cases.save(tmp_path / "provisions.json")
    again = CitingCases.load(tmp_path / "provisions.json")
    assert again.scores("section 302 IPC") == pytest.approx(found)
