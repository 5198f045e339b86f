"""Measure the trained models as they are used: a narrative, thirty candidate cases, a ranking.

    python training/case_check.py --data DIR [--seed 0] [--out DIR] [--narratives 16]

The narratives are fact sentences of development judgments, names of the parties left out; relevant
are the judgments that each one cites. Candidates are the first thirty of a fusion of BM25 and the
base encoder, both summed over segments. Only narratives with a relevant candidate are counted, so
the figures compare orders of the same candidates and are no figures of retrieval.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from countercase.encoders.base import Encoders, open_encoders
from training import mining
from training.citations import find_citations
from training.pairs import fact_sentences, read_judgments

POOL: Final = 30
SEGMENTS: Final = 10
_RRF_K: Final = 20

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Narrative:
    """The facts of a development judgment and the judgments that it cites."""

    case_id: str
    segments: tuple[str, ...]
    relevant: frozenset[str]


def narratives(data: Path, found: mining.TrainingSet) -> list[Narrative]:
    """Development judgments with enough facts and a cited judgment among the passages."""
    judgments = read_judgments(data)
    known = {passage.case_id for passage in found.passages}
    held = {found.pairs[at].case_id for at in found.rows("development")}
    trained = {found.pairs[at].case_id for at in found.rows("train")}
    cited: dict[str, set[str]] = {}
    for citation in find_citations(judgments):
        if citation.cited in known:
            cited.setdefault(citation.citing, set()).add(citation.cited)
    made = []
    for judgment in judgments:
        segments = fact_sentences(judgment)[:SEGMENTS]
        relevant = frozenset(cited.get(judgment.case_id, ()))
        development = judgment.case_id in held - trained
        if development and relevant and len(segments) >= SEGMENTS // 2:
            made.append(Narrative(judgment.case_id, tuple(segments), relevant))
    return made


def by_case(
    scores: Scores, owners: NDArray[np.int64], cases: int
) -> tuple[Scores, NDArray[np.int64]]:
    """Best score of each case for each segment, summed, and the rows of those best passages."""
    best = np.full((scores.shape[0], cases), -np.inf)
    rows = np.zeros((scores.shape[0], cases), dtype=np.int64)
    for row in range(scores.shape[1]):
        case = owners[row]
        better = scores[:, row] > best[:, case]
        best[better, case] = scores[better, row]
        rows[better, case] = row
    return best.sum(axis=0), rows


def reciprocal(order: list[str], relevant: frozenset[str]) -> float:
    """One over the rank of the first relevant case, 0 beyond ten."""
    ranks = [rank for rank, case in enumerate(order[:10], start=1) if case in relevant]
    return 1.0 / ranks[0] if ranks else 0.0


def recall_at_ten(order: list[str], relevant: frozenset[str]) -> float:
    """Share of the relevant candidates among the first ten."""
    return len(relevant & set(order[:10])) / len(relevant & set(order))


def standard(scores: Scores) -> Scores:
    """Scores with mean 0 and standard deviation 1."""
    result: Scores = (scores - scores.mean()) / (scores.std() + 1e-9)
    return result


def ranks_of(scores: Scores) -> Scores:
    """Ranks from 1, the highest score first."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return ranks


def orders(
    one: Narrative, found: mining.TrainingSet, encoders: Encoders, lexical: mining.Lexical
) -> dict[str, list[str]] | None:
    """The candidates in the order of each way of scoring; None without a relevant candidate."""
    names = sorted({passage.case_id for passage in found.passages})
    number = {name: at for at, name in enumerate(names)}
    owners = np.array([number[passage.case_id] for passage in found.passages])
    segments = list(one.segments)
    base = encoders.encode("sentence", segments).astype(np.float64) @ found.passage_vectors.T
    passages = encoders.encode("passage", [passage.text for passage in found.passages])
    tower = encoders.encode("question", segments).astype(np.float64) @ passages.T
    words = np.stack([lexical.scores(segment) for segment in segments]).astype(np.float64)
    cosine, nearest = by_case(base, owners, len(names))
    question, _ = by_case(tower, owners, len(names))
    bm25, _ = by_case(words, owners, len(names))
    fused = 1 / (_RRF_K + ranks_of(cosine)) + 1 / (_RRF_K + ranks_of(bm25))
    if one.case_id in number:
        fused[number[one.case_id]] = -1.0
    pool = np.argsort(-fused, kind="stable")[:POOL]
    if not one.relevant & {names[case] for case in pool}:
        return None
    pairs = [
        (segment, found.passages[int(nearest[at, case])].text)
        for case in pool
        for at, segment in enumerate(segments)
    ]
    cross = encoders.score(pairs).astype(np.float64).reshape(len(pool), -1).sum(axis=1)
    scores = {
        "fusion": fused[pool],
        "bm25": bm25[pool],
        "cosine": cosine[pool],
        "question tower": question[pool],
        "cross-encoder": cross,
        "cross-encoder and fusion": standard(cross) + standard(fused[pool]),
    }
    return {
        name: [names[pool[at]] for at in np.argsort(-values, kind="stable")]
        for name, values in scores.items()
    }


def main() -> None:
    """Print MRR@10 and Recall@10 of each order."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder that holds aila2019/")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("training/runs"))
    parser.add_argument("--narratives", type=int, default=16)
    given = parser.parse_args()
    found = mining.training_set(given.data, given.out, given.seed, print)
    encoders = open_encoders(threads=1, pair_pieces=256)
    lexical = mining.Lexical([passage.text for passage in found.passages])
    results: dict[str, list[tuple[float, float]]] = {}
    done = 0
    for one in narratives(given.data, found):
        found_orders = orders(one, found, encoders, lexical)
        if found_orders is None:
            continue
        for name, order in found_orders.items():
            figures = (reciprocal(order, one.relevant), recall_at_ten(order, one.relevant))
            results.setdefault(name, []).append(figures)
        done += 1
        print(done, one.case_id, flush=True)
        if done == given.narratives:
            break
    for name, rows in results.items():
        mrr, recall = np.mean(rows, axis=0)
        print(json.dumps({"order": name, "MRR@10": round(mrr, 3), "Recall@10": round(recall, 3)}))


if __name__ == "__main__":
    main()
