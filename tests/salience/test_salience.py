"""The salience models: their sums, their names, the weights that they give a case."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from countercase.corpus.casebook.records import casebook_records
from countercase.counterfactual.states import Renderer, State
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.facts.edits import Edit
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.salience.facts import (
    READ,
    TYPICAL,
    Decision,
    LogisticModel,
    Salience,
    Weighing,
    fact_features,
    find_nearest,
    shipped_decisions,
    shipped_model,
    weigh_facts,
)
from countercase.text.spans import Span


def test_the_log_odds_are_the_bias_and_the_weights_of_what_is_there() -> None:
    model = LogisticModel(-1.0, {"a line": 2.0, "a penalty": -3.0})
    salience = model.salience({"a line": 0.5, "a penalty": 1.0, "unknown": 7.0})
    assert salience.value == pytest.approx(1 / (1 + math.exp(3.0)), abs=1e-6)
    assert salience.reasons == (("a penalty", -3.0), ("a line", 1.0))


def test_the_nearest_decisions_leave_one_out_and_keep_ties_in_order() -> None:
    def decision(name: str, *vector: float) -> Decision:
        return Decision(name, np.asarray(vector), (), np.zeros((0, 2)), {}, {})

    known = (decision("a", 0, 1), decision("b", 1, 0), decision("c", 0, 1))
    nearest = find_nearest(known, np.asarray([0.0, 1.0]), leave_out="a")
    assert [decision.case_id for decision in nearest] == ["c", "b"]


class Axes:
    """An encoder whose vectors lie on one of two axes, by whether a text speaks of a seal."""

    def encode(self, role: str, texts: Sequence[str], progress: object = None) -> np.ndarray:
        return np.asarray([[1.0, 0.0] if "sealed" in text else [0.0, 1.0] for text in texts])

    def width(self, role: str) -> int:
        return 2

    def fingerprint(self, role: str) -> str:
        return "axes"


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
    features = fact_features(SHEET, Axes(), [turned])  # type: ignore[arg-type]
    evidence = features["evidence:recovery:1"]
    # Only the recovery is like the one point (cosine 1, the other three 0): 3·(1 − ¼).
    assert evidence["Evidence: like a point of its type"] == 2.25
    # Both facts of that token, and a prior of a quarter: 3·(1.25/2 − mean(.25, .25, .625, .25)).
    assert evidence["Evidence: they turn on such a fact"] == pytest.approx(0.84375)
    assert features["numerical:amount:1"]["Numerical: amount"] == 1
    # ln(2/1) / 3: the one decision does not cite it.
    section = features["section:NDPS-18"]
    assert section["Section: rare in the casebook"] == pytest.approx(math.log(2) / 3, abs=1e-6)


def test_the_reader_tells_what_a_court_turns_on_by_the_words_around_a_fact() -> None:
    text = (
        "The cheque was dishonoured and the notice went out 75 days after the memo of return. The "
        "complainant's shop had been let to him for 40 days in another year, which nobody disputes."
    )

    def fact(days: int) -> Fact:
        at = text.find(f"{days} days")
        spans = (Span(at, at + 7),) if at >= 0 else ()
        value = NumericalValue("duration", days, "days")
        return Fact(f"numerical:duration:{days}", "Numerical", value, spans)

    sheet = FactSheet("case", text, tuple(map(fact, (75, 40, 9))))
    features = fact_features(sheet, Axes(), ())  # type: ignore[arg-type]
    late, let, none = (row.get(f"Numerical: {READ}") for row in features.values())
    assert late is not None and let is not None and late > let
    assert none is None


def test_a_statement_weighs_its_share_times_a_power_of_its_salience() -> None:
    """One that an edit adds weighs as one of even odds; without salience each weighs its share."""
    weighing = Weighing({"age": Salience(0.5), "fine": Salience(0.1)}, power=2.0, share=0.8)
    assert weighing.of("age") == pytest.approx(0.8 * 0.25)
    assert weighing.of("fine") == pytest.approx(0.8 * 0.01)
    assert weighing.of("evidence:medical:added") == pytest.approx(0.8 * TYPICAL**2)
    assert Weighing(power=2.0, share=0.7).of("age") == 0.7
    assert Weighing({"age": Salience(0.1)}, power=0.0, share=0.7).of("age") == 0.7


def test_encoders_that_no_model_was_fitted_for_give_no_salience() -> None:
    weighing = weigh_facts(SHEET, Axes(), 2.0, 1.0)  # type: ignore[arg-type]
    assert not weighing.facts
    assert {weighing.of(fact.fact_id) for fact in SHEET.facts} == {1.0}


def test_the_embedded_encoders_have_a_salience_for_every_fact(encoders: EmbeddedEncoders) -> None:
    weighing = weigh_facts(SHEET, encoders, 2.0, 1.0)
    assert list(weighing.facts) == [fact.fact_id for fact in SHEET.facts]
    assert all(0 < weighing.of(fact) < 1 for fact in weighing.facts)


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0])
def test_a_fact_weighs_the_same_in_the_case_and_in_every_state_that_keeps_it(power: float) -> None:
    """Salience never scales a movement: what does not change weighs what it did."""
    facts = {fact.fact_id: Salience(0.2 * at) for at, fact in enumerate(SHEET.facts, 1)}
    renderer = Renderer(SHEET, weighing=Weighing(facts, power))
    fine = SHEET.fact("numerical:amount:1")
    edit = Edit(fine.fact_id, fine.fact_type, "remove", fine.value, None)
    root, state = (dict(renderer.query(it).asked) for it in (State(), State.of([edit])))
    assert len(root) == len(state) + 1
    assert state == {text: weight for text, weight in root.items() if text in state}


def test_the_shipped_models_were_fitted_on_the_casebook_that_ships() -> None:
    decisions = {decision.case_id: decision for decision in shipped_decisions()}
    for record in casebook_records():
        decision = decisions.pop(record["case_id"])
        assert decision.types == tuple(entry["fact_type"] for entry in record["dispositive"])
        assert sum(decision.turned.values()) >= len(record["turned_on"])
    assert not decisions
    assert shipped_model().weights["Numerical: near a line"] > 0
