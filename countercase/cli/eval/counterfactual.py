"""`countercase eval counterfactual`: do the facts that should matter move the precedents?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli import options

if TYPE_CHECKING:
    from countercase.cli.progress import Steps
    from countercase.config import Settings
    from countercase.counterfactual.analysis import Analysis
    from countercase.evaluation.report import Section
    from countercase.facts.model import FactSheet
    from countercase.session import Session

SET = Path("eval_sets/counterfactual.jsonl")
"""The labelled cases, where `countercase init` puts them."""


def counterfactual(
    set_file: Annotated[
        Path, typer.Option("--set", help="The labelled cases, one JSON object a line.")
    ] = SET,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            min=0.0,
            help="A fact that moves more is read as dispositive (default: DISPOSITIVE_THRESHOLD, "
            "1.5).",
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only so many cases, drawn with --seed.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of the draw, intervals and permutations.")
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Folder for counterfactual.json; made if need be."),
    ] = None,
    corpus: options.Corpus = "casebook",
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
) -> None:
    """Hold the sensitivity of facts against their labels.

    Each case is analysed as `countercase analyze` does it, about a minute a case. What was
    analysed is kept: a second run, or one that was stopped, analyses no case again unless it, a
    setting, a model, the corpus or the program changed. Another --threshold needs no new analysis.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.config import load_settings
    from countercase.io import make_folder

    options.one_of("--models", models, ("embedded", "hub"))
    settings = load_settings(DISPOSITIVE_THRESHOLD=threshold)
    if output is not None:
        make_folder(output)
    with Steps() as steps:
        section = evaluate_counterfactual(set_file, settings, limit, seed, corpus, models, steps)
    show_section(section, as_json, output)


def evaluate_counterfactual(
    set_file: Path,
    settings: Settings,
    limit: int | None,
    seed: int,
    corpus: str,
    models: str,
    steps: Steps,
) -> Section:
    """The labelled cases analysed, or taken from what is kept, and held against their labels.

    Raises:
        InputError: the set cannot be read, or a label does not fit its case.
        CorpusIndexError, ModelError, StoreError: what `open_session` may raise.
    """
    from countercase.evaluation.counterfactual.readings import sheet_of
    from countercase.evaluation.counterfactual.section import counterfactual_section
    from countercase.evaluation.counterfactual_eval import CODE, choose, measure_cases
    from countercase.evaluation.result_store import ResultStore, code_fingerprint
    from countercase.evaluation.sets import read_counterfactual
    from countercase.io import cache_root
    from countercase.session import open_session

    cases = choose(read_counterfactual(set_file), limit, seed)
    for case in cases:
        sheet_of(case)  # better a wrong label now than after the models are loaded
    session = open_session(settings, corpus, models=models, progress=steps.work)
    made_with = _conditions(session) | {"code": code_fingerprint(CODE)}
    with ResultStore(cache_root() / "evaluation" / "counterfactual.sqlite", made_with) as store:
        results = measure_cases(
            cases, lambda sheet: _analysis(session, sheet, steps), store, steps.work
        )
    return counterfactual_section(results, settings.DISPOSITIVE_THRESHOLD, seed)


def _analysis(session: Session, sheet: FactSheet, steps: Steps) -> Analysis:
    """The analysis of one case without its explanations, which are not looked at here."""
    return session.measure(sheet, progress=steps.work)


def _conditions(session: Session) -> dict[str, object]:
    """What an analysis depends on beside the case and the program.

    The threshold is left out: sensitivities do not depend on it.
    """
    settings = session.settings.fingerprint()
    del settings["DISPOSITIVE_THRESHOLD"]
    return {
        "settings": settings,
        "models": session.models,
        "corpus": session.snapshot.manifest.checksum,
    }
