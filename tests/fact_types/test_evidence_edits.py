"""Evidence edits: an item weakened or added, or what speaks of it again, in the narrative's sentences."""

from __future__ import annotations

import pytest
from perturbation_cases import (
    evidence,
    narrative_after,
    section,
    sheet,
)

from countercase.fact_types import evidence as family
from countercase.fact_types.evidence import EvidenceGroup, EvidenceRule, propose
from countercase.fact_types.evidence.weakening import Weakness
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue, FactSheet
from countercase.facts.vocabulary import EVIDENCE_TYPES
from countercase.io import read_table
from countercase.text.sentences import sentence_spans

WEAKENED = {w.evidence_type for w in read_table("fact_types/evidence_weaknesses", Weakness)}
"""Evidence that can lose weight; circumstances (a settlement, a clean record) cannot."""


def edit_of(root: FactSheet, rule: str, fact_id: str = "e") -> Edit:
    return next(
        e for e in propose(root) if e.rule == f"evidence.{rule}" and e.fact_id.startswith(fact_id)
    )


def test_a_weakness_follows_the_sentences_that_speak_of_the_item() -> None:
    root = sheet(
        "A {e|dying declaration} was made. It named him. He ran.",
        e=evidence("dying_declaration", "It named him."),
    )
    edit = edit_of(root, "weaken")
    assert narrative_after(root, edit) == (
        "A dying declaration was made. It named him. He ran. No doctor certified that the declarant "
        "was in a fit state of mind when the declaration was made."
    )
    value = apply_edits(root, [edit]).fact("e").value
    assert isinstance(value, EvidenceValue)
    assert value.strength == "weakened"
    assert value.description.startswith("It named him. No doctor")
    assert edit.perturbed_value == "dying declaration (weakened)"
    assert family.reason(edit).startswith("A dying declaration counts only")


@pytest.mark.parametrize(
    ("told", "kind", "said"),
    [
        (
            "A {e|pistol was recovered} from him. Charges were framed.",
            "recovery",
            "The list of what",
        ),
        (
            "The Court read {e|two letters} of hers. He was convicted.",
            "documentary",
            "of the letters.",
        ),
        (
            "The {e|injury report} was read. He was convicted.",
            "medical",
            "wrote the injury report was",
        ),
        (
            "The {e|eyewitness} is Ram. He was convicted.",
            "eyewitness",
            "what the eyewitness had to say",
        ),
        (
            "The {e|eyewitnesses} are PW1 and PW2. He was convicted.",
            "eyewitness",
            "eyewitnesses had to",
        ),
    ],
)
def test_a_weakness_names_the_item_in_its_number(told: str, kind: str, said: str) -> None:
    root = sheet(told, e=evidence(kind), s=section("IPC-302"))
    after = narrative_after(root, edit_of(root, "weaken"))
    assert said in after
    assert len(sentence_spans(after)) == 3


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("The {e|post-mortem report} was read. The doctor proved it. He was convicted.", "medical"),
        ("The {e|letter} in her admitted hand was read. He was convicted.", "documentary"),
        ("{e|DNA} was prayed and given up. He was convicted.", "forensic"),
        ("The notes were {e|recovered} and a memo was made on the spot.", "recovery"),
        ("She {e|withdrew} the {e|confession}. He was convicted.", "confession"),
        ("The {e|diary}, of which we have the original, was filed.", "documentary"),
        ("The {e|oral confession} was held to be unreliable. He was convicted.",
         "extrajudicial_confession"),
        ("The {e|motive} is contradicted by his own letter. He was convicted.", "motive"),
        ("Defence: false case, old {e|enmity}. He was convicted.", "motive"),
        ("The panel gave reasons, {e|recording} its dissent. He was convicted.",
         "electronic_record"),
    ],
)  # fmt: skip
def test_a_weakness_that_the_narrative_excludes_is_not_said(told: str, kind: str) -> None:
    root = sheet(told, e=evidence(kind), s=section("IPC-302"))
    assert "evidence.weaken" not in {e.rule for e in propose(root)}


