"""A reason is stated only for what makes the fact itself."""

from __future__ import annotations

from countercase.explanation.reasons import reasons_shared
from countercase.facts.model import EvidenceValue, Fact, NumericalValue, PartyValue, SectionValue


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
    assert reasons(test, "An ossification test is an opinion.") == ("ossification test",)
    assert reasons(test, "The post-mortem report revealed 17 injuries.") == ()
    declaration = EvidenceValue("dying_declaration", "Statement to the Tehsildar")
    assert reasons(declaration, "The dying declaration was believed.") == ("a dying declaration",)


def provisions(case: list[str], passage: str) -> tuple[str, ...]:
    facts = [Fact(f"section:{name}", "Section", SectionValue(name)) for name in case]
    return reasons_shared(facts, "", passage)


def test_a_provision_is_named_as_the_passage_cites_it() -> None:
    assert provisions(["BNS-318(4)"], "Without that, section 420 IPC fails.") == (
        "section 420 IPC, now section 318(4) BNS",
    )
    assert provisions(["BNS-106(1)"], "He was convicted under section 304A IPC.") == (
        "section 304A IPC, replaced with changes by section 106(1) BNS",
    )


def test_one_law_is_named_once() -> None:
    assert provisions(["BNS-103(1)", "IPC-302"], "Guilty under section 302 IPC.") == (
        "section 302 IPC (punishment for murder)",
    )


def test_a_party_is_named_by_the_passage_itself() -> None:
    minor = PartyValue("petitioner", "Minor")
    assert reasons(minor, "The appellant, a juvenile, was released.") == ("a minor",)
    for passage in (
        "Under the Juvenile Justice Act, 1986 the appellant was tried.",
        "The appellant, no longer a juvenile, was tried.",
        "The appellant ceased to be a juvenile at sixteen.",
    ):
        assert reasons(minor, passage) == (), passage
    servant = PartyValue("petitioner", "Public servant")
    assert reasons(servant, "The appellant, a police constable, took the notes.") == (
        "a public servant",
    )
    for passage in (
        "Even a temporary employee's discharge may be examined under Article 311(2).",
        "He was suspended and dismissed after an enquiry under Article 311(2).",
    ):
        assert reasons(servant, passage) == (), passage


def test_plain_words_make_no_evidence_alike() -> None:
    reply = EvidenceValue("documentary", "RTI reply confirms no other noting")
    assert reasons(reply, "The Union filed no reply to the notice, and the letter was lost.") == ()


def test_evidence_that_failed_is_like_only_evidence_that_failed() -> None:
    mark = EvidenceValue("medical", "Ossification test, discarded by the trial court")
    assert reasons(mark, "The ossification test said 14 to 16.") == ()
    assert reasons(mark, "The ossification test was discarded.") == ("ossification test",)
    hostile = EvidenceValue("eyewitness", "Eyewitness at the pump turned hostile")
    assert reasons(hostile, "Three eyewitnesses at the pump were examined.") == ()
