"""`countercase annotate`: explanations out to people who judge them, and their ratings back in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli import options
from countercase.errors import InputError

if TYPE_CHECKING:
    from countercase.cli.progress import Steps
    from countercase.evaluation.faithfulness.own_explanations import OwnExplanation
    from countercase.evaluation.likert.sheets import Rating
    from countercase.facts.model import FactSheet

FOLDER = Path("annotations")
"""Where sheets and ratings are kept, in a workspace."""

CASES = Path("eval_sets/counterfactual.jsonl")

_RATER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

app = typer.Typer(
    name="annotate",
    help="Have people judge explanations, and score what they say.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Folder = Annotated[
    Path, typer.Option("--folder", help="Folder of the sheets and of what is kept of them.")
]


@app.command("export")
def export(
    cases: Annotated[
        list[Path] | None,
        typer.Option(
            "--cases",
            help="Cases to explain: case files, or a .jsonl of the case set; may be repeated "
            "(default: eval_sets/counterfactual.jsonl).",
        ),
    ] = None,
    raters: Annotated[
        str, typer.Option("--raters", help="Names of the raters, with commas between; a file each.")
    ] = "A,B",
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of the choice and of each rater's order.")
    ] = 0,
    limit: Annotated[
        int, typer.Option("--limit", min=1, help="Cases at most, drawn with --seed.")
    ] = 10,
    per_case: Annotated[
        int, typer.Option("--per-case", min=1, help="Explanations of each case, drawn with --seed.")
    ] = 3,
    folder: Folder = FOLDER,
    label_studio: Annotated[
        bool, typer.Option("--label-studio", help="Write tasks and interface for Label Studio too.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite sheets, and what was filled into them.")
    ] = False,
    corpus: options.Corpus = "casebook",
    models: options.Models = "embedded",
) -> None:
    """Write a sheet of explanations for each rater.

    The precedents of some cases are explained, and people say how clear, how accurate in law and
    how useful each explanation is, from 1 to 5. A sheet is a CSV file to be opened in any
    spreadsheet. Each rater gets the same explanations in an order of their own. Texts that a
    spreadsheet would run as a formula have an apostrophe before them.
    """
    from countercase.cli.progress import Steps
    from countercase.evaluation.likert.label_studio import INTERFACE, tasks
    from countercase.evaluation.likert.sheets import items_of, sheet_csv
    from countercase.evaluation.likert.storage import ITEMS, items_jsonl
    from countercase.reports.write import json_text, write_files

    options.one_of("--models", models, ("embedded", "hub"))
    names = raters_of(raters)
    there = [folder / f"{name}.csv" for name in names if (folder / f"{name}.csv").exists()]
    if there and not force:
        listed = ", ".join(map(str, there))
        raise InputError(f"{listed}: already there; choose other --raters or overwrite by --force")
    sheets = _sheets(cases or [CASES], limit, seed)
    with Steps() as steps:
        own = _explained(sheets, corpus, models, steps)
    items = items_of(own, per_case, seed)
    if not items:
        raise InputError("no precedent was found that could be explained; choose other --cases")
    files = {f"{name}.csv": "\ufeff" + sheet_csv(items, name, seed) for name in names}
    files[ITEMS] = items_jsonl(items)
    if label_studio:
        files["label-studio-tasks.json"] = json_text(tasks(items))
        files["label-studio.xml"] = INTERFACE
    for path in write_files(folder, files):
        typer.echo(f"wrote {path}")


@app.command("import")
def import_(
    files: Annotated[
        list[Path], typer.Argument(help="Filled sheets (.csv), or Label Studio exports (.json).")
    ],
    folder: Folder = FOLDER,
) -> None:
    """Check filled sheets and keep their ratings.

    Nothing is kept unless every cell of every file is right. A blank rating is one not given. A
    second import of an explanation by the same rater takes the place of the first.
    """
    from countercase.evaluation.likert.label_studio import read_label_studio
    from countercase.evaluation.likert.sheets import DIMENSIONS, read_sheet
    from countercase.evaluation.likert.storage import (
        ITEMS,
        RATINGS,
        merged,
        ratings_jsonl,
        read_items,
        read_ratings,
    )
    from countercase.reports.write import write_files

    known = read_items(folder / ITEMS) if (folder / ITEMS).is_file() else []
    ratings = read_ratings(folder / RATINGS) if (folder / RATINGS).is_file() else []
    came: dict[str, Path] = {}
    told = []
    for path in files:
        export_of = path.suffix.lower() == ".json"
        new = read_label_studio(path) if export_of else read_sheet(path, known)
        _apart(path, new, came)
        ratings = merged(ratings, new)
        given = sum(len(one.scores) for one in new)
        told.append(
            f"{path}: {len(new)} explanations, {given} ratings, "
            f"{len(new) * len(DIMENSIONS) - given} left blank"
        )
    [written] = write_files(folder, {RATINGS: ratings_jsonl(ratings)})
    for line in [*told, f"wrote {written}"]:
        typer.echo(line)


@app.command("score")
def score(
    folder: Folder = FOLDER,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of intervals and permutations.")
    ] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", help="Folder for likert.json; made if need be.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Say what the raters think and how far they agree.

    Also whether faithfulness agrees with them.
    """
    from countercase.evaluation.likert.scores import likert_section
    from countercase.evaluation.likert.storage import RATINGS, read_ratings

    path = folder / RATINGS
    if not path.is_file():
        raise InputError(f"{path}: missing; import filled sheets by `countercase annotate import`")
    ratings = read_ratings(path)
    if not ratings:
        raise InputError(f"{path}: holds no rating; import filled sheets first")
    section = likert_section(ratings, seed)
    if output is not None:
        from countercase.reports.write import json_text, write_files

        for written in write_files(output, {"likert.json": json_text(section.to_dict())}):
            typer.echo(f"wrote {written}", err=True)
    if as_json:
        from countercase.cli.screen import print_json

        print_json(section.to_dict())
        return

    from countercase.cli.screen import print_section

    print_section(section)


