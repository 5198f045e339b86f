"""The null floor: what counts as words alone, and what p-values make of a fact."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from scipy.stats import kstest
from small_tree import (
    AGE,
    AMOUNT,
    BASE,
    EDITS,
    SECTION,
    SHEET,
    edit_to,
    grown,
    ranked,
    search_with,
)

from countercase.config import TreeSettings
from countercase.counterfactual.analysis import analyze_sheet
from countercase.counterfactual.null_floor import (
    LEVEL,
    Calibrated,
    calibrate,
    cliffs_delta,
    comparable_moves,
    holm,
    nulls_needed,
    permutation_p,
)
from countercase.counterfactual.sensitivity import Criterion, fact_sensitivities
from countercase.counterfactual.states import State
from countercase.retrieval.base import Query
from countercase.retrieval.foreign import FunctionRetriever, RankingFunction


def test_p_counts_the_fact_itself_and_is_never_zero() -> None:
    assert permutation_p(3.0, [1.0, 2.0, 3.0, 4.0]) == 3 / 5
    assert permutation_p(9.0, [1.0] * 19) == 1 / 20
    assert permutation_p(9.0, []) == 1.0


def test_enough_nulls_for_holm_to_decide() -> None:
    for tests in range(1, 40):
        least = permutation_p(1.0, [0.0] * nulls_needed(tests))
        assert holm({str(at): least for at in range(tests)})["0"] <= 0.05


def test_cliffs_delta_by_hand() -> None:
    # 2 > 1, 2 = 2, 3 > 1, 3 > 2: three of four above, none below.
    assert cliffs_delta([2.0, 3.0], [1.0, 2.0]) == 0.75
    assert cliffs_delta([], [1.0]) is None


def test_p_is_uniform_where_a_fact_is_like_its_nulls() -> None:
    drawn = random.Random(7)
    p = [permutation_p(drawn.random(), [drawn.random() for _ in range(199)]) for _ in range(2_000)]
    assert kstest(p, "uniform").pvalue > 0.05


def floor_of(function: RankingFunction) -> dict[str, Calibrated]:
    """The floor of each fact of the case, every fact tested."""
    tree = grown(function=function, depth=1)
    tests = {edit.fact_id: [edit] for edit in EDITS}
    return calibrate(tree, search_with(function), tests, len(tests))[0]


def test_a_list_that_words_never_move() -> None:
    """304A turns the list round (5), 19 years moves it, a larger fine does nothing."""
    floors = floor_of(ranked)
    section, amount = floors[SECTION.fact_id], floors[AMOUNT.fact_id]
    assert (section.move, section.nulls, section.above, section.tied) == (5.0, 60, 0, 0)
    assert section.p == 1 / 61
    assert section.adjusted == pytest.approx(3 / 61)
    assert (section.verdict, section.delta, section.floor) == ("dispositive", 1.0, 0.0)
    assert (section.low, section.high) == (5.0, 5.0)
    assert (amount.move, amount.p, amount.tied, amount.verdict) == (0.0, 1.0, 60, "not dispositive")
    assert floors[AGE.fact_id].verdict == "dispositive"


ROOT = search_with().renderer.query(State()).text


def by_words(queries: Sequence[Query]) -> list[list[str]]:
    """Any change of the words turns the list round."""
    return [BASE if query.text == ROOT else BASE[::-1] for query in queries]


def test_a_list_that_any_words_move() -> None:
    floors = floor_of(by_words)
    assert {it.move for it in floors.values()} == {5.0}
    assert all(it.p > LEVEL for it in floors.values())
    assert "dispositive" not in {it.verdict for it in floors.values()}


def calibrated(move: float, adjusted: float, high: float, floor: float) -> Calibrated:
    return Calibrated(move, adjusted, adjusted, 0.5, 0.0, high, floor, 60)


def test_what_is_neither_is_inconclusive() -> None:
    assert calibrated(4.0, 0.04, 4.0, 1.0).verdict == "dispositive"
    assert calibrated(0.5, 0.6, 0.9, 1.0).verdict == "not dispositive"
    assert calibrated(4.0, 0.2, 4.0, 1.0).verdict == "inconclusive"


def test_only_what_was_measured_and_passes_the_threshold_gets_a_calibrated_verdict() -> None:
    """Turned round, the section moves the list by 5; the amount moves nothing; no age was tried."""
    tree, facts = grown(edits=[SECTION, AMOUNT], depth=1), [fact.fact_id for fact in SHEET.facts]
    unsure, sure = calibrated(5.0, 0.2, 5.0, 1.0), calibrated(5.0, 0.01, 5.0, 0.0)
    floors = {SECTION.fact_id: unsure, AMOUNT.fact_id: sure, AGE.fact_id: sure}
    judged = fact_sensitivities(SHEET, tree, EDITS, facts, [], 1.5, floors)
    assert [it.verdict for it in judged] == ["inconclusive", "not tried", "not dispositive"]
    assert [it.calibrated and it.calibrated.floor for it in judged] == [1.0, None, 0.0]
    [section, *_] = fact_sensitivities(SHEET, tree, EDITS, facts, [], 1.5)
    assert (section.verdict, section.calibrated) == ("dispositive", None)


def turned_by_leaving_out(queries: Sequence[Query]) -> list[list[str]]:
    """Whatever is left out turns the list round; nothing that is said otherwise moves it."""
    stated = len(search_with().renderer.query(State()).segments)
    return [BASE[::-1] if len(query.segments) < stated else list(BASE) for query in queries]


def test_no_restatement_says_how_far_leaving_a_fact_out_should_move_the_list() -> None:
    """Left out, the section and the age turn the list round; the age is supposed to be 19 too."""
    edits = [edit_to(SECTION.fact_id, None), edit_to(AGE.fact_id, None), AGE]
    tree = grown(edits=edits, function=turned_by_leaving_out, depth=1)
    assert comparable_moves(tree) == {AGE.fact_id: [(0.0, AGE)]}
    floors = calibrate(tree, search_with(turned_by_leaving_out), {AGE.fact_id: [AGE]}, 1)[0]
    facts = [fact.fact_id for fact in SHEET.facts]

    def verdicts(floors: dict[str, Calibrated] | None) -> list[str]:
        judged = fact_sensitivities(SHEET, tree, edits, facts, [], 1.5, floors)
        assert [it.sensitivity for it in judged] == [5.0, 5.0, None]
        return [it.verdict for it in judged]

    assert floors[AGE.fact_id].verdict == "not dispositive"
    assert verdicts(floors) == ["inconclusive", "inconclusive", "not tried"]
    assert verdicts(None) == ["dispositive", "dispositive", "not tried"]


def test_a_fact_that_an_edit_adds_is_held_against_no_restatement() -> None:
    """It puts one statement more into the query; no fact of the case stood in its place."""
    added = replace(SECTION, fact_id="section:IPC-34", operation="add", before=None)
    assert comparable_moves(grown(edits=[added, AGE], depth=1)).keys() == {AGE.fact_id}


def turned_by_a_lesser_charge(queries: Sequence[Query]) -> list[list[str]]:
    """Culpable homicide in place of murder turns the list round; nothing else moves it."""
    return [BASE[::-1] if "304 Part" in query.text else list(BASE) for query in queries]


def test_an_analysis_by_either_criterion() -> None:
    def floors(criterion: Criterion) -> dict[str, bool]:
        retriever, settings = FunctionRetriever(turned_by_a_lesser_charge), TreeSettings(depth=1)
        found = analyze_sheet(SHEET, retriever, settings, criterion=criterion)
        assert {it.fact.fact_id: it.verdict for it in found.facts}[SECTION.fact_id] == "dispositive"
        return {it.fact.fact_id: it.calibrated is not None for it in found.facts}

    assert not any(floors("threshold").values())
    assert floors("calibrated")[SECTION.fact_id]
