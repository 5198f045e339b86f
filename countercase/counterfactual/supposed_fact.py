"""Which fact of a sheet a supposition is about.

A supposition seldom repeats the words of a case (`he hung on for ten weeks`). Which fact is meant, or
none, is a conditional logit (McFadden 1974) on how much of the clause the words of each fact hold, how
near the reader's states of both lie (late interaction, Khattab and Zaharia 2020), and what is read in
the clause; `python training/supposed_facts.py` fits it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np

from countercase.counterfactual.supposed_figures import (
    CONSTANT,
    NONE,
    is_like_figure,
    score_features,
)
from countercase.fact_types.evidence.circumstances import clauses_of_text
from countercase.facts.model import EvidenceValue, Fact, FactSheet, NumericalValue
from countercase.facts.reader import pieces_of, token_states
from countercase.registry import FACT_TYPES

QUESTION: Final = "target"
_NAMES: Final = ("clause", "label", "clause holds it", "clause is held by it")
_RUN: Final = 4  # letters
_WORD: Final = re.compile(r"[^\W_]+")

Features: TypeAlias = dict[str, float]


def weigh_facts(sheet: FactSheet, clause: str, read: Sequence[Fact]) -> dict[str, float]:
    """Return how likely each fact, by its id, is meant by a clause with these facts, and `NONE`."""
    features, nearest = features_of(sheet, clause, read)
    odds = {name: score_features(QUESTION, own)["fact"] for name, own in features.items()}
    odds[NONE] = score_features(QUESTION, nearest)["none"]
    shares = {name: math.exp(it - max(odds.values())) for name, it in odds.items()}
    return {name: it / math.fsum(shares.values()) for name, it in shares.items()}


def features_of(
    sheet: FactSheet, clause: str, read: Sequence[Fact]
) -> tuple[dict[str, Features], Features]:
    """Return what tells for each fact that it is meant, by its id, and for none of them."""
    text, runs = sheet.narrative, _runs(clause)
    states = (token_states(it)[1] for it in (clause, text))
    said, told = (it / np.linalg.norm(it, axis=1, keepdims=True) for it in states)
    near = np.einsum("ij,kj->ik", said, told)  # without BLAS: no number of threads changes a bit
    clauses, features = [span for span, _ in clauses_of_text(text)], dict[str, Features]()
    for fact in sheet.facts:
        spans = [it for it in clauses if any(it.overlaps(s) for s in fact.spans)] or fact.spans
        words = " ".join(text[span.start : span.end] for span in spans)
        label = FACT_TYPES.get(fact.fact_type).label(fact)
        shares = [len(runs & _runs(it)) / max(1, len(runs)) for it in (words, label)]
        apart = near[:, pieces_of(text, spans)]
        both = (apart.max(1).mean(), apart.max(0).mean()) if apart.size else (0.0, 0.0)
        features[fact.fact_id] = dict(zip(_NAMES, (*shares, *both), strict=True))
        features[fact.fact_id] |= dict.fromkeys(_kinds(fact, read), 1.0)
    nearest = {it: max((own[it] for own in features.values()), default=0.0) for it in _NAMES}
    return features, {**nearest, CONSTANT: 1.0}


def _kinds(fact: Fact, read: Sequence[Fact]) -> Iterable[str]:
    """Yield of what kind a fact is, and how it agrees with what is read in a clause."""
    value, kind = fact.value, FACT_TYPES.get(fact.fact_type)
    circumstance = isinstance(value, EvidenceValue) and value.evidence_type == "circumstance"
    yield "circumstance" if circumstance else fact.fact_type
    alike = [it for it in read if it.fact_type == fact.fact_type]
    if isinstance(value, NumericalValue):
        like = any(is_like_figure(value, it.value_as(NumericalValue)) for it in alike)
        yield "like figure" if like else "other figure" if alike else "no figure"
    elif isinstance(value, EvidenceValue):
        types = {it.value_as(EvidenceValue).evidence_type for it in alike}
        yield "like evidence" if value.evidence_type in types else "other evidence"
    elif any(kind.like(fact, it) or kind.like(it, fact) for it in alike):
        yield "like provision"


def _runs(text: str) -> set[str]:
    """Return all runs of four letters of a text, those across words too."""
    plain = " ".join(["", *_WORD.findall(text.lower()), ""])
    return {plain[at : at + _RUN] for at in range(len(plain) - _RUN + 1)}