def raters_of(listed: str) -> list[str]:
    """The raters' names.

    Raises:
        InputError: there is none, one stands twice, or one cannot name a file.
    """
    names = [name.strip() for name in listed.split(",") if name.strip()]
    if not names:
        raise InputError("--raters: no name; give them like --raters A,B")
    for name in names:
        if not _RATER.fullmatch(name):
            raise InputError(
                f"--raters: {name!r} cannot name a file; use letters, digits, dots and hyphens"
            )
    if len({name.lower() for name in names}) < len(names):
        raise InputError("--raters: a name stands twice; each rater has a file of their own")
    return names


def _sheets(paths: list[Path], limit: int, seed: int) -> list[FactSheet]:
    """The fact sheets of the cases, at most `limit` of them."""
    import random

    from countercase.config import load_settings
    from countercase.evaluation.counterfactual.readings import sheet_of
    from countercase.evaluation.sets import read_counterfactual
    from countercase.facts.case_file import read_case

    settings = load_settings()
    found: list[FactSheet] = []
    for path in paths:
        if path.suffix.lower() == ".jsonl":
            found += [sheet_of(case) for case in read_counterfactual(path)]
        else:
            found.append(read_case(path, settings.MAX_INPUT_BYTES, tagger=settings.FACT_TAGGER))
    names = [sheet.case_id for sheet in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"--cases: the case {twice!r} is given twice")
    if limit < len(found):
        places = random.Random(seed).sample(range(len(found)), limit)
        found = [found[at] for at in sorted(places)]
    return found


def _explained(
    sheets: list[FactSheet], corpus: str, models: str, steps: Steps
) -> list[OwnExplanation]:
    """Why each precedent of each case is there; no fact is changed for it."""
    from countercase.config import load_settings
    from countercase.evaluation.faithfulness.own_explanations import own_explanations
    from countercase.session import open_session

    settings = load_settings(DEPTH=0, NULL_EDITS=0)
    session = open_session(settings, corpus, models=models, progress=steps.work)
    snapshot = session.snapshot
    positions = {snapshot.chunk_id(at): at for at in range(snapshot.manifest.chunks)}
    found: list[OwnExplanation] = []
    for at, sheet in enumerate(sheets):
        steps.work("cases explained", at, len(sheets))
        result = session.analyze(sheet, progress=steps.work)
        if not result.analysis.complete:
            raise KeyboardInterrupt
        found += own_explanations(
            sheet.case_id,
            (result.precedents, ()),
            lambda chunk_id: snapshot.text(positions[chunk_id]),
        )
    steps.work("cases explained", len(sheets), len(sheets))
    return found


def _apart(path: Path, new: list[Rating], came: dict[str, Path]) -> None:
    """One rater comes in one file."""
    for rater in {one.annotator_id: None for one in new}:
        if rater in came:
            raise InputError(
                f"{path}: ratings of {rater!r} stand in {came[rater]} too; import one file each"
            )
        came[rater] = path
