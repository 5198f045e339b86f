"""Run the evaluations: open the corpus, rank and analyse, score, and return sections.

`evaluate_sets` runs all of them over the evaluation sets; each of the others runs one. Progress is
reported by a callback, and results that took long are stored, so that a stopped run goes on where
it was. Nothing is printed or written but that store.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from countercase.config import Settings
from countercase.errors import InputError
from countercase.evaluation.agreement import agreement_section
from countercase.evaluation.report import Section
from countercase.evaluation.sets import kind_of
from countercase.io import Progress, cache_root

if TYPE_CHECKING:
    from countercase.evaluation.faithfulness.own_explanations import OwnExplanation
    from countercase.evaluation.retrieval.comparison import Labels
    from countercase.session import Session

SETS: Final = Path("eval_sets")
OWN: Final = 8
"""Cases that are analysed for CounterCase's own explanations."""

RANKINGS_FILE: Final = "rankings.sqlite"


def evaluate_sets(
    sets: Path | str = SETS,
    *,
    set_file: Path | None = None,
    threshold: float | None = None,
    limit: int | None = None,
    seed: int = 0,
    output: Path | None = None,
    models: str = "embedded",
    corpus: str = "casebook",
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> list[Section]:
    """Measure the whole system: retrieval, counterfactual, explanations, agreement of the labels.

    Args:
        sets: the folder of the evaluation sets.
        set_file: only this set; its first line says of which kind it is.
        threshold: a fact that moves more is dispositive; by default the setting
            DISPOSITIVE_THRESHOLD, 1.5.
        limit: at most this many items of each set.
        seed: of the choice of cases, the intervals and the tests.
        output: folder in which rankings are stored, to be found by the next run.
        models: see `open_session`.

    Raises:
        InputError: a set is missing or wrong, or `set_file` is not a set.
        CorpusIndexError, ModelError, StoreError: what `open_session` may raise.
    """
    sets, settings = Path(sets), settings or Settings.model_validate({})
    kind = kind_of(set_file) if set_file is not None else ""
    opened = cache(lambda: _open(settings, corpus, models, progress))
    sections = []
    if kind in ("", "retrieval"):
        sections.append(
            evaluate_retrieval(
                set_file or sets / "retrieval.jsonl",
                limit=limit,
                seed=seed,
                output=output,
                settings=settings,
                progress=progress,
                session=opened,
            )
        )
    cases = sets / "counterfactual.jsonl"
    if kind in ("", "counterfactual"):
        sections.append(
            evaluate_counterfactual(
                set_file or cases,
                threshold=threshold,
                limit=limit,
                seed=seed,
                settings=settings,
                progress=progress,
                session=opened,
            )
        )
    if kind in ("", "explanations"):
        sections.append(
            evaluate_explanations(
                set_file or sets / "explanations.jsonl",
                cases,
                own=0 if kind else min(OWN, limit or OWN),
                limit=limit,
                seed=seed,
                settings=settings,
                progress=progress,
                session=opened,
            )
        )
    if not kind:
        sections.append(agreement_section(sets))
    return sections


def evaluate_retrieval(
    set_file: Path | None = None,
    *,
    corpus: str = "casebook",
    queries: Path | None = None,
    qrels: Path | None = None,
    runs: Sequence[Path] = (),
    stages: Sequence[str] = (),
    limit: int | None = None,
    seed: int = 0,
    relevant_from: int = 1,
    output: Path | None = None,
    settings: Settings | None = None,
    models: str = "embedded",
    chroma_host: str | None = None,
    progress: Progress | None = None,
    session: Callable[[], Session] | None = None,
) -> Section:
    """How well each stage finds the precedents that were judged.

    Args:
        set_file: an evaluation set; the shipped one where neither it nor `qrels` is given.
        corpus: the name of an indexed corpus, or the path of one, which is indexed first.
        queries, qrels: topics and judgements of a collection, in place of a set.
        runs: TREC runs to be scored; with any, nothing is retrieved.
        stages: which rankings; all by default.
        limit: only this many queries, from the first.
        relevant_from: the grade from which a decision counts as relevant.
        output: folder in which rankings are stored, to be found by the next run.
        settings: its TOP_K is the K of the measures.
        session: opens the corpus, in place of `corpus`, `models` and `chroma_host`.

    Raises:
        InputError: a file cannot be read, files do not fit together, or arguments contradict.
        CorpusIndexError, ModelError, StoreError: what `open_session` and the index may raise.
    """
    from countercase.corpus.casebook import CASEBOOK
    from countercase.evaluation.result_store import ResultStore, code_fingerprint
    from countercase.evaluation.retrieval import systems
    from countercase.evaluation.retrieval.collection_files import index_collection, read_labels
    from countercase.evaluation.retrieval.comparison import pipeline_comparison
    from countercase.evaluation.retrieval.section import evaluate_runs

    settings = settings or Settings.model_validate({})
    labels = read_labels(set_file, queries, qrels, texts=not runs).first(limit)
    if runs:
        if stages:
            raise InputError("stages are rankings of our own; leave them out where runs are scored")
        return score_runs(runs, labels, settings.TOP_K, relevant_from, seed)
    systems.check_systems(stages, settings.retrieval())
    if session is None and corpus != CASEBOOK and Path(corpus).exists():
        corpus = index_collection(Path(corpus), settings, chroma_host, models, progress)
    opened = session() if session else _open(settings, corpus, models, progress, chroma_host)
    ranker = systems.PipelineRanker(
        opened.retriever, opened.encoders, opened.query, stages, settings.TOP_K
    )
    made_with = _made_with(opened)
    store = None
    if output is not None:
        parts = made_with | {"code": code_fingerprint(systems.CODE)}
        store = ResultStore(output / RANKINGS_FILE, parts)
    ranked = systems.rank_queries(labels.queries, ranker, ranker.systems, store, progress)
    if store is not None:
        store.close()
    return evaluate_runs(
        labels,
        ranked,
        pipeline_comparison(settings.retrieval(), ranker.systems),
        settings.TOP_K,
        relevant_from,
        seed,
        frozenset(opened.snapshot.case_ids),
        made_with,
    )


def score_runs(
    paths: Sequence[Path], labels: Labels, top_k: int, relevant_from: int, seed: int
) -> Section:
    """Runs of others, scored without a corpus.

    Raises:
        InputError: a run cannot be read, or ranks none of the queries that were judged.
    """
    from countercase.evaluation.retrieval.collection_files import read_run, run_names
    from countercase.evaluation.retrieval.comparison import run_comparison
    from countercase.evaluation.retrieval.section import evaluate_runs

    names = run_names(paths)
    runs = {name: read_run(path) for name, path in zip(names, paths, strict=True)}
    for name, path in zip(names, paths, strict=True):
        if not any(query in labels.judged for query in runs[name]):
            raise InputError(f"{path}: ranks no judged query; check that query ids agree")
    return evaluate_runs(labels, runs, run_comparison(names), top_k, relevant_from, seed)


def evaluate_counterfactual(
    set_file: Path = SETS / "counterfactual.jsonl",
    *,
    threshold: float | None = None,
    limit: int | None = None,
    seed: int = 0,
    corpus: str = "casebook",
    models: str = "embedded",
    settings: Settings | None = None,
    progress: Progress | None = None,
    session: Callable[[], Session] | None = None,
) -> Section:
    """Compare measured sensitivities with the labelled facts of the cases of a set.

    A case is analysed again only if it, a setting, a model, the corpus or the program changed;
    another threshold needs no new analysis. For arguments see `evaluate_sets`.

    Raises:
        InputError: the set cannot be read, or a label does not fit its case.
        CorpusIndexError, ModelError, StoreError: what `open_session` may raise.
    """
    from countercase.evaluation.counterfactual.readings import sheet_of
    from countercase.evaluation.counterfactual.section import counterfactual_section
    from countercase.evaluation.counterfactual_eval import CODE, choose, measure_cases
    from countercase.evaluation.result_store import ResultStore, code_fingerprint
    from countercase.evaluation.sets import read_counterfactual

    settings = settings or Settings.model_validate({})
    cases = choose(read_counterfactual(set_file), limit, seed)
    for case in cases:
        sheet_of(case)  # better a wrong label now than after the models are loaded
    opened = session() if session else _open(settings, corpus, models, progress)
    made_with = _made_with(opened) | {"code": code_fingerprint(CODE)}
    del made_with["settings"]["DISPOSITIVE_THRESHOLD"]  # sensitivities do not depend on it
    with ResultStore(cache_root() / "evaluation" / "counterfactual.sqlite", made_with) as store:
        results = measure_cases(
            cases, lambda sheet: opened.measure(sheet, progress=progress), store, progress
        )
    if threshold is None:
        threshold = settings.DISPOSITIVE_THRESHOLD
    return counterfactual_section(results, threshold, seed)


def evaluate_explanations(
    set_file: Path = SETS / "explanations.jsonl",
    cases: Path = SETS / "counterfactual.jsonl",
    *,
    own: int = OWN,
    limit: int | None = None,
    seed: int = 0,
    corpus: str = "casebook",
    models: str = "embedded",
    settings: Settings | None = None,
    progress: Progress | None = None,
    session: Callable[[], Session] | None = None,
) -> Section:
    """How faithful explanations are to their passages: labelled ones, then CounterCase's own.

    Args:
        cases: what CounterCase explains, in the form of the counterfactual set.
        own: how many of these cases are explained, drawn with `seed`; 0 opens no model.
        limit: only this many labelled pairs, from the first.

    Raises:
        InputError: a set cannot be read.
        CorpusIndexError, ModelError, StoreError: what `open_session` may raise.
    """
    from countercase.evaluation.counterfactual_eval import choose
    from countercase.evaluation.explanation_eval import score_pairs
    from countercase.evaluation.faithfulness.own_explanations import CODE, explain_cases
    from countercase.evaluation.faithfulness.section import explanation_section
    from countercase.evaluation.result_store import ResultStore, code_fingerprint
    from countercase.evaluation.sets import read_counterfactual, read_explanations

    settings = settings or Settings.model_validate({})
    pairs = read_explanations(set_file)[:limit]
    chosen = choose(read_counterfactual(cases), own, seed) if own else []
    scores = score_pairs(pairs, progress)
    explanations: list[OwnExplanation] = []
    if chosen:
        opened = session() if session else _open(settings, corpus, models, progress)
        made_with = _made_with(opened) | {"code": code_fingerprint(CODE)}
        with ResultStore(cache_root() / "evaluation" / "explanations.sqlite", made_with) as store:
            explanations = explain_cases(chosen, opened, store, progress)
    return explanation_section(scores, explanations, seed)


def _made_with(session: Session) -> dict[str, Any]:
    """Everything that a result depends on beside its item and the program."""
    return {
        "settings": session.settings.fingerprint(),
        "models": session.models,
        "corpus": session.snapshot.manifest.checksum,
    }


def _open(
    settings: Settings,
    corpus: str,
    models: str,
    progress: Progress | None,
    chroma_host: str | None = None,
) -> Session:
    from countercase.session import open_session

    return open_session(settings, corpus, chroma_host=chroma_host, models=models, progress=progress)
