"""What the learnt reader adds to the words that name evidence.

Kinds of evidence have words that name them, and a circumstance has none (`nobody asked for the
licence`). The reader tells of each clause how probably it tells what a court may weigh
(`training/circumstances.py`), and whether it argues or reports: pleas and the litigation are no facts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
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
ARGUED: Final = 0.5
"""The log-odds from which on a clause argues or reports, four in five by matters laid aside."""
FEWEST_WORDS: Final = 3


def clauses_of_text(text: str) -> Iterator[tuple[Span, Span]]:
    """Yield each clause of some words, with its sentence."""
    for sentence in (Span(*pair) for pair in sentence_spans(text)):
        for clause in parts_of_sentence(text, sentence):
            if len(text[clause.start : clause.end].split()) >= FEWEST_WORDS:
                yield clause, sentence


def weigh_items(text: str, items: Sequence[EvidenceItem]) -> tuple[EvidenceItem, ...]:
    """Return the items of evidence that words of a narrative name with its circumstances, in its order.

    A narrative of one clause is the case itself and no circumstance of it.
    """
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
        and _odds("circumstance", text, clause, sentence) >= LEAST
        and _odds("argued", text, clause, sentence) < ARGUED
    ]
    return tuple(sorted((*items, *told), key=lambda item: (item.spans, item.value.evidence_type)))


def _odds(question: str, text: str, clause: Span, sentence: Span) -> float:
    """Return the log-odds of a yes to a question about a clause; minus infinity if it is not read."""
    from countercase.facts.reader import log_odds

    odds = log_odds(f"clause.{question}", text, [clause], [sentence])
    return -inf if odds is None else odds


def _quote(text: str, clause: Span) -> str:
    """The words of a clause; where they are too many, those that are kept and an ellipsis."""
    kept, whole = describe(text, clause, clause), one_line(text[clause.start : clause.end])
    return kept if len(whole) <= len(kept) else f"{kept} …"
