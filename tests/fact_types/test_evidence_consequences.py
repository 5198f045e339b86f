"""Consequences of evidence: the provisions that rest on an item, or on the contrary of one added."""

from __future__ import annotations

import pytest
from perturbation_cases import evidence, on, section

from countercase.fact_types.evidence import FACT_TYPE as EVIDENCE
from countercase.facts.edits import Edit, apply_edits
from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue, FactSheet, SectionValue


def cited_after(root: FactSheet, edit: Edit) -> list[str]:
    return [str(value) for _, value in apply_edits(root, [edit]).valued(SectionValue)]


@pytest.mark.parametrize(
    ("cited", "rule", "left"),
    [
        (("SCST-3(1)(r)", "IPC-323"), "within four walls", ["IPC-323"]),
        (("SCST-3(1)(s)", "IPC-323"), "not of a scheduled caste", ["IPC-323"]),
        (("IPC-304B", "IPC-498A"), "quarrels of another kind", ["IPC-498A"]),
        (("PMLA-3", "PMLA-45"), "scheduled case quashed", []),
        (("DRC-14(1)(e)", "DRC-25B"), "bought within five years", []),
        (("IPC-406", "IPC-420"), "paid as a price", ["IPC-420"]),
    ],
)
def test_what_rests_on_the_contrary_of_what_is_added_falls(
    cited: tuple[str, ...], rule: str, left: list[str]
) -> None:
    root = on("2022", "", **{f"s{n}": section(name) for n, name in enumerate(cited)})
    [added] = [edit for edit in EVIDENCE.additions(root) if edit.rule == rule]
    assert cited_after(root, added) == left


def test_a_planned_attack_is_no_sudden_quarrel() -> None:
    quarrel = evidence("sudden_quarrel")
    root = on("2022", "", s=section("IPC-304-I"), q=quarrel, w=evidence("weapon", "knife"))
    [added] = [edit for edit in EVIDENCE.additions(root) if edit.rule == "came with the weapon"]
    assert cited_after(root, added) == ["IPC-302"]
    assert "q" in added.fact_ids


@pytest.mark.parametrize(
    ("kind", "rule", "cited", "left"),
    [
        ("injury_grade", "simple injury", ("IPC-326", "IPC-34"), ["IPC-324", "IPC-34"]),
        ("weapon", "no firearm", ("ARMS-25", "IPC-323"), ["IPC-323"]),
        ("weapon", "no deadly weapon", ("IPC-392", "IPC-397"), ["IPC-392"]),
    ],
)
def test_what_rests_on_an_item_falls_with_it(
    kind: str, rule: str, cited: tuple[str, ...], left: list[str]
) -> None:
    named = {f"s{n}": section(name) for n, name in enumerate(cited)}
    root = on("2022", "", e=evidence(kind, "as told"), **named)
    [edit] = [it for it in EVIDENCE.what_ifs(root, root.fact("e")) if it.rule == rule]
    assert cited_after(root, edit) == left


@pytest.mark.parametrize(("cited", "asked"), [("NIA-138", False), ("NIA-141", True)])
def test_a_company_is_asked_for_only_where_it_drew_the_cheque(cited: str, asked: bool) -> None:
    """The complainant may be a company too; that the drawer is one, section 141 tells."""
    root = on("2020", "", s=section("NIA-138"), t=section(cited))
    rules = {edit.rule for edit in EVIDENCE.additions(root)}
    assert ({"company arraigned", "company not arraigned", "personal account"} <= rules) == asked
    assert bool(rules & {"company arraigned", "personal account"}) == asked


class TestWhatOnlyTheItemTells:
    """What only the words of an item tell falls with it."""

    TEXT = (
        "The accused, aged 34, is charged under section 138 of the Negotiable Instruments Act. On 4 May "
        "2023 a sum of Rs. 6,00,000 was paid by bank transfer as the ledger shows. The cheque was for Rs. "
        "9,00,000."
    )

    def fallen(self, words: str, operation: str) -> set[str]:
        sheet = extract(self.TEXT, "ledger", tagger=False)
        [fact] = [f for f, v in sheet.valued(EvidenceValue) if words in v.description]
        edits = [e for e in EVIDENCE.what_ifs(sheet, fact) if e.operation == operation]
        return {change.original_value for edit in edits for change in edit.consequences}

    @pytest.mark.parametrize("operation", ["deny", "remove"])
    def test_a_figure_in_its_clause_falls_and_no_age_nor_other_figure(self, operation: str) -> None:
        fallen = self.fallen("ledger", operation)
        assert any("600000" in told for told in fallen)
        assert not any("34" in told or "900000" in told for told in fallen)
