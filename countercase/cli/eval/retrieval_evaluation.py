"""Retrieval evaluated as it is asked for: files read, a corpus opened, runs made and scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from countercase.errors import InputError

if TYPE_CHECKING:
    from countercase.config import Settings
    from countercase.evaluation.report import Section
    from countercase.evaluation.retrieval.comparison import Labels
    from countercase.session import Session

SET: Final = Path("eval_sets/retrieval.jsonl")
CASEBOOK: Final = "casebook"
RANKINGS_FILE: Final = "rankings.sqlite"

Told = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Asked:
    """What is to be evaluated.

    Args:
        labels: an evaluation set; None for the shipped one, or where `qrels` are given.
        corpus: the name of an indexed corpus, or a path that is brought into an index of its own.
        runs: TREC runs to be scored; with any, nothing is retrieved.
        stages: which rankings; all by default.
        limit: only so many queries, from the first.
        output: folder in which rankings are kept and taken up again.
    """

    labels: Path | None = None
    corpus: str = CASEBOOK
    queries: Path | None = None
    qrels: Path | None = None
    runs: tuple[Path, ...] = ()
    stages: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    relevant_from: int = 1
    output: Path | None = None
    models: str = "embedded"
    chroma_host: str | None = None


def evaluate_retrieval(asked: Asked, settings: Settings, tell: Told) -> Section:
    """The evaluation as a section.

    Raises:
        InputError: a file cannot be read, files do not fit together, or options contradict.
        CorpusIndexError, ModelError, StoreError: what `open_session` and the index may raise.
    """
    labels = read_labels(asked).first(asked.limit)
    if asked.runs:
        return _of_runs(asked, settings, labels)

    from countercase.evaluation.result_store import ResultStore, code_fingerprint
    from countercase.evaluation.retrieval.comparison import evaluate_runs, pipeline_comparison
    from countercase.evaluation.retrieval.systems import (
        CODE,
        PipelineRanker,
        check_systems,
        rank_queries,
    )

    check_systems(asked.stages, settings)
    session = _session(asked, settings, tell)
    made_with = {
        "settings": settings.fingerprint(),
        "models": session.models,
        "corpus": session.snapshot.manifest.checksum,
    }
    ranker = PipelineRanker(
        session.snapshot, session.encoders, settings, session.query, asked.stages
    )
    store = None
    if asked.output:
        parts = made_with | {"code": code_fingerprint(CODE)}
        store = ResultStore(asked.output / RANKINGS_FILE, parts)
    runs = rank_queries(labels.queries, ranker, ranker.systems, store, tell)
    return evaluate_runs(
        labels,
        runs,
        pipeline_comparison(settings, ranker.systems),
        settings.TOP_K,
        asked.relevant_from,
        asked.seed,
        frozenset(session.snapshot.case_ids),
        made_with,
    )


def read_labels(asked: Asked) -> Labels:
    """Queries and judgements, from an evaluation set or from a collection's files.

    Raises:
        InputError: see `evaluate_retrieval`.
    """
    from countercase.corpus.readers.beir import read_qrels
    from countercase.evaluation.retrieval.comparison import Labels
    from countercase.evaluation.retrieval.trec_files import read_topics
    from countercase.evaluation.sets import read_retrieval

    if asked.qrels is None and asked.queries is None:
        rows = read_retrieval(asked.labels or SET)
        return Labels(
            {row.query_id: row.relevant for row in rows},
            {row.query_id: row.text for row in rows},
            {
                "area": {row.query_id: row.area for row in rows},
                "voice": {row.query_id: row.voice for row in rows},
            },
        )
    if asked.labels is not None:
        raise InputError("--set holds queries and judgements; leave out --queries and --qrels")
    if asked.qrels is None:
        raise InputError("--queries needs its judgements; give --qrels")
    judged = read_qrels(asked.qrels)
    if asked.queries is None:
        if not asked.runs:
            raise InputError("--qrels needs the texts of its queries; give --queries, or a --run")
        return Labels(judged)
    queries = read_topics(asked.queries)
    common = [name for name in queries if name in judged]
    if not common:
        raise InputError(
            f"{asked.qrels}: judges no query of {asked.queries}; check that their ids agree"
        )
    return Labels({name: judged[name] for name in common}, queries)


def _of_runs(asked: Asked, settings: Settings, labels: Labels) -> Section:
    """Runs of others, scored without a corpus."""
    from countercase.evaluation.retrieval.comparison import evaluate_runs, run_comparison
    from countercase.evaluation.retrieval.trec_files import read_run

    if asked.stages:
        raise InputError("--stage chooses rankings of our own; leave it out with --run")
    names = run_names(asked.runs)
    runs = {name: read_run(path) for name, path in zip(names, asked.runs, strict=True)}
    for name, path in zip(names, asked.runs, strict=True):
        if not any(query in labels.judged for query in runs[name]):
            raise InputError(f"{path}: ranks no judged query; check that query ids agree")
    return evaluate_runs(
        labels, runs, run_comparison(names), settings.TOP_K, asked.relevant_from, asked.seed
    )


def run_names(paths: Sequence[Path]) -> list[str]:
    """The files' names without suffix; a number follows where two would be alike."""
    names: list[str] = []
    for path in paths:
        name, again = path.stem, 1
        while name in names:
            again += 1
            name = f"{path.stem}-{again}"
        names.append(name)
    return names


def _session(asked: Asked, settings: Settings, tell: Told) -> Session:
    """Models and corpus; a path is brought into an index that bears its name first."""
    from countercase.session import open_session

    path = Path(asked.corpus)
    if asked.corpus == CASEBOOK or not path.exists():
        return open_session(
            settings,
            asked.corpus,
            chroma_host=asked.chroma_host,
            models=asked.models,
            progress=tell,
        )
    name = index_name(path)
    _index(path, name, asked, settings, tell)
    return open_session(
        settings, name, chroma_host=asked.chroma_host, models=asked.models, progress=tell
    )


def index_name(path: Path) -> str:
    """The name of the index of a corpus that is given as a path: the same path, the same name."""
    import hashlib
    import re

    whole = path.resolve()
    digest = hashlib.sha256(str(whole).encode("utf-8", "surrogateescape")).hexdigest()[:8]
    stem = re.sub(r"[^a-z0-9]+", "-", whole.stem.lower()).strip("-")[:24].strip("-")
    return f"eval-{stem}-{digest}" if stem else f"eval-{digest}"


def _index(path: Path, name: str, asked: Asked, settings: Settings, tell: Told) -> None:
    from countercase.corpus.index.build import build_index
    from countercase.encoders.base import open_encoders
    from countercase.evaluation.retrieval.trec_files import read_collection

    encoders = open_encoders(
        asked.models,
        **settings.encoding(),
        progress=tell,
    )
    build_index(
        read_collection(path),
        name,
        encoders,
        settings.CHUNK_PIECES,
        host=asked.chroma_host,
        progress=lambda state: tell("indexing", state.documents, state.of or 0),
    )
