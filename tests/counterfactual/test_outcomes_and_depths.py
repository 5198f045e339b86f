"""The balance of outcomes, and conclusions that depend on K: worked by hand."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from small_tree import AGE, AMOUNT, BASE, EDITS, SECTION, grown, ranked, search_with

from countercase.corpus.documents import Document
from countercase.counterfactual.attribution import Game, why_not
from countercase.counterfactual.sensitivity import (
    Balance,
    NullMove,
    balance_of,
    fact_panels,
    outcome_shifts,
)
from countercase.counterfactual.states import Renderer, StateSearch
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.facts.extraction import extract
from countercase.retrieval.base import Query
from countercase.retrieval.hybrid import HybridRetriever

OUTCOMES = dict(
    zip("ABCDEFGHIJ", ["allowed"] * 4 + ["dismissed"] * 4 + ["remanded"] * 2, strict=True)
)
OUTCOMES |= {"X": "allowed", "Y": "partly allowed"}


def test_leaning_counts_what_was_allowed_and_dismissed() -> None:
    balance = balance_of("ABEYI", OUTCOMES)
    assert balance == Balance(allowed=2, partly_allowed=1, dismissed=1, other=1)
    assert balance.leaning == (2 - 1) / 4
    assert balance_of("I?", OUTCOMES).leaning is None


def test_each_change_shifts_the_balance() -> None:
    """304A turns the list round, which leaves the ten; 19 years takes E out and brings X and Y."""
    before, shifts = outcome_shifts(grown(depth=1), OUTCOMES)
    assert before.leaning == 0
    by_fact = {shift.fact_id: shift for shift in shifts}
    assert by_fact[SECTION.fact_id].shift == 0
    # 19 years: B, A, then E to J, X, Y: 3 allowed, 1 partly, 4 dismissed.
    after = by_fact[AGE.fact_id]
    assert after.balance == Balance(3, 1, 4, 2)
    assert after.shift == pytest.approx((3 - 4) / 8)
    assert shifts[0] == after


def moved_below_five(queries: Sequence[Query]) -> list[list[str]]:
    """304A turns round the ranks 6 to 10 and leaves the first five."""
    return [[*BASE[:5], *BASE[:4:-1]] if "304A" in q.text else list(BASE) for q in queries]


def test_a_conclusion_that_holds_at_one_k_alone() -> None:
    tree = grown(edits=[SECTION, AMOUNT], function=moved_below_five, depth=1)
    nulls = [NullMove(edit, 0.0, tuple(BASE)) for edit in (SECTION, AMOUNT)]
    section, amount = fact_panels(tree, nulls, (5, 10, 20))
    assert [it.k for it in section.distances] == [5, 10]  # the list holds ten
    # Ranks 6 to 10 turned round: 4 + 2 + 0 + 2 + 4 over ten decisions.
    assert [it.displacement for it in section.distances] == pytest.approx([0, 1.2])
    assert section.beyond_words == (False, True)
    assert section.depends_on_k
    assert not amount.depends_on_k


def test_without_restatements_there_is_nothing_to_beat() -> None:
    assert fact_panels(grown(edits=[SECTION], depth=1), [], (5,)) == ()


TEXTS = {
    "knife": "The accused stabbed the deceased with a knife. Section 302 of the Indian Penal Code.",
    "river": "The land by the river was acquired for a bridge.",
    "cheque": "The cheque was dishonoured for want of funds.",
}


def test_why_a_decision_is_not_in_the_list(encoders: EmbeddedEncoders) -> None:
    documents = [Document(name, "", text) for name, text in TEXTS.items()]
    retriever = HybridRetriever.from_documents(documents, encoders=encoders)
    sheet = extract(
        "He stabbed her with a knife. He was tried under section 302 IPC.", tagger=False
    )
    search = StateSearch(Renderer(sheet), retriever, top_k=1)
    played = Game((), search)
    absent = why_not("river", played, retriever)
    assert absent.last == "knife"
    assert absent.last_stages["fused"].rank == 1
    assert absent.stages["fused"].rank > 1
    assert absent.brought_in is None
    with pytest.raises(InputError, match="at rank 1"):
        why_not("knife", played, retriever)
    with pytest.raises(InputError, match="no such decision"):
        why_not("nowhere", played, retriever)


def test_each_set_of_facts_is_ranked_once_and_the_smallest_is_found_among_those() -> None:
    seen: list[Query] = []

    def counted(queries: Sequence[Query]) -> list[list[str]]:
        seen.extend(queries)
        return ranked(queries)

    played = Game(tuple(EDITS), search_with(counted))
    played.rank([0, 5, 2])
    played.rank([5, 2])
    assert len(seen) == 3
    assert played.members(5) == (SECTION, AMOUNT)
    turned = played.smallest_set(lambda after: after[0] == "J")
    assert turned is not None and turned.facts == (SECTION.fact_id, AMOUNT.fact_id)
