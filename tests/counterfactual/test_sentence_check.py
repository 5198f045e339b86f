"""Edits that leave a broken sentence, or take another fact along, are not proposed."""

from __future__ import annotations

import pytest
from perturbation_cases import evidence, figure, section, sheet

from countercase.counterfactual.sentence_check import fault
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import NumericalValue


def change(narrative: str, old: str, new: str, fact_id: str = "x") -> str:
    """The fault of putting `new` in place of `old`."""
    at = narrative.index(old)
    edit = Edit(
        fact_id, "Evidence", "a", "b", "made.up", "", None, (Replacement(at, at + len(old), new),)
    )
    return fault(sheet(narrative, s=section("IPC-302")), edit)


@pytest.mark.parametrize(
    ("narrative", "old", "new", "what"),
    [
        ("The police say that charas was found in the bag.", " was found in the bag", "", "verb"),
        ("He picked the boy out in a parade held in May, and the boy objects.",
         "He picked the boy out in a parade held in May", "In May", "verb"),
        ("She saw the blow and told the police.", " told the police", "", "breaks off"),
        ("He made a statement to the doctor.", " the doctor", "", "breaks off"),
        ("The report was filed, and the court took it.", "The report was filed, and ", "", "small"),
        ("He struck with a stick.", "stick", "stick stick", "twice"),
        ("He struck her, and fled.", ", and fled", ",.", "punctuation"),
        ("The age is between 17 and 19 years.", "17", "19", "range"),
        ("She was a 17-year-old girl.", "17", "18", "article"),
        ("He struck two blows.", "two", "one", "number"),
    ],
)  # fmt: skip
def test_a_broken_sentence_is_named(narrative: str, old: str, new: str, what: str) -> None:
    assert what in change(narrative, old, new)


@pytest.mark.parametrize(
    ("narrative", "old", "new"),
    [
        ("He was convicted under section 302 IPC.", "302", "304 Part I"),
        ("The spade was recovered. The eyewitness saw it.", "The spade was recovered. ", ""),
        ("The doctor sent her for a test, and the report gives an age of 17.",
         "The doctor sent her for a test, and the", "The"),
        ("PMR: 2 wounds. no motive.", "2 wounds", "1 wound"),
        ("He was struck by two blows of a stick.", "two blows", "one blow"),
    ],
)  # fmt: skip
def test_a_sound_sentence_and_a_note_without_verbs_pass(narrative: str, old: str, new: str) -> None:
    assert change(narrative, old, new) == ""


def test_a_number_keeps_some_proportion() -> None:
    tablet = sheet("Each had {q|0.5 mg} of it.", q=figure("quantity", 0.5, "mg", "alprazolam"))
    [small] = tablet.facts
    assert small.span is not None

    def moved(value: float) -> str:
        words = Replacement(small.spans[0].start, small.spans[0].end, f"{value} mg")
        new = NumericalValue("quantity", value, "mg", "alprazolam")
        return fault(tablet, Edit("q", "Numerical", "0.5 mg", "x", "r", "", new, (words,)))

    assert moved(110_000) == "a figure out of all proportion"
    assert moved(5) == ""


def test_the_words_of_another_fact_must_stay() -> None:
    whole = sheet(
        "{s|Section 42} was not followed and 45 grams were recovered.",
        s=section("NDPS-42"),
        e=evidence("recovery"),
    )
    edit = Edit(
        whole.facts[-1].fact_id, "Evidence", "recovery", "", "made.up", "", None,
        (Replacement(0, len(whole.narrative), "Nothing else is known."),),
    )  # fmt: skip
    assert "another fact" in fault(whole, edit)
