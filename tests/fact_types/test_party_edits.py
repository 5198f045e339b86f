"""Party edits: what a party is in law, in the place where the narrative says it."""

from __future__ import annotations

import pytest
from perturbation_cases import (
    assert_others_untouched,
    figure,
    mention,
    narrative_after,
    party,
    section,
    sheet,
)

from countercase.fact_types import party as family
from countercase.fact_types.party import PartyChange, propose
from countercase.fact_types.rewriting import with_article
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.model import FactSheet, PartyValue
from countercase.facts.vocabulary import PARTY_TYPES
from countercase.io import read_table


def changed_to(root: FactSheet, party_type: str, fact_id: str = "p") -> Edit:
    return next(
        e for e in propose(root) if e.fact_id == fact_id and e.perturbed_value == party_type
    )


def test_the_noun_that_names_the_type_is_replaced() -> None:
    root = sheet(
        "The appellant, a {p|constable}, took the notes.",
        p=party("Public servant"),
        s=section("IPC-409"),
    )
    edit = changed_to(root, "Individual")
    assert narrative_after(root, edit) == "The appellant, a private individual, took the notes."
    assert apply_edits(root, [edit]).fact("p").value == party("Individual")


def test_the_article_follows_the_new_noun() -> None:
    root = sheet("The appellant is a {p|tenant} of the shop.", p=party("Tenant"))
    assert "is a licensee of" in narrative_after(root, changed_to(root, "Licensee"))
    root = sheet("He was a {p|constable}.", p=party("Public servant"), s=section("CONST-311"))
    assert narrative_after(root, changed_to(root, "Employee")) == (
        "He was an employee of a private company."
    )


def test_every_mention_changes() -> None:
    root = sheet(
        "The {p|workman} worked there. As a {p|workman} he was paid by the day.",
        p=party("Employee"),
        s=section("IDA-2(s)"),
    )
    assert narrative_after(root, changed_to(root, "Contractor")) == (
        "The independent contractor worked there. As an independent contractor he was paid by the "
        "day."
    )


def test_a_plural_stays_one() -> None:
    root = sheet("The {p|workmen} struck.", p=party("Employee"), s=section("IDA-2(s)"))
    assert narrative_after(root, changed_to(root, "Contractor")) == (
        "The independent contractors struck."
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("He appeals against the {p|State of Goa}.", "He appeals against the Union of India."),
        ("{p|State of Goa} opposes it.", "The Union of India opposes it."),
        ("It lies against the {p|State of\nUttar Pradesh}.", "It lies against the Union of India."),
    ],
)
def test_a_state_named_becomes_the_union(before: str, after: str) -> None:
    root = sheet(before, p=party("State", "respondent"), s=section("CPC-80"))
    assert narrative_after(root, changed_to(root, "Union of India")) == after


def test_a_company_named_becomes_a_person_and_loses_its_name() -> None:
    root = sheet(
        "{p|Sita Yarns Pvt. Ltd.} gave the cheque.",
        p=party("Corporation", name="Sita Yarns Pvt. Ltd."),
        s=section("NIA-138"),
    )
    edit = changed_to(root, "Individual")
    assert narrative_after(root, edit) == "The private individual gave the cheque."
    assert apply_edits(root, [edit]).fact("p").value == party("Individual")


def test_a_person_named_keeps_the_name_and_gets_the_type_beside_it() -> None:
    root = sheet(
        "{p|Ram Singh} took the bag. His date of birth is disputed.",
        p=party("Individual", name="Ram Singh"),
        s=section("IPC-379"),
    )
    edit = changed_to(root, "Minor")
    assert narrative_after(root, edit) == (
        "Ram Singh, a minor, took the bag. His date of birth is disputed."
    )
    assert apply_edits(root, [edit]).fact("p").value == party("Minor", name="Ram Singh")


