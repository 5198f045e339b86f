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
FEWEST_WORDS: Final = 3


def clauses_of_text(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield each clause of some words, with its sentence."""
    for sentence in (Span(*pair) for pair in sentence_spans(text)):
        for clause in parts_of_sentence(text, sentence):
            if len(text[clause.start : clause.end].split()) >= FEWEST_WORDS:
                yield clause, sentence


def weigh_items(text: str, items: Sequence[EvidenceItem]) -> tuple[EvidenceItem, ...]:
    """Return the items of evidence of a narrative with its circumstances, by first mention.

    A narrative of one clause is the case itself and no circumstance of it.

    Args:
        items: those that are named by their words.
    """
    from countercase.facts.reader import log_odds

    taken = [span for item in items for span in item.spans]
    clauses = list(clauses_of_text(text))
    told = [
        EvidenceItem(EvidenceValue(CIRCUMSTANCE, _quote(text, clause), "full"), (clause,))
        for clause, sentence in (clauses if len(clauses) > 1 else ())
        for words in [text[clause.start : clause.end]]
        if not any(span.overlaps(clause) for span in taken)
        # more than the rest of a bracket, a heading or a question
        and words.count("(") == words.count(")")
        and not words.rstrip().endswith((":", "?"))
        and (odds := log_odds("clause.circumstance", text, [clause], [sentence])) is not None
        and odds >= LEAST
    ]
    return tuple(sorted((*items, *told), key=lambda item: (item.spans, item.value.evidence_type)))


def _quote(text: str, clause: Span) -> str:
    """The words of a clause; where they are too many, those that are kept and an ellipsis."""
    kept, whole = describe(text, clause, clause), one_line(text[clause.start : clause.end])
    return kept if len(whole) <= len(kept) else f"{kept} …"
