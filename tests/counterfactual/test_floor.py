"""The null floor: what counts as words alone, and what p-values make of a fact."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from scipy.stats import kstest
from test_tree import AGE, AMOUNT, BASE, NARRATIVE, SECTION, SHEET, grown, ranked

from countercase.config import TreeSettings
from countercase.counterfactual.analysis import analyze_sheet
from countercase.counterfactual.null_floor.floor import Calibrated, calibrate
from countercase.counterfactual.null_floor.neutral_edits import (
    changed_words,
    null_edits,
    sentences_of,
)
from countercase.counterfactual.null_floor.significance import (
    cliffs_delta,
    holm,
    nulls_needed,
    permutation_p,
)
from countercase.counterfactual.sensitivity import FactSensitivity, calibrated_facts
from countercase.counterfactual.states import Renderer, StateSearch
from countercase.facts.edits import apply_edits, compatible
from countercase.facts.model import Fact
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


def test_words_changed_in_place_count_twice() -> None:
    assert changed_words(NARRATIVE, SECTION) == 2  # 302 goes, 304A comes
    assert changed_words(NARRATIVE, AGE) == 2
    assert sentences_of(SHEET, AGE) == {1}


def test_null_edits_leave_every_fact_as_it_was() -> None:
    nulls = null_edits(SHEET)
    rules = {null.edit.rule for null in nulls}
    assert {"null.remark", "null.aside"} <= rules
    for null in nulls:
        after = apply_edits(SHEET, [null.edit])
        assert null.edit.null
        assert after.narrative != NARRATIVE
        if null.edit.fact_type == "words":
            assert [(f.fact_id, f.value) for f in after.facts] == [
                (f.fact_id, f.value) for f in SHEET.facts
            ]
            words = [[after.narrative[s.start : s.end] for s in f.spans] for f in after.facts]
            assert words == [[NARRATIVE[s.start : s.end] for s in f.spans] for f in SHEET.facts]


def test_an_aside_changes_no_sentence_and_a_remark_changes_one() -> None:
    by_rule = {null.edit.rule: null for null in null_edits(SHEET)}
    assert by_rule["null.aside"].sentences == frozenset()
    assert len(by_rule["null.remark"].sentences) == 1
    remark = by_rule["null.remark"].edit.changes[0]
    assert NARRATIVE[remark.start] == "."


def floor_of(function: RankingFunction) -> dict[str, Calibrated]:
    tree = grown(function=function, depth=1)
    return calibrate(tree, StateSearch(Renderer(SHEET), FunctionRetriever(function))).facts


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


def by_length(queries: Sequence[Query]) -> list[list[str]]:
    """Any change of the words turns the list round."""
    return [BASE if query.text == NARRATIVE else BASE[::-1] for query in queries]


def test_a_list_that_any_words_move() -> None:
    floors = floor_of(by_length)
    assert {it.move for it in floors.values()} == {5.0}
    assert {it.p for it in floors.values()} == {1.0}
    assert "dispositive" not in {it.verdict for it in floors.values()}


def test_the_same_case_has_the_same_floor() -> None:
    assert floor_of(ranked) == floor_of(ranked)


def calibrated(move: float, adjusted: float, high: float, floor: float) -> Calibrated:
    return Calibrated(move, adjusted, adjusted, 0.5, 0.0, high, floor, 60)


def test_what_is_neither_is_inconclusive() -> None:
    assert calibrated(4.0, 0.04, 4.0, 1.0).verdict == "dispositive"
    assert calibrated(0.5, 0.6, 0.9, 1.0).verdict == "not dispositive"
    assert calibrated(4.0, 0.2, 4.0, 1.0).verdict == "inconclusive"


def test_only_what_was_measured_gets_a_calibrated_verdict() -> None:
    def fact(name: str, sensitivity: float | None, verdict: str) -> FactSensitivity:
        about = Fact(name, "Section", "x")
        return FactSensitivity(about, True, sensitivity, 1, None, None, verdict)  # type: ignore[arg-type]

    facts = [fact("a", 2.0, "dispositive"), fact("b", 2.0, "dispositive"),
             fact("c", 9.0, "no line"), fact("d", None, "not tried")]  # fmt: skip
    judged = calibrated_facts(facts, {"a": calibrated(2.0, 0.9, 0.1, 1.0)})
    assert [it.verdict for it in judged] == [
        "not dispositive", "inconclusive", "no line", "not tried",
    ]  # fmt: skip


def test_an_analysis_by_either_criterion() -> None:
    def words(criterion: str) -> set[bool]:
        found = analyze_sheet(
            SHEET,
            FunctionRetriever(ranked),
            TreeSettings(depth=1),
            criterion=criterion,  # type: ignore[arg-type]
        )
        return {it.calibrated is not None for it in found.facts if it.sensitivity is not None}

    assert words("threshold") == {False}
    assert True in words("calibrated")


def test_sets_of_null_edits_can_hold_at_once() -> None:
    nulls = null_edits(SHEET)
    asides = [null.edit for null in nulls if null.edit.rule == "null.aside"]
    assert compatible(asides[:3])
