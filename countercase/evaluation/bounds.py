"""Bounds that an evaluation must keep, for use in continuous integration.

A bounds file is a JSON object from the key of a measure to a number: the least that it may be, or
for a measure that should be small (`at_most`), the most.
"""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from countercase.errors import InputError
from countercase.evaluation.measure import Section


def read_bounds(path: Path) -> dict[str, float]:
    """The bounds of a file.

    Raises:
        InputError: it cannot be read, or is not an object of numbers.
    """
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error})") from error
    if not isinstance(given, dict):
        raise InputError(f'{path}: must be an object such as {{"retrieval.final.mrr@10": 0.5}}')
    for key, value in given.items():
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not number or not math.isfinite(value):
            raise InputError(f"{path}: {key}: must be a number, not {value!r}")
    return {key: float(value) for key, value in given.items()}


def failures(sections: Sequence[Section], bounds: Mapping[str, float]) -> list[str]:
    """A line for each measure that does not keep its bound; one that was not measured does not.

    Raises:
        InputError: a bound names no measure of these sections.
    """
    measures = {one.key: one for section in sections for one in section.measures}
    lines = []
    for key, bound in bounds.items():
        if key not in measures:
            near = difflib.get_close_matches(key, measures, n=1, cutoff=0.5)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise InputError(f"--fail-under: no measure is called {key}{meant}")
        one = measures[key]
        if one.value is None:
            lines.append(f"{key}: not measured (bound {bound:g})")
        elif one.value > bound if one.at_most else one.value < bound:
            lines.append(
                f"{key}: {one.value:.4f} ({'at most' if one.at_most else 'at least'} {bound:g})"
            )
    return lines
