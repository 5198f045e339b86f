"""Shares of facts in the movement of a case: brute force, closed forms, and what must be zero."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_tree import AGE, AMOUNT, BASE, NARRATIVE, SECTION, SHEET, grown

from countercase.counterfactual import attribution
from countercase.counterfactual.attribution import (
    Attribution,
    Game,
    attribution_of,
    exact_index,
    players,
)
from countercase.counterfactual.states import Renderer, StateSearch
from countercase.facts.edits import Change, Edit
from countercase.facts.model import FactSheet, SectionValue
from countercase.retrieval.base import Query
from countercase.retrieval.foreign import FunctionRetriever


def ranked(queries: Sequence[Query]) -> list[list[str]]:
    """304A puts X first; 304A and 19 years together replace the first half; a fine does nothing."""
    rankings = []
    for query in queries:
        ids = list(BASE)
        if "304A" in query.text:
            ids = ["X", *BASE[:9]]
            if "19 years" in query.text:
                ids = [*"PQRST", *BASE[:5]]
        rankings.append(ids)
    return rankings


def game(*edits: Edit) -> Game:
    search = StateSearch(Renderer(SHEET), FunctionRetriever(ranked))
    return Game(edits or (SECTION, AGE, AMOUNT), search)


X_FIRST = (9 * 1 + 1 + 10) / 11
"""Nine decisions go down one place; J goes from rank 10 to 11; X comes from 11 to 1."""
HALF_NEW = (5 * 5 + (5 + 4 + 3 + 2 + 1) + (10 + 9 + 8 + 7 + 6)) / 15
"""A to E go down five places; F to J go from 6..10 to 11; P to T come from 11 to 1..5."""


def by_permutations(values: Sequence[float], n: int) -> list[float]:
    """The mean over all orders of what each player adds."""
    totals = [0.0] * n
    for order in permutations(range(n)):
        mask = 0
        for player in order:
            totals[player] += values[mask | 1 << player] - values[mask]
            mask |= 1 << player
    return [total / math.factorial(n) for total in totals]


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[float], int]:
    n = draw(st.integers(1, 5))
    values = draw(st.lists(st.floats(0, 11), min_size=2**n, max_size=2**n))
    return [0.0, *values[1:]], n


@given(tables())
def test_shapley_values_equal_brute_force_and_add_up(table: tuple[list[float], int]) -> None:
    values, n = table
    shares = list(exact_index(values, n, 1).values())
    assert shares == pytest.approx(by_permutations(values, n), abs=1e-9)
    assert math.fsum(shares) == pytest.approx(values[-1], abs=1e-9)


def test_interaction_of_two_that_count_only_together() -> None:
    # v = 4 for both, 0 for either: each brings 2, and the index is the whole 4.
    assert exact_index([0, 0, 0, 4], 2, 1) == {(0,): 2, (1,): 2}
    assert exact_index([0, 0, 0, 4], 2, 2) == {(0, 1): 4}
    # Of three players of whom 0 and 1 count only together, 2 adds 1 to every set.
    values = [4.0 * (mask & 3 == 3) + (mask >> 2 & 1) for mask in range(8)]
    assert exact_index(values, 3, 2) == {(0, 1): 4, (0, 2): 0, (1, 2): 0}


def test_values_and_interactions_equal_those_of_shapiq() -> None:
    shapiq = pytest.importorskip("shapiq")
    n = 5
    values = [0.0, *((7 * mask % 11) + mask.bit_count() ** 2 for mask in range(1, 1 << n))]

    def value(sets: Sequence[Sequence[bool]]) -> list[float]:
        import numpy as np

        masks = [sum(1 << at for at in range(n) if row[at]) for row in sets]
        return np.asarray([values[mask] for mask in masks])  # type: ignore[return-value]

    computer = shapiq.ExactComputer(value, n_players=n)
    shapley, pairs = computer("SV"), computer("SII", order=2)
    for player, share in enumerate(exact_index(values, n, 1).values()):
        assert share == pytest.approx(shapley[(player,)], abs=1e-9)
    for pair, index in exact_index(values, n, 2).items():
        assert index == pytest.approx(pairs[pair], abs=1e-9)


def found() -> Attribution:
    return attribution_of(game())


def test_shares_of_a_case_by_hand() -> None:
    """Age counts only where the section changes too, so it has half of what both add to it."""
    result = found()
    shares = {share.edit.fact_id: share.value for share in result.shares}
    more = HALF_NEW - X_FIRST
    assert shares[AGE.fact_id] == pytest.approx(more / 2)
    assert shares[SECTION.fact_id] == pytest.approx(X_FIRST + more / 2)
    assert result.whole == pytest.approx(HALF_NEW)
    assert result.shares[0].edit == SECTION
    strongest = result.interactions[0]
    assert set(strongest.facts) == {SECTION.fact_id, AGE.fact_id}
    assert strongest.value == pytest.approx(more)


def test_the_fewest_facts_that_change_the_list() -> None:
    result = found()
    assert result.leader is not None
    assert result.half is not None
    assert result.leader.facts == (SECTION.fact_id,)
    assert result.half.facts == (SECTION.fact_id, AGE.fact_id)
    assert result.half.move == pytest.approx(HALF_NEW)
    table = game()
    table.rank(range(8))
    assert table.smallest_set(lambda after: "nowhere" in after) is None


def test_players_are_one_edit_a_fact_that_can_hold_at_once() -> None:
    drawn = Change(
        SECTION.fact_id, "Section", "replace", SectionValue("IPC-302"), SectionValue("IPC-304A")
    )
    clash = replace(AMOUNT, consequences=(drawn,))
    tree = grown(edits=[SECTION, AGE, clash], depth=1, function=ranked)
    assert players(tree) == ((SECTION, AGE), (AMOUNT.fact_id,))
    assert attribution_of(Game(*players(tree)[:1], game().search), (AMOUNT.fact_id,)).left_out


def test_those_that_move_the_list_most_take_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attribution, "MOST", 1)
    tree = grown(edits=[AGE, SECTION], depth=1, function=ranked)
    assert players(tree) == ((SECTION,), (AGE.fact_id,))


def test_a_case_without_changes_has_no_shares() -> None:
    search = StateSearch(Renderer(FactSheet("x", NARRATIVE)), FunctionRetriever(ranked))
    result = attribution_of(Game((), search))
    assert (result.whole, result.shares, result.leader) == (0.0, (), None)
