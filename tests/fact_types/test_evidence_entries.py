"""Evidence in lists: entries that go whole, weaknesses in the style of the list, what is supplied."""

from __future__ import annotations

import pytest
from perturbation_cases import evidence, figure, narrative_after, section, sheet

from countercase.fact_types.evidence import propose
from countercase.fact_types.evidence.entries import entries, entry_around
from countercase.fact_types.evidence.spoken_of import standing
from countercase.facts.model import EvidenceValue, FactSheet
from countercase.text.spans import Span


def rewritten(root: FactSheet, rule: str) -> str:
    """The narrative after the first edit of `rule` that nothing speaks against; "" where none is."""
    edits = (e for e in propose(root) if e.rule == f"evidence.{rule}" and e.fact_id == "e")
    return next((narrative_after(root, e) for e in edits if not standing(root, e)), "")


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("Evidence\n- a knife\n- a rope\nHe ran.", ["a knife", "a rope"]),
        ("He has: a card; a bill; a letter.", ["a card", "a bill", "a letter"]),
        ("In jail; charge framed; phone sent.", ["charge framed", "phone sent"]),
        ("He said (see the bill; the card) so.", []),
        ("They have. (1) A card. (2) A bill.", ["A card.", "A bill."]),
        ("- alone", []),
    ],
)
def test_the_entries_of_a_list(told: str, words: list[str]) -> None:
    assert [told[e.words.start : e.words.end] for e in entries(told)] == words


def test_the_smallest_entry_that_holds_every_mention() -> None:
    told = "Evidence\n- seized: a knife; a rope\n- a card"
    entry = entry_around(told, [Span(told.index("rope"), told.index("rope") + 4)])
    assert entry is not None
    assert told[entry.cut.start : entry.cut.end] == "; a rope"


@pytest.mark.parametrize(
    ("marked", "kind", "after"),
    [
        (
            "Evidence\n- the widow wept\n- {e|FSL report} on the stains\n- two shots were heard",
            "forensic",
            "Evidence\n- the widow wept\n- two shots were heard",
        ),
        (
            "He is in jail for {n|47 days}; charge framed; {e|phone with FSL}.",
            "forensic",
            "He is in jail for 47 days; charge framed.",
        ),
        (
            "He confessed to the sarpanch, who {e|turned hostile} and denied it.",
            "hostile_witness",
            "He confessed to the sarpanch.",
        ),
        (
            "The notice was posted on a Monday, as the {e|postal receipt} shows. Friday was a holiday.",
            "documentary",
            "The notice was posted on a Monday. Friday was a holiday.",
        ),
    ],
)
def test_an_entry_or_last_clause_of_its_own_goes_whole(marked: str, kind: str, after: str) -> None:
    root = sheet(marked, e=evidence(kind), n=figure("duration", 47, "days"), s=section("IPC-302"))
    assert rewritten(root, "remove") == after


@pytest.mark.parametrize(
    ("marked", "kind"),
    [
        ("There are two reports:\n- {e|FSL report} on stains\n- a map", "forensic"),
        ("Evidence\n- {e|FSL report} on stains\n- it names him", "forensic"),
        ("We need rulings on {e|last seen}.", "last_seen"),
        ("1. {e|FSL report} positive. Notes tally.\n2. He fled.", "forensic"),
    ],
)
def test_no_entry_goes_that_another_goes_on_from_and_nothing_that_is_asked(
    marked: str, kind: str
) -> None:
    root = sheet(marked, e=evidence(kind), s=section("IPC-302"))
    assert rewritten(root, "remove") == ""


@pytest.mark.parametrize(
    ("marked", "kind", "cited", "after"),
    [
        (
            "Evidence\n- plank {e|recovered} at his house\n- he fled",
            "recovery",
            "BNS-103(1)",
            "Evidence\n- plank recovered at his house\n- the list of what was seized was not drawn up"
            " on the spot\n- he fled",
        ),
        (
            "They have {e|chats}, certificate under section 63 annexed.",
            "electronic_record",
            "BNS-80(2)",
            "They have chats, no certificate under section 63 annexed.",
        ),
        (
            "A {e|note} was found. It says that nobody is to blame.",
            "dying_declaration",
            "BNS-108",
            "A note was found. It says that nobody is to blame. The note bears no date.",
        ),
    ],
)
def test_a_weakness_takes_the_form_of_its_list_or_sentence(
    marked: str, kind: str, cited: str, after: str
) -> None:
    root = sheet(marked, e=evidence(kind), s=section(cited))
    assert rewritten(root, "weaken") == after


def test_nobody_was_to_be_examined_before_a_trial() -> None:
    told = "Bail is asked for. The {e|salary certificate} is filed. The appeal is of 2024."
    root = sheet(told, e=evidence("documentary"), s=section("IPC-420"))
    assert "was not examined" not in rewritten(root, "weaken")


@pytest.mark.parametrize(
    ("marked", "kind", "after"),
    [
        (
            "The wound was old, and the {e|DNA report} was awaited when judgment was given.",
            "forensic",
            "The wound was old, and the DNA report had been received when judgment was given.",
        ),
        (
            "PP says: they are poor; {e|FSL report} on the seals is awaited; he fled.",
            "forensic",
            "PP says: they are poor; FSL report on the seals has been received; he fled.",
        ),
        (
            "A transcript was filed, and no {e|certificate u/s 65B} IEA.",
            "electronic_certificate",
            "A transcript was filed with a certificate u/s 65B IEA.",
        ),
    ],
)
def test_what_is_missing_is_supplied_in_its_own_clause(marked: str, kind: str, after: str) -> None:
    root = sheet(marked, e=EvidenceValue(kind, "", "absent"), s=section("IPC-302"))
    assert rewritten(root, "supply") == after
