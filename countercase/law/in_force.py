"""Which law stood on a date, and what took its place in 2023.

`law/data/in_force.jsonl` says from when and until when an Act or a provision stood. A date is known
as precisely as the case gives it (`2013` may be before or after the amendment of February 2013), so
it is a period, and a row of law applies where it stood on any day of that period.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from countercase.io import read_table
from countercase.law.provision_ids import widened
from countercase.text.words import words_of_role

PROCEDURE: Final = frozenset({"CrPC", "BNSS", "IEA", "BSA"})
NEW_CODES: Final = {"IPC": "BNS", "CrPC": "BNSS", "IEA": "BSA"}
_UNDATED: Final = "2024-06-30"
"""A case that tells neither its date nor its code is read on the last day of the old codes."""


@dataclass(frozen=True)
class InForce:
    """From when and until when (both days included) an Act or a provision stood; "" for no limit."""

    provision: str
    since: str = ""
    until: str = ""
    checked: str = ""  # `data` where a statute or judgment tells the days, else `general` or ""


@dataclass(frozen=True)
class Period:
    """The days on which the law is read, both included, as ISO dates."""

    first: str
    last: str

    def meets(self, since: str, until: str) -> bool:
        """Whether a row that stood from `since` until `until` stood on one of the days."""
        return (not since or since <= self.last) and (not until or self.first <= until)


def reading_period(occurred_on: str, cited: Iterable[str]) -> Period:
    """Return the days on which the law is read, by the date, month or year of the occurrence.

    Without a date they are the last day on which all that is cited stood: a case under the Penal
    Code is read as of 30 June 2024, one under section 376(2)(g) as of 2 February 2013. A code of
    procedure decides only where nothing else is cited.
    """
    if occurred_on:
        parts = occurred_on.split("-")
        return Period(
            "-".join([*parts, "01", "01"][:3]), "-".join([*parts, *("12", "31")[len(parts) - 1 :]])
        )
    provisions = list(cited)
    substantive = [p for p in provisions if p.partition("-")[0] not in PROCEDURE] or provisions
    rows = [row for provision in substantive for row in _rows(provision)]
    last = min((row.until for row in rows if row.until), default=_UNDATED)
    day = max([last, *(row.since for row in rows)])
    return Period(day, day)


def facts_period(occurred_on: str) -> Period | None:
    """The days of the facts of a case; None where it does not state them."""
    return reading_period(occurred_on, ()) if occurred_on else None


def in_force(provision: str, when: Period, cited: Iterable[str]) -> bool:
    """Whether a provision stood in the period; an Act that the case cites is taken to have stood."""
    acts = {name.partition("-")[0] for name in cited}
    return all(it.provision in acts or when.meets(it.since, it.until) for it in _rows(provision))


def code_in_force(code: str, when: Period, cited: Iterable[str]) -> str:
    """Return `BNS` for `IPC` where the case is read after its repeal; likewise CrPC and IEA.

    A case that cites one of the two alone is read under that one, but an offence after the repeal
    of the Penal Code is one of the Sanhita, whatever the case cites. A case that was opened under
    the new procedure is proved under the new law too.
    """
    new, cited = NEW_CODES.get(code, code), [*cited]
    acts = {name.partition("-")[0] for name in cited}
    opening = words_of_role("law/provision_groups", "opens a new case")
    if code in PROCEDURE and code not in acts and any({*widened(it)} & opening for it in cited):
        return new
    repealed = in_force(new, when, ()) and not in_force(code, when, ())
    if (code in acts) != (new in acts) and (code in PROCEDURE or not repealed):
        return code if code in acts else new
    return new if repealed else code


@cache
def _rows(provision: str) -> tuple[InForce, ...]:
    names = widened(provision)
    return tuple(row for row in read_table("law/in_force", InForce) if row.provision in names)


@dataclass(frozen=True)
class Correspondence:
    """A provision repealed in 2024 and the one that took its place."""

    # old, new: both in normal form
    old: str
    new: str
    # `heading` where the headings of both sections agree too, `tables` where the pair rests on
    # published tables of correspondence alone, `general` where it stands from general knowledge. No
    # table is official; sub-section numbers rest on them alone.
    checked: str
    note: str = ""  # how the scope changed, or empty
    changed: bool = False  # whether the new provision provides otherwise than the old one


def correspondences() -> tuple[Correspondence, ...]:
    """Every checked pair of an old and a new provision, in table order."""
    return read_table("law/correspondences", Correspondence)
