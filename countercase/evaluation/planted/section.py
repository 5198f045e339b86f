"""Generate planted worlds, calibrate the analysis on them, and report the errors."""

from __future__ import annotations

import tempfile
from pathlib import Path

from countercase.config import Settings
from countercase.encoders.base import open_encoders
from countercase.evaluation.planted.calibrate import (
    THRESHOLDS,
    Calibration,
    calibrate,
    world_opener,
)
from countercase.evaluation.planted.generate import generate
from countercase.evaluation.planted.model import read_spec
from countercase.evaluation.report import Measure, Plot, Section, Series, Table
from countercase.io import Progress

TARGET = 0.1
"""The most misses and false alarms that are aimed at."""


def evaluate_planted(
    spec: Path,
    settings: Settings,
    *,
    worlds: int | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> Section:
    """Write the worlds of a recipe, analyse their cases and report the errors.

    Args:
        spec: the recipe.
        settings: of the analysis; the section reports the errors at DISPOSITIVE_THRESHOLD.
        worlds: only the first `worlds` worlds.
        folder: where the worlds are kept; without one they are thrown away.

    Raises:
        InputError: the recipe is not valid.
        CorpusIndexError, StoreError, ModelError: a world cannot be indexed.
    """
    recipe = read_spec(spec)
    recipe = recipe.model_copy(update={"seeds": recipe.seeds[:worlds]})
    threshold = settings.DISPOSITIVE_THRESHOLD
    with tempfile.TemporaryDirectory() as temporary:
        calibration = calibrate(
            generate(recipe, folder or Path(temporary)),
            world_opener(open_encoders(**settings.encoding(), progress=progress), settings),
            tuple(sorted({*THRESHOLDS, threshold})),
            progress,
        )
    return planted_section(calibration, threshold)


def planted_section(calibration: Calibration, threshold: float) -> Section:
    """A calibration as a section."""
    at = calibration.at(threshold)
    measures = []
    for key, title, rate in (
        ("misses", "misses: facts that decide and were not called", at.misses),
        ("false_alarms", "false alarms: idle facts that were called", at.false_alarms),
    ):
        low, high = rate.interval or (None, None)
        title = f"{title} at {threshold:g}"
        measures.append(
            Measure(f"planted.{key}", title, rate.value, rate.of, low, high, TARGET, at_most=True)
        )
    overall = [errors for errors in calibration.errors if errors.fact_type == at.fact_type]
    x = tuple(errors.threshold for errors in overall)
    misses = Series("misses", x, tuple(errors.misses.value or 0.0 for errors in overall))
    alarms = Series(
        "false alarms", x, tuple(errors.false_alarms.value or 0.0 for errors in overall)
    )
    plot = Plot("Errors by threshold", "lines", "threshold", "share", (misses, alarms))
    columns = ("threshold", "fact type", "misses", "of", "false alarms", "of ")
    rows = tuple(
        (errors.threshold, errors.fact_type, errors.misses.count, errors.misses.of,
         errors.false_alarms.count, errors.false_alarms.of)
        for errors in calibration.errors
    )  # fmt: skip
    table = Table("Errors by threshold and fact type", columns, rows)
    title = f"Planted worlds: {calibration.cases} cases"
    details = calibration.to_dict()
    return Section("planted", title, tuple(measures), (table,), (plot,), details)
