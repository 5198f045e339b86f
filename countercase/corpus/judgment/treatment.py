"""What was done to a decision later, and whether it is still good law for the facts of a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from countercase.corpus.documents import JSON
from countercase.law.in_force import Period
from countercase.law.provisions import with_names

TREATMENTS: Final = ("followed", "distinguished", "doubted", "overruled", "superseded")
"""What a later decision or statute did to a decision; the last two make it bad law."""


@dataclass(frozen=True)
class Treatment:
    """Record how a later decision treated this one (a kind of `TREATMENTS`), and on which point.

    `date` is that of the decision, or from which the provision stood: `2020-03-06`, `2020-03` or `2020`;
    `known_from` are `collection` and `id` of a judgment that says so, or the `provision` itself.
    """

    kind: str
    by: str
    date: str
    on: str
    known_from: Mapping[str, str] = field(default_factory=dict, hash=False)

    def is_against(self, when: Period | None) -> bool:
        """Return whether it makes the decision bad law for facts of these days; None: for those of today.

        A court that overrules says what the law has always been, so that counts whenever the facts
        were. A statute counts from the day on which it stood.
        """
        stands = when is None or when.meets(self.date, "")
        return self.kind == "overruled" or (self.kind == "superseded" and stands)

    def line(self, when: Period | None) -> str:
        """In a sentence: `Overruled by A v B (2020): on section 24(2).`"""
        later = self.kind == "superseded" and not self.is_against(when)
        year = f"{self.date[:4]}; after the facts of this case" if later else self.date[:4]
        return f"{self.kind.capitalize()} by {with_names(f'{self.by} ({year}): {self.on}')}"


def standing(treatments: Sequence[Treatment], when: Period | None) -> str:
    """`overruled` or `superseded` where the decision is bad law for facts of these days, else ""."""
    against = {treatment.kind for treatment in treatments if treatment.is_against(when)}
    return next((kind for kind in TREATMENTS[-2:] if kind in against), "")


def marked(title: str, treatments: Sequence[Treatment], when: Period | None) -> str:
    """Return a title with `[overruled]` or `[superseded]` where that is what became of the decision."""
    bad = standing(treatments, when)
    return f"{title} [{bad}]" if bad else title


def treatments_in(given: JSON) -> tuple[Treatment, ...]:
    """Return the treatments that a corpus states of a judgment, but for those not in their form."""
    found = []
    for item in given if isinstance(given, list) else ():
        if isinstance(item, dict) and item.get("kind") in TREATMENTS:
            known = item.get("known_from")
            source = known.items() if isinstance(known, dict) else ()
            kind, by, day, on = (str(item.get(it) or "") for it in ("kind", "by", "date", "on"))
            found.append(Treatment(kind, by, day, on, {key: str(it) for key, it in source}))
    return tuple(found)
