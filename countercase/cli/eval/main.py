"""`countercase eval`: measure everything on the labelled sets at once, or one thing by a subcommand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import typer
from rich.console import Group

from countercase.cli import options
from countercase.cli.eval import benchmarks
from countercase.cli.options import Steps, show_section, tell_written
from countercase.config import load_settings
from countercase.engines.engine import choose_engine
from countercase.io import make_folder, write_files

if TYPE_CHECKING:
    from countercase.evaluation.run import Evaluation

app = typer.Typer(name="eval", invoke_without_command=True, rich_markup_mode=None)

SETS = Path("eval_sets")
CASES = SETS / "counterfactual.jsonl"
SPEC = SETS / "planted" / "spec.json"
PARTS = ("planted", "facts", "sentences", "rewording")


@app.callback()
@options.described("eval")
def evaluate(
    context: typer.Context, threshold: float | None = None, set_file: Path | None = None,
    output: Path = Path("eval_results"), limit: int | None = None, seed: int = 0,
    fail_under: Path | None = None, models: str = "embedded", as_json: bool = False,
) -> None:  # fmt: skip
    """Measure the whole system on the evaluation sets.

    Runs retrieval, counterfactual, explanations and the agreement of the labels over eval_sets/,
    prints a verdict for each measure and writes eval.json, eval.md, eval.html and TREC runs.
    Results are stored as they come, so a run that was stopped goes on where it was.
    """
    if context.invoked_subcommand is not None:
        return
    from countercase.evaluation.report import failures, read_bounds
    from countercase.evaluation.run import evaluate_sets
    from countercase.reports.evaluation import evaluation_document, write_evaluation

    bounds = read_bounds(fail_under) if fail_under is not None else {}
    settings = load_settings()
    make_folder(output)
    began = time.monotonic()
    with Steps() as steps:
        sections = evaluate_sets(
            SETS, set_file=set_file, threshold=threshold, limit=limit, seed=seed, output=output,
            models=models, settings=settings, progress=steps.work,
        )  # fmt: skip
    about = {
        "threshold": settings.DISPOSITIVE_THRESHOLD if threshold is None else threshold,
        "sets": str(set_file or SETS), "limit": limit or "none", "seed": seed, "models": models,
    }  # fmt: skip
    paths = write_evaluation(sections, about, output)
    document = evaluation_document(sections, about)
    options.show(as_json, document, lambda: Group(*map(options.section_text, sections)))
    tell_written(paths)
    typer.echo(f"took {time.monotonic() - began:.0f} s", err=True)
    failed = failures(sections, bounds)
    for line in failed:
        typer.echo(f"below its bound: {line}", err=True)
    if failed:
        raise typer.Exit(1)


@contextmanager
def _opened(**given: Any) -> Iterator[Evaluation]:
    """Open an evaluation, by default with the settings of the workspace, and show its progress."""
    from countercase.evaluation.run import Evaluation

    with Steps() as steps:
        settings = given.pop("settings", None) or load_settings()
        yield Evaluation(settings, progress=steps.work, **given)


@options.command(app, "retrieval")
def retrieval(
    set_file: Path | None = None, corpus: str = "casebook", queries: Path | None = None,
    qrels: Path | None = None, run: list[Path] | None = None, stage: list[str] | None = None,
    limit: int | None = None, seed: int = 0, top_k: int | None = None, relevant_from: int = 1,
    output: Path | None = None, as_json: bool = False, models: str = "embedded",
    chroma_host: str | None = None, search: str | None = None,
) -> None:  # fmt: skip
    """Score retrieval against judged precedents.

    Every stage is scored, and the pipeline without its parts. MRR, NDCG, Recall and MAP as
    trec_eval counts them, with 95% intervals, and a paired test of each part left out against the
    whole. With --output, a run that was stopped goes on where it was. Scored runs of others need
    only --run and --qrels.
    """
    from countercase.reports.tree_files import run_text

    with _opened(
        settings=load_settings(TOP_K=top_k, SEARCH=search), models=models, corpus=corpus,
        chroma_host=chroma_host, limit=limit, seed=seed, output=output,
    ) as evaluation:  # fmt: skip
        section = evaluation.retrieval(
            set_file, queries=queries, qrels=qrels, runs=run or (), stages=stage or (),
            relevant_from=relevant_from,
        )  # fmt: skip
    if output is not None:
        texts = {f"{name}.trec": run_text(ranked, name) for name, ranked in section.runs.items()}
        tell_written(write_files(output / "runs", texts))
    show_section(section, as_json, output)


@options.command(app, "pairs")
def pairs(
    set_file: Path = SETS / "pairs.jsonl", part: str = "held-out", limit: int | None = None,
    seed: int = 0, output: Path | None = None, corpus: str = "casebook",
    models: str = "embedded", as_json: bool = False,
) -> None:  # fmt: skip
    """Measure whether retrieval knows which way a fact points.

    A pair is two short matters alike but for one fact, and the two decisions that they call for. It is
    right where each text ranks its own decision above the other's; chance is .25.
    """
    with _opened(models=models, corpus=corpus, limit=limit, seed=seed) as evaluation:
        section = evaluation.pairs(set_file, part)
    show_section(section, as_json, output)


@options.command(app, "counterfactual")
def counterfactual(
    set_file: Path = CASES, threshold: float | None = None, criterion: str = "threshold",
    limit: int | None = None, seed: int = 0, output: Path | None = None,
    record: Path | None = None, corpus: str = "casebook", models: str = "embedded",
    as_json: bool = False, engine: str | None = None, workers: int | None = None,
    ray_address: str | None = None,
) -> None:  # fmt: skip
    """Compare the sensitivity of facts with their labels.

    Each case is analysed as `countercase analyze` does it, about a minute a case. Results
    are stored: a second run, or one that was stopped, analyses no case again unless it, a
    setting, a model, the corpus or the program changed. Another --threshold needs no new analysis.
    """
    from countercase.counterfactual.sensitivity import CRITERIA
    from countercase.reports.evaluation import VERDICT_RIGHT, record_accuracy

    where = choose_engine(engine, workers, ray_address)
    verdicts_by = options.one_of("--criterion", criterion, CRITERIA)
    with _opened(
        settings=options.shared_out(load_settings(), where), models=models, corpus=corpus,
        limit=limit, seed=seed, criterion=verdicts_by, engine=where,
    ) as evaluation:  # fmt: skip
        section = evaluation.counterfactual(set_file, threshold)
    if record is not None:
        key = VERDICT_RIGHT if verdicts_by == "threshold" else f"{VERDICT_RIGHT}.{verdicts_by}"
        [right] = [measure for measure in section.measures if measure.key == key]
        made_with = evaluation.settings.fingerprint()
        searched = evaluation.session.snapshot.manifest
        tell_written([record_accuracy(right, made_with, searched, record, verdicts_by)])
    show_section(section, as_json, output)


@options.command(app, "explanations")
def explanations(
    set_file: Path = SETS / "explanations.jsonl", cases: Path = CASES, own: int = 8,
    limit: int | None = None, seed: int = 0, output: Path | None = None,
    corpus: str = "casebook", models: str = "embedded", as_json: bool = False,
) -> None:  # fmt: skip
    """Measure how faithful explanations are to their passages.

    First on explanations whose faults are known: how many of them each form of the measure finds,
    and how often it calls a sound one faulty. Then on CounterCase's own, about a minute a case;
    explanations are stored and not made again.
    """
    with _opened(models=models, corpus=corpus, limit=limit, seed=seed) as evaluation:
        section = evaluation.explanations(set_file, cases, own)
    show_section(section, as_json, output)


@options.command(app, "reading")
def reading(
    set_file: Path = SETS / "reading.jsonl", part: str = "all", output: Path | None = None,
    as_json: bool = False,
) -> None:  # fmt: skip
    """Measure how well facts are read out of messy matters.

    The JSON lists, matter by matter, what was missed and what was read that no label has.
    """
    from countercase.evaluation.reading import Part, measure_reading

    chosen = options.one_of("--part", part, get_args(Part))
    with Steps() as steps:
        section = measure_reading(set_file, chosen, steps.work)
    show_section(section, as_json, output)


@options.command(app, "agreement")
def agreement(folder: Path = Path("eval_sets"), as_json: bool = False) -> None:
    """Show how far the two labelling passes agree.

    Also how their disagreements were settled.
    """
    from countercase.evaluation.agreement import agreement_section

    show_section(agreement_section(folder), as_json)


@options.command(app, "validity")
def validity(
    sentences: Path | None = None, parts: str = "", set_file: Path = CASES, spec: Path = SPEC,
    cases: Path = Path("examples"), criterion: str = "calibrated", worlds: int | None = None,
    limit: int | None = None, seed: int = 0, output: Path | None = None,
    corpus: str = "casebook", models: str = "embedded", as_json: bool = False,
) -> None:  # fmt: skip
    """Measure whether movement follows the law.

    Planted worlds: how often a fact that cannot matter is called dispositive, and how often one
    that decides is found. Labelled facts and sentences: how well movement orders what matters above
    what does not, beside length, position and other plain scores. Rewording: how many verdicts
    change when all null edits of a case are made at once. Results of the first three are stored; a
    run that was stopped goes on where it was.
    """
    from countercase.case_folder import case_files
    from countercase.counterfactual.sensitivity import CRITERIA

    wanted = options.names_of("--parts", parts, PARTS, "part") or (
        ("sentences",) if sentences else ("planted", "facts")
    )
    called_by = options.one_of("--criterion", criterion, CRITERIA)
    with _opened(models=models, corpus=corpus, limit=limit, seed=seed) as evaluation:
        told = [*case_files(cases).values()] if "rewording" in wanted else []
        section = evaluation.validity(wanted, set_file, spec, worlds, sentences, told, called_by)
    show_section(section, as_json, output)


@options.command(app, "planted")
def planted(
    spec: Path = SPEC, worlds: int | None = None, threshold: float | None = None,
    output: Path | None = None, as_json: bool = False,
) -> None:  # fmt: skip
    """Measure misses and false alarms in made-up worlds.

    Which facts decide there is known, because it was put there. Each world is a corpus and four
    cases, written anew from its seed, indexed and analysed: some minutes a world.
    """
    from countercase.evaluation.planted.calibrate import calibrate_spec, planted_section

    settings = load_settings(DISPOSITIVE_THRESHOLD=threshold)
    with Steps() as steps:
        found = calibrate_spec(spec, settings, worlds=worlds, folder=output, progress=steps.work)
    show_section(planted_section(found, settings.DISPOSITIVE_THRESHOLD), as_json, output)


app.command()(benchmarks.passages)
app.command()(benchmarks.qa)
app.add_typer(benchmarks.similar, name="similar")
