"""What of an explanation its passage does not bear out, beyond the share of words in common.

The share of content words cannot tell `not complete` from `complete`, or the husband from his
parents. These checks can, as far as the words go: each names what it found and where. They read no
meaning: a false statement in the passage's own words, each in its place, passes them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from countercase.evaluation.faithfulness.clause_checks import (
    added_clauses,
    crossed_bindings,
    missing_outcomes,
    unsupported_negations,
)
from countercase.evaluation.faithfulness.figures import missing_figures
from countercase.evaluation.faithfulness.mentions import missing_names, missing_provisions
from countercase.text.clauses import clauses_of
from countercase.text.sentences import sentence_spans

Check: TypeAlias = Literal[
    "figure", "provision", "name", "negation", "outcome", "binding", "addition"
]

CHECKS: Final[dict[Check, str]] = {
    "figure": "a figure or date that the passage does not state",
    "provision": "a provision that the passage does not cite",
    "name": "a name that the passage does not give",
    "negation": "a denial of what the passage asserts, or the reverse",
    "outcome": "an outcome that the passage does not tell",
    "binding": "words that the passage says of another party, provision or date",
    "addition": "a clause that is not of the passage, where the others are",
}
"""Every check with what it finds, in words."""

_BY_SENTENCE: Final[tuple[tuple[Check, Callable[[str, str], list[str]]], ...]] = (
    ("figure", missing_figures),
    ("provision", missing_provisions),
    ("name", missing_names),
    ("outcome", missing_outcomes),
)
_BY_TEXT: Final[tuple[tuple[Check, Callable[[str, str], list[str]]], ...]] = (
    ("negation", unsupported_negations),
    ("binding", crossed_bindings),
    ("addition", added_clauses),
)


@dataclass(frozen=True)
class Fault:
    """Words that a check objects to.

    Args:
        sentence: which sentence of the text, from 0.
        words: the words at fault, as written.
    """

    check: Check
    sentence: int
    words: str


def faults(text: str, passage: str) -> tuple[Fault, ...]:
    """Everything in `text` that `passage` does not bear out, sentence by sentence.

    Args:
        text: an explanation of one or more sentences.
        passage: the text that it rests on; of several chunks, their texts with blank lines between.
    """
    return tuple(sorted(_faults(text, passage), key=lambda fault: fault.sentence))


def _faults(text: str, passage: str) -> Iterator[Fault]:
    for at, (start, end) in enumerate(sentence_spans(text)):
        for check, find in _BY_SENTENCE:
            for words in find(text[start:end], passage):
                yield Fault(check, at, words)
    place = {clause.text.strip(): clause.sentence for clause in clauses_of(text)}
    for check, find in _BY_TEXT:
        for words in find(text, passage):
            yield Fault(check, place[words], words)
