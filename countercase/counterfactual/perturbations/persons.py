"""Which of the ages on a sheet is whose."""

from __future__ import annotations

import re
from typing import Final

from countercase.facts.model import FactSheet, NumericalValue, PartyValue

_ROLES: Final = {
    "petitioner": re.compile(r"appellant|petitioner|applicant|plaintiff|claimant", re.IGNORECASE),
    "respondent": re.compile(r"respondent|defendant", re.IGNORECASE),
}


def ages_of(sheet: FactSheet, party: PartyValue) -> list[float]:
    """The ages that are said to be this party's: by role, or as accused against the State."""
    parties = [fact.value for fact in sheet.facts if isinstance(fact.value, PartyValue)]
    others = {p.party_type for p in parties if p.side != party.side}
    words = [_ROLES[party.side].pattern]
    if others & {"State", "Union of India"}:
        words.append("accused|convict|juvenile")
    pattern = re.compile("|".join(words), re.IGNORECASE)
    return [
        value.value
        for value in (fact.value for fact in sheet.facts)
        if isinstance(value, NumericalValue)
        and value.kind == "age"
        and pattern.search(value.context)
    ]
