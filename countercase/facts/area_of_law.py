"""Which law a fact sheet falls under, as far as the rules need to know it.

The codes of 2023 are read as the provisions that they replaced, so a rule about section 302 of the
Penal Code holds for section 103 of the Bharatiya Nyaya Sanhita too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, partial
from typing import Final, Literal

from countercase.facts.model import FactSheet, SectionValue
from countercase.law.offences import is_charged
from countercase.law.provision_ids import widened
from countercase.law.provisions import predecessors
from countercase.text.words import words_of_role

AreaOfLaw = Literal["criminal", "civil"]

_NEW_CODES: Final = ("BNS-", "BNSS-", "BSA-")

provisions_of: Final = partial(words_of_role, "law/provision_groups")
"""The Acts and provisions of a group that rules of law tell apart: `joint`, `no trial`."""


def provisions(sheet: FactSheet) -> tuple[str, ...]:
    """The provisions that the sheet cites, in sheet order, in normal form."""
    return tuple(value.provision for _, value in sheet.valued(SectionValue))


def area_of_law(sheet: FactSheet) -> AreaOfLaw:
    """`criminal` where an offence or the criminal procedure is cited, else `civil`.

    An accident claim or a service matter stays civil where it tells of an offence too.
    """
    civil = cites(sheet, provisions_of("civil proceeding"))
    return "criminal" if cites(sheet, provisions_of("criminal")) and not civil else "civil"


def cites(sheet: FactSheet, wanted: Iterable[str]) -> bool:
    """Whether the sheet cites one of `wanted`: an Act (`NDPS`) or a provision (`IPC-376`).

    A provision is cited also where one of its parts is, or what took its place in 2023.
    """
    cited = {name for provision in provisions(sheet) for name in names_of(provision)}
    return any(name in cited for name in wanted)


@cache
def names_of(provision: str) -> tuple[str, ...]:
    """All that a citation answers to: itself, what it is part of, its Act, what it replaced.

    >>> names_of("IPC-376(2)(g)")
    ('IPC-376(2)(g)', 'IPC-376(2)', 'IPC-376', 'IPC')
    """
    names = [*widened(provision)]
    if provision.startswith(_NEW_CODES):
        names += [name for old in predecessors(provision) for name in widened(old)]
    return tuple(dict.fromkeys(names))


def is_last_charge(charge: str, left: Iterable[str]) -> bool:
    """Return whether the provisions that are left beside a charge carry no case of their own."""
    own = [name for name in left if not {*names_of(name)} & provisions_of("needs an offence")]
    acts = {name.partition("-")[0] for name in own} - {charge.partition("-")[0]}
    return not any(map(is_charged, own)) and not acts - provisions_of("beside a charge")
