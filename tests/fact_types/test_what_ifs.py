"""What-ifs: what is asked of each fact, by the typed sheet alone."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perturbation_cases import evidence, figure, on, party, section, sheet

from countercase.fact_types.catalogue import WhatIf
from countercase.facts.edits import Edit, Operation, apply_edits
from countercase.facts.model import EvidenceValue, FactSheet, FactValue, PartyValue
from countercase.facts.vocabulary import EVIDENCE_TYPES, PARTY_TYPES, ROLES
from countercase.io import read_table
from countercase.law.provision_ids import is_normal_form, parse_id
from countercase.law.provisions import lookup
from countercase.registry import FACT_TYPES

ROWS = read_table("law/what_ifs", WhatIf)


def edits_of(root: FactSheet, fact_id: str) -> list[Edit]:
    fact = root.fact(fact_id)
    edits: list[Edit] = FACT_TYPES.get(fact.fact_type).what_ifs(root, fact)
    return edits


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


class TestEvidence:
    def test_it_is_left_out_first_and_denied_last(self) -> None:
        root = sheet("", e=evidence("dying_declaration"), s=section("IPC-302"))
        operations = [edit.operation for edit in edits_of(root, "e")]
        assert operations[0] == "remove" and operations[-1] == "deny"
        assert {*operations[1:-1]} == {"discredit"}

    @pytest.mark.parametrize(
        ("date", "kind", "cited", "law"),
        [
            ("2015", "recovery", "NDPS-20", "NDPS-54"),
            ("2015", "recovery", "PCA-7", "PCA-20"),
            ("2015", "recovery", "IPC-392", "IEA-114"),
            ("2015", "confession", "IPC-302", "IEA-24"),
            ("2025", "confession", "BNS-103(1)", "BSA-22"),
        ],
    )
    def test_it_rests_on_the_law_of_its_kind_and_matter_and_day(
        self, date: str, kind: str, cited: str, law: str
    ) -> None:
        root = on(date, "", e=evidence(kind), s=section(cited))
        assert edits_of(root, "e")[0].provision == law

    def test_what_is_absent_is_supplied_and_never_weakened(self) -> None:
        root = sheet("", e=EvidenceValue("sanction", "", "absent"), s=section("PCA-7"))
        supplied, unknown = edits_of(root, "e")
        assert isinstance(supplied.after, EvidenceValue) and supplied.after.strength == "full"
        assert (supplied.operation, unknown.operation) == ("supply", "remove")

    def test_what_is_weak_already_is_not_weakened_again(self) -> None:
        root = sheet("", e=EvidenceValue("dying_declaration", "", "weakened"), s=section("IPC-302"))
        assert "discredit" not in {edit.operation for edit in edits_of(root, "e")}

    def test_what_is_there_is_not_added(self) -> None:
        there = sheet("", s=section("IPC-302"), e=evidence("eyewitness"))
        missing = sheet("", s=section("IPC-302"))
        kind = FACT_TYPES.get("Evidence")
        added = [
            {edit.fact_id.split(":")[1] for edit in kind.additions(r)} for r in (there, missing)
        ]
        assert "eyewitness" not in added[0]
        assert "eyewitness" in added[1]

    def test_an_addition_is_a_fact_of_its_own(self) -> None:
        root = sheet("", s=section("IPC-302"))
        for edit in FACT_TYPES.get("Evidence").additions(root):
            assert (edit.operation, edit.before) == ("add", None)
            assert apply_edits(root, [edit]).fact(edit.fact_id).spans == ()


class TestTheTable:
    def test_names_are_unique_within_what_they_are_asked_of(self) -> None:
        assert len({(row.fact_type, row.name, row.of, row.becomes) for row in ROWS}) == len(ROWS)

    def test_every_word_is_one_of_the_vocabularies(self) -> None:
        for row in ROWS:
            assert row.operation in get_args(Operation)
            assert {*row.parties} <= {*PARTY_TYPES}
            assert {*row.evidence, *row.lacks} <= {*EVIDENCE_TYPES}
            assert {*row.roles} <= {*ROLES, "relative"}, row.name
            if row.fact_type == "PartyType":
                assert {*row.of} <= {*PARTY_TYPES}
            if row.fact_type == "Evidence":
                assert {*row.of} <= {*EVIDENCE_TYPES}

    def test_provisions_are_in_normal_form_and_known_where_the_table_has_their_act(self) -> None:
        for row in ROWS:
            named = [row.becomes] if row.fact_type == "Section" else []
            named += [p for pair in row.takes for p in pair]
            for provision in filter(None, named):
                assert is_normal_form(provision), row.name
                if parse_id(provision).code in ("IPC", "CrPC", "IEA", "CONST", "NIA", "MVA"):
                    assert lookup(provision) is not None, provision

    def test_every_row_has_a_reason_and_words_no_whole_sentence(self) -> None:
        for row in ROWS:
            assert row.reason.endswith("."), row.name
            assert not row.suppose.startswith("Suppose") and not row.suppose.endswith("."), row.name
