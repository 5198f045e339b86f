"""The findings of the review on parties, evidence and consequences, each by its number."""

from __future__ import annotations

from dataclasses import replace

import pytest
from perturbation_cases import evidence, figure, narrative_after, on, party, section, sheet

from countercase.fact_types import evidence as evidence_type
from countercase.fact_types import numerical
from countercase.fact_types import party as party_type
from countercase.fact_types import section as section_type
from countercase.facts.model import FactSheet, PartyValue
from countercase.io import read_table
from countercase.law.offences import same_terms
from countercase.law.provisions import Correspondence, same_law


def parties(root: FactSheet, fact_id: str = "p") -> set[str]:
    return {e.perturbed_value for e in party_type.propose(root) if e.fact_id == fact_id}


@pytest.mark.parametrize("cited", ["IDA-25F", "MVA-166", "ITA-147", "TPA-106"])
def test_finding_11_section_141_speaks_of_cheques_alone(cited: str) -> None:
    root = sheet("A {p|company} is sued.", p=party("Corporation", "respondent"), s=section(cited))
    assert "NIA-141" not in {e.provision for e in party_type.propose(root)}
    cheque = sheet("The {p|drawer} failed.", p=party("Individual"), s=section("NIA-138"))
    reasons = [party_type.reason(e) for e in party_type.propose(cheque) if e.provision == "NIA-141"]
    assert [why.split(", ")[1] for why in reasons] == [
        "section 141 makes those in charge of its business answer with it."
    ]


@pytest.mark.parametrize(
    ("marked", "cited"),
    [
        ("The {p|appellant}, the complainant, filed it.", "IPC-420"),
        ("The {p|petitioner}, widow of the driver, claims.", "IPC-304A"),
        ("The {p|petitioner}, the wife, complains.", "IPC-498A"),
    ],
)
def test_finding_12_only_the_accused_becomes_a_public_servant_or_a_juvenile(
    marked: str, cited: str
) -> None:
    root = sheet(marked, p=party("Individual"), r=party("State", "respondent"), s=section(cited))
    assert not parties(root) & {"Public servant", "Minor"}


def test_finding_12_a_stated_role_and_a_stated_age_count() -> None:
    root = sheet(
        "The {p|petitioner} appeals.",
        p=PartyValue("petitioner", "Individual", "", "complainant"),
        s=section("IPC-379"),
    )
    assert parties(root) == set()
    husband = sheet(
        "The {p|husband} appeals. The appellant was {n|29 years} old.",
        p=party("Individual"),
        n=figure("age", 29, context="appellant"),
        s=section("IPC-302"),
    )
    assert "Minor" not in parties(husband)


def test_finding_13_no_rule_of_pleading_explains_a_party() -> None:
    root = sheet("The {p|appellant} sold a cart.", p=party("Individual"), s=section("CPC-96"))
    assert "CPC-O29R1" not in {e.provision for e in party_type.propose(root)}
    crime = sheet("The {p|State of Goa} appeals.", p=party("State"), s=section("IPC-302"))
    assert "Union of India" not in parties(crime)


@pytest.mark.parametrize(
    ("marked", "cited", "law"),
    [
        ("The knife was {e|recovered} at his instance.", "IPC-302", "IEA-27"),
        ("A {e|recovery} followed his disclosure.", "IPC-302", "IEA-27"),
        ("A rucksack on his back was searched and 2 kg {e|recovered}.", "NDPS-20", "NDPS-54"),
        ("The marked notes were {e|recovered} from his pocket.", "PCA-7", "PCA-20"),
        ("The ornaments were {e|recovered} from his house.", "IPC-392", "IEA-114"),
    ],
)
def test_finding_14_a_recovery_rests_on_the_law_of_its_kind(
    marked: str, cited: str, law: str
) -> None:
    root = sheet(marked, e=evidence("recovery"), s=section(cited))
    edits = {e.rule: e for e in evidence_type.propose(root)}
    assert edits["evidence.remove"].provision == law
    assert evidence_type.reason(edits["evidence.remove"]).endswith(".")
    weaker = edits.get("evidence.weaken")
    assert law == "IEA-27" or weaker is None or "open and accessible" not in weaker.perturbed_value


@pytest.mark.parametrize(
    ("marked", "law"),
    [
        ("He made a {e|confession} to the Inspector.", "IEA-25"),
        ("His {e|confession} to the police was read.", "IEA-25"),
        ("His {e|confession} was recorded by the Magistrate.", "CrPC-164"),
        ("His {e|confession} was read.", "IEA-24"),
    ],
)
def test_finding_15_who_heard_a_confession_tells_its_law(marked: str, law: str) -> None:
    root = sheet(marked, e=evidence("confession"), s=section("IPC-302"))
    edits = {e.rule: e for e in evidence_type.propose(root)}
    assert edits["evidence.remove"].provision == law
    assert law != "IEA-25" or "evidence.weaken" not in edits


