"""Null edits of numbers: other words or digits for the same value, and a value somewhat larger."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from countercase.fact_types.lines import impossible, lines_for, parts
from countercase.fact_types.rewriting import (
    in_order,
    mentions,
    null_edit,
    put,
    restate,
    sentences_around,
    starts_sentence,
    touches_any,
)
from countercase.facts.area_of_law import cites
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.text.numbers import (
    find_figure,
    format_lakh,
    format_number,
    in_words,
)
from countercase.text.spans import Span

_SCALED: Final = ("amount", "quantity")
_DRUGS: Final = ("NDPS",)
_FEW: Final = 5
SCALE: Final = "null.scale"
"""The rule of a null edit that makes a number somewhat larger and crosses no line."""
_AGED: Final = re.compile(r"(?i)aged\s+(about\s+)?(\d+)\s+years\Z")
_LETTER: Final = re.compile(r"(?i)[a-z]")
_DASH: Final = re.compile(r"^\s?/\s?[-–=]?")
_RUPEES: Final = re.compile(r"(?i)(?:Rs\.?|₹|INR)\s*\Z")
_WORD_FOR_AGE: Final = re.compile(r"(?i)year|yr|\bage|month|mth|\bsa+l\b")
_ORDINAL: Final = re.compile(r"(?i)(?:st|nd|rd|th)\b")


def propose_nulls(sheet: FactSheet) -> list[Edit]:
    """Each number in another style, and somewhat larger where no law asks how large it is."""
    edits = []
    for fact, value in sheet.valued(NumericalValue):
        edits += null_edit(sheet, fact, "null.figure_form", _in_other_style(sheet, fact, value))
        larger = _somewhat_larger(sheet, fact, value)
        words = () if larger is None else in_order(restate(sheet, fact, value, larger)) or ()
        edits += null_edit(sheet, fact, SCALE, words, larger)
    return edits


_A_LITTLE: Final = 1.2
_WEIGHED: Final = re.compile(
    r"(?i)custody|jail|sentence|imprison|delay|late\b|limitation|notice|marri|detention|after|before"
    r"|between|gap|probation|service"
)
"""What courts weigh without a line of their own."""


def _somewhat_larger(sheet: FactSheet, fact: Fact, value: NumericalValue) -> NumericalValue | None:
    """A fifth more, in two digits: a figure that nobody would decide otherwise for.

    None where it would cross a line, is one of several in its sentence that may have to add up, or
    is of a kind that courts weigh as such.
    """
    weighed = _WEIGHED.search(value.context) or (value.kind == "quantity" and cites(sheet, _DRUGS))
    places = sentences_around(sheet.narrative, fact.spans)
    beside = [
        other
        for other, figure in sheet.valued(NumericalValue)
        if figure.kind == value.kind and any(touches_any(place, other.spans) for place in places)
    ]
    whole = value.value == int(value.value) and value.value >= _FEW and value.upper is None
    if value.kind not in _SCALED or weighed or len(beside) > 1 or not whole:
        return None
    larger = replace(value, value=float(int(float(f"{value.value * _A_LITTLE:.2g}"))))
    crosses = any(parts(row, value, larger) for row in lines_for(sheet, value))
    return None if crosses or impossible(larger) else larger


def _in_other_style(sheet: FactSheet, fact: Fact, value: NumericalValue) -> list[Replacement]:
    written = ((span, sheet.narrative[span.start : span.end]) for span in mentions(fact))
    restyled = ((span, words, _other_words(words, value)) for span, words in written)
    return [
        put(sheet, fact, span, _opening(sheet, span, new))
        for span, old, new in restyled
        if new and new != old
    ]


def _opening(sheet: FactSheet, span: Span, words: str) -> str:
    """The words with a capital where they open a sentence."""
    opens = starts_sentence(sheet.narrative, span.start)
    return words[:1].upper() + words[1:] if opens else words


def _other_words(words: str, value: NumericalValue) -> str | None:
    """The same value in another style: lakh for digits, words for digits, grams for kilos."""
    figure = find_figure(words, value.value)
    if figure is None or value.upper is not None or _ORDINAL.match(words, figure.end):
        return None
    if value.kind == "age" and not _WORD_FOR_AGE.search(words):
        return None
    if aged := _AGED.fullmatch(words):
        return f"{aged.group(1) or ''}{aged.group(2)} years of age"
    if value.kind == "quantity":
        return _other_quantity(words, value)
    before, after = words[: figure.start], words[figure.end :]
    if not figure.text[0].isdigit() or (value.kind == "amount" and _LETTER.search(figure.text)):
        return before + format_number(value.value) + after
    if value.kind == "amount":
        after = _DASH.sub("", after)
        if value.value >= 100_000:
            return before + format_lakh(value.value).removeprefix("Rs. ") + after
        if not _RUPEES.search(before):
            return None
        before = _RUPEES.sub("rupees ", before)
    elif value.value > 100:
        return None
    spelled = in_words(value.value)
    return None if spelled is None or "half" in spelled else before + spelled + after


def _other_quantity(words: str, value: NumericalValue) -> str | None:
    """Kilograms in grams, and grams in kilograms from 1,000 up; else the other name of the gram."""
    if value.unit == "kg":
        return f"{format_number(float(f'{value.value * 1000:.12g}'))} g"
    if value.unit != "g":
        return None
    if value.value >= 1000:
        return f"{format_number(float(f'{value.value / 1000:.12g}'))} kg"
    return f"{format_number(value.value)} {'g' if 'gram' in words.lower() else 'grams'}"
