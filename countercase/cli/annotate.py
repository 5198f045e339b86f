"""`countercase annotate`: explanations out to people who judge them, and their ratings back in."""

from __future__ import annotations

from pathlib import Path

import typer

from countercase.cli import options
from countercase.cli.options import opened_session, show_section, tell_written
from countercase.config import load_settings
from countercase.errors import InputError
from countercase.evaluation.likert import ratings as likert
from countercase.evaluation.likert.sheets import items_of
from countercase.evaluation.sets import json_lines
from countercase.io import write_files

FOLDER = Path("annotations")
"""Where sheets and ratings are kept, in a workspace."""

CASES = Path("eval_sets/counterfactual.jsonl")

app = options.group("Have people judge explanations, and score what they say.")


@options.command(app, "annotate.export")
def export(
    cases: list[Path] | None = None, raters: str = "A,B", seed: int = 0, limit: int = 10,
    per_case: int = 3, folder: Path = FOLDER, label_studio: bool = False, force: bool = False,
    corpus: str = "casebook", models: str = "embedded",
) -> None:  # fmt: skip
    """Write a sheet of explanations for each rater.

    The precedents of some cases are explained, and people say how clear, how accurate in law and
    how useful each explanation is, from 1 to 5. A sheet is a CSV file to be opened in any
    spreadsheet. Each rater gets the same explanations in an order of their own. Texts that a
    spreadsheet would run as a formula have an apostrophe before them.
    """
    from countercase.evaluation.counterfactual.labels import choose, read_sheets
    from countercase.evaluation.faithfulness.sentences import explain_cases

    names = likert.rater_names(raters)
    sheets_of = [folder / f"{name}.csv" for name in names]
    options.refuse_existing(sheets_of, force, "choose other --raters")
    settings = load_settings(DEPTH=0, NULL_EDITS=0)  # the ranking alone: no fact is changed
    sheets = read_sheets(cases or [CASES], settings.MAX_INPUT_BYTES, settings.FACT_TAGGER)
    with opened_session(settings, corpus, models) as (session, progress):
        explanations = explain_cases(choose(sheets, limit, seed), session, progress=progress)
    items = items_of(explanations, per_case, seed)
    if not items:
        raise InputError("no precedent was found that could be explained; choose other --cases")
    files = likert.exported_files(items, names, seed, label_studio)
    tell_written(write_files(folder, files), err=False)


@options.command(app, "annotate.import")
def import_(files: list[Path], folder: Path = FOLDER) -> None:
    """Check filled sheets and store their ratings.

    Nothing is stored unless every cell of every file is right. A blank rating is one not given. A
    second import of an explanation by the same rater takes the place of the first.
    """
    ratings, lines = likert.import_ratings(files, folder)
    written = write_files(folder, {likert.RATINGS: json_lines(it.row for it in ratings)})
    for line in lines:
        typer.echo(line)
    tell_written(written, err=False)


@options.command(app, "annotate.score")
def score(
    folder: Path = FOLDER, seed: int = 0, output: Path | None = None, as_json: bool = False
) -> None:
    """Show the raters' scores and how far they agree.

    Also whether faithfulness agrees with them.
    """
    path = folder / likert.RATINGS
    ratings = likert.read_ratings(path) if path.is_file() else []
    if not ratings:
        raise InputError(f"{path}: missing or empty; run `countercase annotate import` first")
    show_section(likert.likert_section(ratings, seed), as_json, output)
