"""The features of a state follow its edits, and words alone change none of them."""

from __future__ import annotations

import pytest

from countercase.counterfactual.states import Renderer, State
from countercase.facts.edits import Edit
from countercase.facts.extraction import extract
from countercase.registry import FACT_TYPES
from countercase.salience.case import CaseSalience, weighed_features
from countercase.salience.model import Salience

SHEET = extract(
    "He carried charas of 1,200 grams. He was tried under section 20 of the NDPS Act and section "
    "302 of the IPC. The post-mortem report gives the cause of death.",
    tagger=False,
)
ROOT = {
    "evidence:medical", "evidence:recovery", "figure:quantity", "line:NDPS-2(viia):1000 g:above",
    "line:NDPS-2(xxiiia):100 g:above", "provision:IPC-302", "provision:NDPS-20",
}  # fmt: skip
EDITS = [edit for name in FACT_TYPES.names() for edit in FACT_TYPES.get(name).edits(SHEET)]
NULLS = [edit for name in FACT_TYPES.names() for edit in FACT_TYPES.get(name).null_edits(SHEET)]


def features(*edits: Edit) -> set[str]:
    query = Renderer(SHEET, features=True).query(State.of(edits))
    assert query.features is not None
    assert {weight for _, weight in query.features} == {1.0}
    return {token for token, _ in query.features}


def edit(fact_id: str, new: str) -> Edit:
    [found] = [e for e in EDITS if (e.fact_id, e.perturbed_value) == (fact_id, new)]
    return found


@pytest.mark.parametrize(
    ("fact_id", "new", "gone", "come"),
    [
        ("section:IPC-302", "IPC-304-I", {"provision:IPC-302"},
         {"provision:IPC-304-I", "provision:IPC-304"}),
        ("evidence:medical:1", "", {"evidence:medical"}, set()),
        ("evidence:recovery:1", "recovery (weakened)", {"evidence:recovery"},
         {"evidence:recovery:weakened"}),
        ("numerical:quantity:1", "900 g (charas)", {"line:NDPS-2(viia):1000 g:above"},
         {"line:NDPS-2(viia):1000 g:below"}),
    ],
)  # fmt: skip
def test_features_follow_an_edit(fact_id: str, new: str, gone: set[str], come: set[str]) -> None:
    assert features() == ROOT
    assert features(edit(fact_id, new)) == ROOT - gone | come


def test_features_of_two_edits_do_not_depend_on_their_order() -> None:
    two = edit("evidence:medical:1", ""), edit("numerical:quantity:1", "900 g (charas)")
    assert features(*two) == features(*two[::-1])
    assert len(features(*two) ^ ROOT) == 3


def test_words_alone_change_no_feature() -> None:
    rules = {null.rule for null in NULLS}
    assert {"null.citation_form", "null.successor", "null.synonym", "null.figure_form"} <= rules
    assert [features(null) for null in NULLS] == [ROOT] * len(NULLS)


def test_a_provision_of_2023_is_the_one_that_it_replaced() -> None:
    old, new = (extract(f"He is charged under section {s}.", tagger=False) for s in
                ("302 IPC", "103(1) BNS"))  # fmt: skip
    assert weighed_features(old, {}) == weighed_features(new, {}) == (("provision:IPC-302", 1.0),)


def test_a_feature_weighs_what_its_weightiest_fact_weighs() -> None:
    sheet = extract(
        "He was convicted under sections 376(1) and 376(2) IPC. She was 15 years old.", tagger=False
    )
    weights = {"section:IPC-376(1)": 0.25, "section:IPC-376(2)": 0.75}
    found = dict(weighed_features(sheet, {name: Salience(w) for name, w in weights.items()}))
    assert found["provision:IPC-376(1)"] == 0.25
    assert found["provision:IPC-376"] == found["provision:IPC-376(2)"] == 0.75
    assert found["figure:age"] == 1.0  # of a fact whose salience is not known


def test_a_changed_fact_keeps_its_weight_in_a_query() -> None:
    facts = {"section:IPC-302": Salience(0.75), "evidence:medical:1": Salience(0.25)}
    salience = CaseSalience(facts, lambda texts: dict.fromkeys(texts, Salience(0.5)), 0, 0)
    renderer = Renderer(SHEET, salience=salience, features=True)
    state = State.of([edit("section:IPC-302", "IPC-304-I")])
    weights = dict(renderer.query(state).features or ())
    assert weights["provision:IPC-304-I"] == 0.75
    assert weights["evidence:medical"] == 0.25


def test_no_features_are_read_for_rankers_that_need_none() -> None:
    assert Renderer(SHEET).query(State()).features is None
