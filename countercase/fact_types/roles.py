"""Who somebody is in the matter, and whose a figure is.

What a party or a figure means in law depends on whose it is. A role that the sheet states is taken;
otherwise it is concluded from the provisions, from who stands on the other side, and from what the
figure is said to measure. Where these do not tell, there is no role, and nothing that needs one is
concluded.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from countercase.facts.area_of_law import area_of_law, cites, provisions_of
from countercase.facts.model import FactSheet, NumericalValue, PartyValue
from countercase.text.patterns import pattern
from countercase.text.spans import Span

_PROSECUTORS: Final = frozenset({"State", "Union of India"})
_REACH: Final = 40
"""Characters before a name within which its role stands."""


def role_of(sheet: FactSheet, party: PartyValue) -> str:
    """Return the role of a party; "" where nothing tells it. No civil matter has an accused."""
    if party.role and (party.role != "accused" or area_of_law(sheet) == "criminal"):
        return party.role
    others = {value for _, value in sheet.valued(PartyValue) if value != party}
    facing = {value.party_type for value in others if value.side != party.side}
    if cites(sheet, provisions_of("claim")):
        return "claimant" if party.side == "petitioner" and party.party_type == "Individual" else ""
    if area_of_law(sheet) != "criminal":
        return ""
    if party.party_type in _PROSECUTORS:
        return "prosecution"
    if any(value.role == "complainant" for value in others):
        return "accused"
    tried = facing & _PROSECUTORS or not facing
    return "accused" if tried and not cites(sheet, provisions_of("detention")) else ""


@lru_cache(maxsize=1024)
def named_role(context: str) -> str:
    """Return the role that the context of a figure names (`prosecutrix`: victim); "" for none."""
    found = pattern("ROLE_NAMED").search(context)
    return (found.lastgroup or "") if found else ""


def role_beside(text: str, spans: Iterable[Span]) -> str:
    """Return the role that the text gives a party in or beside its mentions; "" for none."""
    found = (
        pattern("ROLE_WITHIN").search(text, span.start, span.end)
        or pattern("ROLE_AFTER").match(text, span.end)
        or pattern("ROLE_BEFORE").search(text, max(0, span.start - _REACH), span.start)
        for span in spans
    )
    return next((match.lastgroup or "" for match in found if match), "")


def name_in(context: str) -> str:
    """Return the name in what an age measures (`brother Dinesh`: Dinesh); "" for none."""
    return " ".join(word for word in context.partition(" (")[0].split() if word[0].isupper())


def owner_of(sheet: FactSheet, value: NumericalValue) -> str:
    """Return the role of the person whose figure it is; "" where neither reader nor context tells."""
    if value.owner:
        return value.owner
    context = value.context
    if pattern("ROLES_RELATIVE").search(context):
        return "relative"
    for side, words in (("petitioner", "PETITIONER"), ("respondent", "ROLES_RESPONDENT")):
        if pattern(words).search(context):
            parties = [p for _, p in sheet.valued(PartyValue) if p.side == side]
            criminal = area_of_law(sheet) == "criminal"
            return role_of(sheet, parties[0]) if parties else "accused" if criminal else ""
    if role := named_role(context):
        return role
    child, boy = pattern("CHILD").search(context), pattern("BOY").search(context)
    named = {named_role(v.context) for _, v in sheet.valued(NumericalValue) if v.kind == "age"}
    if (child or boy) and cites(sheet, provisions_of("victim")) and "victim" not in named:
        return "victim"
    return "accused" if (child or boy) and cites(sheet, provisions_of("juvenile")) else ""
