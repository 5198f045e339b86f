"""Words of a narrative that a change of what a party is would contradict.

`Hence a public servant` follows from an office that the party would no longer hold, and a claim of
juvenility makes no sense for a man of nineteen. Such a change is refused, and the reason quotes them.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.facts.edits import Edit, apply_edits, compatible, sentences_changed
from countercase.facts.model import FactSheet, PartyValue
from countercase.text.spans import one_line

_TENURE: Final = (
    r"mere licensee|licen[cs]e\b|\blicensee|rent agreement|bare permission|tenant or|or licensee"
    r"|the word rent|\brent\b"
)
_AGAINST: Final = {
    (
        "Public servant",
        "Individual",
    ): r"\b(?:so called|calls? (?:him|her)|tried as) a public servant|till lately|\bretire",
    (
        "Minor",
        "Individual",
    ): r"juvenil\w*|section 7A|section 94|ossification|matriculation|date of birth"
    r"|school (?:papers?|register|certificate)|\bthe board\b|Children's Court|younger boy",
    ("Tenant", "Licensee"): _TENURE,
    ("Licensee", "Tenant"): _TENURE,
    (
        "Individual",
        "Public servant",
    ): r"superannuat|\bretire|\bex[- ]|\bformer|resign|non[- ]signatory|shares|looked after"
    r"|\bprivate\b|director of|co-?op|society|proprietor|supervisory",
    (
        "Corporation",
        "Individual",
    ): r"director|\bLtd|\bPvt|company|board|\b141\b|resolution|\bfirm\b|ledger",
    ("Corporation", "State"): r"naming the company|promoter|shareholder|private",
    ("Individual", "Minor"): r"grown|married|\bwife\b|husband|\bBCom|college|driver|degree",
}
"""What contradicts each change, read in the narrative as it was."""
_NO_ARTICLE: Final = re.compile(
    r",\s+(?:public servant|tenant|licensee|minor|private individual|employee)\b(?!,? who\b)"
    r"|\bpublic servant is a"
)


_DRAWN: Final = re.compile(r"(?i)\b(?:hence|thus|therefore) a public servant who\b")
"""What follows from an office is no more than that: not when it was left."""
_ROMANISED: Final = re.compile(
    r"(?i)\b(?:hai|hain|tha|thi|nahi|mera|mere|ke|ka|ki|ko|se|karta|diya)\b"
)
_A_FEW: Final = 4


def _named(sheet: FactSheet, edit: Edit) -> str:
    """The name of a public party that the narrative goes on telling of; or ""."""
    party = next((p for f, p in sheet.valued(PartyValue) if f.fact_id == edit.fact_id), None)
    if party is None or party.party_type not in ("State", "Union of India", "Corporation"):
        return ""
    own = _NAME.findall(party.name)
    text = apply_edits(sheet, [edit]).narrative if compatible([edit]) else sheet.narrative
    again = next((n for n in own if re.search(rf"\b{n}\b", text)), "")
    return f"the narrative tells of it: {again!r}" if again else ""


_NAME: Final = re.compile(
    r"\b(?!State|Union|India|Limited|Others?|Another|Through)[A-Z][a-z]{4,}\b"
)


def against(sheet: FactSheet, edit: Edit) -> str:
    """The words that contradict what a party becomes, quoted; or ""."""
    words = _AGAINST.get((edit.original_value, edit.perturbed_value))
    if words and (match := re.search(words, sheet.narrative, re.IGNORECASE)):
        return f"the narrative says otherwise: {one_line(match[0])!r}"
    if not edit.replacements:
        return ""
    if named := _named(sheet, edit):
        return named
    if len(_ROMANISED.findall(sheet.narrative)) > _A_FEW:
        return "words in apposition do not fit romanised Hindi"
    before, after = sentences_changed(sheet.narrative, edit)
    if drawn := _DRAWN.search(after):
        return f"the narrative says otherwise: {drawn[0]!r}"
    said = _NO_ARTICLE.search(after)
    if said and said[0] not in before:
        return f"a noun stands without its article: {said[0].strip(', ')!r}"
    if "The petitioner is a " in after or "The respondent is a " in after:
        return "the party would be named a second time"
    return ""
