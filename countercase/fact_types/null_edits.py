"""Null edits: other words or other digits, the same law.

What they move is the noise of the retriever: a fact is dispositive only where its own edits move
the precedents further than these do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.numerical.edits import SCALE, by_scale
from countercase.fact_types.numerical.edits import propose as propose_figures
from countercase.fact_types.rewriting import foreign_spans, in_order, mentions, put, touches_any
from countercase.fact_types.section.citation_edits import recited, restyled
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.io import read_table
from countercase.law.provisions import citation, predecessors, successors
from countercase.text.numbers import find_figure, format_lakh, format_number, in_words
from countercase.text.spans import Span

NULLS_PER_FACT: Final = 2
"""At most so many null edits are proposed for one fact."""

_AGED: Final = re.compile(r"aged\s+(about\s+)?(\d+)\s+years\Z", re.IGNORECASE)
_NAMES: Final = (
    (r"\bState of(?=\s+[A-Z])", "Government of"),
    (r"\bM/[sS]\b\.?", "Messrs"),
    (r"\bPvt\.?\s+Ltd\.?", "Private Limited"),
    (r"\bLtd\b\.?", "Limited"),
    (r"\bPrivate Limited\Z", "Pvt. Ltd."),
)
"""How names of parties are written in another way; the first that fits counts."""


@dataclass(frozen=True)
class Synonym:
    """Words for an item of evidence or a party (`group`), and others that say the same."""

    group: str
    words: str
    other: str


def propose_nulls(sheet: FactSheet) -> list[Edit]:
    """At most two null edits of each fact that the narrative mentions, in sheet order."""
    edits: list[Edit] = []
    scales_are_edits = any(edit.rule == SCALE for edit in propose_figures(sheet))
    for fact in sheet.facts:
        found: list[Edit] = []
        for edit in _nulls(sheet, fact, scales_are_edits):
            if edit is not None and len(found) < NULLS_PER_FACT:
                found.append(edit)
        edits += found
    return edits


def _nulls(sheet: FactSheet, fact: Fact, scales_are_edits: bool) -> Iterator[Edit | None]:
    value = fact.value
    if isinstance(value, SectionValue):
        yield _null(sheet, fact, "null.citation_form", restyled(sheet, fact, value.provision))
        for successor in successors(value.provision)[:1]:
            if value.provision not in predecessors(successor):
                continue  # section 304 Part II becomes section 105, which no longer says which Part
            words = recited(sheet, fact, successor)
            yield _null(sheet, fact, "null.successor", words, SectionValue(successor))
    elif isinstance(value, NumericalValue):
        yield _null(sheet, fact, "null.figure_form", _figures_restated(sheet, fact, value))
        for scaled in by_scale(sheet, fact, value):
            if scaled.replacements and not scales_are_edits:
                yield replace(scaled, rule="null.scale", provision="", null=True)
    elif isinstance(value, EvidenceValue):
        yield _null(sheet, fact, "null.synonym", _synonyms(sheet, fact, "evidence"))
    elif isinstance(value, PartyValue):
        yield _null(sheet, fact, "null.synonym", _synonyms(sheet, fact, "party"))


def _null(
    sheet: FactSheet,
    fact: Fact,
    rule: str,
    replacements: list[Replacement],
    after: FactValue | None = None,
) -> Edit | None:
    """The edit, where it changes words; its provision is the one the fact rests on, if any."""
    ordered = in_order(replacements)
    if not ordered:
        return None
    first = ordered[0]
    said = sheet.narrative[first.start : first.end] if first.start < first.end else str(fact.value)
    value = fact.value if after is None else after
    return Edit(
        fact_id=fact.fact_id,
        fact_type=fact.fact_type,
        original_value=said,
        perturbed_value=first.text.strip(),
        rule=rule,
        provision=citation(value.provision, "short") if isinstance(value, SectionValue) else "",
        new_value=value,
        replacements=ordered,
        null=True,
    )


def _figures_restated(sheet: FactSheet, fact: Fact, value: NumericalValue) -> list[Replacement]:
    found = []
    for span in mentions(fact):
        words = sheet.narrative[span.start : span.end]
        other = _other_figure(words, value)
        if other is not None and other != words:
            found.append(put(sheet, fact, span, other))
    return found


def _other_figure(words: str, value: NumericalValue) -> str | None:
    """The same figure in another manner: lakh for digits, words for digits, grams for kilos."""
    figure = find_figure(words, value.value)
    if figure is None:
        return None
    aged = _AGED.fullmatch(words)
    if aged:
        return f"{aged.group(1) or ''}{aged.group(2)} years of age"
    before, after = words[: figure.start], words[figure.end :]
    if value.kind == "amount":
        return _other_amount(before, figure.text, after, value.value)
    if value.kind == "quantity":
        return _other_quantity(words, value)
    if figure.text[0].isdigit():
        spelled = in_words(value.value) if value.value <= 100 else None
        if spelled is None or "half" in spelled:
            return None
        return before + spelled + after
    return before + format_number(value.value) + after


def _other_amount(before: str, figure: str, after: str, value: float) -> str | None:
    lakh = format_lakh(value).removeprefix("Rs. ")
    digits = format_number(value)
    if figure[0].isdigit() and re.search(r"[a-z]", figure, re.IGNORECASE):
        return before + digits + after
    if figure[0].isdigit():
        tail = re.sub(r"^\s?/\s?[-–=]?", "", after)
        return before + lakh + tail if value >= 100_000 else _spelled(before, value, tail)
    return before + digits + after


def _spelled(before: str, value: float, after: str) -> str | None:
    words = in_words(value)
    if words is None or "half" in words:
        return None
    return re.sub(r"(?:Rs\.?|₹|INR)\s*\Z", "rupees ", before, flags=re.IGNORECASE) + words + after


def _other_quantity(words: str, value: NumericalValue) -> str | None:
    """Kilograms in grams and whole kilograms of grams in kilograms; else the unit's other name."""
    if value.unit == "kg":
        return f"{format_number(float(f'{value.value * 1000:.12g}'))} g"
    if value.unit != "g":
        return None
    if value.value >= 1000:
        return f"{format_number(float(f'{value.value / 1000:.12g}'))} kg"
    return f"{format_number(value.value)} {'g' if 'gram' in words.lower() else 'grams'}"


def _synonyms(sheet: FactSheet, fact: Fact, group: str) -> list[Replacement]:
    others = foreign_spans(sheet, fact.fact_id)
    found = []
    for span in mentions(fact):
        other = _other_words(sheet.narrative[span.start : span.end], group)
        if other is not None:
            start, end, text = other
            place = Span(span.start + start, span.start + end)
            if not touches_any(place, others):
                found.append(put(sheet, fact, place, text))
    return found


def _other_words(words: str, group: str) -> tuple[int, int, str] | None:
    """Which of the words to replace, and by what."""
    for written, other in _NAMES if group == "party" else ():
        match = re.search(written, words)
        if match:
            return match.start(), match.end(), other
    for row in read_table("fact_types/synonyms", Synonym):
        if row.group == group:
            # A capital inside the name of a party (`Assurance Company Ltd.`) is part of the name.
            whole = len(row.words) == len(words)
            flags = re.IGNORECASE if group == "evidence" or whole else re.NOFLAG
            match = re.search(rf"(?<![\w-]){re.escape(row.words)}(?![\w-])", words, flags)
            if match:
                return match.start(), match.end(), row.other
    return None
