"""How well vectors find the judgments that answer development questions."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from training import mining

RECALL_AT: Final = 10


class Cases:
    """Whose passage is whose, and which are no negatives of a pair."""

    def __init__(self, found: mining.TrainingSet) -> None:
        names = sorted({passage.case_id for passage in found.passages})
        self.number = {name: at for at, name in enumerate(names)}
        self.of_row = np.array([self.number[p.case_id] for p in found.passages])
        # A question put to several judgments has several right answers.
        self.right: dict[str, set[int]] = {}
        for pair in found.pairs:
            right = self.right.setdefault(pair.case_id, {self.number.get(pair.case_id, -1)})
            right.add(int(self.of_row[pair.positive]))


def recall(
    found: mining.TrainingSet, cases: Cases, rows: list[int], queries: NDArray[np.float32]
) -> dict[str, float]:
    """Share of questions whose judgment is among the first ten, by kind and as their mean.

    A judgment stands where its nearest passage stands; the judgment that asks, and others that it
    cites, are left out of the ranking.
    """
    hits: dict[str, list[bool]] = {}
    for at, query in zip(rows, queries, strict=True):
        pair = found.pairs[at]
        best = np.full(len(cases.number), -2.0, dtype=np.float32)
        np.maximum.at(best, cases.of_row, found.passage_vectors @ query)
        answer = int(cases.of_row[pair.positive])
        score = best[answer]
        best[[case for case in cases.right[pair.case_id] if case >= 0]] = -2.0
        hits.setdefault(pair.kind, []).append(int((best > score).sum()) < RECALL_AT)
    by_kind = {kind: float(np.mean(found)) for kind, found in sorted(hits.items())}
    return by_kind | {"mean": float(np.mean(list(by_kind.values())))}
