"""`countercase eval planted`: misses and false alarms where the deciding facts are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli import options

if TYPE_CHECKING:
    from countercase.evaluation.planted.calibrate import Calibration
    from countercase.evaluation.report import Section

SPEC = Path("eval_sets/planted/spec.json")


def planted(
    spec: Annotated[Path, typer.Option("--spec", help="The recipe of the worlds.")] = SPEC,
    worlds: Annotated[
        int | None, typer.Option("--worlds", min=1, help="Only the first so many worlds.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", min=0.0, help="Default: DISPOSITIVE_THRESHOLD.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Folder for the worlds and planted.json; kept if given."),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Measure misses and false alarms in made-up worlds.

    Which facts decide there is known, because it was put there. Each world is a corpus and four
    cases, written anew from its seed, indexed and analysed: some minutes a world.
    """
    import tempfile

    from countercase.cli.progress import Steps
    from countercase.cli.screen import show_section
    from countercase.config import load_settings
    from countercase.encoders.base import open_encoders
    from countercase.evaluation.planted.calibrate import THRESHOLDS, calibrate, opener
    from countercase.evaluation.planted.generate import generate
    from countercase.evaluation.planted.model import read_spec

    settings = load_settings(DISPOSITIVE_THRESHOLD=threshold)
    recipe = read_spec(spec)
    chosen = recipe.model_copy(update={"seeds": recipe.seeds[:worlds]})
    wanted = settings.DISPOSITIVE_THRESHOLD
    with tempfile.TemporaryDirectory() as passing, Steps() as steps:
        made = generate(chosen, output or Path(passing))
        found = calibrate(
            made,
            opener(
                open_encoders(
                    **settings.encoding(),
                ),
                settings,
            ),
            tuple(sorted({*THRESHOLDS, wanted})),
            steps.work,
        )
    section = planted_section(found, wanted)
    show_section(section, as_json, output)


def planted_section(found: Calibration, threshold: float) -> Section:
    """A calibration as a section."""
    from countercase.evaluation.report import Measure, Plot, Section, Series, Table

    at = found.at(threshold)
    misses, alarms = at.misses, at.false_alarms
    measures = tuple(
        Measure(
            f"planted.{key}",
            f"{title} at {threshold:g}",
            rate.value,
            rate.of,
            rate.interval[0] if rate.interval else None,
            rate.interval[1] if rate.interval else None,
            target=0.1,
            at_most=True,
        )
        for key, title, rate in (
            ("misses", "misses: facts that decide and were not called", misses),
            ("false_alarms", "false alarms: idle facts that were called", alarms),
        )
    )
    overall = [one for one in found.errors if one.fact_type == at.fact_type]
    x = tuple(one.threshold for one in overall)
    rows = tuple(
        (one.threshold, one.fact_type, one.misses.count, one.misses.of,
         one.false_alarms.count, one.false_alarms.of)
        for one in found.errors
    )  # fmt: skip
    plot = Plot(
        "Errors by threshold", "lines", "threshold", "share",
        (
            Series("misses", x, tuple(one.misses.value or 0.0 for one in overall)),
            Series("false alarms", x, tuple(one.false_alarms.value or 0.0 for one in overall)),
        ),
    )  # fmt: skip
    columns = ("threshold", "fact type", "misses", "of", "false alarms", "of ")
    return Section(
        "planted", f"Planted worlds: {found.cases} cases", measures,
        (Table("Errors by threshold and fact type", columns, rows),), (plot,), found.to_dict(),
    )  # fmt: skip
