"""Evidence edits: an item taken away, weakened or added, in the narrative's own sentences."""

from __future__ import annotations

import pytest
from perturbation_cases import (
    assert_others_untouched,
    evidence,
    figure,
    narrative_after,
    section,
    sheet,
)

from countercase.counterfactual.edits import Edit, apply_edits
from countercase.counterfactual.perturbations import evidence as family
from countercase.counterfactual.perturbations.evidence import (
    EvidenceGroup,
    EvidenceRule,
    Weakness,
    propose,
)
from countercase.counterfactual.perturbations.tables import read_table
from countercase.facts.model import EvidenceValue, FactSheet
from countercase.facts.vocabulary import EVIDENCE_TYPES


def edit_of(root: FactSheet, rule: str, fact_id: str = "e") -> Edit:
    return next(
        e for e in propose(root) if e.rule == f"evidence.{rule}" and e.fact_id.startswith(fact_id)
    )


def removed(marked: str, kind: str = "dying_declaration") -> str:
    root = sheet(marked, e=evidence(kind), n=figure("age", 16), s=section("IPC-302"))
    edit = edit_of(root, "remove")
    assert_others_untouched(root, edit)
    assert "e" not in {fact.fact_id for fact in apply_edits(root, [edit]).facts}
    return narrative_after(root, edit)


def test_a_sentence_that_states_nothing_else_goes() -> None:
    assert removed("He fell. She made a {e|dying declaration}. He ran.") == "He fell. He ran."
    assert removed("A {e|dying declaration} was made. He ran.") == "He ran."
    assert removed("He ran. A {e|dying declaration} was made.") == "He ran."


def test_a_paragraph_loses_its_first_sentence_without_a_gap() -> None:
    assert removed("He fell.\n\nA {e|dying declaration} was made. He ran.") == "He fell.\n\nHe ran."


def test_every_sentence_that_states_it_goes() -> None:
    assert removed("A {e|dying declaration} was made. He ran. The {e|declaration} named him.") == (
        "He ran."
    )


def test_beside_another_fact_only_the_clause_goes() -> None:
    assert removed(
        "The girl was {n|aged 16 years}, and the knife was {e|recovered} later.", "recovery"
    ) == ("The girl was aged 16 years.")
    assert removed(
        "The knife was {e|recovered} later, and the girl was {n|aged 16 years}.", "recovery"
    ) == ("The girl was aged 16 years.")
    assert removed(
        "The girl was {n|aged 16 years}; a neighbour {e|saw the attack}.", "eyewitness"
    ) == ("The girl was aged 16 years.")


def test_where_no_clause_can_go_the_words_turn_negative() -> None:
    assert removed("In the {e|dying declaration} the girl gave {n|16 years} as her age.") == (
        "In no dying declaration the girl gave 16 years as her age."
    )
    assert removed("The knife was {e|recovered} from a boy {n|aged 16 years}.", "recovery") == (
        "The knife was not recovered from a boy aged 16 years."
    )


def test_at_last_the_sentence_is_not_in_evidence() -> None:
    assert removed("The girl of {n|16 years} {e|saw the attack}.", "eyewitness") == (
        "It is not in evidence that the girl of 16 years saw the attack."
    )
    assert removed("Kamla, {n|16 years} old, {e|saw the attack}.", "eyewitness") == (
        "It is not in evidence that Kamla, 16 years old, saw the attack."
    )


def test_a_list_of_nouns_is_no_clause() -> None:
    assert removed("The case rests on {n|16 years} of hate and a {e|dying declaration}.") == (
        "The case rests on 16 years of hate and no dying declaration."
    )


def test_what_the_narrative_does_not_mention_only_leaves_the_sheet() -> None:
    root = sheet("He ran.", e=evidence("motive"))
    assert edit_of(root, "remove").replacements == ()


def test_weakening_says_how_right_after_the_account() -> None:
    root = sheet(
        "A {e|dying declaration} was made. It named him. He ran.",
        e=evidence("dying_declaration", "It named him."),
    )
    edit = edit_of(root, "weaken")
    assert narrative_after(root, edit) == (
        "A dying declaration was made. No doctor certified that the declarant was in a fit state "
        "of mind when the declaration was made. It named him. He ran."
    )
    value = apply_edits(root, [edit]).fact("e").value
    assert isinstance(value, EvidenceValue)
    assert value.strength == "weakened"
    assert value.description.startswith("It named him. No doctor")
    assert edit.perturbed_value == "dying declaration (weakened)"


def test_an_account_of_two_sentences_is_not_torn_apart() -> None:
    root = sheet("An {e|eyewitness} came. She {e|saw the blow}. He ran.", e=evidence("eyewitness"))
    after = narrative_after(root, edit_of(root, "weaken"))
    assert after.startswith("An eyewitness came. She saw the blow. The eyewitness turned hostile")


def test_a_weakness_that_the_narrative_speaks_of_is_not_said_again() -> None:
    root = sheet(
        "The {e|recording} has no certificate under section 65B.", e=evidence("electronic_record")
    )
    after = narrative_after(root, edit_of(root, "weaken"))
    assert after.endswith("The device from which the electronic record came was never produced.")


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
        ("IPC-302", "eyewitness", ["dying_declaration", "recovery"]),
        ("BNS-103(1)", "eyewitness", ["dying_declaration", "recovery"]),
        ("NDPS-20", "recovery", ["forensic", "eyewitness"]),
        ("NIA-138", "motive", ["documentary", "electronic_record"]),
        ("LAA-18", "documentary", ["expert_opinion"]),
        ("HMA-13", "motive", ["documentary", "expert_opinion"]),
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
    root = sheet("", a=evidence("motive"), b=evidence("dying_declaration"), s=section("IPC-302"))
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
    assert len(edits) == 2 * len(EVIDENCE_TYPES)
    for edit in edits:
        assert edit.provision
        assert family.reason(edit).endswith(".")


def test_the_tables_cover_every_kind_of_evidence() -> None:
    assert {r.evidence_type for r in read_table("evidence_rules", EvidenceRule)} == {
        *EVIDENCE_TYPES
    }
    for kind in EVIDENCE_TYPES:
        weak = [w for w in read_table("evidence_weaknesses", Weakness) if w.evidence_type == kind]
        assert weak[-1].unless == "", f"{kind} needs a weakness that always applies"
    groups = read_table("evidence_groups", EvidenceGroup)
    assert groups[-1].cited == ()
    assert all(kind in EVIDENCE_TYPES for g in groups for kind, _, _ in g.additions)


def test_a_name_beside_another_with_a_comma_is_no_clause() -> None:
    told = (
        "The court of {n|16 years} ago believed her and Ram, said to be an {e|eyewitness}, and "
        "sentenced him."
    )
    assert removed(told, "eyewitness") == (
        "The court of 16 years ago believed her and Ram, said to be no eyewitness, and sentenced "
        "him."
    )
