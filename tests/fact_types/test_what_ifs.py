"""What-ifs: what is asked of each fact, by the typed sheet alone; and the table that they are of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled
from perturbation_cases import (
    asked_of,
    edits_of,
    evidence,
    figure,
    on,
    party,
    section,
    sheet,
    sheet_of,
    supposed,
)

from countercase.fact_types.catalogue import WhatIf
from countercase.facts.area_of_law import area_of_law
from countercase.facts.edits import Edit, Operation, apply_edits
from countercase.facts.model import EvidenceValue, FactValue, NumericalValue, PartyValue
from countercase.facts.vocabulary import EVIDENCE_TYPES, PARTY_TYPES, ROLES
from countercase.io import read_table
from countercase.law.provision_ids import is_normal_form, parse_id
from countercase.law.provisions import lookup

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


VIEWS: dict[str, Callable[[Edit], str | None]] = {
    "operation": lambda edit: edit.operation,
    "becomes": lambda edit: edit.perturbed_value,
    "rule": lambda edit: edit.rule,
    "provision": lambda edit: edit.provision,
    "kind": lambda edit: edit.fact_id.split(":")[1],
    "supposition": lambda edit: edit.supposition,
    "reason": lambda edit: edit.reason,
    "value": lambda edit: (
        f"{edit.after.value:g}" if isinstance(edit.after, NumericalValue) else None
    ),
    "crossed": lambda edit: (
        f"{edit.after.value:g} {edit.provision}" if edit.operation == "cross" else None
    ),
}
"""What a labelled row looks at; a figure alone has a value, and one across a line is crossed."""


@labelled("what_is_asked")
def test_what_is_asked_of_a_fact_or_added_to_a_case(
    date: str,
    facts: dict[str, Any],
    of: str,
    view: str,
    place: str,
    has: list[str],
    lacks: list[str],
) -> None:
    asked = asked_of(sheet_of(date, facts), of)
    told = [words for edit in asked if (words := VIEWS[view](edit)) is not None]
    if place == "all":
        assert told == has
        return
    told = {"any": told, "first": told[:1], "last": told[-1:]}[place]

    def is_told(words: str) -> bool:
        """Prose has the words somewhere; all else is the whole of it."""
        return any(words in it if view in ("supposition", "reason") else words == it for it in told)

    assert [words for words in has if not is_told(words)] == []
    assert [words for words in lacks if is_told(words)] == []


@labelled("charged_provisions")
def test_only_an_offence_is_charged(provision: str, charged: bool) -> None:
    root = sheet("", s=section(provision), t=section("IPC-34"))
    assert ("not charged" if charged else "left out of account") in supposed(root, "s")[-1]


@labelled("law_behind_evidence")
def test_an_item_rests_on_the_law_of_its_kind_and_forum_and_day(
    date: str, kind: str, said: str, cited: list[str], law: str
) -> None:
    root = on(date, "", e=EvidenceValue(kind, said), **{c: section(c) for c in cited})
    assert edits_of(root, "e")[0].provision == law


@pytest.mark.parametrize("beside", ["CrPC-482", "CrPC-439", "IDA-11A", "MVA-166", "CONST-311"])
@pytest.mark.parametrize("kind", ["documentary", "medical", "electronic_record"])
def test_nobody_is_examined_outside_a_trial(kind: str, beside: str) -> None:
    """A rule of proof at a trial is not asked before it, nor of a body that it does not bind."""
    named = {"documentary": "sale deed", "medical": "post-mortem", "electronic_record": "CCTV"}
    for cited, asked in ((beside, False), ("IPC-307", True)):
        root = sheet("", e=evidence(kind, named[kind]), s=section("IPC-302"), t=section(cited))
        assert ("discredit" in {e.operation for e in edits_of(root, "e")}) is asked


@pytest.mark.parametrize("claim", ["MVA-166", "CONST-311", "IDA-25F", "CPA19-35"])
def test_a_civil_proceeding_stays_civil_where_it_tells_of_an_offence(claim: str) -> None:
    """Who was acquitted of the same charge is no accused of the enquiry."""
    root = sheet("", e=evidence("antecedents"), s=section("IPC-409"), t=section(claim))
    assert area_of_law(root) == "civil"
    assert "the accused" not in " ".join(supposed(root, "e"))


@pytest.mark.parametrize("kind", ["documentary", "electronic_record", "forensic", "medical"])
def test_what_nothing_names_is_not_denied(kind: str) -> None:
    for strength in ("full", "weakened"):
        vague = replace(evidence(kind, "read as a whole"), strength=strength)
        root = sheet("", e=vague, s=section("IPC-420"))
        assert {e.operation for e in edits_of(root, "e")} <= {"remove", "discredit"}
        assert "read as a whole" in " ".join(supposed(root, "e"))


def test_items_of_one_name_or_kind_are_told_apart_in_every_supposition() -> None:
    gate, lane = (evidence("electronic_record", it) for it in ("CCTV", "CCTV of the lane"))
    root = sheet("", e=gate, f=lane)
    assert not {*supposed(root, "e")} & {*supposed(root, "f")}
    peon = evidence("eyewitness", "a peon saw him run")
    twins = sheet("", e=replace(peon, doubt="drunk"), f=peon)
    assert "no. 2 of 2: “a peon saw him run”" in supposed(twins, "f")[0]


# The table: every row names what there is, and rests on a provision that is known.

ROWS = read_table("law/what_ifs", WhatIf)


class TestTheTable:
    def test_names_are_unique_within_what_they_are_asked_of(self) -> None:
        assert len({(row.fact_type, row.name, row.of, row.becomes) for row in ROWS}) == len(ROWS)

    def test_every_word_is_one_of_the_vocabularies(self) -> None:
        for row in ROWS:
            assert row.operation in get_args(Operation)
            assert {*row.parties} <= {*PARTY_TYPES}
            assert {*row.evidence, *row.lacks} <= {*EVIDENCE_TYPES}
            assert {*row.roles, *row.roles_barred} <= {*ROLES, "relative", ""}, row.name
            if row.fact_type == "PartyType":
                assert {*row.of} <= {*PARTY_TYPES}
            if row.fact_type == "Evidence":
                assert {*row.of} <= {*EVIDENCE_TYPES}

    def test_provisions_are_in_normal_form_and_known_where_the_table_has_their_act(self) -> None:
        for row in ROWS:
            named = [row.becomes] if row.fact_type == "Section" else []
            named += [p for pair in row.takes for p in pair if "-" in p]
            for provision in filter(None, named):
                assert is_normal_form(provision), row.name
                if parse_id(provision).code in ("IPC", "CrPC", "IEA", "CONST", "NIA", "MVA"):
                    assert lookup(provision) is not None, provision

    def test_every_row_has_a_reason_and_words_no_whole_sentence(self) -> None:
        for row in ROWS:
            assert row.reason.endswith("."), row.name
            assert not row.suppose.startswith("Suppose") and not row.suppose.endswith("."), row.name


def test_no_party_is_supposed_to_be_what_another_of_its_side_already_is() -> None:
    accused = PartyValue("petitioner", "Individual", "", "accused")
    alone = sheet("", s=section("IPC-302"), a=accused)
    beside = sheet("", s=section("IPC-302"), a=accused, b=replace(accused, party_type="Minor"))
    asked = [{e.perturbed_value for e in edits_of(it, "a")} for it in (alone, beside)]
    assert [any("Minor" in value for value in told) for told in asked] == [True, False]