def test_a_certificate_that_was_given_is_not() -> None:
    root = sheet("The {e|chats} were filed with a certificate.", e=evidence("electronic_record"))
    after = narrative_after(root, edit_of(root, "weaken"))
    assert after == "The chats were filed without a certificate."


def objected(told: str, kind: str) -> str:
    """What the rest of the narrative says against taking the item away."""
    root = sheet(told, e=evidence(kind), s=section("IPC-302"))
    return family.FACT_TYPE.objection(root, edit_of(root, "remove"))


@pytest.mark.parametrize(
    ("told", "kind", "words"),
    [
        (
            "By the {e|school register} she was a child. The Court took the register as final.",
            "documentary",
            "took the register as final",
        ),
        ("The {e|salary slip} was filed. By then it was old.", "documentary", "it"),
        ("There is a {e|WhatsApp chat}. He sold the phone.", "electronic_record", "phone"),
        ("The {e|cheque} came back.", "documentary", "does something in law"),
        ("Sir, {e|voice note typed} by my son.", "electronic_record", "not offered as proof"),
        (
            "That he took no part is agreed; the {e|laboratory found} poison.",
            "forensic",
            "goes on from the one before it",
        ),
        ("The {e|eyewitness} was disbelieved.", "eyewitness", "not offered as proof"),
        ("The defence case is that a {e|dying declaration} was made.", "dying_declaration",
         "not offered as proof"),
        ("There was a {e|compromise}. Consent terms were filed.", "settlement", "Consent terms"),
        ("A {e|scuffle} broke out. They abused each other.", "sudden_quarrel", "abused"),
        ("No {e|eyewitness} is named, or where he stood.", "eyewitness", "something else"),
    ],
)  # fmt: skip
def test_what_is_spoken_of_again_is_not_taken_away(told: str, kind: str, words: str) -> None:
    assert words in objected(told, kind)


def test_what_nothing_else_speaks_of_goes() -> None:
    told = "He fell. The {e|chemical report} agrees. Nobody came."
    assert objected(told, "forensic") == ""


def test_evidence_is_not_added_where_the_narrative_speaks_of_its_kind() -> None:
    root = sheet("A shadow witness saw nothing. He is convicted.", s=section("IPC-302"))
    added = edit_of(root, "add", "evidence")
    assert family.FACT_TYPE.objection(root, added)


def test_what_is_absent_is_neither_taken_away_nor_weakened_nor_added() -> None:
    root = sheet("", e=EvidenceValue("eyewitness", "", "absent"), s=section("IPC-302"))
    edits = propose(root)
    assert {edit.rule for edit in edits} == {"evidence.add"}
    assert not any(edit.perturbed_value == "eyewitness" for edit in edits)


def test_what_is_weak_already_is_not_weakened_again() -> None:
    root = sheet("", e=EvidenceValue("motive", "", "weakened"))
    assert "evidence.weaken" not in {e.rule for e in propose(root)}


def test_an_addition_is_a_sentence_at_the_end_and_a_fact_of_its_own() -> None:
    root = sheet("He was killed at night.", s=section("IPC-302"))
    edit = edit_of(root, "add", "evidence:eyewitness")
    assert edit.fact_id == "evidence:eyewitness:added"
    assert narrative_after(root, edit) == (
        "He was killed at night. A neighbour saw the attack and named the assailant."
    )
    added = apply_edits(root, [edit]).fact(edit.fact_id)
    assert added.value == evidence(
        "eyewitness", "A neighbour saw the attack and named the assailant."
    )
    assert added.spans


def test_an_open_narrative_is_closed_before_an_addition() -> None:
    root = sheet("He was killed", s=section("IPC-302"))
    assert narrative_after(root, edit_of(root, "add", "evidence")).startswith("He was killed. A n")


