"""How the narrative stops stating an item of evidence: its words go.

The sentence goes where it states nothing else; beside another fact its clause goes, or the stretch
of words between the other facts that holds it. A negation would leave every word of the item in
place, and a retriever reads words: it stands only where the item's words belong to another fact
and nothing can be cut. The words of other facts always stay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from countercase.counterfactual.edits import Replacement
from countercase.counterfactual.perturbations.clauses import main_clauses
from countercase.counterfactual.perturbations.cutting import after_reference, cut_between, opened
from countercase.counterfactual.perturbations.designation import ROLE
from countercase.counterfactual.perturbations.rewriting import (
    cut_sentence,
    in_order,
    mentions,
    sentences_around,
    touches_any,
)
from countercase.facts.model import Fact, FactSheet, PartyValue, Span

_LOWERED: Final = re.compile(
    r"(?:the|an?|he|she|it|they|his|her|their|its|this|that|these|those|there|in|on|at|during|after"
    r"|before|when|while|as|both|one|two|three|some|several|according|from|by)\b",
    re.IGNORECASE,
)
"""First words of a sentence that lose their capital inside one."""


def take_away(sheet: FactSheet, fact: Fact) -> tuple[Replacement, ...] | None:
    """The replacements after which the narrative no longer states `fact`.

    Empty where it has no mention; None where its mentions cannot be changed side by side.
    """
    found: list[Replacement] = []
    for sentence in sentences_around(sheet.narrative, fact.spans):
        own = [span for span in mentions(fact) if span.overlaps(sentence)]
        others = _stated_in(sheet, fact, sentence)
        found += _from_sentence(sheet.narrative, sentence, own, others)
    return in_order(found)


def _stated_in(sheet: FactSheet, fact: Fact, sentence: Span) -> tuple[Span, ...]:
    """The mentions of other facts, without parties that the sentence only calls by their role.

    `The appellant` says nothing of what he is in law; another sentence does.
    """
    kept: list[Span] = []
    for other in sheet.facts:
        if other.fact_id != fact.fact_id:
            elsewhere = any(not span.overlaps(sentence) for span in other.spans)
            called = isinstance(other.value, PartyValue) and elsewhere
            kept += (
                span
                for span in other.spans
                if not (called and ROLE.fullmatch(sheet.narrative[span.start : span.end]))
            )
    return tuple(sorted(kept))


def _from_sentence(
    narrative: str, sentence: Span, own: Sequence[Span], others: Sequence[Span]
) -> list[Replacement]:
    """Cut the sentence, else those of its main clauses that are free, else words within them."""
    if not touches_any(sentence, others):
        return [cut_sentence(narrative, sentence)]
    parts = main_clauses(narrative, sentence)
    cuts: list[Replacement] = []
    for index, part in enumerate(parts):
        whole = len(parts) > 1 and touches_any(part, own) and not touches_any(part, others)
        if not whole:
            cuts += cut_between(narrative, part, own, others)
        elif index > 0:
            cuts.append(Replacement(parts[index - 1].end, part.end, ""))
        else:
            end = after_reference(narrative, parts[1].start)
            fixed = [span.start for span in (*own, *others) if span.end > end]
            cuts.append(opened(narrative, sentence.start, end, min(fixed, default=sentence.end)))
    return cuts or [_not_in_evidence(narrative, sentence, others)]


def _not_in_evidence(narrative: str, sentence: Span, others: Sequence[Span]) -> Replacement:
    opening = "It is not in evidence that "
    initial = Span(sentence.start, sentence.start + 1)
    if _LOWERED.match(narrative, sentence.start) and not touches_any(initial, others):
        return Replacement(initial.start, initial.end, opening + narrative[initial.start].lower())
    return Replacement(sentence.start, sentence.start, opening)
