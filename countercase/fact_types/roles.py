"""Who somebody is in the matter: accused, complainant, victim, claimant.

What a party or a figure means in law depends on whose it is. A role that the sheet states is taken;
otherwise it is concluded from the provisions, from who stands on the other side, and from what the
figure is said to measure. Where these do not tell, there is no role, and nothing that needs one is
concluded.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.facts.area_of_law import area_of_law, cites
from countercase.facts.model import FactSheet, NumericalValue, PartyValue

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

_ALL_NAMES: Final = re.compile(
    r"(?i)\b(?:" + "|".join(f"(?P<n{n}>{words})" for n, (_, words) in enumerate(_NAMES)) + ")"
)
_RELATIVE: Final = re.compile(
    r"(?i)\b(?:father|mother|parent|brother|sister|son|daughter|widow|wife|husband|cousin|uncle|aunt"
    r"|neighbour)s?\b.*\bof\b|in-law|widow|\b(?:father|mother)\b"
)
_CHILD: Final = re.compile(r"(?i)girl|child|daughter|minor|niece|student|pupil|survivor")
_BOY: Final = re.compile(r"(?i)\bboy\b|\bson\b|nephew")
_PETITIONER: Final = re.compile(r"(?i)\b(?:appellant|petitioner|applicant|plaintiff)")
_RESPONDENT: Final = re.compile(r"(?i)\b(?:respondent|defendant)")
_PROSECUTORS: Final = frozenset({"State", "Union of India"})
_VICTIM_OF: Final = ("IPC-361", "IPC-363", "IPC-364A", "IPC-366", "IPC-376", "IPC-354", "POCSO")
_CLAIMS: Final = ("MVA-140", "MVA-163A", "MVA-166", "MVA-168", "MVA-173", "MVA39-110A")
_DETENTION: Final = ("NSA", "COFEPOSA", "CONST-22")


def role_of(sheet: FactSheet, party: PartyValue) -> str:
    """Return the role of a party; "" where nothing tells it."""
    if party.role:
        return party.role
    others = {value for _, value in sheet.valued(PartyValue) if value != party}
    facing = {value.party_type for value in others if value.side != party.side}
    if cites(sheet, _CLAIMS):
        return "claimant" if party.side == "petitioner" and party.party_type == "Individual" else ""
    if area_of_law(sheet) != "criminal":
        return ""
    if party.party_type in _PROSECUTORS:
        return "prosecution"
    if any(value.role == "complainant" for value in others):
        return "accused"
    tried = facing & _PROSECUTORS or not facing
    return "accused" if tried and not cites(sheet, _DETENTION) else ""


def owner_of(sheet: FactSheet, value: NumericalValue) -> str:
    """Return the role of the person whose figure it is; "" where the context does not tell."""
    context = value.context
    if _RELATIVE.search(context):
        return "relative"
    for side, words in (("petitioner", _PETITIONER), ("respondent", _RESPONDENT)):
        if words.search(context):
            parties = [p for _, p in sheet.valued(PartyValue) if p.side == side]
            criminal = area_of_law(sheet) == "criminal"
            return role_of(sheet, parties[0]) if parties else "accused" if criminal else ""
    if found := _ALL_NAMES.search(context):
        return next(role for n, (role, _) in enumerate(_NAMES) if found[f"n{n}"])
    if _CHILD.search(context) or (_BOY.search(context) and cites(sheet, _VICTIM_OF)):
        return "victim"
    return "accused" if _BOY.search(context) and area_of_law(sheet) == "criminal" else ""
