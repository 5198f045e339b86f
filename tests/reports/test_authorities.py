"""Which way decisions went, and how what they turned on stands to the case, by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from decided_by_hand import (
    ACCUSED,
    BY_HAND,
    CORPUS,
    SHEET,
    SOURCE,
    STATE,
    analysis,
    party,
    record,
)

from countercase.corpus.casebook.records import RECORDS
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.reports.counsel.authorities import Brief, Records
from countercase.reports.counsel.marks import mark_fact
from countercase.reports.counsel.memo import MEMO_FILES, Memo
from countercase.reports.wording import say


def party_fact(side: Any, role: str) -> Fact:
    return Fact(f"party:{side}", "PartyType", PartyValue(side, "Individual", "", role))


def charge(provision: str) -> Fact:
    return Fact(f"section:{provision}", "Section", SectionValue(provision))


@pytest.fixture(autouse=True)
def corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECORDS, "by hand", lambda: BY_HAND)  # type: ignore[arg-type]


@pytest.fixture
def records_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Records]:
    """The records of a corpus of one decision, held against a case, by default `SHEET`."""

    def records(stated: Any, facts: Sequence[Fact] = SHEET.facts, **more: Any) -> Records:
        monkeypatch.setitem(RECORDS, CORPUS["name"], lambda: (stated,))
        own = replace(SHEET, facts=tuple(facts))
        return Records(CORPUS | {"checksum": repr(stated)}, own, **more)

    return records


@pytest.fixture
def marks_of(records_of: Callable[..., Records]) -> Callable[..., list[str]]:
    """The marks of what a decision turned on, held against these facts of a case."""

    def marks(facts: Sequence[Fact], **stated: Any) -> list[str]:
        records = records_of(record("one", "allowed", ACCUSED, STATE, **stated), facts)
        return [point.mark for point in records.authority("one").points]

    return marks


@pytest.mark.parametrize(
    ("case_id", "for_accused"),
    [
        ("won", "for"),
        ("lost", "against"),
        ("state won", "against"),
        ("complainant lost", "for"),
        ("in part", "open"),
        ("unnamed", "for"),  # neither has a role, and one side is the State in both
        ("others", "open"),  # nobody stood where the accused stands
    ],
)
def test_which_way_a_decision_went_follows_from_its_outcome_and_who_came(
    case_id: str, for_accused: str
) -> None:
    other = {"for": "against", "against": "for", "open": "open"}
    assert Records(CORPUS, SHEET, "petitioner").authority(case_id).way == for_accused
    assert Records(CORPUS, SHEET, "respondent").authority(case_id).way == other[for_accused]


def test_what_a_decision_turned_on_is_held_against_the_case() -> None:
    """Section 80 BNS is section 304B IPC; both marriages are within the seven years of the law.

    Section 302 is not cited here. Whether there was a declaration is not said.
    """
    points = Records(CORPUS, SHEET).authority("won").points
    assert [point.mark for point in points] == ["same", "not cited here", "not known", "same side"]


def test_evidence_of_one_kind_is_to_be_compared_and_differs_where_that_thing_is_missing() -> None:
    """What a declaration says is not read; a supposition of what it says leaves it a declaration."""

    def mark(description: str, strength: Any, kind: Any = "dying_declaration") -> str:
        value = EvidenceValue(kind, description, strength)
        item = Fact("evidence:1", "Evidence", value)
        own = replace(SHEET, facts=(*SHEET.facts, item))
        told = EvidenceValue("dying_declaration", "to her father", "full")
        stood = replace(SHEET, facts=(*SHEET.facts, replace(item, value=told)))
        return Records(CORPUS, stood).points("won", own)[2].mark

    assert mark("she said that the stove burst", "full") == "same kind, compare"
    assert mark("she named the mother-in-law", "full", "circumstance") == "same kind, compare"
    assert mark("no dying declaration had been made", "absent") == "differs"
    assert mark("no declaration to her brother", "absent") == "not known"


@pytest.mark.parametrize(
    ("decided", "own", "mark"),
    [
        ("16 years the appellant", "18 years accused", "differs"),  # 18 lies between, not 16 or 12
        ("25 years the appellant", "24 years accused", "same side"),
        ("23 years deceased", "34 years deceased", "differs"),
        ("34 years deceased", "34 years deceased", "same"),
        ("30 years mother", "34 years deceased", "not known"),
        ("18 years age below which he was a juvenile", "40 years deceased", "not known"),
    ],
)
def test_a_known_figure_of_the_same_measure_and_person_is_compared(
    marks_of: Any, decided: str, own: str, mark: str
) -> None:
    (number, _, descriptor), (years, _, whose) = (it.split(" ", 2) for it in (decided, own))
    value = NumericalValue("age", float(years), "years", whose)
    assert marks_of(
        [charge("BNS-103"), Fact("numerical:age:1", "Numerical", value)],
        numerical_facts={"ages": [{"value": int(number), "descriptor": descriptor}]},
        sections_cited=["IPC-302"],
        turned_on=["numerical:age:1"],
    ) == [mark]


@pytest.mark.parametrize(("own", "mark"), [(60, "differs"), (12, "same side")])
def test_a_line_that_is_a_share_of_the_longest_term_divides_too(own: int, mark: str) -> None:
    """Half of the seven years of section 420 are forty-two months."""
    cited = tuple(Fact(it, "Section", SectionValue(it)) for it in ("IPC-420", "CrPC-436A"))
    months = (NumericalValue("duration", it, "months", "custody") for it in (float(own), 10.0))
    held = (Fact("numerical:duration:1", "Numerical", value) for value in months)
    case, decided = (FactSheet("by hand", "", (*cited, fact)) for fact in held)
    assert mark_fact(case, case, decided, decided.facts[2]) == mark


def test_a_private_person_in_the_same_role_is_the_same(marks_of: Any) -> None:
    assert marks_of(SHEET.facts, turned_on=["party:petitioner"]) == ["same"]


@pytest.mark.parametrize(
    ("decided", "cited", "mark"),
    [
        ("NDPS-21(c)", "NDPS-21(c)", "same"),
        ("NDPS-21(c)", "NDPS-21(b)", "differs"),  # another clause of one charge
        ("IPC-302", "BNS-106", "differs"),  # one death is not both murder and negligence
        ("NDPS-21(c)", "NDPS-50", "not cited here"),
        ("IPC-420", "IPC-120B", "not cited here"),  # both may be charged
        ("LAA-17(4)", "LAA-17(1)", "not cited here"),  # both may be invoked
        ("CONST-311(2)", "CONST-14", "not cited here"),
        ("ARB-34(2)(b)(ii)", "ARB-34", "same section, compare"),  # which clause is not said
        ("ARB-34", "ARB-34(2)(b)(ii)", "same"),
        ("IEA-113B", "BNS-80", "same"),  # the charge brings the presumption with it
    ],
)
def test_a_provision_differs_only_where_the_case_is_under_another_in_its_place(
    records_of: Any, decided: str, cited: str, mark: str
) -> None:
    turned = {"sections_cited": [decided], "turned_on": [f"section:{decided}"]}
    records = records_of(record("won", "allowed", ACCUSED, STATE, **turned), [charge(cited)])
    assert [point.mark for point in records.authority("won").points] == [mark]
    only = analysis() | {"precedents": analysis()["precedents"][:1]}
    memo = str(MEMO_FILES["memo.md"](Memo(only, records)))
    assert ("Differs from this case" in memo) == (mark == "differs")


def test_one_paper_says_nothing_of_another(marks_of: Any) -> None:
    """Two papers that share a word are not known to be the same, nor to differ."""
    letter = {"evidence_type": "documentary", "description": "a letter of hers"}
    missing = EvidenceValue("documentary", "a letter of hers", "absent")
    own = [*SHEET.facts, Fact("evidence:documentary:1", "Evidence", missing)]
    turned_on = ["evidence:documentary:1"]
    assert marks_of(own, evidence_items=[letter], turned_on=turned_on) == ["not known"]


def test_a_decision_says_how_the_fact_supposed_otherwise_stood_there(records_of: Any) -> None:
    """Of its points the one that shares most words speaks; one shared word is not enough."""
    sides = [
        {"fact": "letter", "held": "She wrote a letter.", "otherwise": "She wrote nothing."},
        {"fact": "seven years", "held": "The marriage was six years old at the death.",
         "otherwise": "The marriage was eight years old at the death."},
    ]  # fmt: skip
    points = [point | {"why": "so it was"} for point in sides]
    records = records_of(record("stated", "allowed", ACCUSED, STATE, dispositive=points))
    assert records.stood("stated", "The marriage had lasted eight years at her death.") == (
        "The marriage was six years old at the death."
    )
    assert records.stood("stated", "The death was sudden.") == ""
    assert records.stood("unknown", "The marriage had lasted eight years.") == ""


def test_without_records_nothing_is_said_to_be_known() -> None:
    for corpus in (None, {"name": "elsewhere", "checksum": "1"}):
        found = Records(corpus, SHEET, titles={"won": "A v. B"}).authority("won")
        assert (found.title, found.way, found.points, found.citations) == ("A v. B", "open", (), ())


def test_the_headline_names_who_is_for_and_against() -> None:
    brief = Brief(analysis(), Records(CORPUS, SHEET))
    assert brief.headline == (
        "For you: Baijnath, Mauji, Ram. Against you: Vidhya, Raj. What decided them: point of won "
        "(Baijnath); point of complainant lost (Mauji); point of lost (Vidhya)."
    )
    assert brief.measured == "Measured 1 of 3 facts."
    assert [(way, len(rows)) for way, _, rows in brief.groups] == [
        ("for", 3), ("against", 2), ("open", 2),
    ]  # fmt: skip
    assert Brief(analysis() | {"precedents": []}, Records(CORPUS, SHEET)).headline == (
        "No precedent was found."
    )


@pytest.mark.parametrize(
    ("petitioner", "respondent", "own", "names"),
    [
        # Nothing is said of the petitioner; who stands against an accused is the prosecution.
        (None, "accused", "respondent", ("the prosecution", "the accused")),
        # Our client was corrected to be the accused; the text had called him so once more.
        ("accused", "accused", "petitioner", ("the accused", "the prosecution")),
        # In a criminal matter without parties one acts for the accused or against.
        (None, None, "petitioner", ("the accused", "the prosecution")),
        (None, None, "respondent", ("the accused", "the prosecution")),
    ],
)
def test_each_side_is_called_by_its_role_or_by_what_faces_the_other(
    petitioner: str | None,
    respondent: str | None,
    own: str,
    names: tuple[str, str],
) -> None:
    rest = tuple(fact for fact in SHEET.facts if fact.fact_type != "PartyType")
    sides = {"petitioner": petitioner, "respondent": respondent}
    parties = (party_fact(side, role) for side, role in sides.items() if role is not None)
    records = Records(CORPUS, replace(SHEET, facts=(*rest, *parties)), own)
    assert records.sides == list(zip(sides, names, strict=True))
    for_accused = dict(records.sides)[own] == "the accused"
    ways = [records.authority(it).way for it in ("won", "lost")]
    assert ways == (["for", "against"] if for_accused else ["against", "for"])


def test_the_brief_says_which_side_was_not_read() -> None:
    """The petitioner was read, but not what he is: he may as well be the accused himself."""
    rest = tuple(fact for fact in SHEET.facts if fact.fact_type != "PartyType")
    parties = (party_fact("petitioner", ""), party_fact("respondent", "accused"))
    own = replace(SHEET, facts=(*rest, *parties))
    told = Brief(analysis(), Records(CORPUS, own))
    assert told.note.startswith("What the petitioner is in this matter was not read: here it is")
    assert "taken for the prosecution" in told.note
    assert Brief(analysis(), Records(CORPUS, own, "respondent")).note == ""
    unread = replace(SHEET, facts=(*rest, party_fact("respondent", "accused")))
    assert Brief(analysis(), Records(CORPUS, unread)).note == ""
    told = Brief(analysis(), Records(CORPUS, replace(SHEET, facts=())))
    assert "who the parties are was not read" in told.note
    sides = Records(CORPUS, replace(SHEET, facts=())).sides
    assert [name for _, name in sides] == ["the petitioner", "the respondent"]
    assert Brief(analysis(), Records(CORPUS, SHEET)).note == ""
    assert Brief(analysis() | {"precedents": []}, Records(CORPUS, SHEET)).note == ""


def test_the_brief_says_what_its_list_rests_on_and_the_case_does_not(
    records_of: Callable[..., Records], monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = [fact for fact in SHEET.facts if fact.fact_type != "Section"]
    only = analysis() | {"precedents": analysis()["precedents"][:1]}

    def note(facts: Sequence[Fact], cited: list[str], area: str) -> str:
        stated = {**BY_HAND[0], "sections_cited": cited, "area": area}
        return Brief(only, records_of(stated, facts)).note

    assert "1 of these 1 decisions cite section 304B IPC" in note(bare, ["IPC-304B"], "dowry")
    none_against = "No decision of this list is known to have gone against you"
    told = note(SHEET.facts, ["IPC-304B", "IPC-34"], "dowry")  # section 80 BNS is the same
    assert told.startswith(none_against) and "cite section" not in told
    assert "other areas" not in note(
        SHEET.facts, ["IPC-304B"], "arbitration"
    )  # it has no area of dowry
    monkeypatch.setitem(RECORDS, "by hand", lambda: (
        *({**it, "area": "arbitration", "sections_cited": ["ARB-34"]} for it in BY_HAND),
        {**BY_HAND[0], "case_id": "more", "area": "dowry"},
    ))  # fmt: skip
    found = Brief(analysis(), Records(CORPUS | {"checksum": "areas"}, SHEET)).note
    assert "of other areas of law than dowry" in found and "No decision" not in found


def test_a_code_that_was_replaced_by_the_day_of_the_facts_is_told() -> None:
    cited = ("IPC-304B", "IPC-498A", "IPC-34", "IEA-113B", "CrPC-439")
    old = tuple(replace(SHEET.facts[0], fact_id=it, value=SectionValue(it)) for it in cited)
    told = say("outdated", replace(SHEET, facts=old))
    assert "section 80 BNS had taken the place of section 304B IPC" in told
    assert "of section 113B Evidence Act; section 483 BNSS had taken the place of" in told
    assert say("outdated", SHEET) == ""
    assert say("outdated", replace(SHEET, facts=old, occurred_on="2024-06-30")) == ""
    assert say("outdated", replace(SHEET, facts=old, occurred_on="")) == ""


@pytest.mark.parametrize(
    ("respondent", "name"),
    [(STATE, "Rahul Builders"), (party("H. Amaresh and others", "Individual"), "H. Amaresh")],
)
def test_a_decision_is_called_by_the_name_of_a_person_before_a_firm(
    records_of: Any, respondent: Any, name: str
) -> None:
    firm = party("Rahul Builders (a partnership firm of contractors)", "Corporation", "accused")
    assert records_of(record("firm", "allowed", firm, respondent)).authority("firm").short == name


def test_the_judgment_is_linked_to_in_the_reader_s_own_source_with_every_value_escaped(
    records_of: Any,
) -> None:
    assert Records(CORPUS, SHEET, source=SOURCE).authority("won").url == (
        "https://example.org/find?q=Baijnath%20v.%20State%20of%20Bihar&c=2016%20INSC%201&id=won"
    )
    assert Records(CORPUS, SHEET).authority("won").url == ""
    hostile = record("a&b", "allowed", party('"><script> {title} ?', "Individual"), STATE)
    records = records_of(hostile, source=SOURCE)
    url = records.authority("a&b").url  # without a citation the title stands for it
    title = "%22%3E%3Cscript%3E%20%7Btitle%7D%20%3F%20v.%20State%20of%20Bihar"
    assert url == f"https://example.org/find?q={title}&c={title}&id=a%26b"
    assert records.authority("elsewhere").url.endswith("q=elsewhere&c=elsewhere&id=elsewhere")
