"""The DPR channel step by step, beside the plain base model on the same segments.

    python benchmarks/towers.py --data DIR [--set aila2019|irled2017] [--segments N] [--json FILE]

Rows: the base model with cosines summed; the base model with what stands out summed (z above 2, as
a plain segment-wise reading does it); that with hubs held back; the trained towers; the towers with
hubs held back, which is what the package does. Every row reads the same segments of the same
queries against the same chunks. Vectors of chunks and segments are taken from the cache and the index
where they are there.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray
from retrieval import judged_sets, measure, parsed

from countercase.config import load_settings
from countercase.corpus.index.kept import sampled
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.suite import EmbeddedEncoders, read_projection
from countercase.retrieval.dense import stand_out, standout_of
from countercase.session import Session

DEPTH = 1000
Matrix = NDArray[np.float32]


class Reading:
    """One pair of vector spaces: questions against passages."""

    def __init__(self, passages: Matrix, starts: NDArray[np.int64]) -> None:
        self.passages, self.starts = passages, starts

    def best(self, asked: Matrix) -> NDArray[np.float64]:
        """The best chunk of every case for each segment, shape (segments, cases)."""
        near = np.ascontiguousarray(asked) @ self.passages.T
        return np.maximum.reduceat(near, self.starts[:-1], axis=1).astype(np.float64)


def scores(best: NDArray[np.float64], z: float | None, offset: NDArray[np.float64] | float) -> Any:
    """Summed over segments: cosines where z is None, else what stands out beyond z."""
    if z is None:
        return best.sum(axis=0)
    return np.sum([stand_out(row - offset, z) for row in best], axis=0)


def evaluate(
    session: Session, texts: dict[str, str], qrels: dict[str, dict[str, int]], segments: int
) -> dict[str, dict[str, float]]:
    """Measures by row."""
    snapshot, encoders, settings = session.snapshot, session.encoders, session.settings
    assert isinstance(encoders, EmbeddedEncoders)
    towers = weights.towers_file(weights.recipes()["question"])
    if towers is None:
        raise SystemExit("this package ships no towers")
    question, passage = read_projection(towers, "question"), read_projection(towers, "passage")
    base = Reading(np.ascontiguousarray(snapshot.sentence), snapshot.starts)
    turned = Reading(passage(np.asarray(snapshot.sentence)), snapshot.starts)
    drawn = np.asarray(snapshot.sentence)[sampled(len(snapshot.sentence))]
    weight = settings.HUBNESS_WEIGHT
    hub_base, hub_turned = (
        weight * base.best(drawn).mean(axis=0), weight * turned.best(question(drawn)).mean(axis=0)
    )  # fmt: skip
    ids = np.asarray(snapshot.case_ids)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for number, (query, text) in enumerate(texts.items(), start=1):
        asked = encoders.encode("sentence", session.query(text).segments[:segments])
        standout = standout_of(len(asked), settings.STANDOUT_Z)
        plain, tower = base.best(asked), turned.best(question(asked))
        found = {
            "base, cosines summed": scores(plain, None, 0.0),
            "base, plain segment-wise (z > 2)": scores(plain, 2.0, 0.0),
            "base, hubs held back": scores(plain, standout, hub_base),
            "towers": scores(tower, standout, 0.0),
            "towers, hubs held back": scores(tower, standout, hub_turned),
        }
        for name, values in found.items():
            order = [at for at in np.argsort(-values, kind="stable") if ids[at] != query][:DEPTH]
            run = {str(ids[at]): float(-rank) for rank, at in enumerate(order)}
            runs.setdefault(name, {})[query] = run
        print(f"\r{number}/{len(texts)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return {name: measure(qrels, run) for name, run in runs.items()}


def main() -> None:
    given = parsed(__doc__).parse_args()
    report: dict[str, Any] = {}
    for name, session, texts, qrels in judged_sets(given, load_settings()):
        report[name] = evaluate(session, texts, qrels, given.segments)
        print(f"{name}: {len(texts)} queries, {len(session.snapshot.case_ids)} cases")
        for row, values in report[name].items():
            print(f"  {row:34}", "  ".join(f"{k} {v:.4f}" for k, v in values.items()))
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
