"""Make the citations of a fact cite another provision, or cite the same one in another style."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from countercase.fact_types.rewriting.narrative import (
    foreign_spans,
    mentions,
    put,
    touches_any,
)
from countercase.facts.edits import Replacement
from countercase.facts.model import Fact, FactSheet
from countercase.law.citations import Citation, find_citations, rewrite
from countercase.law.provision_ids import citation
from countercase.text.spans import Span

_CONNECTED: Final = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?:(?:of|under|in)\s+)?(?:the\s+)?", re.IGNORECASE
)
_LONG: Final = re.compile(r"\b(?:section|article|order)\b.*\bof\b", re.IGNORECASE)


def cite_instead(sheet: FactSheet, fact: Fact, new: str) -> list[Replacement]:
    """Every mention of the fact with the provision `new` in place of the one it cites.

    Within one Act the number changes; otherwise the Act's name goes with it, and a list that
    shared the name keeps it (`countercase.law.citations.rewrite`).

    Raises:
        InputError: `new` is not in normal form.
    """
    narrative = sheet.narrative
    cited = {citation.span for citation in find_citations(narrative)}
    replacements: list[Replacement] = []
    for span in mentions(fact):
        if span not in cited:
            replacements.append(put(sheet, fact, span, citation(new)))
            continue
        for place, words in rewrite(narrative, span, new):
            inserted = place.start == place.end
            replacements.append(
                Replacement(place.start, place.end, words)
                if inserted
                else put(sheet, fact, place, words)
            )
    return replacements


def restyle(sheet: FactSheet, fact: Fact, provision: str) -> list[Replacement]:
    """The mentions that have the Act's name for themselves, in long form for short and back."""
    citations = find_citations(sheet.narrative)
    others = foreign_spans(sheet, fact.fact_id)
    replacements: list[Replacement] = []
    for span in mentions(fact):
        cited = next((c for c in citations if c.span == span), None)
        whole = _with_its_act(sheet.narrative, cited, citations, others) if cited else None
        if whole is not None:
            words = sheet.narrative[whole.start : whole.end]
            style = citation(provision, "short" if _LONG.search(words) else "long")
            if style.casefold() != words.casefold():
                replacements.append(put(sheet, fact, whole, style))
    return replacements


def _with_its_act(
    narrative: str, cited: Citation, citations: Sequence[Citation], others: Sequence[Span]
) -> Span | None:
    """The citation with the name of its Act; None where the Act serves other citations too."""
    if cited.act_span is None:
        return None
    if any(c is not cited and c.act_span == cited.act_span for c in citations):
        return None
    whole = Span(cited.span.start, max(cited.span.end, cited.act_span.end))
    between = narrative[cited.span.end : max(cited.span.end, cited.act_span.start)]
    if cited.act_span.start < cited.span.start or not _CONNECTED.fullmatch(between):
        return None
    return None if touches_any(whole, others) else whole
