"""Before whom a matter stands, as far as evidence asks: the police, a trial, or papers alone."""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.base import expanded
from countercase.facts.area_of_law import OFFENCE_ACTS, cites
from countercase.facts.model import FactSheet

_CIVIL: Final = (
    "ARB", "IBC", "CPA", "CPA19", "HMA", "HMGA", "GWA", "HAMA", "SMA", "IDA", "LAA", "CrPC-125",
)  # fmt: skip
_ON_PAPERS: Final = ("ARB", "IBC", "CPA", "CPA19", "CONST-226", "CONST-227", "CONST-32")
_CRIMINAL_COURT: Final = (
    r"\b(?:accused|convict\w*|acquit\w*|bail|quash\w*|prosecut\w+|section (?:482|528))\b"
)
_PAPERS_ALONE: Final = (
    r"\b(?:Company Law|Consumer|(?:District|State|National) Commission|arbitrator|arbitral|writ petition"
    r"|Article 226)\b"
)


def says(sheet: FactSheet, words: str) -> bool:
    """Whether the narrative matches a pattern."""
    return bool(re.search(words, sheet.narrative, re.IGNORECASE))


def has_accused(sheet: FactSheet) -> bool:
    """Whether somebody may be called the accused: not in a civil matter beside which a case runs."""
    return not cites(sheet, _CIVIL) or says(sheet, _CRIMINAL_COURT)


def investigated(sheet: FactSheet) -> bool:
    """Whether the police have looked into the matter: an offence is cited, or they are spoken of."""
    if not has_accused(sheet):
        return False
    return cites(sheet, OFFENCE_ACTS) or says(
        sheet, r"\b(?:police|FIR|charge[- ]?sheet|first information report)\b"
    )


def witnesses_heard(sheet: FactSheet) -> bool:
    """Whether witnesses are called and examined: not by tribunals and courts that decide on papers."""
    tried = says(sheet, expanded("{TRIED}"))
    if cites(sheet, _ON_PAPERS) or says(sheet, _PAPERS_ALONE):
        return tried and cites(sheet, OFFENCE_ACTS)
    return tried or not says(sheet, expanded("{BEFORE_TRIAL}"))
