"""`countercase eval counterfactual`: do the facts that should matter move the precedents?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

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
            "--record",
            help="Folder for the accuracy that analyses print beside a verdict "
            "(countercase/reports/data in a checkout).",
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
    from countercase.io import make_folder

    where = choose_engine(engine, workers, ray_address)
    verdicts_by = options.criterion_of(criterion)
    if output is not None:
        make_folder(output)
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
