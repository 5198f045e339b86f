"""Clauses that an explanation adds to a passage that it otherwise repeats.

Somebody who writes in words of their own shares few of them with the passage throughout. Where all
clauses but one are the passage's own words and that one is not, it was put in.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from countercase.text.clauses import Clause, clauses_of
from countercase.text.content_words import content_words, share
from countercase.text.sentences import sentence_spans

REPEATED: Final = 0.9
"""Mean share of the other clauses' content words that stand together in the passage."""
STRANGE: Final = 0.5
"""Below this share a clause is none of the passage's."""
FEWEST: Final = 4
"""Content words of a clause from which its share means something."""


BESIDE: Final = 8
"""Content words of the other clauses from which they show how the whole is written."""


def added_clauses(text: str, passage: str) -> list[str]:
    """The clauses of `text` that are not of `passage`, where the others are, as written.

    The words that lead up to a quotation add nothing. A clause is of the passage as far as its
    content words stand in two neighbouring sentences.
    """
    sentences = [
        frozenset(content_words(passage[start:end])) for start, end in sentence_spans(passage)
    ]
    pairs = [left | right for left, right in pairwise([*sentences, frozenset()])]
    shares = [
        (clause, max((share(clause.stems, pair) for pair in pairs), default=0.0))
        for clause in clauses_of(text)
    ]
    return [
        clause.text.strip()
        for clause, found in shares
        if len(clause.stems) >= FEWEST
        and found < STRANGE
        and "“" not in clause.text
        and _repeats(clause, shares)
    ]


def _repeats(added: Clause, shares: list[tuple[Clause, float]]) -> bool:
    """Whether the other clauses repeat the passage."""
    others = [(clause, found) for clause, found in shares if clause is not added and clause.stems]
    words = sum(len(clause.stems) for clause, _ in others)
    return words >= BESIDE and sum(found for _, found in others) / len(others) >= REPEATED
