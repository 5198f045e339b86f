"""What the learnt reader adds to the words that name evidence.

Kinds of evidence have words that name them, and a circumstance has none (`nobody asked for the
licence`). The reader tells of each clause how probably it tells what a court may weigh
(`training/circumstances.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from countercase.fact_types.evidence.recognise import (
    CIRCUMSTANCE,
    EvidenceItem,
    describe,
    parts_of_sentence,
)
from countercase.facts.model import EvidenceValue
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span, one_line

LEAST: Final = -0.2
"""The log-odds from which on a clause in which no evidence is named is a circumstance."""
MISREAD: Final = -0.6
"""The log-odds from which on words name no evidence of the kind that is read; they are then told as
they stand. In matters laid aside half of such items were misread, and every third misread one is such."""
FEWEST_WORDS: Final = 3


def clauses_of_text(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield each clause of some words, with its sentence."""
    for sentence in (Span(*pair) for pair in sentence_spans(text)):
        for clause in parts_of_sentence(text, sentence):
            if len(text[clause.start : clause.end].split()) >= FEWEST_WORDS:
                yield clause, sentence


def weigh_items(text: str, items: Sequence[EvidenceItem]) -> tuple[EvidenceItem, ...]:
    """Return the items of evidence of a narrative with its circumstances, by first mention.

    A narrative of one clause is the case itself and no circumstance of it. An item that is likely
    misread (a witness who saw nothing as an eyewitness, a report that is awaited as one that is
    there) is a circumstance, in its own words.

    Args:
        items: those that are named by their words.
    """
    from countercase.facts.reader import log_odds

    clauses = list(clauses_of_text(text))
    doubtful = [item for item in items if len(clauses) > 1 and is_misread(text, item)]
    items = [item for item in items if item not in doubtful]
    taken, unsure = ([s for item in own for s in item.spans] for own in (items, doubtful))
    told = [
        EvidenceItem(EvidenceValue(CIRCUMSTANCE, _quote(text, clause), "full"), (clause,))
        for clause, sentence in (clauses if len(clauses) > 1 else ())
        if not any(span.overlaps(clause) for span in taken)
        and _is_whole(text[clause.start : clause.end])
        and (
            any(span.overlaps(clause) for span in unsure)
            or (
                (odds := log_odds("clause.circumstance", text, [clause], [sentence])) is not None
                and odds >= LEAST
            )
        )
    ]
    return tuple(sorted((*items, *told), key=lambda item: (item.spans, item.value.evidence_type)))


def is_misread(text: str, item: EvidenceItem) -> bool:
    """Return whether the words of an item likely name no evidence of its kind, or not as it stands."""
    from countercase.facts.reader import class_scores

    scores = class_scores("item.misread", text, item.spans, clauses_around(text, item.spans))
    return scores.get(reading_of(item.value), MISREAD - 1) >= MISREAD


def clauses_around(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the clauses that share a character with one of the spans."""
    return [c for c, _ in clauses_of_text(text) if any(c.overlaps(span) for span in spans)]


def reading_of(value: EvidenceValue) -> str:
    """Return the class of an item in the question whether it is misread: `medical`, `no medical`."""
    return f"{'no ' if value.strength == 'absent' else ''}{value.evidence_type}"


def _quote(text: str, clause: Span) -> str:
    """The words of a clause; where they are too many, those that are kept and an ellipsis."""
    kept, whole = describe(text, clause, clause), one_line(text[clause.start : clause.end])
    return kept if len(whole) <= len(kept) else f"{kept} …"


def _is_whole(words: str) -> bool:
    """Return whether a clause is more than the rest of a bracket, a heading or a question."""
    return words.count("(") == words.count(")") and not words.rstrip().endswith((":", "?"))
