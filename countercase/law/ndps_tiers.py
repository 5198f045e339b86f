"""The clauses of the NDPS Act, 1985 that follow the quantity: small, intermediate, commercial.

The table is `data/tiers.jsonl`. Section 18 has its tiers in another order than the others do.
"""

from __future__ import annotations

from dataclasses import dataclass

from countercase.io import read_table


@dataclass(frozen=True)
class Tier:
    """A clause of a section, and the quantity that it is for."""

    section: str
    provision: str
    tier: str


def tier_of(provision: str) -> str | None:
    """The quantity that a clause is for; None for a provision without tiers."""
    return next(
        (row.tier for row in read_table("law/tiers", Tier) if row.provision == provision), None
    )


def clause_for(provision: str, tier: str) -> str | None:
    """The clause of the same section that is for another quantity; None where there is none."""
    rows = read_table("law/tiers", Tier)
    section = next((row.section for row in rows if row.provision == provision), None)
    return next((r.provision for r in rows if (r.section, r.tier) == (section, tier)), None)
