"""How well a corpus covers a case: is the best match any good, and how many decisions cite its law?

A search always returns the nearest decisions, also to nonsense. A match is called weak where a
logistic model of five plain measures, `WEIGHTS`, falls below a floor. `training/weak_matches.py`
fits both, on made-up queries and on words of casebook decisions. A query that cites a provision
which some decision cites is never called weak.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from countercase.corpus.index.lexical import STEM, provision_terms
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.facts.extraction import recognise
from countercase.retrieval.base import Ranking
from countercase.text.words import content_words

WEIGHTS: Final = (10.36, -1.61, 10.38, 2.25, 0.55)
"""Of the greatest cosine; the mean of 1 / (1 + decisions that have a stem) over the query's stems;
the share of the query's stems, weighted by rarity, in the five decisions that have most; the
logarithm of the number of stems; and whether a provision, a party or evidence is recognised."""
FLOOR: Final = 12.39


@dataclass(frozen=True)
class Coverage:
    """How many decisions of the corpus cite a provision, or its Act in one of the codes."""

    provision: str
    cases: int
    of: int


def is_weak(ranking: Ranking, snapshot: Snapshot, encoders: Encoders) -> bool:
    """Say whether the precedents of a ranking are only the nearest that there were."""
    text = " ".join(ranking.query.segments)
    if not ranking.results or snapshot.citing.known_terms(text):
        return not ranking.results
    measured = strength_features(ranking, snapshot, encoders)
    return not measured or sum(w * x for w, x in zip(WEIGHTS, measured, strict=True)) < FLOOR


def strength_features(
    ranking: Ranking, snapshot: Snapshot, encoders: Encoders
) -> tuple[float, ...]:
    """Return what `WEIGHTS` weighs, in its order; nothing for a text of function words alone."""
    segments = ranking.query.segments
    stems = {word[:STEM] for word in content_words(" ".join(segments))}
    if not stems:
        return ()
    ranges = [np.arange(*snapshot.starts[r.case : r.case + 2]) for r in ranking.results]
    chunks = np.concatenate(ranges)
    asked = encoders.encode("sentence", segments).astype(np.float64)
    cosines = np.round(asked @ np.asarray(snapshot.sentence)[chunks].astype(np.float64).T, 9)
    cases = {stem: snapshot.lexicon.stems.get(stem, 0) for stem in sorted(stems)}
    rarity = {s: math.log((len(snapshot.case_ids) + 1) / (n + 1)) for s, n in cases.items()}
    texts = [content_words(snapshot.case_text(result.case)) for result in ranking.results]
    shared = [sorted({word[:STEM] for word in words} & rarity.keys()) for words in texts]
    best = sorted(sum(map(rarity.__getitem__, stems)) for stems in shared)[-5:]
    facts = recognise(" ".join(segments))
    typed = any(f.fact_type != "Numerical" and "Individual" not in str(f.value) for f in facts)
    return (
        float(cosines.max()),
        sum(1 / (1 + n) for n in cases.values()) / len(cases),
        sum(best) / len(best) / (sum(rarity.values()) or 1.0),
        math.log(len(stems)),
        float(typed),
    )


def coverage(provisions: Iterable[str], snapshot: Snapshot) -> tuple[Coverage, ...]:
    """Count for each provision cited the decisions that cite it, in either code, or a part of it."""
    rows = []
    for provision in provisions:
        terms = provision_terms([provision])
        section = [term for term in terms if "(" not in term] or terms  # rather than its parts
        rows.append(Coverage(provision, snapshot.citing.cases(section), len(snapshot.case_ids)))
    return tuple(rows)
