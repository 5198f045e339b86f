"""What an explanation says, with passages to quote and without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

from handmade import EVIDENCE, NARRATIVE, QUOTE, SECTION, SHEET, result

from countercase.config import TreeSettings
from countercase.corpus.judgment.metadata import Metadata
from countercase.corpus.judgment.treatment import Treatment
from countercase.counterfactual.displacement import displacement
from countercase.counterfactual.states import Renderer, State
from countercase.counterfactual.tree import Edge, Node, PerturbationTree
from countercase.explanation.change import NO_REASONS, explain_changes
from countercase.explanation.model import Quote
from countercase.explanation.precedent import NO_PASSAGES, explain_precedents
from countercase.explanation.quotes import Quoter
from countercase.retrieval.base import Match, Query, RankedCase, Ranking

OVERRULED = Treatment("overruled", "X v Y", "2020-03-06", "on its point", {"provision": "IPC-302"})


class OneQuote:
    """Quotes the same sentence for whatever is asked, and remembers what was asked."""

    def __init__(self, by_chunk: dict[int, Quote] | None = None) -> None:
        self.by_chunk = by_chunk or {}
        self.asked: list[tuple[str, int]] = []
        self.snapshot = SimpleNamespace(
            metadata=[Metadata(title="A v. State", treatment=(OVERRULED,))]
        )
        self.titles = {"a": "A v. State", "b": "B v. State", "c": "C v. State", "d": "D v. State"}

    def quotes(self, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Quote]:
        self.asked += wanted
        return {pair: self.by_chunk.get(pair[1], QUOTE) for pair in wanted}

    def turned_on(self, case_id: str) -> tuple[str, ...]:
        return (f"what {case_id} turned on: its reason.",)


def ranking(text: str, weights: dict[str, float]) -> Ranking:
    """Cases in the order given, each with one match of this weight to the one segment."""
    cases = tuple(
        RankedCase(case, at, at + 1, 1.0, {}, (Match(0, at, weight),))
        for at, (case, weight) in enumerate(weights.items())
    )
    return Ranking(Query((text,)), cases, 3)


def explained(quoter: object, before: Ranking, after: Ranking) -> str:
    """The explanation of the section edit, where these are the rankings on both sides of it."""
    tree = PerturbationTree(SHEET, TreeSettings(top_k=3))
    state = State.of([SECTION])
    tree.put(Node(State(), "root", 0, before))
    tree.put(Node(state, "leaf", 1, after))
    move = displacement(before.case_ids, after.case_ids, 3)
    tree.connect(Edge("root", state.state_id, SECTION, move))
    analysis = replace(result().analysis, tree=tree)
    [change] = explain_changes(analysis, cast("Quoter | None", quoter))
    return change.text


OLD = Quote("c#00002", "Section 302 IPC was held to apply.", "holding", 3, 0)
NEW = Quote("d#00001", "The death was a rash act under section 304A IPC.", "holding", 4, 0)
BEFORE = ranking("old words", {"a": 2.0, "b": 1.0, "c": 0.5})
AFTER = ranking("new words", {"b": 1.0, "d": 1.5, "a": 1.0})


def test_a_case_that_came_is_explained_by_the_new_words_and_one_that_left_by_the_old() -> None:
    quoter = OneQuote({1: NEW, 2: OLD})
    text = explained(quoter, BEFORE, AFTER)
    came = "D v. State came in at rank 2 (it turned on this: what d turned on: its reason)."
    left = "C v. State left from rank 3 (it turned on this: what c turned on: its reason)."
    assert f"{came} What is new is spoken of in “{NEW.text}”" in text
    assert f"{left} What went is spoken of in “{OLD.text}”" in text
    assert ("new words", 1) in quoter.asked
    assert ("old words", 2) in quoter.asked


def test_a_quote_that_does_not_speak_of_the_change_is_not_given_for_it() -> None:
    """And a case that rose without the words rose because others fell."""
    text = explained(OneQuote(), BEFORE, AFTER)
    assert QUOTE.text not in text
    assert "its reason): the new wording as a whole is nearer to it. " in text
    assert "its reason): the new wording as a whole is further from it. " in text
    assert "B v. State went from rank 2 to 1, because others moved around it." in text


def test_without_passages_the_moves_are_named_and_no_reason_is_given() -> None:
    text = explained(None, BEFORE, AFTER)
    assert "d came in at rank 2. " in text
    assert "c left from rank 3. " in text
    assert text.endswith(NO_REASONS)
    assert "because others" not in text


def test_an_edit_that_moved_nothing_needs_no_reason() -> None:
    text = explained(None, BEFORE, BEFORE)
    assert "No precedent moved" in text
    assert NO_REASONS not in text


def test_each_fact_is_answered_once_by_its_best_segment() -> None:
    segments = Renderer(SHEET).segments(State())
    about = {segment.fact_id: at for at, segment in enumerate(segments) if segment.fact_id}
    section, evidence = about[SECTION.fact_id], about[EVIDENCE.fact_id]
    matches = (Match(evidence, 7, 3.0), Match(section, 8, 1.0), Match(evidence, 9, 0.0))
    ranked = Ranking(Query((NARRATIVE,)), (RankedCase("a", 0, 1, 4.0, {}, matches),), 1)
    analysis = replace(result().analysis, segments=segments)
    analysis.tree.put(Node(State(), "root", 0, ranked))
    [precedent] = explain_precedents(analysis, cast("Quoter", OneQuote({7: NEW})))
    assert [reason.weight for reason in precedent.reasons] == [3.0, 1.0]
    assert [reason.share for reason in precedent.reasons] == [0.75, 0.25]
    assert precedent.title == "A v. State"
    later = "Overruled by X v Y (2020): on its point"
    assert precedent.sentences[:2] == (later, "It turned on this: what a turned on: its reason.")
    assert precedent.later == (later,)
    assert (precedent.standing, precedent.treatment) == ("overruled", (OVERRULED,))
    assert [reason.shared for reason in precedent.reasons] == [(), ()]
    [bare] = explain_precedents(analysis, None)
    assert (bare.title, bare.reasons, bare.text) == ("a", (), NO_PASSAGES)
