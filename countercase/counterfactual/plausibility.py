"""Rules of law that no case can break: each says what is wrong with a fact sheet, or None.

They are about what cannot be, not about what a court would decide: a charge that the facts defeat
is a case like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from countercase.counterfactual.perturbations.matter import cites, provisions, within
from countercase.counterfactual.perturbations.thresholds import (
    drug_tier,
    line_in,
    thresholds_for,
)
from countercase.facts.model import EvidenceValue, FactSheet, NumericalValue, PartyValue
from countercase.facts.provisions import citation

_OLDEST: Final = 110
_LEGAL_PERSONS: Final = frozenset({"Corporation", "State", "Union of India"})
_PERSON: Final = {
    "petitioner": re.compile(r"appellant|petitioner|applicant|plaintiff|claimant", re.IGNORECASE),
    "respondent": re.compile(r"respondent|defendant", re.IGNORECASE),
}
_ACCUSED: Final = re.compile(r"accused|convict|juvenile", re.IGNORECASE)
_DEATH: Final = re.compile(
    r"\b(?:die[sd]|dead|death|deceased|dying|killed|killing|murder\w*|suicide|succumbed|fatal\w*"
    r"|post[\s-]?mortem|corpse|hanged|lost (?:his|her) life|drowned|lynched|homicide)\b",
    re.IGNORECASE,
)
_SELF_KILLING: Final = re.compile(
    r"\b(?:suicid\w*|hang\w*|poison\w*|burn\w*|drown\w*|jump\w*|kerosene|railway track|took (?:his|her)"
    r" own life|ended (?:his|her) life|consumed|insecticide|set (?:himself|herself))\b",
    re.IGNORECASE,
)
_HOMICIDE: Final = ("IPC-302", "IPC-304", "IPC-304A", "IPC-304B", "IPC-306", "IPC-396")
_HOMICIDE_NEW: Final = ("BNS-103", "BNS-105", "BNS-106", "BNS-80", "BNS-108")
_BODILY: Final = ("IPC-302", "IPC-304", "IPC-304B", "IPC-307", "IPC-323", "IPC-324", "IPC-325")
_BODILY_MORE: Final = ("IPC-326", "IPC-354", "IPC-376", "POCSO", "BNS-64", "BNS-80", "BNS-103")
_EXCLUSIVE: Final = (
    ("IPC-302", "IPC-304-I", "IPC-304-II", "IPC-304A"),
    ("BNS-103", "BNS-105", "BNS-106"),
    ("IPC-379", "IPC-411"),
    ("NDPS-20(b)(ii)(A)", "NDPS-20(b)(ii)(B)", "NDPS-20(b)(ii)(C)"),
    ("NDPS-21(a)", "NDPS-21(b)", "NDPS-21(c)"),
    ("NDPS-22(a)", "NDPS-22(b)", "NDPS-22(c)"),
    ("NDPS-15(a)", "NDPS-15(b)", "NDPS-15(c)"),
    ("NDPS-18(a)", "NDPS-18(b)", "NDPS-18(c)"),
    ("CrPC-227", "CrPC-228"),
    ("CrPC-239", "CrPC-240"),
    ("BNSS-250", "BNSS-251"),
)
_TIERS: Final = {
    **{f"NDPS-20(b)(ii)({letter})": tier for letter, tier in zip("ABC", ("small", "intermediate", "commercial"), strict=True)},
    **{f"NDPS-{section}({letter})": tier for section in (15, 21, 22) for letter, tier in zip("abc", ("small", "intermediate", "commercial"), strict=True)},
    "NDPS-18(a)": "small",
    "NDPS-18(b)": "commercial",
    "NDPS-18(c)": "intermediate",
}


def impossible_age(sheet: FactSheet) -> str | None:
    """Nobody is younger than nought or older than a hundred and ten."""
    for value in _figures(sheet, "age"):
        if not 0 <= value.value <= _OLDEST:
            return (
                f"An age of {value.value:g} years cannot be proved by any document or medical "
                "opinion under section 35 or 45 of the Evidence Act."
            )
    return None
