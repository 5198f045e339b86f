"""How the words for an item of evidence come to say that it is weak.

`The dying declaration named him` becomes `The dying declaration, made without a doctor's
certificate, named him`: the item's own sentence changes, and no other. A sentence of its own would
be weighed by itself, and much the same in every case.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.rewriting import foreign_spans, mentions, sentences_around
from countercase.facts.edits import Replacement
from countercase.facts.model import Fact, FactSheet
from countercase.text.clauses import VERB, main_clauses
from countercase.text.spans import Span

_NOUN: Final = re.compile(
    r"(?:\A|.*[\s-])(?:declaration|confession|statement|report|examination|evidence|testimony|opinion"
    r"|recovery|seizure|parade|footage|recording|record|certificate|deed|agreement|letter|receipt"
    r"|extract|register|ledger|cheque|motive|enmity|eye-?witness|witness|autopsy|memo|document|diary"
    r"|panchnama|mahazar|bill|chats?|emails?|messages|notes|photographs?|entry|will|contract|lease"
    r")(?:e?s)?\Z",
    re.IGNORECASE | re.DOTALL,
)
"""Words that end with what the item is called; other words tell what happened."""
_OF: Final = re.compile(rf"\s+of\s+[^,.;:()]{{1,60}}?(?=\s*[,.;:)]|\s+{VERB})")


def qualified(sheet: FactSheet, fact: Fact, noun: str, clause: str) -> tuple[Replacement, ...]:
    """Put `noun` beside the noun that names the item, or `clause` at the end of its clause.

    The first noun counts, else the first mention. Empty where the narrative has no mention.
    """
    spans = mentions(fact)
    if not spans:
        return ()
    narrative = sheet.narrative
    others = foreign_spans(sheet, fact.fact_id)
    for span in spans:
        if _NOUN.match(narrative[span.start : span.end]):
            phrase = _OF.match(narrative, span.end)
            ends = [phrase.end(), span.end] if phrase else [span.end]
            for end in ends:
                between = Span(span.end, end)
                if not any(o.overlaps(between) or o.start < end < o.end for o in others):
                    return (_beside(narrative, end, noun),)
    end = _clause_end(narrative, spans[0])
    within = [other.end for other in others if other.start < end < other.end]
    end = max([end, *within])
    return (Replacement(end, end, f", {clause}"),)


def _beside(narrative: str, end: int, words: str) -> Replacement:
    following = narrative[end : end + 1]
    closing = "" if following in ("", ",", ".", ";", ":", ")", "!", "?") else ","
    return Replacement(end, end, f", {words}{closing}")


def _clause_end(narrative: str, span: Span) -> int:
    """The end of the main clause that holds the beginning of the mention."""
    sentence = sentences_around(narrative, [span])[0]
    clauses = main_clauses(narrative, sentence)
    return next((c.end for c in clauses if span.start < c.end), clauses[-1].end)
