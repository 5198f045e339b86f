"""A fact type from outside: registered in the program, it goes from the text to the sensitivities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

import countercase as cc
from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.sensitivity import compute_sensitivity_scores, moves_from_root
from countercase.errors import ConfigError, InputError
from countercase.explanation.reasons import fact_label
from countercase.fact_types.base import FactType
from countercase.fact_types.suppositions import suppose
from countercase.facts.edits import Change, Edit, apply_edits
from countercase.facts.extraction import Narrative, extract
from countercase.facts.model import Fact, FactSheet
from countercase.registry import FACT_TYPES
from countercase.retrieval.base import Query

TEXT = (
    "He was convicted under section 302 IPC. The Sessions Court heard the witnesses. "
    "The Sessions Court believed two of them."
)
COURTS = ("Magistrate", "Sessions Court", "High Court")


class Forum(FactType):
    """The court that decided the matter before; most is as it is for every fact type."""

    name = "Forum"
    heading = "forum"

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        return [fact for fact in self.locate(narrative, COURTS) if fact.spans]

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        change = Change(fact.fact_id, self.name, "replace", fact.value, "High Court")
        said = suppose(sheet, change, "the High Court had tried it", "level", "CrPC-28")
        return [said, *super().what_ifs(sheet, fact)]


@pytest.fixture(autouse=True)
def forum() -> Iterator[None]:
    FACT_TYPES.register("Forum", Forum())
    yield
    FACT_TYPES._registered.pop("Forum")


@pytest.fixture
def sheet() -> FactSheet:
    return extract(TEXT, "forum-case", tagger=False)


def test_its_edits_are_proposed_applied_worded_and_lawful(sheet: FactSheet) -> None:
    edits = propose(sheet, ["Forum"])
    assert [edit.perturbed_value for edit in edits] == ["High Court", ""]
    assert edits[0].supposition == "Suppose the High Court had tried it."
    assert {edit.fact_type for edit in propose(sheet)} >= {"Section", "Forum"}
    changed = apply_edits(sheet, edits[:1])
    assert changed.fact("forum:2").value == "High Court"
    assert changed.narrative == TEXT
    assert LawfulValidator().judge(sheet, edits[:1]).plausible


def test_what_it_does_not_say_is_said_for_it(sheet: FactSheet) -> None:
    kind, fact = FACT_TYPES.get("Forum"), sheet.fact("forum:2")
    assert "Sessions Court" in kind.state(sheet, fact)
    assert fact_label(fact) == "Sessions Court"
    nulls = [edit for edit in propose_nulls(sheet) if edit.fact_type == "Forum"]
    assert len(nulls) >= 4
    assert all(edit.null and edit.after == fact.value for edit in nulls)
    # A value stated elsewhere is located by its words.
    located = Forum().locate(Narrative(TEXT), ["sessions  court", "Tribunal"])
    assert [(fact.fact_id, len(fact.spans)) for fact in located] == [("forum:1", 2), ("forum:2", 0)]


def test_the_tree_measures_it(sheet: FactSheet) -> None:
    def retrieve(queries: Sequence[Query]) -> list[list[str]]:
        return [list("ABC")[:: -1 if "High Court" in query.text else 1] for query in queries]

    edits = propose(sheet)
    tree = cc.grow(sheet, edits, retriever=retrieve, depth=1, max_children=20, top_k=3)
    scores = compute_sensitivity_scores(tree)
    assert list(scores) == ["Section", "PartyType", "Evidence", "Numerical", "Forum"]
    assert scores["Forum"] == pytest.approx(2 / 3)  # one of its two edits turns the list round
    assert scores["Section"] == 0
    assert len(moves_from_root(tree)["forum:2"]) == 2


def test_an_unknown_fact_type_is_named_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean Forum"):
        FACT_TYPES.get("Forums")


def test_a_class_in_place_of_an_object_is_refused() -> None:
    with pytest.raises(InputError, match="is a class; give an object of it"):
        cc.register("fact_types", "Forum", Forum)


@pytest.mark.parametrize("method", ["recognise", "what_ifs", "state"])
@pytest.mark.parametrize("fails", [True, False])
def test_where_it_fails_or_returns_nothing_it_is_named(
    monkeypatch: pytest.MonkeyPatch, method: str, fails: bool
) -> None:
    def broken(*_: object) -> None:
        if fails:
            raise KeyError("court")

    own = Forum()
    monkeypatch.setattr(own, method, broken)
    cc.register("fact_types", "Forum", own)
    told = "failed: KeyError: 'court'" if fails else f"failed: `{method}` returned None"
    with pytest.raises(InputError, match=f"the fact type Forum {told}"):
        cc.analyze(extract(TEXT, tagger=False), retriever=lambda queries: [["A"] for _ in queries])
