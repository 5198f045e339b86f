"""Which law a fact sheet falls under, as far as the rules need to know it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from countercase.facts.model import FactSheet, SectionValue

Matter = Literal["criminal", "civil"]

_CRIMINAL: Final = re.compile(
    r"(?:IPC|BNS|CrPC|BNSS|NDPS|POCSO|PCA|PCA47|ARMS|TADA|SCST|DPA|UAPA)-|NIA-138"
)
_PART: Final = re.compile(r"-(?:I{1,2})\Z|\([^()]*\)\Z")


def provisions(sheet: FactSheet) -> tuple[str, ...]:
    """The provisions that the sheet cites, in sheet order, in normal form."""
    values = (fact.value for fact in sheet.facts)
    return tuple(value.provision for value in values if isinstance(value, SectionValue))


def matter_of(sheet: FactSheet) -> Matter:
    """`criminal` where an offence or the criminal procedure is cited, else `civil`."""
    return "criminal" if any(_CRIMINAL.match(p) for p in provisions(sheet)) else "civil"


def cites(sheet: FactSheet, wanted: Iterable[str]) -> bool:
    """Whether the sheet cites one of `wanted`: an Act (`NDPS`) or a provision (`IPC-376`).

    A provision is cited also where one of its parts is: `IPC-376` by `IPC-376(2)(g)`.
    """
    cited = {name for provision in provisions(sheet) for name in within(provision)}
    return any(name in cited for name in wanted)


def within(provision: str) -> tuple[str, ...]:
    """A provision, what it is part of, and its Act, from the narrowest to the widest.

    >>> within("IPC-376(2)(g)")
    ('IPC-376(2)(g)', 'IPC-376(2)', 'IPC-376', 'IPC')
    """
    names = [provision]
    while (shorter := _PART.sub("", names[-1])) != names[-1]:
        names.append(shorter)
    return (*names, provision.partition("-")[0])