@pytest.mark.parametrize(
    ("cited", "present", "expected"),
    [
        ("IPC-302", "eyewitness", ["motive"]),
        ("BNS-103(1)", "eyewitness", ["motive"]),
        ("NDPS-20", "recovery", ["forensic", "eyewitness"]),
        ("NIA-138", "motive", ["documentary", "electronic_record"]),
        ("LAA-18", "documentary", ["expert_opinion"]),
        ("HMA-13", "motive", []),
    ],
)
def test_what_is_added_is_what_courts_look_for(
    cited: str, present: str, expected: list[str]
) -> None:
    root = sheet("", s=section(cited), e=evidence(present))
    added = [e.fact_id.split(":")[1] for e in propose(root) if e.rule == "evidence.add"]
    assert added == expected


def test_an_addition_to_a_sheet_without_narrative_has_no_words() -> None:
    root = sheet("", s=section("IPC-302"))
    assert all(e.replacements == () for e in propose(root))


def test_taking_away_comes_before_weakening_and_that_before_adding() -> None:
    root = sheet("", a=evidence("last_seen"), b=evidence("dying_declaration"), s=section("IPC-302"))
    assert [(e.rule, e.fact_id) for e in propose(root)][:4] == [
        ("evidence.remove", "b"),
        ("evidence.remove", "a"),
        ("evidence.weaken", "b"),
        ("evidence.weaken", "a"),
    ]


def test_each_edit_has_a_law_and_a_reason() -> None:
    root = sheet(
        "", **{f"evidence__{k}__1": evidence(k) for k in EVIDENCE_TYPES}, s=section("NDPS-20")
    )
    edits = propose(root)
    assert {e.original_value for e in edits} == {k.replace("_", " ") for k in EVIDENCE_TYPES}
    for edit in edits:
        assert edit.provision
        assert family.reason(edit).endswith(".")


def test_the_tables_cover_every_kind_of_evidence() -> None:
    assert {r.evidence_type for r in read_table("fact_types/evidence_rules", EvidenceRule)} == {
        *EVIDENCE_TYPES
    }
    laws = {r.provision for r in read_table("fact_types/evidence_rules", EvidenceRule)}
    for weakness in read_table("fact_types/evidence_weaknesses", Weakness):
        assert weakness.evidence_type in EVIDENCE_TYPES
        assert set(weakness.rule) <= laws
    groups = read_table("fact_types/evidence_groups", EvidenceGroup)
    assert groups[-1].cited == ()
    assert all(kind in EVIDENCE_TYPES for g in groups for kind, *_ in g.additions)


@pytest.mark.parametrize(
    ("told", "supplied"),
    [
        ("He ran. The {e|FSL report} is awaited.", "He ran. The FSL report has been received."),
        ("{e|FSL report} still awaited.", "FSL report received."),
        ("The {e|FSL report} was not filed.", "The FSL report was filed."),
    ],
)
def test_missing_evidence_is_supplied_in_its_own_sentence(told: str, supplied: str) -> None:
    root = sheet(told, e=EvidenceValue("forensic", "FSL report", "absent"))
    edit = edit_of(root, "supply")
    assert narrative_after(root, edit) == supplied
    assert isinstance(edit.new_value, EvidenceValue)
    assert edit.new_value.strength == "full"


def test_a_sentence_that_says_more_than_that_it_is_missing_stays() -> None:
    told = "The {e|FSL report} is awaited, so he is on default bail."
    root = sheet(told, e=EvidenceValue("forensic", "FSL report", "absent"))
    assert not any(edit.rule == "evidence.supply" for edit in propose(root))


def test_what_one_side_argues_to_be_missing_is_not_supplied() -> None:
    told = "{}S. 50 NDPS not complied with. He was convicted u/s 20 NDPS."
    supplies = [
        {e.rule for e in propose(extract(told.format(lead), tagger=False))}
        for lead in ("Grounds of appeal: ", "")
    ]
    assert ["evidence.supply" in rules for rules in supplies] == [False, True]
