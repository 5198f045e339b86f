"""The fields of law that cases and precedents are drawn from: two facts of each type a field.

All wordings are our own. Each fact stands in a sentence of its own, so that an edit of one never
touches the words of another.
"""

from __future__ import annotations

from typing import Final

from countercase.errors import InputError
from countercase.evaluation.planted.areas_civil import CIVIL
from countercase.evaluation.planted.areas_criminal import CRIMINAL
from countercase.evaluation.planted.model import Area

AREAS: Final[tuple[Area, ...]] = (*CRIMINAL, *CIVIL)


def area_named(name: str) -> Area:
    """The area of this name.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    for area in AREAS:
        if area.name == name:
            return area
    known = ", ".join(area.name for area in AREAS)
    raise InputError(f"no planted area is called {name!r}; known: {known}")
