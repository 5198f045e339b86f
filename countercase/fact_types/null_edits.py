"""Null edits: other words or other digits, the same law.

What they move is the noise of the retriever: a fact is dispositive only where its own edits move
the precedents further than these do. Each fact type proposes its own with what stands here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from countercase.fact_types.rewriting.narrative import (
    foreign_spans,
    in_order,
    mentions,
    put,
    touches_any,
)
from countercase.facts.edits import Edit, Replacement
from countercase.facts.model import Fact, FactSheet, FactValue
from countercase.io import read_table
from countercase.text.spans import Span

_NAMES: Final = (
    (r"\bState of(?=\s+[A-Z])", "Government of"),
    (r"\bM/[sS]\b\.?", "Messrs"),
    (r"\bPvt\.?\s+Ltd\.?", "Private Limited"),
    (r"\bLtd\b\.?", "Limited"),
    (r"\bPrivate Limited\Z", "Pvt. Ltd."),
)
"""Other ways of writing the names of parties; the first that fits counts."""

Group = Literal["evidence", "party"]


@dataclass(frozen=True)
class Synonym:
    """Words for an item of evidence or a party (`group`), and others that mean the same."""

    group: Group
    words: str
    other: str


def null_edit(
    sheet: FactSheet,
    fact: Fact,
    rule: str,
    replacements: Iterable[Replacement],
    new_value: FactValue | None = None,
    provision: str = "",
) -> list[Edit]:
    """The null edit that makes these replacements; empty where they change no words.

    Args:
        new_value: what the fact becomes; by default it stays as it is.
        provision: the provision that the fact cites, if any.
    """
    ordered = in_order(replacements)
    if not ordered:
        return []
    first = ordered[0]
    before = sheet.narrative[first.start : first.end] or str(fact.value)
    after = first.text.strip()
    value = fact.value if new_value is None else new_value
    return [
        Edit(
            fact.fact_id, fact.fact_type, before, after, rule, provision, value, ordered, null=True
        )
    ]


def synonym_edits(sheet: FactSheet, fact: Fact, group: Group) -> list[Edit]:
    """The null edit that puts synonyms into the mentions of a fact, if there are any."""
    others = foreign_spans(sheet, fact.fact_id)
    replacements = []
    for span in mentions(fact):
        synonym = _synonym(sheet.narrative[span.start : span.end], group)
        if synonym is not None:
            match, text = synonym
            place = Span(span.start + match.start(), span.start + match.end())
            if not touches_any(place, others):
                replacements.append(put(sheet, fact, place, text))
    return null_edit(sheet, fact, "null.synonym", replacements)


def _synonym(words: str, group: Group) -> tuple[re.Match[str], str] | None:
    """Which of the words to replace, and by what."""
    for written, other in _NAMES if group == "party" else ():
        if match := re.search(written, words):
            return match, other
    for row in read_table("fact_types/synonyms", Synonym):
        if row.group == group:
            # A capital inside the name of a party (`Assurance Company Ltd.`) is part of the name.
            whole = len(row.words) == len(words)
            flags = re.IGNORECASE if group == "evidence" or whole else re.NOFLAG
            if match := re.search(rf"(?<![\w-]){re.escape(row.words)}(?![\w-])", words, flags):
                return match, row.other
    return None
