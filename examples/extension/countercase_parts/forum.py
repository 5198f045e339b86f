"""A fact type: the court before which the matter stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from countercase.fact_types.base import FactType

from countercase.facts.edits import Edit, Replacement
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

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """One fact per kind of court, with every place that names it."""
        spans: dict[str, list[Span]] = {}
        for match in COURT.finditer(narrative.text):
            spans.setdefault(match[0].lower(), []).append(Span(*match.span()))
        return [
            Fact(f"forum:{number}", self.name, ForumValue(court), tuple(places))
            for number, (court, places) in enumerate(spans.items(), start=1)
        ]

    def edits(self, sheet: FactSheet) -> list[Edit]:
        """The matter before the other court."""
        return [
            Edit(
                fact_id=fact.fact_id,
                fact_type=self.name,
                original_value=str(fact.value),
                perturbed_value=COURTS[str(fact.value)],
                rule="forum.other",
                provision="",
                new_value=ForumValue(COURTS[str(fact.value)]),
                replacements=tuple(
                    Replacement(span.start, span.end, COURTS[str(fact.value)])
                    for span in fact.spans
                ),
            )
            for fact in sheet.of_type(self.name)
        ]


FORUM = Forum()
