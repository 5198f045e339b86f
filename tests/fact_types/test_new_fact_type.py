"""A fact type from outside: registered in the program, it goes from the text to the sensitivities."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import countercase as cc
from countercase.cli.options import fact_types_of
from countercase.counterfactual.proposals import propose, propose_nulls, reason
from countercase.counterfactual.sensitivity import compute_sensitivity_scores, fact_sensitivities
from countercase.counterfactual.validators import RuleValidator
from countercase.errors import ConfigError
from countercase.explanation.labels import edit_label, fact_label
from countercase.fact_types.base import FactType, spans_of
from countercase.fact_types.rewriting import in_order, mentions, put
from countercase.facts.case_file import read_case, write_case
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.extraction import Narrative, extract
from countercase.facts.model import Fact, FactSheet
from countercase.facts.pipeline import build_pipeline
from countercase.facts.segments import render, root_ranges
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

    def label(self, fact: Fact) -> str:
        return f"forum: {fact.value}"

    def edits(self, sheet: FactSheet) -> list[Edit]:
        return [
            Edit(
                fact.fact_id, self.name, str(fact.value), court, "forum.level", "CrPC-28",
                CourtLevel(court), in_order(put(sheet, fact, s, court) for s in mentions(fact)) or (),
            )
            for fact in sheet.of_type(self.name)
            for court in COURTS
            if court != str(fact.value)
        ]  # fmt: skip

    def reason(self, edit: Edit) -> str:
        return "Section 28 of the Code says which court may pass which sentence."


@pytest.fixture(autouse=True)
def forum() -> Iterator[None]:
    FACT_TYPES.register("Forum", Forum())
    yield
    FACT_TYPES.unregister("Forum")


@pytest.fixture
def sheet() -> FactSheet:
    return extract(TEXT, "forum-case", tagger=False)


def test_it_is_recognised_behind_the_shipped_types(sheet: FactSheet) -> None:
    assert [fact.fact_id for fact in sheet.facts] == ["section:IPC-302", "forum:Sessions Court"]
    spans = sheet.fact("forum:Sessions Court").spans
    assert [TEXT[span.start : span.end] for span in spans] == ["Sessions Court"] * 2
    assert extract(TEXT, "forum-case", nlp=build_pipeline(tagger=False)) == sheet


def test_its_edits_are_proposed_applied_explained_and_labelled(sheet: FactSheet) -> None:
    edits = propose(sheet, ["Forum"])
    assert [edit.perturbed_value for edit in edits] == ["Magistrate", "High Court"]
    assert {edit.fact_type for edit in propose(sheet)} == {"Section", "Forum"}
    changed = apply_edits(sheet, [edits[1]])
    assert changed.narrative == TEXT.replace("Sessions Court", "High Court")
    assert changed.fact("forum:Sessions Court").value == CourtLevel("High Court")
    assert edit_label(edits[1]) == "Sessions Court → High Court"
    assert fact_label(sheet.fact("forum:Sessions Court")) == "forum: Sessions Court"
    assert reason(edits[1]).startswith("Section 28")
    assert {edit.fact_type for edit in propose_nulls(sheet)} == {"Section"}
    assert RuleValidator().judge(sheet, [edits[1]]).plausible


def test_without_a_mention_it_is_a_sentence_of_the_query() -> None:
    bare = FactSheet("bare", "", (Fact("forum:1", "Forum", CourtLevel("High Court")),))
    segments = render(bare, bare.facts, [], root_ranges("", len), len)
    assert [segment.text for segment in segments] == ["The forum is High Court."]


def test_a_case_file_is_read_and_written_beside_it(tmp_path: Path, sheet: FactSheet) -> None:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(write_case(sheet)))
    assert read_case(path, tagger=False) == sheet


def test_the_tree_measures_it(sheet: FactSheet) -> None:
    def retrieve(queries: Sequence[Query]) -> list[list[str]]:
        return [list("ABC")[:: -1 if "High Court" in query.text else 1] for query in queries]

    edits = propose(sheet)
    tree = cc.grow(sheet, edits, retriever=retrieve, depth=1, max_children=20, top_k=3)
    scores = compute_sensitivity_scores(tree)
    assert list(scores) == ["Section", "PartyType", "Evidence", "Numerical", "Forum"]
    assert scores["Forum"] == pytest.approx(2 / 3)  # one of its two edits turns the list round
    assert scores["Section"] == 0
    facts = {f.fact.fact_id: f for f in fact_sensitivities(sheet, tree, edits, [], [], 0.5)}
    assert facts["forum:Sessions Court"].edges == 2


def test_the_command_line_knows_its_name() -> None:
    assert fact_types_of("forum,section") == ("Section", "Forum")


def test_an_unknown_fact_type_is_named_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="did you mean Forum"):
        FACT_TYPES.get("Forums")


def test_a_value_stated_elsewhere_is_located_by_its_words() -> None:
    values = [CourtLevel("sessions  court"), CourtLevel("Tribunal")]
    located = Forum().locate(Narrative(TEXT), values)
    assert [(fact.fact_id, len(fact.spans)) for fact in located] == [("forum:1", 2), ("forum:2", 0)]