def test_a_role_gets_the_type_beside_it_without_a_second_comma() -> None:
    root = sheet("The {p|appellant}, of Agra, fled.", p=party("Individual"), s=section("IPC-409"))
    assert narrative_after(root, changed_to(root, "Public servant")) == (
        "The appellant, a public servant, of Agra, fled."
    )


def test_kin_stays_kin() -> None:
    root = sheet(
        "I write for Mohan, the {p|husband} of the deceased.",
        p=party("Individual"),
        s=section("IPC-409"),
        t=section("IPC-304B"),
    )
    assert narrative_after(root, changed_to(root, "Public servant")) == (
        "I write for Mohan, a public servant and the husband of the deceased."
    )
    assert "Corporation" not in {e.perturbed_value for e in propose(root)}


def test_nobody_with_a_sex_or_an_age_becomes_a_company() -> None:
    root = sheet("The {p|appellant} sold his cart.", p=party("Individual"))
    assert "Corporation" not in {e.perturbed_value for e in propose(root)}
    root = sheet("The {p|appellant} drew it.", p=party("Individual"), s=section("NIA-138"))
    assert "Corporation" in {e.perturbed_value for e in propose(root)}


@pytest.mark.parametrize(
    ("told", "cited", "kind"),
    [
        ("The {p|appellant} was trapped by the squad.", "PCA-13(1)(d)", "Public servant"),
        ("The {p|appellant} took it from a decoy.", "IPC-161", "Public servant"),
        ("The {p|drawer} co.'s cashier signed it.", "NIA-138", "Corporation"),
        ("The trial court {p|acquitted} on the doubt.", "IPC-409", "Public servant"),
    ],
)
def test_nobody_becomes_what_the_charge_or_the_words_make_him(
    told: str, cited: str, kind: str
) -> None:
    root = sheet(told, p=party("Individual"), s=section(cited))
    assert kind not in {e.perturbed_value for e in propose(root)}


def test_nobody_of_full_age_becomes_a_minor() -> None:
    root = sheet(
        "The {p|appellant}, {n|aged 40 years}, fled.",
        p=party("Individual"),
        n=figure("age", 40),
        s=section("IPC-379"),
    )
    assert "Minor" not in {e.perturbed_value for e in propose(root)}


def test_a_minor_becomes_an_adult() -> None:
    root = sheet("A {p|minor}, he ran.", p=party("Minor"))
    edit = changed_to(root, "Individual")
    assert narrative_after(root, edit) == "An adult, he ran."
    assert edit.provision == "Indian Majority Act, 1875, s. 3"


def test_a_party_that_is_only_on_the_sheet_changes_there() -> None:
    root = sheet("The bag was gone.", p=party("Tenant"))
    assert changed_to(root, "Licensee").replacements == ()


def test_other_facts_stay_as_they_are() -> None:
    root = sheet(
        "The {p|appellant}, a man {n|aged 40 years}, sued the {r|State of Goa} under "
        "{s|Article 311} of the Constitution.",
        p=party("Individual"),
        r=party("State", "respondent"),
        n=figure("age", 40),
        s=section("CONST-311"),
        t=section("CPC-80"),
    )
    assert len({e.fact_id for e in propose(root)}) == 2
    for edit in propose(root):
        assert_others_untouched(root, edit)
        assert mention(apply_edits(root, [edit]), "s") == "Article 311"


def test_the_table_covers_every_type_and_gives_its_law() -> None:
    rows = read_table("fact_types/party_changes", PartyChange)
    assert {row.original for row in rows} == set(PARTY_TYPES)
    for row in rows:
        assert row.changed in PARTY_TYPES
        assert row.changed != row.original
        assert row.area_of_law in ("", "criminal", "civil")
        assert row.provision
        assert row.reason.endswith(".")


def test_each_edit_has_its_reason() -> None:
    root = sheet("x", p=party("Tenant"))
    assert "exclusive possession" in family.reason(changed_to(root, "Licensee"))


