"""What several pages show: narratives with their facts marked, rankings side by side."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from countercase.facts.model import Fact, FactSheet
from countercase.reports.text import stretches


def mark_facts(sheet: FactSheet, own: Container[str] = ()) -> list[tuple[str, list[Fact], bool]]:
    """Return the narrative in pieces, cut wherever a mention of a fact begins or ends.

    Beside each text stand the facts that it states, that of the shortest mention first, and whether
    the user corrected or added one of them.
    """
    spans = [(number, span) for number, fact in enumerate(sheet.facts) for span in fact.spans]
    pieces = []
    for stretch in stretches(sheet.narrative, spans):
        facts = [sheet.facts[number] for number in stretch.facts]
        pieces.append((stretch.text, facts, any(fact.fact_id in own for fact in facts)))
    return pieces


def mark_quotes(text: str, quotes: Sequence[str]) -> list[tuple[str, bool]]:
    """Return a decision in pieces, the quoted sentences apart from the rest.

    Quotes have their white space on one line; the decision has it as it was written.
    """
    patterns = [r"\s+".join(map(re.escape, quote.split())) for quote in quotes if quote]
    found = filter(None, (re.search(pattern, text) for pattern in patterns))
    pieces, at = list[tuple[str, bool]](), 0
    for start, end in sorted({match.span() for match in found}):
        if start >= at:
            pieces += [(text[at:start], False), (text[start:end], True)]
            at = end
    return [(part, mark) for part, mark in [*pieces, (text[at:], False)] if part]
