"""From the text of a `case.json` to a case file, or to one line that says what is wrong with it.

The line names the file, the field and the nearest known key, or the line and column where the
JSON breaks off.
"""

from __future__ import annotations

import difflib
import json
import typing
from collections.abc import Sequence
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from countercase.errors import InputError
from countercase.facts.case_schema import CaseFile

_PROBLEMS_SHOWN: Final = 4


def parse_case(content: str, source: str) -> CaseFile:
    """The case file that the JSON text `content` holds.

    Args:
        source: the name of the file, for messages.

    Raises:
        InputError: no JSON, no object, a key twice, an unknown key, or a value that does not fit.
    """
    try:
        data = json.loads(content, object_pairs_hook=_no_twins, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{source} is not valid JSON at line {error.lineno}, column {error.colno}: "
            f"{error.msg}; is the file cut off?"
        ) from error
    except RecursionError as error:
        raise InputError(f"{source} is nested too deeply to be a case file") from error
    except ValueError as error:
        raise InputError(f"{source}: {error}") from error
    if not isinstance(data, dict):
        raise InputError(f"{source} must hold one JSON object with a case_id, not a list or value")
    try:
        return CaseFile.model_validate(data)
    except ValidationError as error:
        problems = [_wording(problem) for problem in error.errors()]
        more = (
            f" (and {len(problems) - _PROBLEMS_SHOWN} more)"
            if len(problems) > _PROBLEMS_SHOWN
            else ""
        )
        raise InputError(f"{source}: {'; '.join(problems[:_PROBLEMS_SHOWN])}{more}") from error


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise ValueError(f'the key "{key}" is given twice in one object; keep one of them')
        seen[key] = value
    return seen


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no figure; give a number")


def _wording(problem: Any) -> str:
    place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in problem["loc"]).lstrip(".")
    if problem["type"] == "extra_forbidden":
        *parents, key = problem["loc"]
        known = _known_keys(parents)
        near = difflib.get_close_matches(str(key), known, 1, 0.5)
        meant = f'did you mean "{near[0]}"?' if near else f"known keys: {', '.join(known)}"
        return f"{place}: unknown key; {meant}"
    if problem["type"] == "missing":
        return f"{place}: this key is required"
    message = problem["msg"].removeprefix("Value error, ")
    separator = "" if message.startswith("[") else ": "
    return f"{place}{separator}{message}"


def _known_keys(path: Sequence[str | int]) -> list[str]:
    model: type[BaseModel] = CaseFile
    for step in path:
        if isinstance(step, str) and step in model.model_fields:
            model = _model_in(model.model_fields[step].annotation) or model
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in typing.get_args(annotation):
        found = _model_in(inner)
        if found is not None:
            return found
    return None
