"""A reason is stated only for what makes the fact itself."""

from __future__ import annotations

from countercase.explanation.reasons import reasons_shared
from countercase.facts.model import EvidenceValue, Fact, NumericalValue, PartyValue


def reasons(value: object, passage: str, segment: str = "") -> tuple[str, ...]:
    kinds = {EvidenceValue: "Evidence", NumericalValue: "Numerical", PartyValue: "PartyType"}
    return reasons_shared([Fact("f", kinds.get(type(value), "Section"), value)], segment, passage)


def test_a_provision_is_a_reason_and_one_cited_everywhere_is_none_alone() -> None:
    assert reasons("IPC-302", "He was guilty under section 302 IPC.") == (
        "section 302 IPC (punishment for murder)",
    )
    assert reasons("IPC-34", "Section 34 IPC was added.", "He acted with section 34 IPC.") == ()


def test_counts_fines_and_states_are_none() -> None:
    assert reasons(NumericalValue("count", 2, "witnesses", "eyewitnesses"), "2 eyewitnesses.") == ()
    fine = NumericalValue("amount", 1000, "INR", "fine")
    assert reasons(fine, "He was given a fine of Rs. 1,000.") == ()
    assert reasons(PartyValue("respondent", "State"), "The State of Punjab appealed.") == ()


def test_evidence_shares_the_words_that_name_it() -> None:
    test = EvidenceValue("medical", "Ossification test at the district hospital")
    assert reasons(test, "An ossification test is an opinion.") == ("ossification and test",)
    assert reasons(test, "The post-mortem report revealed 17 injuries.") == ()
    declaration = EvidenceValue("dying_declaration", "Statement to the Tehsildar")
    assert reasons(declaration, "The dying declaration was believed.") == ("a dying declaration",)
