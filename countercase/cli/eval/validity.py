"""`countercase eval validity` and `planted`: does movement follow the law?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli import options

SPEC = Path("eval_sets/planted/spec.json")
PARTS = ("planted", "facts", "sentences", "rewording")


def validity(
    sentences: Annotated[
        Path | None,
        typer.Option(help='Labelled sentences, {"id", "text": [...], "labels": [...]} a line.'),
    ] = None,
    parts: Annotated[
        str,
        typer.Option(
            help="With commas: planted, facts, sentences, rewording (default: sentences with "
            "--sentences, else planted,facts)."
        ),
    ] = "",
    set_file: Annotated[Path, typer.Option("--set", help="The cases with labelled facts.")] = Path(
        "eval_sets/counterfactual.jsonl"
    ),
    spec: Annotated[Path, typer.Option(help="The recipe of the planted worlds.")] = SPEC,
    cases: Annotated[
        Path, typer.Option(help="Folder of the cases that are told in other words.")
    ] = Path("examples"),
    criterion: Annotated[
        str, typer.Option(help="What calls a fact of a planted world: calibrated, or threshold.")
    ] = "calibrated",
    worlds: Annotated[int | None, typer.Option(min=1, help="Only the first N worlds.")] = None,
    limit: options.Limit = None,
    seed: options.Seed = 0,
    output: options.Output = None,
    corpus: options.Corpus = "casebook",
    models: options.Models = "embedded",
    as_json: options.AsJson = False,
) -> None:
    """Measure whether movement follows the law.

    Planted worlds: how often a fact that cannot matter is called dispositive, and how often one
    that decides is found. Labelled facts and sentences: how well movement orders what matters above
    what does not, beside length, position and other plain scores. Rewording: how many verdicts
    change when all null edits of a case are made at once. Results of the first three are stored; a
    run that was stopped goes on where it was.
    """
    from countercase.case_folder import case_files
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.config import load_settings
    from countercase.errors import InputError
    from countercase.evaluation.planted.calibrate import calibrate_spec
    from countercase.evaluation.run import Evaluation
    from countercase.evaluation.validity import rewording
    from countercase.evaluation.validity.section import facts_section, joined, planted_validity
    from countercase.facts.case_file import read_case

    wanted = options.names_of("--parts", parts, PARTS, "part") or (
        ("sentences",) if sentences else ("planted", "facts")
    )
    if "sentences" in wanted and sentences is None:
        raise InputError("the part sentences needs --sentences FILE")
    called_by = options.criterion_of(criterion)
    settings = load_settings()
    sections = []
    with Steps() as steps:
        evaluation = Evaluation(
            settings, models, corpus, limit=limit, seed=seed, progress=steps.work
        )
        if "planted" in wanted:
            calibration = calibrate_spec(
                spec, settings, worlds=worlds, criterion=called_by, progress=steps.work
            )
            sections.append(planted_validity(calibration, called_by))
        if "facts" in wanted:
            sections.append(facts_section(evaluation.labelled_cases(set_file), seed))
        if "sentences" in wanted and sentences is not None:
            sections.append(evaluation.labelled_sentences(sentences))
        if "rewording" in wanted:
            told = [
                read_case(path, settings.MAX_INPUT_BYTES, tagger=settings.FACT_TAGGER)
                for path in [*case_files(cases).values()][:limit]
            ]
            session, above = evaluation.session, settings.DISPOSITIVE_THRESHOLD
            found = rewording.compare(told, session.measure, session.states, above, steps.work)
            sections.append(rewording.rewording_section(found))
    show_section(joined(sections), as_json, output)


def planted(
    spec: Annotated[Path, typer.Option(help="The recipe of the worlds.")] = SPEC,
    worlds: Annotated[int | None, typer.Option(min=1, help="Only the first N worlds.")] = None,
    threshold: options.Threshold = None,
    output: options.Output = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure misses and false alarms in made-up worlds.

    Which facts decide there is known, because it was put there. Each world is a corpus and four
    cases, written anew from its seed, indexed and analysed: some minutes a world.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.config import load_settings
    from countercase.evaluation.planted.calibrate import calibrate_spec, planted_section

    settings = load_settings(DISPOSITIVE_THRESHOLD=threshold)
    with Steps() as steps:
        found = calibrate_spec(spec, settings, worlds=worlds, folder=output, progress=steps.work)
    section = planted_section(found, settings.DISPOSITIVE_THRESHOLD)
    show_section(section, as_json, output)
