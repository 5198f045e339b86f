"""`countercase eval explanations`: does the quoted passage bear out what an explanation says?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli import options

if TYPE_CHECKING:
    from countercase.cli.progress import Steps
    from countercase.evaluation.faithfulness.own_explanations import OwnExplanation
    from countercase.evaluation.report import Section
    from countercase.evaluation.sets import CounterfactualCase

SET = Path("eval_sets/explanations.jsonl")
"""The labelled explanations, where `countercase init` puts them."""

CASES = Path("eval_sets/counterfactual.jsonl")
"""Cases to be explained, where `countercase init` puts them."""

OWN = 8
"""Cases that are analysed for CounterCase's own explanations."""


def explanations(
    set_file: Annotated[
        Path, typer.Option("--set", help="Explanations labelled faithful or not, one JSON a line.")
    ] = SET,
    cases: Annotated[
        Path, typer.Option("--cases", help="Cases to be explained, in the form of the case set.")
    ] = CASES,
    own: Annotated[
        int,
        typer.Option(
            "--own", min=0, help="Explain so many cases and score what is said; 0 for none."
        ),
    ] = OWN,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many of --set.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of the choice of cases and of intervals.")
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Folder for explanations.json; made if need be."),
    ] = None,
    corpus: options.Corpus = "casebook",
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
) -> None:
    """Measure how faithful explanations are to their passages.

    First on explanations whose faults are known: how many of them each form of the measure finds,
    and how often it calls a sound one faulty. Then on CounterCase's own, about a minute a case;
    what was explained is kept and not explained again.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.io import make_folder

    options.one_of("--models", models, ("embedded", "hub"))
    if output is not None:
        make_folder(output)
    with Steps() as steps:
        section = evaluate_explanations(set_file, cases, own, limit, seed, corpus, models, steps)
    show_section(section, as_json, output)


def evaluate_explanations(
    set_file: Path,
    cases: Path,
    own: int,
    limit: int | None,
    seed: int,
    corpus: str,
    models: str,
    steps: Steps,
) -> Section:
    """Both forms of the measure on labelled pairs, then on `own` cases' own explanations.

    Raises:
        InputError: a set cannot be read.
        CorpusIndexError, ModelError, StoreError: what `open_session` may raise.
    """
    from countercase.evaluation.counterfactual_eval import choose
    from countercase.evaluation.explanation_eval import score_pairs
    from countercase.evaluation.faithfulness.section import explanation_section
    from countercase.evaluation.sets import read_counterfactual, read_explanations

    pairs = read_explanations(set_file)[:limit]
    chosen = choose(read_counterfactual(cases), own, seed) if own else []
    scores = score_pairs(pairs, steps.work)
    given = explain_cases(chosen, corpus, models, steps) if chosen else ()
    return explanation_section(scores, given, seed)


def explain_cases(
    cases: list[CounterfactualCase], corpus: str, models: str, steps: Steps
) -> tuple[OwnExplanation, ...]:
    """CounterCase's explanations of the cases, those kept of an earlier run among them."""
    from countercase.config import load_settings
    from countercase.evaluation.counterfactual.readings import sheet_of
    from countercase.evaluation.faithfulness.own_explanations import CODE, Explained, collect_own
    from countercase.evaluation.result_store import ResultStore, code_fingerprint
    from countercase.io import cache_root
    from countercase.session import open_session

    session = open_session(load_settings(), corpus, models=models, progress=steps.work)
    snapshot = session.snapshot
    positions = {snapshot.chunk_id(at): at for at in range(snapshot.manifest.chunks)}

    def explain(case: CounterfactualCase) -> Explained:
        result = session.analyze(sheet_of(case), progress=steps.work)
        if not result.analysis.complete:
            raise KeyboardInterrupt
        return result.precedents, result.changes

    made_with = {
        "settings": session.settings.fingerprint(),
        "models": session.models,
        "corpus": snapshot.manifest.checksum,
        "code": code_fingerprint(CODE),
    }
    with ResultStore(cache_root() / "evaluation" / "explanations.sqlite", made_with) as store:
        return collect_own(
            cases,
            explain,
            lambda chunk_id: snapshot.text(positions[chunk_id]),
            store,
            steps.work,
        )
