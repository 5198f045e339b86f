"""Whether a narrative tells of an item of evidence that stands on the sheet alone.

To take such an item off the sheet changes no word, so what the narrative tells of it would go on
standing.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.evidence.spoken_of import ACT, KIN, stems
from countercase.facts.edits import Edit
from countercase.facts.model import EvidenceValue, FactSheet, PartyValue
from countercase.text.sentences import sentence_spans
from countercase.text.spans import one_line

SHARED: Final = 2
"""Telling words that a sentence shares with an item of which it speaks."""

_WITNESS: Final = re.compile(r"\bP\.?W\.? ?-?\d+", re.IGNORECASE)
_SPOKEN: Final = re.compile(
    r"(?i)\b(?:she|he|they|complainant|prosecutrix|girl|victim|witness\w*|PW ?\d+)\W+(?:\w+\W+){0,2}?"
    r"(?:said|told|stated|spoke|swore|deposed|testified|alleged|claimed|named|gave evidence)\b"
    r"|\bon oath\b"
)
_BY_MOUTH: Final = ("victim_testimony", "eyewitness", "dying_declaration")
_MORE_KIN: Final = {
    "report_delay": r"\b(?:days?|weeks?|months?|years?) (?:after|later)\b|\bdelay|\b\d{1,2}[./ ](?:\d|[A-Z])",
    "medical": r"\b(?:doctors?|injur\w+|wounds?|fracture\w*)\b",
    "dying_declaration": r"\b(?:she|he) (?:told|said|named|blamed)\b",
}


def told(sheet: FactSheet, edit: Edit) -> str:
    """Why an item without a mention cannot be taken off the sheet: the words that tell of it; or ""."""
    fact = next((f for f in sheet.facts if f.fact_id == edit.fact_id), None)
    if edit.rule != "evidence.remove" or edit.replacements or fact is None or fact.spans:
        return ""
    value, text = fact.value, sheet.narrative
    assert isinstance(value, EvidenceValue)
    if value.evidence_type == "documentary" and (act := ACT.search(value.description)):
        return f"it does something in law and is no mere proof: {act[0]!r}"
    placed = {
        other.evidence_type
        for f, other in sheet.valued(EvidenceValue)
        if f.spans and f.fact_id != fact.fact_id
    }
    if value.evidence_type not in placed:
        for pattern in (KIN.get(value.evidence_type), _MORE_KIN.get(value.evidence_type)):
            if pattern and (kin := re.search(pattern, text, re.IGNORECASE)):
                return f"the narrative tells of it: {_around(text, kin)}"
        spoken = _SPOKEN.search(text) if value.evidence_type in _BY_MOUTH else None
        if spoken:
            return f"the narrative tells of it: {_around(text, spoken)}"
    for number in _WITNESS.finditer(value.description):
        if (again := re.search(rf"(?i)\b{re.escape(number[0])}\b", text)) is not None:
            return f"the narrative tells of it: {_around(text, again)}"
    names = {word for _, party in sheet.valued(PartyValue) for word in stems(party.name)}
    own = stems(value.description) - names
    for start, end in sentence_spans(text):
        shared = own & stems(text[start:end])
        if len(shared) >= min(SHARED, len(own)):
            return f"the narrative tells of it: {one_line(text[start:end])[:60]!r}"
    return ""


def _around(text: str, match: re.Match[str]) -> str:
    return repr(one_line(text[max(0, match.start() - 20) : match.end() + 20]).strip())
