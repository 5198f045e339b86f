"""Verdicts on a case that is told in other words, worked by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from countercase.config import TreeSettings
from countercase.counterfactual.analysis import Analysis, analyze_sheet
from countercase.counterfactual.states import Renderer, State, StateSearch
from countercase.evaluation.report import Section
from countercase.evaluation.validity import add_rewording, compare_wordings, restate_facts
from countercase.facts.edits import apply_edits
from countercase.facts.extraction import extract
from countercase.facts.model import FactSheet
from countercase.retrieval.base import Query
from countercase.retrieval.foreign import FunctionRetriever

SHEET = extract(
    "The appellant was convicted under section 302 of the Indian Penal Code. He paid "
    "Rs. 40,000 to the widow. The doctor who made the post-mortem was examined.",
    case_id="made",
)


def test_every_fact_is_restated_and_stays_the_same_fact() -> None:
    told = restate_facts(SHEET)
    assert {edit.fact_id for edit in told.edits} == {fact.fact_id for fact in SHEET.facts}
    assert apply_edits(SHEET, told.edits).facts == SHEET.facts
    renderer = Renderer(SHEET)
    as_it_is, in_other_words = (
        {it.fact_id: it.text for it in renderer.segments(state) if it.fact_id}
        for state in (State(), told)
    )
    assert as_it_is.keys() == in_other_words.keys()
    assert all(as_it_is[fact] != words for fact, words in in_other_words.items())


def fading(queries: Sequence[Query]) -> list[list[str]]:
    """Ranks a, b, c by what a query says; restated, it no longer hears of the payment."""
    ranked = []
    for text in (query.text for query in queries):
        murder, paid = "302" in text or "103" in text, "Rs. 40,000" in text
        ranked.append(["a" if murder else "d", "b" if paid else "e", "c"])
    return ranked


def test_each_fact_is_measured_as_it_is_and_with_all_others_restated() -> None:
    """The charge moves the list in any words, the payment only while it is in digits."""
    settings = TreeSettings(top_k=3, depth=1, dispositive_threshold=0.5)
    retriever = FunctionRetriever(fading)

    def measure(sheet: FactSheet) -> Analysis:
        return analyze_sheet(sheet, retriever, settings)

    def search(sheet: FactSheet) -> StateSearch:
        return StateSearch(Renderer(sheet), retriever, 3)

    found = {fact: moved for _, fact, *moved in compare_wordings([SHEET], measure, search)}
    charge, payment, report = (
        found[str(SHEET.of_type(name)[0].value)] for name in ("Section", "Numerical", "Evidence")
    )
    assert charge[0] == charge[1] > 0.5
    assert payment[0] > 0.5 >= payment[1]
    assert report == [0.0, 0.0]


def test_the_section_counts_the_verdicts_that_change() -> None:
    section = Section("validity", "")
    add_rewording(section, [("made", "0", 2.0, 1.8), ("made", "1", 1.0, 2.5)], 1.5)
    assert {measure.key: measure.value for measure in section.measures} == {
        "validity.rewording.changed": 0.5,
        "validity.rewording.shift": pytest.approx((0.2 + 1.5) / 2),
    }
    assert section.measures[0].verdict == "above"
    assert section.tables[0].rows == (("made", "1", 1.0, 2.5, "dispositive"),)
