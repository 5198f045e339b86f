"""What movement has to beat: scores of sentences that need no change of the case.

A further baseline is one function and one line of `BASELINES`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, TypeAlias

import numpy as np

from countercase.evaluation.validity.removal import SentenceCase
from countercase.io import read_table
from countercase.law.provisions import Provision
from countercase.session import Session
from countercase.text.words import words

Baseline: TypeAlias = Callable[[SentenceCase, Session], Sequence[float]]
"""A score of each sentence of a case."""


def length(case: SentenceCase, _session: Session | None = None) -> list[float]:
    """Words of the sentence."""
    return [float(len(text.split())) for text in case.text]


def position(case: SentenceCase, _session: Session) -> list[float]:
    """Place in the case, from the beginning."""
    return [float(at) for at in range(len(case.text))]


def idf_mass(case: SentenceCase, session: Session) -> list[float]:
    """Sum of the inverse document frequencies of the sentence's distinct words."""
    idf = session.snapshot.lexicon.idf
    return [sum(idf(word) for word in sorted(set(words(text)))) for text in case.text]


def likeness_to_provisions(case: SentenceCase, session: Session) -> list[float]:
    """Largest cosine of the sentence with the heading of any provision that we know."""
    vectors = session.encoders.encode("sentence", list(case.text)).astype(np.float64)
    headings = session.encoders.encode("sentence", list(_headings())).astype(np.float64)
    best: list[float] = np.einsum("ik,jk->ij", vectors, headings).max(axis=1).round(9).tolist()
    return best


def chance(case: SentenceCase, _session: Session) -> list[float]:
    """A random number, the same on every run."""
    drawn = random.Random(case.id)
    return [drawn.random() for _ in case.text]


BASELINES: Final[dict[str, Baseline]] = {
    "length": length,
    "position": position,
    "IDF mass": idf_mass,
    "likeness to provisions": likeness_to_provisions,
    "random": chance,
}
"""Every baseline by the name that tables show."""


@cache
def _headings() -> tuple[str, ...]:
    titles = (row.title for row in read_table("law/provisions", Provision))
    return tuple(dict.fromkeys(title for title in titles if title))
