"""A fact type from outside: registered in the program, it goes from the text to the sensitivities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest

import countercase as cc
from countercase.counterfactual.lawful import LawfulValidator
from countercase.counterfactual.proposals import propose, propose_nulls
from countercase.counterfactual.sensitivity import compute_sensitivity_scores, moves_from_root
from countercase.errors import ConfigError
from countercase.explanation.reasons import fact_label
from countercase.fact_types.base import FactType, spans_of
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


@dataclass(frozen=True)
class CourtLevel:
    """The level of a court."""

    level: str

    def __str__(self) -> str:
        return self.level


class Forum(FactType):
    """The court that decided the matter before."""

    name = "Forum"
    heading = "forum"

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        courts = [(court, spans_of(narrative.text, court)) for court in COURTS]
        return [
            Fact(f"forum:{court}", self.name, CourtLevel(court), spans)
            for court, spans in courts
            if spans
        ]

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        others = [CourtLevel(court) for court in COURTS if court != str(fact.value)]
        changes = [Change(fact.fact_id, self.name, "replace", fact.value, o) for o in others]
        return [
            *(
                suppose(sheet, c, f"the {c.after} had tried it", "level", "CrPC-28")
                for c in changes
            ),
            *super().what_ifs(sheet, fact),
        ]


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
    assert [edit.perturbed_value for edit in edits] == ["Magistrate", "High Court", ""]
    assert edits[1].supposition == "Suppose the High Court had tried it."
    assert {edit.fact_type for edit in propose(sheet)} >= {"Section", "Forum"}
    changed = apply_edits(sheet, [edits[1]])
    assert changed.fact("forum:Sessions Court").value == CourtLevel("High Court")
    assert changed.narrative == TEXT
    assert fact_label(sheet.fact("forum:Sessions Court")) == "Sessions Court"
    assert LawfulValidator().judge(sheet, [edits[1]]).plausible


def test_what_it_does_not_say_is_said_for_it(sheet: FactSheet) -> None:
    kind, fact = FACT_TYPES.get("Forum"), sheet.fact("forum:Sessions Court")
    assert "Sessions Court" in kind.state(sheet, fact)
    nulls = [edit for edit in propose_nulls(sheet) if edit.fact_type == "Forum"]
    assert len(nulls) >= 4
    assert all(edit.null and edit.after == fact.value for edit in nulls)


def test_the_tree_measures_it(sheet: FactSheet) -> None:
    def retrieve(queries: Sequence[Query]) -> list[list[str]]:
        return [list("ABC")[:: -1 if "High Court" in query.text else 1] for query in queries]

    edits = propose(sheet)
    tree = cc.grow(sheet, edits, retriever=retrieve, depth=1, max_children=20, top_k=3)
    scores = compute_sensitivity_scores(tree)
    assert list(scores) == ["Section", "PartyType", "Evidence", "Numerical", "Forum"]
    assert scores["Forum"] == pytest.approx(4 / 9)  # one of its three edits turns the list round
    assert scores["Section"] == 0
    assert len(moves_from_root(tree)["forum:Sessions Court"]) == 3


def test_an_unknown_fact_type_is_named_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean Forum"):
        FACT_TYPES.get("Forums")


def test_a_value_stated_elsewhere_is_located_by_its_words() -> None:
    values = [CourtLevel("sessions  court"), CourtLevel("Tribunal")]
    located = Forum().locate(Narrative(TEXT), values)
    assert [(fact.fact_id, len(fact.spans)) for fact in located] == [("forum:1", 2), ("forum:2", 0)]
