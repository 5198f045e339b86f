"""A fact type: the court before which the matter stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from countercase.fact_types.base import FactType
from countercase.fact_types.suppositions import suppose
from countercase.facts.edits import Change, Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet
from countercase.text.spans import Span

COURTS = {
    "family court": "district court",
    "district court": "family court",
    "labour court": "industrial tribunal",
    "industrial tribunal": "labour court",
}
"""Each court with the one that a party could have gone to instead."""

COURT = re.compile("|".join(COURTS), re.IGNORECASE)

STATEMENTS = (
    "The matter is before the {court}.",
    "It is the {court} that tries the matter.",
    "The {court} has the matter.",
    "The proceeding lies in the {court}.",
    "The court of the matter is the {court}.",
)


@dataclass(frozen=True)
class ForumValue:
    """A court by its kind, in lower case."""

    court: str

    def __str__(self) -> str:
        return self.court


class Forum(FactType):
    """The court that is named in the narrative."""

    name = "Forum"
    heading = "court"
    after = ()

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Return one fact per kind of court, with every place that names it."""
        spans: dict[str, list[Span]] = {}
        for match in COURT.finditer(narrative.text):
            spans.setdefault(match[0].lower(), []).append(Span(*match.span()))
        return [
            Fact(f"forum:{number}", self.name, ForumValue(court), tuple(places))
            for number, (court, places) in enumerate(spans.items(), start=1)
        ]

    def state(self, sheet: FactSheet, fact: Fact, template: int = 0) -> str:
        """Return `The matter is before the labour court.`, or the same in other words."""
        return STATEMENTS[template % len(STATEMENTS)].format(court=fact.value)

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        """Return the matter before the other court, then before one that is not known."""
        other = ForumValue(COURTS[str(fact.value)])
        change = Change(fact.fact_id, self.name, "replace", fact.value, other)
        clause = f"the matter were before the {other}"
        other_court = suppose(sheet, change, clause, "the other court", "")
        return [other_court, *super().what_ifs(sheet, fact)]

    def noun(self, fact: Fact) -> str:
        """Return `the labour court`."""
        return f"the {fact.value}"


FORUM = Forum()