@pytest.mark.parametrize(
    ("noun", "said"),
    [
        ("hour", "an hour"),
        ("unit", "a unit"),
        ("officer", "an officer"),
        ("18-year-old", "an 18-year-old"),
        ("11-year-old", "an 11-year-old"),
        ("80-year-old", "an 80-year-old"),
        ("17-year-old", "a 17-year-old"),
        ("110-page file", "a 110-page file"),
        ("Union leader", "a Union leader"),
    ],
)
def test_articles(noun: str, said: str) -> None:
    assert with_article(noun) == said


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The {p|appellant} No. 2 fled.", "The appellant No. 2, a public servant, fled."),
        ("The {p|accused} (A-1) fled.", "The accused (A-1), a public servant, fled."),
        ("The {p|appellant} Mohan fled.", "The appellant Mohan, a public servant, fled."),
        ("The {p|appellants} herein fled.", "The appellants herein, public servants, fled."),
        ("All the {p|accused} fled.", "All the accused, public servants, fled."),
        ("One of the {p|appellants} fled.", "One of the appellants, a public servant, fled."),
        ("He is the {p|driver} of the jeep.", "He is a public servant and the driver of the jeep."),
        ("A {p|farmer} fled.", "A public servant fled."),
        ("The {p|appellant}'s cart stood there. He fled.",
         "The appellant's cart stood there. The petitioner is a public servant. He fled."),
    ],
)  # fmt: skip
def test_what_belongs_to_the_mention_stays_with_it(before: str, after: str) -> None:
    root = sheet(before, p=party("Individual"), s=section("IPC-409"))
    assert narrative_after(root, changed_to(root, "Public servant")) == after


def test_a_job_is_kept_beside_a_minor() -> None:
    root = sheet(
        "He was a {p|mason}. His date of birth is disputed.",
        p=party("Individual"),
        s=section("IPC-379"),
    )
    assert narrative_after(root, changed_to(root, "Minor")).startswith(
        "He was a minor and a mason."
    )


def test_a_public_servant_may_have_left_the_post_before_cognizance() -> None:
    """Section 19 of the Prevention of Corruption Act before 26 July 2018."""
    root = sheet(
        "The accused, a {p|public servant} in May 2012, took the notes. He is on trial.",
        p=party("Public servant"),
        s=section("PCA-7"),
    )
    assert narrative_after(root, changed_to(root, "Individual")) == (
        "The accused, a public servant in May 2012, took the notes. He is on trial."
    ).replace(
        "public servant ", "public servant who had left the post before the court took cognizance "
    )


def test_what_follows_from_an_office_is_left_in_a_sentence_of_its_own() -> None:
    root = sheet(
        "{p|Ram Lal}, the accused, was a clerk in May 2012, hence a public servant. He took it.",
        p=party("Public servant", name="Ram Lal"),
        s=section("PCA-7"),
    )
    assert narrative_after(root, changed_to(root, "Individual")) == (
        "Ram Lal, the accused, was a clerk in May 2012, hence a public servant. Ram Lal had left "
        "the post before the court took cognizance. He took it."
    )


def test_the_company_of_a_workman_may_belong_to_the_state() -> None:
    root = sheet(
        "He fed the press of {p|Asha Ltd.} at Itarsi.",
        p=party("Corporation", "respondent"),
        s=section("IDA-25F"),
    )
    assert narrative_after(root, changed_to(root, "State")) == (
        "He fed the press of Asha Ltd., a company owned by the State Government, at Itarsi."
    )


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("The {p|accused} was trapped.", "PCA-7"),
        ("The {p|accused} was trapped.", "IPC-161"),
        ("Much later, {p|drawer} co.'s accountant complained.", "NIA-138"),
    ],
)
def test_nobody_becomes_what_the_charge_or_the_words_make_him_already(
    text: str, cited: str
) -> None:
    root = sheet(text, p=PartyValue("petitioner", "Individual", "", "accused"), s=section(cited))
    assert not {e.perturbed_value for e in propose(root)} & {"Public servant", "Corporation"}
