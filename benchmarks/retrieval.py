"""Retrieval figures per stage on two public collections of Indian judgments.

    python benchmarks/retrieval.py --data DIR [--set aila2019|irled2017|casebook] [--queries N] [--json FILE]

DIR holds `aila2019/` (FIRE 2019 AILA) and `irled2017/` (FIRE 2017 IRLeD task 2) as BEIR folders with
`qrels/*train*.tsv`. Measures are those of ir_measures (trec_eval). A stage that ranks below the one
before it is marked.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from countercase.config import Settings, load_settings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index, open_index
from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.readers.beir import read_qrels, read_queries
from countercase.corpus.readers.detect import read_corpus
from countercase.encoders.base import Encoders, open_encoders
from countercase.errors import CorpusIndexError
from countercase.retrieval.base import Query, best_first
from countercase.retrieval.fusion import best_fused
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import Session

QRELS = {"aila2019": "qrels/cases_train.tsv", "irled2017": "qrels/train.tsv"}
NAMES = {"aila2019": "aila", "irled2017": "irled"}
"""Under which name each set is indexed; an index that is there is taken up."""

DEPTH = 1000


def stage_runs(
    session: Session, texts: dict[str, str], segments: int
) -> dict[str, dict[str, dict[str, float]]]:
    """For every stage, query id -> case id -> score, at least the first DEPTH cases."""
    ids = np.asarray(session.snapshot.case_ids)
    runs: dict[str, dict[str, dict[str, float]]] = {}
    began = time.perf_counter()
    for number, (query_id, text) in enumerate(texts.items(), start=1):
        query = Query(session.query(text).segments[:segments])
        exclude = frozenset({query_id})
        retriever = HybridRetriever(
            session.snapshot, session.encoders, session.settings.retrieval()
        )
        [state] = retriever.fuse([query], exclude=exclude)
        [ranking] = retriever.retrieve([query], exclude=exclude)
        for name, (listed, scores) in state.stages.items():
            if name == "mmr":
                continue
            order = (best_fused if name == "fused" else best_first)(scores, listed > 0)[:DEPTH]
            runs.setdefault(name, {})[query_id] = _falling(ids[order])
        fused = list(runs["fused"][query_id])
        chosen = [str(ids[case]) for case in state.pool]
        runs.setdefault("mmr", {})[query_id] = _falling(_then(chosen, fused))
        if session.settings.USE_RERANKER:
            runs.setdefault("final", {})[query_id] = _falling(_then(ranking.pool, fused))
        rate = number / (time.perf_counter() - began)
        print(f"\r{number}/{len(texts)}  {rate:.2f} queries/s", end="", file=sys.stderr)
    print(file=sys.stderr)
    return runs


def documents_of(folder: Path) -> Iterator[Document]:
    """The documents of a set; a row without text, of which IRLeD has one, cannot be retrieved."""
    with tempfile.TemporaryDirectory() as clean:
        path = Path(clean) / "corpus.jsonl"
        with (folder / "corpus.jsonl").open(encoding="utf-8") as rows, path.open("w") as out:
            out.writelines(row for row in rows if json.loads(row)["text"].strip())
        yield from read_corpus(path)


def opened(folder: Path, name: str, encoders: Encoders, settings: Settings) -> Snapshot:
    """The index of a set: the one that is there for these models, or a new one."""
    try:
        return open_index(name, encoders, settings.CHUNK_PIECES)
    except CorpusIndexError:
        snapshot, _ = build_index(
            documents_of(folder), name, encoders, settings.CHUNK_PIECES,
            progress=lambda _, done, of: print(f"\r{done} judgments", end="", file=sys.stderr),
        )  # fmt: skip
        return snapshot


def _then(first: Iterable[str], rest: Iterable[str]) -> list[str]:
    head = list(first)
    known = set(head)
    return [*head, *(case for case in rest if case not in known)]


def _falling(order: Iterable[str]) -> dict[str, float]:
    return {str(case): float(-at) for at, case in enumerate(order)}


def measure(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> dict[str, float]:
    """MAP, MRR, nDCG@10 and R@100 over the queries of `qrels`."""
    import ir_measures
    from ir_measures import AP, RR, R, nDCG

    found = ir_measures.calc_aggregate([AP, RR, nDCG @ 10, R @ 100], qrels, run)
    return {str(name): round(value, 4) for name, value in found.items()}


def parsed(description: str | None) -> argparse.ArgumentParser:
    """Return the arguments that the benchmarks over these sets share."""
    parser = argparse.ArgumentParser(description=(description or "").split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--set", action="append", choices=sorted(QRELS))
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument(
        "--segments",
        type=int,
        default=10_000,
        help="read only so many segments of a query, from its beginning (IRLeD's are whole judgments)",
    )
    parser.add_argument("--json", type=Path)
    return parser


def judged_sets(
    given: argparse.Namespace, settings: Settings
) -> Iterator[tuple[str, Session, dict[str, str], dict[str, dict[str, int]]]]:
    """Yield name, session, texts of the queries and judgements of each set that was asked for."""
    encoders = open_encoders(**settings.encoding())
    for name in given.set or sorted(QRELS):
        folder = given.data / name
        qrels = read_qrels(folder / QRELS[name])
        queries = read_queries(folder / "queries.jsonl").items()
        texts = dict([(key, text) for key, text in queries if key in qrels][: given.queries])
        session = Session(settings, encoders, opened(folder, NAMES[name], encoders, settings))
        yield name, session, texts, {key: qrels[key] for key in texts}


def main() -> None:
    parser = parsed(__doc__)
    parser.add_argument("--no-rerank", action="store_true")
    given = parser.parse_args()
    report: dict[str, Any] = {}
    settings = load_settings(USE_RERANKER=False if given.no_rerank else None)
    for name, session, texts, qrels in judged_sets(given, settings):
        runs = stage_runs(session, texts, given.segments)
        report[name] = {stage: measure(qrels, run) for stage, run in runs.items()}
        print_table(name, len(texts), report[name])
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n")


def print_table(name: str, queries: int, rows: dict[str, dict[str, float]]) -> None:
    """One line a stage; stages that lose against the one before are marked."""
    columns = list(next(iter(rows.values())))
    print(f"\n{name}: {queries} queries")
    print("stage".ljust(10) + "".join(column.rjust(10) for column in columns))
    channels = [row["AP"] for stage, row in rows.items() if stage in ("dpr", "chroma", "lexical")]
    before = max(channels)
    for stage, row in rows.items():
        line = stage.ljust(10) + "".join(f"{row[column]:10.4f}" for column in columns)
        if stage in ("fused", "mmr", "final"):
            line += "  below the stage before" if row["AP"] < before else ""
            before = row["AP"]
        print(line)


if __name__ == "__main__":
    main()
