"""Facts that no words of the narrative state, where the narrative tells them in other words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from perturbation_cases import evidence, figure, party, section, sheet

from countercase.counterfactual.proposals import candidates
from countercase.counterfactual.sentence_check import fault
from countercase.fact_types.evidence import propose as evidence_edits
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import EvidenceValue, FactSheet
from countercase.facts.vocabulary import FACT_TYPES


def refused(root: FactSheet, rule: str, fact_id: str) -> str:
    """Why edits of the fact are refused; "" where one is sound."""
    proposed = candidates(root, FACT_TYPES)
    edits = [e for e in proposed if e.rule.startswith(rule) and e.fact_id == fact_id]
    assert edits, "nothing was proposed"
    faults = [fault(root, edit) for edit in edits]
    return "" if "" in faults else faults[0]


def item(kind: str, description: str) -> EvidenceValue:
    return replace(evidence(kind), description=description)


UNSAID = "the narrative does not say it"


class TestWhatOnlyTheSheetStates:
    def test_an_item_stays(self) -> None:
        value = item("recovery", "Empty cartridges of three kinds")
        assert refused(sheet("Cartridges were found.", r=value), "evidence.remove", "r") == UNSAID

    def test_a_figure_stays(self) -> None:
        value = replace(figure("duration", 4), context="desertion")
        root = sheet("They parted in 2003.", n=value, s=section("HMA-13(1)(ib)"))
        assert refused(root, "numerical.line", "n") == UNSAID

    def test_without_a_narrative_all_may_change(self) -> None:
        value = item("recovery", "Empty cartridges of three kinds")
        assert refused(sheet("", r=value, s=section("IPC-302")), "evidence.remove", "r") == ""

    def test_a_provision_changes_beside_a_laymans_words_and_not_beside_citations(self) -> None:
        lay = sheet("They say that I took his money on a false promise.", s=section("IPC-420"))
        assert refused(lay, "section.neighbour", "s") == ""
        cited = sheet("Charged under section 120B IPC.", s=section("IPC-420"))
        assert refused(cited, "section.neighbour", "s") == UNSAID


class TestEvidence:
    def test_no_message_is_added_before_telephones_sent_any(self) -> None:
        def added(year: int) -> list[Edit]:
            text = f"In {year} he took money and never delivered the trucks."
            root = replace(sheet(text, s=section("IPC-420")), occurred_on=str(year))
            return [e for e in evidence_edits(root) if "electronic_record" in e.fact_id]

        assert not added(1991)
        assert added(2015)


class TestFigures:
    @pytest.mark.parametrize(
        ("marked", "value", "to"),
        [
            ("A doctor thought that the girl might be 16 or {n|17} years old.", 17, 15),
            ("The girl, aged {n|14 years}, was shown to be below 16 by two papers.", 14, 17),
        ],
    )
    def test_a_figure_keeps_within_what_is_said_of_it(
        self, marked: str, value: float, to: float
    ) -> None:
        before = replace(figure("age", value), context="victim")
        root = sheet(marked, n=before, s=section("IPC-376"))
        [span] = root.fact("n").spans
        words = Replacement(span.start, span.end, f"{to:g} years"[: 2 if value == 17 else None])
        edit = Edit(
            "n", "Numerical", str(before), "", "numerical.line", "IPC-375", replace(before, value=to),
            (words,),
        )  # fmt: skip
        assert fault(root, edit)
        text = root.narrative[span.start : span.end]
        alone = sheet(f"She was aged {{n|{text}}} then.", n=before, s=section("IPC-376"))
        at = alone.fact("n").spans[0].start
        moved = replace(words, start=at, end=at + len(text))
        assert fault(alone, replace(edit, replacements=(moved,))) == ""


def test_a_state_that_the_narrative_names_stays_one() -> None:
    value = party("State", "respondent", "State of Telangana")
    marked = "{p|The State} invited offers for coal%s."
    told = sheet(marked % " in Telangana", p=value, s=section("CONST-14"))
    assert "Telangana" in refused(told, "party.type", "p")
    silent = sheet(marked % "", p=value, s=section("CONST-14"))
    assert "Telangana" not in refused(silent, "party.type", "p")
