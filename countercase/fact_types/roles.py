"""Who somebody is in the matter: accused, complainant, victim, claimant.

What a party or a figure means in law depends on whose it is. A role that the sheet states is taken;
otherwise it is read from the words beside the party, from the context of the figure, and from who
stands on the other side. Where these do not tell, there is no role, and nothing that needs one is
concluded.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.facts.area_of_law import area_of_law, cites
from countercase.facts.model import FactSheet, NumericalValue, PartyValue, Side

_NAMES: Final = (
    ("complainant", r"complainant|informant|payee"),
    ("claimant", r"claimants?|widow|legal (?:heir|representative)s?|dependants?"),
    ("victim", r"prosecutrix|victim|survivor|injured"),
    ("deceased", r"deceased"),
    ("detenu", r"detenue?"),
    ("wife", r"wife"),
    ("husband", r"husband"),
    ("accused", r"accused|convict|juvenile|drawer|offender"),
)
"""(role, pattern of the words for it); the first that fits counts."""

_ALL_NAMES: Final = "|".join(f"(?P<n{n}>{words})" for n, (_, words) in enumerate(_NAMES))
_BEFORE: Final = re.compile(rf"(?i)\b(?:{_ALL_NAMES})[\s,:-]*(?:Smt\.?|Shri|Sri|Ms\.?|Mr\.?)?\s*\Z")
_AFTER: Final = re.compile(
    r"(?i)\s*(?:,|\(|\bis\b|\bwas\b|\bbeing\b)\s*(?:who (?:is|was) )?(?:the |an? |original )*"
    rf"(?:{_ALL_NAMES})\b"
)
_RELATIVE: Final = re.compile(
    r"(?i)\b(?:father|mother|parent|brother|sister|son|daughter|widow|wife|husband|cousin|uncle|aunt"
    r"|neighbour)s?\b.*\bof\b|in-law|widow|\b(?:father|mother)\b"
)
_CHILD: Final = re.compile(r"(?i)girl|child|daughter|minor|niece|student|pupil|survivor")
_BOY: Final = re.compile(r"(?i)\bboy\b|\bson\b|nephew")
_JUVENILE: Final = re.compile(
    r"(?i)juvenil|\bJ\.?J\.? Act|children's court|conflict with law|ossification"
)
_SIDES: Final[tuple[tuple[Side, str], ...]] = (
    ("petitioner", r"(?i)\b(?:appellant|petitioner|applicant|plaintiff)"),
    ("respondent", r"(?i)\b(?:respondent|defendant)"),
)
_PROSECUTORS: Final = frozenset({"State", "Union of India"})
_VICTIM_OF: Final = ("IPC-361", "IPC-363", "IPC-364A", "IPC-366", "IPC-376", "IPC-354", "POCSO")
_BY_HUSBANDS: Final = ("IPC-304B", "IPC-306", "IPC-498A", "DPA")
_CONVICTED: Final = re.compile(r"(?i)\b(?:found (?:him |her )?guilty|convicted|sentenced)\b")
_CLAIMS: Final = ("MVA-140", "MVA-163A", "MVA-166", "MVA-168", "MVA-173", "MVA39-110A")


def role_of(sheet: FactSheet, party: PartyValue) -> str:
    """The role of a party; "" where nothing tells it."""
    if party.role:
        return party.role
    if named := _named_beside(sheet, party):
        return "accused" if named == "husband" and cites(sheet, _BY_HUSBANDS) else named
    others = {value.party_type for _, value in sheet.valued(PartyValue) if value.side != party.side}
    if cites(sheet, _CLAIMS):
        return "claimant" if party.side == "petitioner" and party.party_type == "Individual" else ""
    if area_of_law(sheet) != "criminal":
        return ""
    if party.party_type in _PROSECUTORS:
        return "prosecution"
    if any(
        _named_beside(sheet, v) == "complainant" for _, v in sheet.valued(PartyValue) if v != party
    ):
        return "accused"
    convicted = party.side == "petitioner" and _CONVICTED.search(sheet.narrative)
    if (others & _PROSECUTORS or not others or convicted) and not cites(
        sheet, ("NSA", "COFEPOSA", "CONST-22")
    ):
        return "accused"
    return ""


def owner_of(sheet: FactSheet, value: NumericalValue) -> str:
    """The role of the person whose figure it is; "" where the context does not tell."""
    context = value.context
    if _RELATIVE.search(context):
        return "relative"
    for side, words in _SIDES:
        if re.search(words, context):
            parties = [p for _, p in sheet.valued(PartyValue) if p.side == side]
            return role_of(sheet, parties[0]) if parties else _sole_role(sheet)
    if found := re.search(rf"(?i)\b(?:{_ALL_NAMES})", context):
        return _name(found)
    if _CHILD.search(context) or (_BOY.search(context) and cites(sheet, _VICTIM_OF)):
        return "victim"
    tried = _BOY.search(context) and _JUVENILE.search(sheet.narrative)
    return "accused" if tried and area_of_law(sheet) == "criminal" else ""


def _sole_role(sheet: FactSheet) -> str:
    """The role of a side that the sheet does not list: in a criminal matter, the accused."""
    return "accused" if area_of_law(sheet) == "criminal" else ""


def _named_beside(sheet: FactSheet, party: PartyValue) -> str:
    for fact, value in sheet.valued(PartyValue):
        for span in fact.spans if value == party else ():
            words = sheet.narrative[span.start : span.end]
            match = (
                re.search(rf"(?i)\b(?:{_ALL_NAMES})\b", words)
                or _AFTER.match(sheet.narrative, span.end)
                or _BEFORE.search(sheet.narrative, max(0, span.start - 40), span.start)
            )
            if match:
                return _name(match)
    return ""


def _name(match: re.Match[str]) -> str:
    return next(role for n, (role, _) in enumerate(_NAMES) if match[f"n{n}"])
