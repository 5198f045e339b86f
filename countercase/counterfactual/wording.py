"""What the words of a supposition make of the figure, the item or the charge that they name.

Learnt from suppositions as lawyers and students type them: the words before and behind the name and
the states of the reader there tell each answer's odds, as in a multinomial logistic regression.
`python training/suppositions.py` fits it and writes `fact_types/data/supposed_words.jsonl` and the
reader's questions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from countercase.fact_types.numerical.dated_events import WordModel
from countercase.io import read_table
from countercase.text.spans import Span

BOUND: Final = "supposed.bound"
"""Is the true figure the one named (`exact`), strictly beyond it (`more`) or short of it (`less`)?"""
BECOMES: Final = "supposed.becomes"
"""Is there no such item or charge (`none`), is it `doubted`, is it `there`, is it `otherwise`?"""
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’]\w+)?|[<>]=?")
_HALF: Final = 4
"""Words away at which a word counts half."""


@dataclass(frozen=True)
class SupposedWords(WordModel):
    """What the words around a name say of one answer to a question."""

    question: str


def answer(question: str, clause: str, named: Span) -> str:
    """Return the likeliest answer to a question about what a clause names."""
    from countercase.facts.reader import class_scores

    features = words_around(clause, named)
    read = class_scores(question, clause, [named], [Span(0, len(clause))])
    models = read_table("fact_types/supposed_words", SupposedWords)
    scores = {
        model.name: model.score(features) + read[model.name]
        for model in models
        if model.question == question
    }
    return max(scores, key=lambda name: scores[name])


def words_around(clause: str, named: Span) -> dict[str, float]:
    """Return the words before and behind a name, alone and in pairs, weighed by their distance."""
    sides = {"before": clause[: named.start], "behind": clause[named.end :]}
    features: dict[str, float] = {}
    for side, text in sides.items():
        words = [word.lower() for word in _TOKEN.findall(text)]
        if side == "before":
            words.reverse()
        for place, word in enumerate(words):
            weight = 1 / (1 + place / _HALF)
            features.setdefault(f"{side} {word}", weight)
            if place:
                features.setdefault(f"{side} {words[place - 1]}, {word}", weight)
    return features
