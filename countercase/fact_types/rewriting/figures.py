"""Rewrite each mention of a number in its original style."""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.rewriting.narrative import mentions, put, with_article
from countercase.facts.edits import Replacement
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.text.numbers import find_figure, format_amount, format_number, in_words, write_like
from countercase.text.units import UNITS

_UNIT_WORD: Final = re.compile(
    r"([\s-]*)(year|month|week|day|hour|minute|kilogram|gram|acre|hectare|bigha|litre|metre)(s?)\b"
    r"(?!-old)",
    re.IGNORECASE,
)
_LONGEST_SYMBOL: Final = 2
"""Longer names of units (`sq_m`, `acre`) are written out, shorter ones (`kg`) stay as they are."""


def restate(
    sheet: FactSheet, fact: Fact, before: NumericalValue, after: NumericalValue
) -> list[Replacement]:
    """Every mention of the fact with the new number, in the style of the old one."""
    return [
        put(sheet, fact, span, _mention(sheet.narrative[span.start : span.end], before, after))
        for span in mentions(fact)
    ]


def _mention(words: str, before: NumericalValue, after: NumericalValue) -> str:
    figure = find_figure(words, before.value)
    if figure is None:
        return plain(words, after)
    rest = words[figure.end :]
    unit = _UNIT_WORD.match(rest)
    if unit and "-" not in unit.group(1):
        name = unit.group(2)
        if after.value == 0.5 and not figure.text[0].isdigit():
            name = with_article(name)
        elif after.value != 1:
            name += "s"
        rest = unit.group(1) + name + rest[unit.end() :]
    return words[: figure.start] + write_like(figure, after.value) + rest


def plain(words: str, value: NumericalValue) -> str:
    """The value in a plain style, for a mention whose own style cannot carry it."""
    number = format_number(value.value)
    if value.kind == "amount":
        return format_amount(value.value)
    if value.kind == "age":
        aged = re.match(r"aged?\b(?:\s+of)?", words, re.IGNORECASE)
        return f"{aged.group()} {number} years" if aged else f"{number} years of age"
    if value.kind == "quantity":
        short = len(value.unit) <= _LONGEST_SYMBOL
        return f"{number} {value.unit if short else UNITS[value.unit].words}"
    unit = value.unit if value.value != 1 else value.unit.rstrip("s")
    spelled = in_words(value.value) if value.value < 21 else None
    return f"{spelled or number} {unit}"