def test_finding_16_no_weapon_is_recovered_from_a_drunk_driver() -> None:
    root = sheet("Drunk, he drove his car into a crowd and two died.", s=section("IPC-304-II"))
    added = {e.perturbed_value for e in evidence_type.propose(root) if e.rule == "evidence.add"}
    assert "recovery" not in added
    assert added


def consequences(root: FactSheet, provision: str) -> dict[str, str]:
    edit = next(e for e in numerical.propose(root) if e.provision == provision)
    return {c.original_value: c.perturbed_value for c in edit.consequences}


def test_finding_17_what_follows_is_read_in_the_code_of_the_day() -> None:
    girl = figure("age", 17, context="victim")
    for date, expected in (("2024-09", "BNS-64"), ("2022", "IPC-376")):
        root = on(date, "", n=girl, s=section("POCSO-4"))
        assert consequences(root, "POCSO-2(1)(d)") == {"POCSO-4": expected}


def test_finding_17_at_nineteen_nothing_of_a_childs_law_stays() -> None:
    root = on(
        "2019",
        "The accused, {n|aged 16}, was assessed under {s|section 15} of the Juvenile Justice (Care and "
        "Protection of Children) Act, 2015 for {t|sections 302}, {u|83} and {v|34} of the Indian Penal "
        "Code.",
        n=figure("age", 16, context="accused"),
        s=section("JJA-15"),
        t=section("IPC-302"),
        u=section("IPC-83"),
        v=section("IPC-34"),
    )
    edit = next(e for e in numerical.propose(root) if e.provision == "JJA-2(12)")
    assert {c.original_value for c in edit.consequences} == {"JJA-15", "IPC-83"}
    assert narrative_after(root, edit) == (
        "The accused, aged 19, was assessed for sections 302 and 34 of the Indian Penal Code."
    )


def test_finding_17_a_suicide_below_eighteen_is_section_305_and_304b_needs_a_suicide() -> None:
    root = on("2019", "", n=figure("age", 19, context="deceased"), s=section("IPC-306"))
    assert consequences(root, "IPC-305") == {"IPC-306": "IPC-305"}
    burnt = on(
        "2019",
        "She died of burns for dowry.",
        n=figure("duration", 6, context="since marriage"),
        s=section("IPC-304B"),
    )
    assert consequences(burnt, "IPC-304B") == {"IPC-304B": "IPC-498A"}
    both = on(
        "2019",
        "She hanged herself.",
        n=figure("duration", 6, context="since marriage"),
        s=section("IPC-304B"),
        t=section("IPC-306"),
        u=section("IPC-498A"),
        v=section("IEA-113B"),
    )
    assert consequences(both, "IPC-304B") == {
        "IPC-304B": "no longer cited",
        "IEA-113B": "no longer cited",
    }


def test_finding_17_a_minor_who_becomes_an_adult_takes_his_age_along() -> None:
    root = on(
        "2019",
        "The appellant, {p|a minor}, was {n|16 years} old and was tried under {s|section 302} IPC.",
        p=party("Minor"),
        n=figure("age", 16, context="appellant"),
        s=section("IPC-302"),
    )
    edit = next(e for e in party_type.propose(root) if e.perturbed_value == "Individual")
    assert {c.fact_id for c in edit.consequences} == {"n"}
    assert "was 19 years old" in narrative_after(root, edit)


@pytest.mark.parametrize("old", ["IPC-406", "IPC-417", "IPC-338", "IPC-403", "IPC-304A", "IPC-148"])
def test_finding_18_a_provision_whose_terms_changed_is_no_null_edit(old: str) -> None:
    root = sheet("He was charged under {s|section " + old[4:] + "} IPC.", s=section(old))
    assert "null.successor" not in {e.rule for e in section_type.propose_nulls(root)}


def test_finding_18_the_same_terms_are_a_null_edit_unless_the_date_forbids_it() -> None:
    root = sheet("He was charged under {s|section 420} IPC.", s=section("IPC-420"))
    rules = {e.rule for e in section_type.propose_nulls(root)}
    assert "null.successor" in rules
    old = replace(root, occurred_on="2011")
    assert "null.successor" not in {e.rule for e in section_type.propose_nulls(old)}


def test_finding_18_what_the_table_calls_unchanged_has_the_same_terms() -> None:
    for pair in read_table("law/correspondences", Correspondence):
        assert same_law(pair.old, pair.new) is not pair.changed
        assert pair.changed or same_terms(pair.old, pair.new) is not False


def test_nobody_with_a_name_or_a_father_becomes_a_company() -> None:
    for marked in (
        "The {p|drawer}, s/o Late Shyamlal, failed.",
        "The {p|drawer} and his wife failed.",
    ):
        root = sheet(marked, p=party("Individual"), s=section("NIA-138"))
        assert "Corporation" not in parties(root)
    named = sheet(
        "{p|Ramesh Yadav} failed.", p=party("Individual", name="Ramesh Yadav"), s=section("NIA-138")
    )
    assert "Corporation" not in parties(named)
