"""The salience models: their sums, their names, the weights that they give a case."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from countercase.corpus.casebook import casebook_records
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.facts.segments import Segment
from countercase.salience.case import FULL, CaseSalience, weighed
from countercase.salience.facts import fact_features
from countercase.salience.model import LogisticModel, Salience, read_model
from countercase.salience.points import Decision, Points, shipped_points
from countercase.salience.segments import KernelModel, shipped_kernel
from countercase.text.spans import Span


def test_the_log_odds_are_the_bias_and_the_weights_of_what_is_there() -> None:
    model = LogisticModel(-1.0, {"a line": 2.0, "a penalty": -3.0})
    salience = model.salience({"a line": 0.5, "a penalty": 1.0, "unknown": 7.0})
    assert salience.value == pytest.approx(1 / (1 + math.exp(3.0)), abs=1e-6)
    assert salience.reasons == (("a penalty", -3.0), ("a line", 1.0))


def test_a_kernel_sum_by_hand() -> None:
    # The vector is the first support vector and at right angles to the second:
    # 2·1 − 1·exp(−2) + .5, times a slope of 2.
    model = KernelModel(np.eye(2), np.asarray([2.0, -1.0]), ("murder", "no charge"), 0.5, 1.0, 2.0)
    [salience] = model.saliences(np.asarray([[1.0, 0.0]]))
    margin = 2 - math.exp(-2) + 0.5
    assert salience.value == pytest.approx(1 / (1 + math.exp(-2 * margin)), abs=1e-6)
    assert salience.reasons == (("reads like: murder", 4.0),)


def test_the_nearest_decisions_leave_one_out_and_keep_ties_in_order() -> None:
    def decision(name: str, *vector: float) -> Decision:
        return Decision(name, np.asarray(vector), (), np.zeros((0, 2)), {}, {})

    points = Points((decision("a", 0, 1), decision("b", 1, 0), decision("c", 0, 1)))
    nearest = points.nearest(np.asarray([0.0, 1.0]), leave_out="a")
    assert [decision.case_id for decision in nearest] == ["c", "b"]


class Axes:
    """An encoder whose vectors lie on one of two axes, by whether a text speaks of a seal."""

    def encode(self, role: str, texts: Sequence[str], progress: object = None) -> np.ndarray:
        return np.asarray([[1.0, 0.0] if "sealed" in text else [0.0, 1.0] for text in texts])

    def width(self, role: str) -> int:
        return 2


SHEET = FactSheet(
    "case",
    "5 kg of opium were found. He was fined. A clerk signed.",
    (
        Fact("section:NDPS-18", "Section", SectionValue("NDPS-18")),
        Fact("party:petitioner", "PartyType", PartyValue("petitioner", "Individual")),
        Fact("evidence:recovery:1", "Evidence", EvidenceValue("recovery", "opium, not sealed")),
        Fact("numerical:amount:1", "Numerical", NumericalValue("amount", 5000, "INR", "fine")),
    ),
)


def test_features_have_the_names_of_what_they_say() -> None:
    turned = Decision(
        "d", np.asarray([0.0, 1.0]), ("Evidence",), np.asarray([[1.0, 0.0]]),
        {"evidence:recovery": 1}, {"evidence:recovery": 1},
    )  # fmt: skip
    features = fact_features(SHEET, Axes(), Points((turned,)))  # type: ignore[arg-type]
    evidence = features["evidence:recovery:1"]
    assert evidence["Evidence: something against it"] == 1
    # Only the recovery is like the one point (cosine 1, the other three 0): 3·(1 − ¼).
    assert evidence["Evidence: like a point of the precedents"] == 2.25
    # Both facts of that token, and a prior of a quarter: 3·(1.25/2 − mean(.25, .25, .625, .25)).
    assert evidence["Evidence: they turn on such a fact"] == pytest.approx(0.84375)
    assert features["numerical:amount:1"]["Numerical: a penalty"] == 1
    # ln(2/1) / 3: the one decision does not cite it.
    section = features["section:NDPS-18"]
    assert section["Section: rare in the casebook"] == pytest.approx(math.log(2) / 3, abs=1e-6)


def salience() -> CaseSalience:
    facts = {"age": Salience(FULL), "fine": Salience(FULL / 2)}
    return CaseSalience(facts, lambda texts: {text: Salience(FULL / 4) for text in texts}, 1.0, 1.0)


def segment(text: str, place: int, *fact_ids: str) -> Segment:
    return Segment(text, Span(place, place + 1), fact_ids)


ROOT = (segment("He was 17 and was fined.", 0, "age", "fine"), segment("It rained.", 1))


def change(fact_id: str, start: int, end: int, text: str) -> Edit:
    return Edit(fact_id, "Numerical", "", "", "rule", "", None, (Replacement(start, end, text),))


AGE, FINE = change("age", 0, 1, "21"), change("fine", 0, 1, "warned")
BY_FACT = replace(salience(), power=0.0, change_power=2.0)


def test_a_segment_weighs_what_its_weightiest_fact_does() -> None:
    assert weighed(ROOT, ROOT, (), salience()) == ((FULL, FULL / 4), ())


def test_a_change_counts_by_the_salience_of_the_fact_that_it_changes() -> None:
    state = (segment("He was 17 and was warned.", 0, "age", "fine"), ROOT[1])
    # (½)² = ¼: a quarter of the change is asked, three quarters of the old words stay.
    weights, former = weighed(ROOT, state, [FINE], BY_FACT)
    assert (weights, former) == ((0.25, 1.0), ((ROOT[0].text, 0.75),))
    # Half of what the segment weighs in the new words, the other half in the old.
    weights, former = weighed(ROOT, state, [FINE], salience())
    assert (weights, former) == ((FULL / 2, FULL / 4), ((ROOT[0].text, FULL / 2),))


def test_a_fact_that_is_likely_enough_to_be_turned_on_changes_the_query_in_full() -> None:
    state = (segment("He was 21 and was fined.", 0, "age", "fine"), ROOT[1])
    assert weighed(ROOT, state, [AGE], BY_FACT) == ((1.0, 1.0), ())


def test_no_change_counts_more_than_in_full() -> None:
    surer = replace(BY_FACT, facts={"age": Salience((1 + FULL) / 2)})
    state = (segment("He was 21 and was fined.", 0, "age", "fine"), ROOT[1])
    assert weighed(ROOT, state, [AGE], surer) == ((1.0, 1.0), ())


def test_each_segment_counts_by_the_edit_that_touches_it() -> None:
    root = (ROOT[0], segment("The fine was paid.", 30, "fine"))
    state = (segment("He was 21 and was fined.", 0, "age"), segment("The fine was waived.", 30))
    waived = change("fine", 30, 31, "waived")
    assert weighed(root, state, [AGE, waived], BY_FACT)[0] == (1.0, 0.25)


def test_as_worded_every_change_counts_in_full() -> None:
    """By its salience the change of the fine counts a quarter."""
    state = (ROOT[0], segment("The fine was waived.", 1))
    waived = change("fine", 1, 2, "waived")
    assert weighed(ROOT, state, [waived], BY_FACT)[0] == (1.0, 0.25)
    assert weighed(ROOT, state, [waived], BY_FACT.as_worded()) == ((1.0, 1.0), ())


def test_a_sentence_that_is_taken_away_counts_by_its_words() -> None:
    cut = replace(change("sentence:1", 0, 1, ""), fact_type="sentence")
    # The model reads a quarter of it in any words: (¼)² = 1/16 of the sentence is taken away.
    assert weighed(ROOT, ROOT[1:], [cut], BY_FACT) == (
        (1.0,), ((ROOT[0].text, 0.9375),),
    )  # fmt: skip


def test_a_sentence_that_an_edit_adds_weighs_as_any_segment_of_its_words() -> None:
    added = Segment("He confessed.", None, ("evidence:confession:1",))
    edit = change("evidence:confession:1", 9, 9, " He confessed.")
    assert weighed(ROOT, (*ROOT, added), [edit], salience()) == (
        (FULL, FULL / 4, FULL / 4), (),
    )  # fmt: skip


def test_the_shipped_models_were_fitted_on_the_casebook_that_ships() -> None:
    decisions = {decision.case_id: decision for decision in shipped_points().decisions}
    for record in casebook_records():
        decision = decisions.pop(record["case_id"])
        assert decision.types == tuple(entry["fact_type"] for entry in record["dispositive"])
        assert sum(decision.turned.values()) >= len(record["turned_on"])
    assert not decisions
    assert read_model("facts").weights["Numerical: near a line"] > 0
    assert len(shipped_kernel().coefficients) == len(shipped_kernel().vectors)
