"""A weakness fits its witness or document, in the noun and the number that the narrative uses."""

from __future__ import annotations

import pytest
from perturbation_cases import evidence, narrative_after, section, sheet

from countercase.fact_types.evidence import FACT_TYPE, propose


def weakened(told: str, kind: str, described: str = "") -> str:
    """The sentence that weakens the item `e` of a homicide appeal; "" where none fits."""
    root = sheet(told, e=evidence(kind, described), s=section("IPC-302"))
    edits = [edit for edit in propose(root) if edit.rule == "evidence.weaken"]
    if not edits:
        return ""
    (added,) = edits[0].replacements
    return added.text.strip()


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("Two men {e|saw} it. Bail is asked for.", "The police recorded what"),
        (
            "Two men {e|saw} it and named him the same evening. Bail is asked for.",
            "The FIR does not name the eyewitnesses.",
        ),
        (
            "A boatman {e|saw} it and named him before the Magistrate. He knew the accused, being "
            "his friend. He was convicted.",
            "What the eyewitness said in court differed on material points from what the police had "
            "been told before.",
        ),
        (
            "Two men {e|saw} it, and told the police 52 days after the event.",
            "The FIR does not name the eyewitnesses.",
        ),
        ("PW-1 to PW-3 {e|saw} it.", "The police recorded what the eyewitnesses had to say"),
        ("One man {e|struck} at him with a hoe.", ""),
    ],
)
def test_a_witness_who_spoke_at_once_was_not_heard_late(told: str, sentence: str) -> None:
    said = weakened(told, "eyewitness")
    assert said.startswith(sentence) if sentence else said == ""


def test_a_weakness_of_a_labelled_witness_stands_by_its_label() -> None:
    told = "The child (PW-8) slept. Another witness {e|saw} the bodies."
    assert weakened(told, "eyewitness", "A child (PW-8), asleep") == ""
    assert weakened(told, "eyewitness", "A man who saw the bodies")


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("He {e|confessed} to a friend.", "The person to whom the confession was made"),
        (
            "The {e|letter to the manager confessing} it was read.",
            "Nobody was called to prove the handwriting of the letter.",
        ),
        ("The {e|messages confessing} it were read.", "No certificate under section 65B"),
    ],
)
def test_spoken_words_are_asked_only_of_a_spoken_confession(told: str, sentence: str) -> None:
    assert weakened(f"{told} He was convicted.", "extrajudicial_confession").startswith(sentence)


@pytest.mark.parametrize(
    ("told", "noun"),
    [
        ("There is a {e|statement under section 50} of that Act.", "statement"),
        ("He made a {e|confession} to a Magistrate.", "confession"),
    ],
)
def test_a_statement_is_not_called_a_confession(told: str, noun: str) -> None:
    assert weakened(f"{told} He was convicted.", "confession").startswith(f"The {noun} was later")


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (
            "By the {e|school register} she was aged 15 years.",
            "The school register does not say on whose word the date of birth was entered.",
        ),
        (
            "By the {e|school register} the two sat in one class for 5 years.",
            "Nobody who made the entry in the school register was examined.",
        ),
        (
            "His {e|letter} to her was read.",
            "Nobody was called to prove the handwriting of the letter.",
        ),
        ("A false {e|school certificate} made him aged 17 years.", ""),
        ("It could supply against {e|letters} of credit.", ""),
        ("The {e|cancellation letter} says that he is unfit.", ""),
        ("The {e|letters} of sympathy of the growers' association were read.", ""),
    ],
)
def test_a_weakness_is_one_of_such_a_document(told: str, sentence: str) -> None:
    said = weakened(f"{told} He was convicted.", "documentary")
    assert said.startswith(sentence) if sentence else said == ""


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("The {e|psychiatrist} spoke of it.", "The psychiatrist gave no reasons for the opinion."),
        ("A {e|note of a valuer} is there.", "The note gives no reasons for what it concludes."),
        (
            "An {e|engineer has report}ed on it.",
            "The report gives no reasons for what it concludes.",
        ),
        (
            "A {e|handwriting expert report}ed on it.",
            "The handwriting expert gave no reasons for the opinion.",
        ),
        ("An {e|expert opinion} on the face is inconclusive.", ""),
    ],
)
def test_an_opinion_is_called_what_the_narrative_calls_it(told: str, sentence: str) -> None:
    assert weakened(f"{told} He was convicted.", "expert_opinion") == sentence


@pytest.mark.parametrize(
    ("described", "noun"),
    [
        ("Two boatmen who saw the pair", "witnesses"),
        ("A priest, a tailor and a baker saw them", "witnesses"),
        ("Shopkeeper who saw two men with her", "witness"),
    ],
)
def test_several_who_saw_them_are_several(described: str, noun: str) -> None:
    said = weakened("They were {e|seen together}.", "last_seen", described)
    assert said.startswith(f"The {noun} who saw them together told")


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ("The {e|post-mortem report} is not in dispute.", "medical"),
        ("A sickle was {e|recovered}. None of this is contested.", "recovery"),
        ("The {e|audit report} says so, and nobody disputes it.", "expert_opinion"),
        ("No {e|blood was found} in the car.", "forensic"),
        ("The {e|recording} was not produced.", "electronic_record"),
    ],
)
def test_what_is_undisputed_or_shows_nothing_is_not_weakened(told: str, kind: str) -> None:
    assert weakened(f"{told} He was convicted.", kind) == ""


@pytest.mark.parametrize(
    ("told", "kind", "fits"),
    [
        ("He {e|bore him a grudge}. The court convicted him.", "motive", True),
        ("His family {e|sat in the field}. The court convicted him.", "motive", False),
        ("She {e|deposed}. He was convicted.", "victim_testimony", True),
        ("The case is of {e|rape}. He was convicted.", "victim_testimony", False),
    ],
)
def test_a_weakness_finds_what_it_speaks_of_in_the_sentence_before_it(
    told: str, kind: str, fits: bool
) -> None:
    assert bool(weakened(told, kind)) == fits


def test_a_verdict_does_not_part_an_item_from_its_weakness() -> None:
    root = sheet("It {e|showed blood}. The court convicted him.", e=evidence("forensic"))
    edits = [e for e in propose(root) if e.rule == "evidence.weaken"]
    assert all("blood. Nothing shows" in narrative_after(root, e) for e in edits)


def test_a_weakness_does_not_part_an_item_from_what_points_back_to_it() -> None:
    told = "The {e|DNA} excludes him. He has underlined that last line. He was convicted."
    root = sheet(told, e=evidence("forensic"), s=section("IPC-302"))
    edit = next(e for e in propose(root) if e.rule == "evidence.weaken")
    assert "excludes him. He has underlined that last line. Nothing" in narrative_after(root, edit)


@pytest.mark.parametrize(
    ("told", "kind", "objection"),
    [
        (
            "There is a {e|video} of the wedding. He does not deny that scene.",
            "electronic_record",
            "that scene",
        ),
        ("He fell. Ram {e|died of that injury}.", "medical", "tells what happened"),
    ],
)
def test_what_is_pointed_to_or_happened_is_not_taken_away(
    told: str, kind: str, objection: str
) -> None:
    item = f"evidence:{kind}:1"
    marked = told.replace("{e|", f"{{{item}|")
    root = sheet(marked, **{item: evidence(kind)}, s=section("IPC-302"))
    edit = next(e for e in propose(root) if e.rule == "evidence.remove")
    assert objection in FACT_TYPE.objection(root, edit)
