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


class TestEvidence:
    @pytest.mark.parametrize(
        ("narrative", "value"),
        [
            ("Empty cartridges were picked up.", item("recovery", "Empty cartridges of 3 kinds")),
            ("PW 12 gave evidence.", item("eyewitness", "PW 2 and PW 12 described the beating")),
            ("She told the neighbours.", item("dying_declaration", "Words that blamed both men")),
            ("A doctor saw her.", item("medical", "Opinion that she was about 17")),
            ("The girl said so on oath.", item("victim_testimony", "Her account of the assault")),
            ("On 3.4.2010 he went to the police.", item("report_delay", "Two days went by")),
            ("It rained.", item("documentary", "Notice to quit")),
        ],
    )
    def test_what_the_narrative_tells_stays(self, narrative: str, value: EvidenceValue) -> None:
        assert refused(sheet(narrative, **{f"{value.evidence_type}__1": value}), "evidence.remove",
                       f"{value.evidence_type}:1")  # fmt: skip

    def test_what_it_does_not_tell_may_go(self) -> None:
        root = sheet("The tenant fell into arrears.", d=item("documentary", "Pass book of 1999"))
        assert refused(root, "evidence.remove", "d") == ""

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

    def test_a_length_of_time_that_dates_tell_stays(self) -> None:
        value = replace(figure("duration", 4), context="desertion")
        cited = section("HMA-13(1)(ib)")
        stays = sheet("She left him in 2003; he petitioned in 2007.", n=value, s=cited)
        assert refused(stays, "numerical.line", "n") == "the dates of the narrative tell it"
        goes = sheet("She left him and he petitioned.", n=value, s=cited)
        assert refused(goes, "numerical.line", "n") == ""


def test_a_state_that_the_narrative_names_stays_one() -> None:
    value = replace(party("State", "respondent"), name="State of Telangana")
    told = sheet("Telangana invited offers for coal.", p=value, s=section("CONST-14"))
    assert "Telangana" in refused(told, "party.type", "p")
    silent = sheet("Offers were invited for coal.", p=value, s=section("CONST-14"))
    assert refused(silent, "party.type", "p") == ""
