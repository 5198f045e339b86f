"""What an offence may be punished with, and what follows from that.

`law/data/offences.jsonl` has the terms of the offences that could be checked against the statutes or
are beyond doubt; others are left out, and nothing is concluded about them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf
from typing import Final

from countercase.io import read_table
from countercase.law.in_force import Period
from countercase.law.provision_ids import parse_id, widened
from countercase.text.words import words_of_role


@dataclass(frozen=True)
class Offence:
    """A penal provision, as it stood from `since` until `until`.

    The terms of imprisonment are in months, the fines in rupees; the greatest of each is None where
    the law names none. `life` and `death` tell whether these may be imposed.
    """

    provision: str
    minimum: int = 0
    maximum: int | None = None
    life: bool = False
    death: bool = False
    fine_only: bool = False
    least_fine: int = 0
    most_fine: int | None = None
    since: str = ""
    until: str = ""

    @property
    def greatest(self) -> float:
        """The longest term in months; infinite for life, death or no limit; 0 for a fine."""
        if self.fine_only:
            return 0
        return inf if self.life or self.death or self.maximum is None else self.maximum

    @property
    def least(self) -> float:
        """The shortest term in months; infinite where nothing less than life may be imposed."""
        graver_only = self.maximum is None and (self.life or self.death) and not self.minimum
        return inf if graver_only else self.minimum

    @property
    def heinous(self) -> bool:
        """Whether the minimum is seven years or more (section 2(33) of the Act of 2015)."""
        return self.least >= 84

    @property
    def terms(self) -> tuple[object, ...]:
        """What another provision must have alike to punish alike."""
        return (self.minimum, self.maximum, self.life, self.death, self.fine_only)


@cache
def _table() -> dict[str, list[Offence]]:
    table: dict[str, list[Offence]] = {}
    for row in read_table("law/offences", Offence):
        table.setdefault(row.provision, []).append(row)
    return table


@lru_cache(maxsize=4096)
def offence(provision: str, when: Period) -> Offence | None:
    """What a provision is punished with in the period; None where that is not known or varied."""
    form = parse_id(provision)
    for name in widened(form.id)[:-1]:
        if rows := _table().get(name):
            standing = [row for row in rows if when.meets(row.since, row.until)]
            return standing[0] if len(standing) == 1 else None
    return None


def offences(cited: Iterable[str], when: Period) -> tuple[Offence, ...]:
    """The offences among the provisions cited whose terms are known."""
    known = (offence(provision, when) for provision in cited)
    return tuple(row for row in known if row is not None)


def _gravest(rows: Iterable[Offence]) -> float:
    """The longest term among offences tried together (section 468(3) of the Code)."""
    return max((row.greatest for row in rows), default=-1)


def _remand(rows: Iterable[Offence]) -> int | None:
    """Days of custody before default bail: section 167(2) of the Code, 36A(4) of the NDPS Act.

    Ninety where death, life or no less than ten years is the punishment (Rakesh Kumar Paul v.
    State of Assam, (2017) 15 SCC 67). The words of the Sanhita differ, so an offence of it that
    may but need not carry ten years has no period here.
    """
    listed, longer = list(rows), words_of_role("law/provision_groups", "longer remand")
    if any(row.provision in longer for row in listed):
        return 180
    if any(row.life or row.death or row.least >= 120 for row in listed):
        return 90
    unclear = any(row.provision.startswith("BNS") and row.greatest >= 120 for row in listed)
    return None if unclear or not listed else 60


TESTS: Final[Mapping[str, Callable[[Iterable[Offence]], bool]]] = {
    "": lambda _: True,
    "heinous": lambda rows: any(row.heinous for row in rows),
    "no life": lambda rows: 0 < _gravest(rows) < inf,
    "fine only": lambda rows: _gravest(rows) == 0,
    "one year": lambda rows: 0 < _gravest(rows) <= 12,
    "three years": lambda rows: 12 < _gravest(rows) <= 36,
    "remand 60": lambda rows: _remand(rows) == 60,
    "remand 90": lambda rows: _remand(rows) == 90,
    "remand 180": lambda rows: _remand(rows) == 180,
}
"""What a line of the law may ask of the offences cited, by the name in its table."""


@dataclass(frozen=True)
class Charges:
    """The sections of an Act that are charged, from `first` to `last`, but for some of them."""

    act: str
    first: int
    last: int
    but: tuple[str, ...]


def is_charged(provision: str) -> bool:
    """Return whether a provision is charged: no definition, exception, procedure or rule of proof."""
    form = parse_id(provision)
    return any(
        row.act == form.code
        and row.first <= form.base <= row.last
        and not {form.number, form.number + form.subs} & {*row.but}
        for row in read_table("law/charges", Charges)
    )


def same_terms(old: str, new: str) -> bool | None:
    """Whether two provisions punish alike; None where one of them is not in the table."""
    before, after = (
        [row for row in _table().get(provision, ()) if not row.until] for provision in (old, new)
    )
    return before[0].terms == after[0].terms if before and after else None
