"""What-ifs: what is asked of each fact, by the typed sheet alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_rows import labelled
from perturbation_cases import edits_of, evidence, figure, on, party, section, sheet, supposed

from countercase.fact_types.evidence import Evidence
from countercase.facts.area_of_law import area_of_law
from countercase.facts.edits import apply_edits
from countercase.facts.model import (
    EvidenceValue,
    FactSheet,
    FactValue,
    PartyValue,
)
from countercase.registry import FACT_TYPES


def becomes(root: FactSheet, fact_id: str) -> list[str]:
    """The new values of a fact, in order; "" for a fact that is not known."""
    return [edit.perturbed_value for edit in edits_of(root, fact_id)]


VALUES: dict[str, FactValue] = {
    "s": section("IPC-302"),
    "t": section("NDPS-37"),
    "u": section("XYZ-5"),
    "p": party("Individual"),
    "q": party("State", "respondent"),
    "e": evidence("dying_declaration", "she named him"),
    "f": EvidenceValue("sanction", "", "absent"),
    "g": EvidenceValue("medical", "", "weakened"),
    "a": figure("amount", 50_000, context="loan"),
    "n": figure("age", 16, context="accused"),
    "d": figure("duration", 6, context="since marriage"),
    "k": figure("quantity", 2, "kg", "ganja"),
    "c": figure("count", 5, "accused"),
}


@settings(deadline=None)  # the first call reads the tables
@given(st.sets(st.sampled_from(sorted(VALUES)), min_size=1), st.sampled_from(["", "1999", "2025"]))
def test_every_fact_of_every_sheet_has_a_what_if_that_changes_it(ids: set[str], date: str) -> None:
    root = on(date, "", **{fact_id: VALUES[fact_id] for fact_id in sorted(ids)})
    for fact in root.facts:
        edits = edits_of(root, fact.fact_id)
        assert edits
        for edit in edits:
            assert edit.fact_id == fact.fact_id
            assert edit.before == fact.value != edit.after
            assert edit.supposition.startswith("Suppose ") and edit.supposition.endswith(".")
            assert "{" not in edit.supposition and "  " not in edit.supposition
            assert not edit.null
            after = apply_edits(root, [edit])
            assert after.narrative == root.narrative
            changed = {c.fact_id for c in edit.changes}
            assert all(f in after.facts for f in root.facts if f.fact_id not in changed)
        assert len({edit.edit_id for edit in edits}) == len(edits)


class TestSections:
    @pytest.mark.parametrize(
        ("cited", "first"),
        [
            ("IPC-302", "IPC-304-I"),
            ("IPC-304B", "IPC-306"),
            ("BNS-103(1)", "BNS-105"),
            ("BNS-80", "BNS-108"),
            ("POCSO-4", "POCSO-8"),
            ("CrPC-227", "CrPC-228"),
        ],
    )
    def test_the_provision_that_a_court_would_weigh_comes_first(
        self, cited: str, first: str
    ) -> None:
        assert becomes(sheet("", s=section(cited)), "s")[0] == first

    def test_a_part_without_rows_of_its_own_has_those_of_its_section(self) -> None:
        parts = becomes(sheet("", s=section("IPC-354(1)")), "s")
        assert parts == becomes(sheet("", s=section("IPC-354")), "s")
        assert len(parts) > 1

    def test_the_last_question_is_that_it_is_left_out(self) -> None:
        assert becomes(sheet("", s=section("XYZ-5")), "s") == [""]
        assert becomes(sheet("", s=section("IPC-302")), "s")[-1] == ""

    def test_a_provision_that_is_cited_already_takes_no_others_place(self) -> None:
        root = sheet("", a=section("IPC-302"), b=section("IPC-304-I"))
        assert "IPC-304-I" not in becomes(root, "a")

    def test_a_special_act_beside_the_new_codes_has_new_neighbours(self) -> None:
        root = sheet("", a=section("NIA-138"), b=section("BNS-61(2)"))
        assert becomes(root, "a")[0] == "BNS-318(4)"

    @pytest.mark.parametrize(
        ("date", "cited", "new", "stands"),
        [
            ("2015", "PCA-7", "PCA-13(1)(d)", True),
            ("2019", "PCA-7", "PCA-13(1)(d)", False),
            ("2020", "MVA-166", "MVA-163A", True),
            ("2023", "MVA-166", "MVA-163A", False),
            ("2019", "SRA-16(c)", "SRA-20", False),
        ],
    )
    def test_only_law_of_the_day_takes_its_place(
        self, date: str, cited: str, new: str, stands: bool
    ) -> None:
        assert (new in becomes(on(date, "", s=section(cited)), "s")) is stands


class TestParties:
    def test_only_the_accused_becomes_a_public_servant_or_a_juvenile(self) -> None:
        complainant = PartyValue("petitioner", "Individual", "", "complainant")
        root = sheet("", p=complainant, r=party("State", "respondent"), s=section("IPC-420"))
        kinds = {value.partition(": ")[2] for value in becomes(root, "p")}
        assert not kinds & {"Public servant", "Minor"}

    def test_one_whose_age_is_stated_becomes_no_juvenile(self) -> None:
        accused = replace(party("Individual"), role="accused")
        root = sheet("", p=accused, n=figure("age", 29, context="accused"), s=section("IPC-302"))
        assert "petitioner: Minor" not in becomes(root, "p")

    def test_section_141_speaks_of_cheques_alone(self) -> None:
        for cited in ("IDA-25F", "MVA-166", "ITA-147", "TPA-106"):
            root = sheet("", p=party("Corporation", "respondent"), s=section(cited))
            assert "NIA-141" not in {edit.provision for edit in edits_of(root, "p")}
        drawer = replace(party("Individual"), role="accused")
        cheque = sheet("", p=drawer, s=section("NIA-138"))
        assert "NIA-141" in {edit.provision for edit in edits_of(cheque, "p")}


class TestCharges:
    @labelled("charged_provisions")
    def test_only_an_offence_is_charged(self, provision: str, charged: bool) -> None:
        root = sheet("", s=section(provision), t=section("IPC-34"))
        said = supposed(root, "s")[-1]
        assert ("not charged" if charged else "left out of account") in said

    @pytest.mark.parametrize("provision", ["IPC-34", "IPC-149", "BNS-3(5)", "BNS-190"])
    def test_joint_liability_is_no_offence(self, provision: str) -> None:
        root = sheet("", s=section(provision), t=section("IPC-302"))
        left_out = edits_of(root, "s")[-1]
        assert "left out of account" in left_out.supposition
        assert left_out.reason == "Without it each of the accused answers for his own act alone."

    @pytest.mark.parametrize("other", ["IPC-149", "IPC-120B", "IPC-109"])
    def test_one_who_conspired_or_abetted_answers_for_others_without_section_34(
        self, other: str
    ) -> None:
        root = sheet("", s=section("IPC-34"), t=section("IPC-302"), u=section(other))
        assert "own act alone" not in edits_of(root, "s")[-1].reason

    def test_what_is_there_but_weak_is_not_supplied_as_what_is_missing(self) -> None:
        diary = evidence("documentary", "diary")
        for strength, asked in (("absent", True), ("weakened", False)):
            root = sheet("", e=replace(diary, strength=strength), s=section("NSA-3"))
            assert any("given to the detenu" in said for said in supposed(root, "e")) is asked

    def test_a_detention_is_no_trial_whose_witnesses_are_doubted(self) -> None:
        """The order is tested by the material before the authority, not by proof of the offence."""
        held = replace(party("Individual"), role="detenu")
        root = sheet("", e=evidence("recovery"), s=section("NDPS-20"), p=held)
        assert "discredit" not in {edit.operation for edit in edits_of(root, "e")}
        assert not Evidence().additions(root)

    def test_a_matter_that_tells_neither_date_nor_code_names_the_law_in_both(self) -> None:
        for dated, both in (("", True), ("2020-01-01", False)):
            root = on(dated, "", e=evidence("motive"), s=section("NDPS-8"))
            reason = edits_of(root, "e")[0].reason
            assert "section 8 Evidence Act" in reason
            assert ("or section 6 BSA" in reason) is both

    def test_the_only_charge_leaves_no_case(self) -> None:
        alone = sheet("", s=section("NDPS-20(b)(ii)(C)"), t=section("NDPS-37"))
        beside = sheet("", s=section("NDPS-20(b)(ii)(C)"), t=section("NDPS-29"))
        assert "No charge would be left" in edits_of(alone, "s")[-1].reason
        assert "No charge would be left" not in edits_of(beside, "s")[-1].reason

    @pytest.mark.parametrize("joint", ["IPC-34", "IPC-149", "BNS-3(5)", "IPC-109"])
    def test_joint_liability_falls_with_the_last_charge(self, joint: str) -> None:
        child = section("JJA-15")
        root = sheet("", s=section("IPC-302"), j=section(joint), c=child, d=section("JJA-18(3)"))
        left_out = edits_of(root, "s")[-1]
        assert {change.fact_id for change in left_out.consequences} == {"j", "c", "d"}
        assert "No charge would be left" in left_out.reason
        beside = sheet("", s=section("IPC-302"), j=section(joint), t=section("IPC-380"))
        assert not edits_of(beside, "s")[-1].consequences

    def test_a_child_who_is_not_assessed_is_not_sent_to_the_childrens_court(self) -> None:
        cited = {"a": section("JJA-15"), "b": section("JJA-18(3)")}
        root = sheet("", s=section("IPC-302"), **cited)
        assert [change.fact_id for change in edits_of(root, "a")[-1].consequences] == ["b"]

    def test_an_offence_mentioned_in_a_labour_matter_is_not_the_whole_of_it(self) -> None:
        root = sheet("", s=section("IPC-323"), t=section("IDA-25F"))
        assert "No charge would be left" not in edits_of(root, "s")[-1].reason

    def test_a_reason_names_the_code_of_the_day(self) -> None:
        for cited, named in (("IPC-307", "section 308 IPC"), ("BNS-109", "section 110 BNS")):
            reasons = [edit.reason for edit in edits_of(sheet("", s=section(cited)), "s")]
            assert any(named in reason for reason in reasons), reasons
            assert not any("{" in reason for reason in reasons)


class TestForums:
    """A rule of proof at a trial is not asked before the trial, nor of a body that it does not bind."""

    @pytest.mark.parametrize("beside", ["CrPC-482", "CrPC-439", "IDA-11A", "MVA-166", "CONST-311"])
    @pytest.mark.parametrize("kind", ["documentary", "medical", "electronic_record"])
    def test_nobody_is_examined_outside_a_trial(self, kind: str, beside: str) -> None:
        named = {"documentary": "sale deed", "medical": "post-mortem", "electronic_record": "CCTV"}
        for cited, asked in ((beside, False), ("IPC-307", True)):
            root = sheet("", e=evidence(kind, named[kind]), s=section("IPC-302"), t=section(cited))
            assert ("discredit" in {e.operation for e in edits_of(root, "e")}) is asked

    def test_a_public_document_needs_no_author_in_the_box(self) -> None:
        for words in ("FIR of the station", "order of the Collector", "form DIR-12"):
            root = sheet("", e=evidence("documentary", words), s=section("IPC-420"))
            assert "writing not proved" not in {e.rule for e in edits_of(root, "e")}

    def test_a_weapon_tells_of_the_intention_in_a_murder_and_of_the_grade_of_a_hurt(self) -> None:
        for cited, law in (("IPC-302", "IPC-300"), ("IPC-324", "IPC-324"), ("ARMS-25", "ARMS-25")):
            root = sheet("", e=evidence("weapon", "iron pipe"), s=section(cited))
            assert edits_of(root, "e")[0].provision == law

    def test_a_confession_to_the_police_is_shut_out_by_its_own_section(self) -> None:
        for words, law in (("made to an inspector", "IEA-25"), ("retracted later", "IEA-24")):
            root = sheet("", e=evidence("confession", words), s=section("IPC-302"))
            assert edits_of(root, "e")[0].provision == law

    def test_a_sudden_quarrel_is_no_question_of_a_kidnapped_child(self) -> None:
        kind = FACT_TYPES.get("Evidence")
        for others, asked in (((), True), (("IPC-364",), False)):
            sections = {p.lower().replace("-", "_"): section(p) for p in ("IPC-302", *others)}
            root = sheet("", **sections)
            added = {edit.rule: edit for edit in kind.additions(root)}
            assert ("sudden quarrel" in added) is asked
            if asked:
                after = apply_edits(root, [added["sudden quarrel"]])
                assert after.fact("ipc_302").value == section("IPC-304")

    @pytest.mark.parametrize("claim", ["MVA-166", "CONST-311", "IDA-25F", "CPA19-35"])
    def test_a_civil_proceeding_stays_civil_where_it_tells_of_an_offence(self, claim: str) -> None:
        """Who was acquitted of the same charge is no accused of the enquiry."""
        cited = {"s": section("IPC-409"), "t": section(claim)}
        root = sheet("", e=evidence("antecedents"), **cited)
        assert area_of_law(root) == "civil"
        assert "the accused" not in " ".join(supposed(root, "e"))

    def test_what_is_asked_of_one_person_is_added_only_where_the_sheet_has_that_person(
        self,
    ) -> None:
        held, petitioner = (replace(party("Individual"), role=role) for role in ("detenu", ""))
        for who, asked in ((held, True), (petitioner, False)):
            root = sheet("", p=who, s=section("CONST-226"), t=section("BNS-118(1)"))
            added = {edit.rule for edit in Evidence().additions(root)}
            assert ("bail application pending" in added) is asked


class TestPartiesThatAreSoAlready:
    def test_a_state_corporation_does_not_become_the_state(self) -> None:
        for name, asked in (
            ("Brahmaputra State Transport Corporation", False),
            ("Kalinga Ltd", True),
        ):
            employer = replace(party("Corporation", "respondent", name), role="employer")
            root = sheet("", p=employer, s=section("CONST-14"))
            assert ("respondent: State" in becomes(root, "p")) is asked

    def test_no_civil_matter_has_an_accused(self) -> None:
        named = replace(party("Individual"), role="accused")
        root = sheet("", p=named, s=section("CPA19-35"))
        assert "accused" not in " ".join(supposed(root, "p"))


def test_abetted_suicide_in_place_of_a_dowry_death_supposes_the_suicide() -> None:
    root = sheet("", s=section("BNS-80"))
    [edit] = [e for e in edits_of(root, "s") if e.rule == "IPC-304B>IPC-306"]
    assert edit.supposition.startswith("Suppose she had taken her own life, and section 108 BNS")
    assert "section 80 BNS" in edit.supposition
