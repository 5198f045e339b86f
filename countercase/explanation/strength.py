"""How well a corpus covers a case: is the best match any good, and how many decisions cite its law?

A search always returns the nearest decisions, also to nonsense. A match is called weak where no
sentence of the query comes near any passage of the decisions that were returned, the less so the
more of the query's words the corpus has never seen: cosine less 1.33 times the share of unknown
words, against a floor. Weight and floor are a logistic regression over 40 nonsense or out-of-area
queries, the 98 queries of `eval_sets/retrieval.jsonl` and 120 points on which decisions turned;
`docs/reading-results.md` has its errors. A query that cites a provision which some decision cites
is never called weak.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from countercase.corpus.index.provision_terms import provision_terms
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.retrieval.base import Ranking

UNKNOWN_WEIGHT: Final = 1.33
FLOOR: Final = 0.143


@dataclass(frozen=True)
class Coverage:
    """How many decisions of the corpus cite a provision, or its Act in one of the codes."""

    provision: str
    cases: int
    of: int


def is_weak(ranking: Ranking, snapshot: Snapshot, encoders: Encoders) -> bool:
    """Whether the precedents of a ranking are only the nearest that there were."""
    segments = ranking.query.segments
    text = " ".join(segments)
    if not ranking.results or snapshot.citing.known_terms(text):
        return not ranking.results
    unknown = snapshot.lexicon.unknown_share(text)
    if unknown is None:  # only function words
        return True
    chunks = np.concatenate(
        [np.arange(*snapshot.starts[r.case : r.case + 2]) for r in ranking.results]
    )
    asked = encoders.encode("sentence", segments).astype(np.float64)
    cosines = np.round(asked @ np.asarray(snapshot.sentence)[chunks].astype(np.float64).T, 9)
    return bool(cosines.max() - UNKNOWN_WEIGHT * unknown < FLOOR)


def coverage(provisions: Iterable[str], snapshot: Snapshot) -> tuple[Coverage, ...]:
    """For each provision cited, the decisions that cite it, in either code, or a part of it."""
    return tuple(
        Coverage(provision, snapshot.citing.cases(_section(provision)), len(snapshot.case_ids))
        for provision in provisions
    )


def _section(provision: str) -> Sequence[str]:
    """The terms under which a provision is indexed, its own section rather than its parts."""
    terms = provision_terms([provision])
    return [term for term in terms if "(" not in term] or terms
