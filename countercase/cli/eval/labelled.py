"""`countercase eval` on the project's labelled sets: counterfactual, explanations, reading, agreement."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from countercase.cli import options


def counterfactual(
    set_file: Annotated[
        Path, typer.Option("--set", help="The labelled cases, one JSON object a line.")
    ] = Path("eval_sets/counterfactual.jsonl"),
    threshold: options.Threshold = None,
    criterion: options.Criterion = "threshold",
    limit: options.Limit = None,
    seed: options.Seed = 0,
    output: options.Output = None,
    record: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the accuracy that analyses print beside a verdict "
            "(countercase/reports/data in a checkout)."
        ),
    ] = None,
    corpus: options.Corpus = "casebook",
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
    engine: options.EngineName = None,
    workers: options.Workers = None,
    ray_address: options.RayAddress = None,
) -> None:
    """Compare the sensitivity of facts with their labels.

    Each case is analysed as `countercase analyze` does it, about a minute a case. Results
    are stored: a second run, or one that was stopped, analyses no case again unless it, a
    setting, a model, the corpus or the program changed. Another --threshold needs no new analysis.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.config import load_settings
    from countercase.engines.engine import choose_engine
    from countercase.evaluation.run import Evaluation

    where = choose_engine(engine, workers, ray_address)
    verdicts_by = options.criterion_of(criterion)
    with Steps() as steps:
        evaluation = Evaluation(
            options.shared_out(load_settings(), where), models, corpus, limit=limit, seed=seed,
            progress=steps.work, criterion=verdicts_by, engine=where,
        )  # fmt: skip
        section = evaluation.counterfactual(set_file, threshold)
    if record is not None:
        from countercase.cli.screen import tell_written
        from countercase.reports.evaluation import VERDICT_RIGHT, record_accuracy

        key = VERDICT_RIGHT if verdicts_by == "threshold" else f"{VERDICT_RIGHT}.{verdicts_by}"
        [right] = [measure for measure in section.measures if measure.key == key]
        made_with = evaluation.settings.fingerprint()
        checksum = evaluation.session.snapshot.manifest.checksum
        tell_written([record_accuracy(right, made_with, checksum, record, verdicts_by)])
    show_section(section, as_json, output)


def explanations(
    set_file: Annotated[
        Path, typer.Option("--set", help="Explanations labelled faithful or not, one JSON a line.")
    ] = Path("eval_sets/explanations.jsonl"),
    cases: Annotated[
        Path, typer.Option(help="Cases to be explained, in the form of the case set.")
    ] = Path("eval_sets/counterfactual.jsonl"),
    own: Annotated[
        int,
        typer.Option(min=0, help="Explain this many cases and score the explanations; 0 for none."),
    ] = 8,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    output: options.Output = None,
    corpus: options.Corpus = "casebook",
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
) -> None:
    """Measure how faithful explanations are to their passages.

    First on explanations whose faults are known: how many of them each form of the measure finds,
    and how often it calls a sound one faulty. Then on CounterCase's own, about a minute a case;
    explanations are stored and not made again.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.config import load_settings
    from countercase.evaluation.run import Evaluation

    with Steps() as steps:
        evaluation = Evaluation(
            load_settings(), models, corpus, limit=limit, seed=seed, progress=steps.work
        )
        section = evaluation.explanations(set_file, cases, own)
    show_section(section, as_json, output)


def reading(
    set_file: Annotated[
        Path, typer.Option("--set", help="Matters with all their facts, one JSON a line.")
    ] = Path("eval_sets/reading.jsonl"),
    part: Annotated[
        str,
        typer.Option(
            help="held-out: the 20 matters that no rule was written after; developed: the others."
        ),
    ] = "all",
    output: options.Output = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure how well facts are read out of messy matters.

    The JSON lists, matter by matter, what was missed and what was read that no label has.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.evaluation.reading import Part, measure_reading

    chosen = options.one_of("--part", part, get_args(Part))
    with Steps() as steps:
        section = measure_reading(set_file, chosen, steps.work)
    show_section(section, as_json, output)


def agreement(
    folder: Annotated[
        Path, typer.Option("--sets", help="Folder of the evaluation sets and their passes.")
    ] = Path("eval_sets"),
    as_json: options.AsJson = False,
) -> None:
    """Show how far the two labelling passes agree.

    Also how their disagreements were settled.
    """
    from countercase.cli.screen import show_section
    from countercase.evaluation.agreement import agreement_section

    show_section(agreement_section(folder), as_json)
