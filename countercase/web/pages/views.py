"""What several pages show: narratives with their facts marked, rankings side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from countercase.counterfactual.displacement import displacement
from countercase.explanation.labels import fact_label
from countercase.facts.model import FactSheet
from countercase.reports.text import stretches

STAGES: Final = {
    "dpr": "question and passage (DPR)",
    "chroma": "sentence meaning (Chroma)",
    "lexical": "words and provisions (BM25)",
    "quotations": "words quoted from it",
    "fused": "fusion (RRF)",
    "mmr": "novelty (MMR)",
    "rerank": "reading in pairs (cross-encoder)",
    "contrast": "facts against their opposites",
    "final": "final",
}
"""The stages of retrieval in a reader's words."""


@dataclass(frozen=True)
class Piece:
    """A stretch of a narrative, with the facts that it states.

    Attributes:
        kinds: their fact types, that of the shortest mention first.
        labels: the facts in words.
        own: whether the user corrected or added one of them.
    """

    text: str
    fact_ids: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    labels: str = ""
    own: bool = False


def mark_facts(sheet: FactSheet, own: Iterable[str] = ()) -> list[Piece]:
    """Return the narrative in pieces, cut wherever a mention of a fact begins or ends."""
    owned, mentions = frozenset(own), list(enumerate(sheet.facts))
    spans = [(number, span) for number, fact in mentions for span in fact.spans]
    pieces = []
    for stretch in stretches(sheet.narrative, spans):
        facts = [sheet.facts[number] for number in stretch.facts]
        pieces.append(
            Piece(
                stretch.text,
                tuple(fact.fact_id for fact in facts),
                tuple(dict.fromkeys(fact.fact_type for fact in facts)),
                "; ".join(fact_label(fact) for fact in facts),
                any(fact.fact_id in owned for fact in facts),
            )
        )
    return pieces


def mark_quotes(text: str, quotes: Sequence[str]) -> list[tuple[str, bool]]:
    """Return a decision in pieces, the quoted sentences apart from the rest.

    Quotes have their white space on one line; the decision has it as it was written.
    """
    patterns = [r"\s+".join(map(re.escape, quote.split())) for quote in quotes if quote]
    found = filter(None, (re.search(pattern, text) for pattern in patterns))
    pieces, at = list[tuple[str, bool]](), 0
    for start, end in sorted({match.span() for match in found}):
        if start >= at:
            pieces += [(text[at:start], False), (text[start:end], True)]
            at = end
    return [(part, mark) for part, mark in [*pieces, (text[at:], False)] if part]


Fate = Literal["same", "up", "down", "new", "left"]


@dataclass(frozen=True)
class Place:
    """Where a precedent stands in a changed list, beside the list of the case as it is.

    Attributes:
        rank, before: 0 where it is not in the list.
        within: whether it moved no further than changes of words alone move a list.
    """

    case_id: str
    title: str
    rank: int
    before: int
    within: bool = False

    @property
    def fate(self) -> Fate:
        """What became of it."""
        if not self.rank or not self.before:
            return "new" if self.rank else "left"
        return "same" if self.rank == self.before else "up" if self.rank < self.before else "down"

    @property
    def words(self) -> str:
        """The same in words, so that nothing rests on colour or arrows."""
        moved = abs(self.rank - self.before)
        return {
            "new": "new in the list",
            "left": f"left the list, was {self.before}",
            "same": "same place",
            "up": f"up {moved}, was {self.before}",
            "down": f"down {moved}, was {self.before}",
        }[self.fate]


@dataclass(frozen=True)
class Beside:
    """A list beside that of the case as it is.

    Attributes:
        places: by rank, then those that left.
        mean: the mean rank displacement.
    """

    places: tuple[Place, ...]
    mean: float


def compare_lists(
    base: Sequence[str], after: Sequence[str], titles: Mapping[str, str], top_k: int, band: float
) -> Beside:
    """Return a list of precedents beside the list of the case as it is.

    Args:
        band: how far, at most, changes of words alone moved the list on average.
    """
    before = {case: rank for rank, case in enumerate(base, 1)}
    now = {case: rank for rank, case in enumerate(after, 1)}
    places = [
        Place(
            case,
            titles.get(case, case),
            now.get(case, 0),
            before.get(case, 0),
            case in now and case in before and abs(now[case] - before[case]) <= band,
        )
        for case in [*after, *(case for case in base if case not in now)]
    ]
    return Beside(tuple(places), displacement(tuple(base), tuple(after), top_k).mean)


def ranking_of(node: Mapping[str, Any]) -> list[str]:
    """Return the ids of a state's precedents, the first first."""
    return [row["case_id"] for row in node["ranking"]]
