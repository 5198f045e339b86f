"""Words that hold only while a figure is on its side of a line, and go when it crosses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from countercase.fact_types.rewriting import foreign_spans, sentences_around, touches_any
from countercase.facts.edits import Replacement
from countercase.facts.model import Fact, FactSheet
from countercase.text.spans import Span

_THROUGH: Final = re.compile(
    r"(?:(?<=\d|[a-z\)]),?\s+(?:moving |suing |appearing )?(?:through|thru) (?:(?:his|her|the) )?"
    r"(?:natural )?(?:mother|father|guardian|next friend)(?: [A-Z]\w+){0,2}(?:,(?=\s(?:who|is|was)\b))?"
    r"|\bwho appeals through (?:his|her) (?:mother|father)(?: [A-Z]\w+){0,2}(?=;|\.))"
)
_REASON: Final = re.compile(
    r"(?i),\s+(?:since|as|because) (?:the |its )?(?:weight|quantity|recovery) (?:is|was) (?:well )?"
    r"(?:near enough|(?:above|over|below|under|more than|less than) (?:the )?(?:commercial|small)"
    r" (?:quantity|limit))"
)


def without_guardian(sheet: FactSheet, party: Fact) -> list[Replacement]:
    """Cuts of `through his mother` in the sentences about one who is a minor no more."""
    return _cuts(sheet, party, _THROUGH, sentences_around(sheet.narrative, party.spans))


def weighed_reasons(sheet: FactSheet, quantity: Fact) -> list[Replacement]:
    """Cuts of `, since the weight is above the commercial quantity` where the tier changes."""
    return _cuts(sheet, quantity, _REASON, [Span(0, len(sheet.narrative))])


def _cuts(
    sheet: FactSheet, fact: Fact, words: re.Pattern[str], places: Sequence[Span]
) -> list[Replacement]:
    others = foreign_spans(sheet, fact.fact_id)
    found = (m for p in places for m in words.finditer(sheet.narrative, p.start, p.end))
    spans = (Span(*match.span()) for match in found)
    return [Replacement(s.start, s.end, "") for s in spans if not touches_any(s, others)]
