"""Words that hold only while a figure, or a party, is what it was."""

from __future__ import annotations

import pytest
from perturbation_cases import figure, party, section, sheet

from countercase.fact_types import numerical
from countercase.fact_types import party as parties
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import FactSheet, NumericalValue


def objected(root: FactSheet) -> str:
    """What the narrative says against the first edit of the figure `n`."""
    edit = next(e for e in numerical.propose(root) if e.fact_id == "n")
    return numerical.FACT_TYPE.objection(root, edit)


NOTICE = figure("duration", 20, "days", "from return memo to notice of demand")


@pytest.mark.parametrize(
    ("after", "words"),
    [
        ("Nobody came.", ""),
        ("All the dates are in order.", "in order"),
        ("No other date is questioned.", "no other date is questioned"),
        ("The State says that twenty days is long.", "twenty day"),
    ],
)
def test_a_date_in_order_leans_on_its_figure(after: str, words: str) -> None:
    root = sheet(f"Notice went {{n|20 days}} after. {after}", n=NOTICE, s=section("NIA-138"))
    found = objected(root)
    assert words.lower() in found.lower()
    assert bool(words) == bool(found)


def test_a_child_at_school_is_not_grown() -> None:
    son = NumericalValue("age", 16, "years", "son")
    root = sheet("Her son, {n|aged 16 years}, is school going.", n=son, s=section("CrPC-125"))
    edits = [e for e in numerical.propose(root) if e.fact_id == "n"]
    assert edits
    assert all(numerical.FACT_TYPE.objection(root, edit) for edit in edits)


def test_a_small_quantity_is_another_case_than_a_commercial_one() -> None:
    root = sheet(
        "He had {n|300 g of heroin}.",
        n=figure("quantity", 300, "g", "heroin"),
        s=section("NDPS-21(c)"),
    )
    found = [numerical.FACT_TYPE.objection(root, e) for e in numerical.propose(root)]
    assert [bool(words) for words in found] == [False, True]


def test_hence_a_public_servant_follows_from_the_office() -> None:
    root = sheet("He was an Inspector, hence {p|a public servant}.", p=party("Public servant"))
    at = root.narrative.index(".")
    words = (Replacement(at, at, " who had left the post"),)
    left = party("Individual")
    edit = Edit("p", "PartyType", "Public servant", "Individual", "r", "PCA-19", left, words)
    assert "hence a public servant" in parties.FACT_TYPE.objection(root, edit)
