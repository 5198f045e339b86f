"""Make values and texts safe to write: rounded numbers, no control characters, inert Markdown; cut a
narrative at its facts."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeVar, cast

from countercase.text.spans import Span

Value = TypeVar("Value")

DECIMALS: Final = 9
"""Decimals to which every number in a report is rounded."""

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffe\uffff]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def rounded(value: Value) -> Value:
    """Round all floats in `value` to `DECIMALS`; tuples become lists; one not finite: `ValueError`."""
    given: Any = value
    if isinstance(given, float):
        if not math.isfinite(given):
            raise ValueError(f"not a finite number: {given}")
        given = round(given, DECIMALS) + 0.0  # + 0.0 turns -0.0 into 0.0
    elif isinstance(given, Mapping):
        given = {key: rounded(item) for key, item in given.items()}
    elif isinstance(given, (list, tuple)):
        given = [rounded(item) for item in given]
    return cast("Value", given)


def count_noun(count: int, noun: str) -> str:
    """Return a count with its noun: `1 fact`, `3 facts`."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def figure(value: str | int | float | None) -> str:
    """Return a table cell as people read it: fractions to four decimals, `n/a` for None."""
    if value is None:
        return "n/a"
    return f"{value:.4f}" if isinstance(value, float) else plain(str(value))


def plain(text: str) -> str:
    """Return `text` on one line, without characters that steer a terminal or reorder a line.

    Judgments come from anywhere; an escape sequence in one of them must stay a quotation.
    """
    return " ".join(legible(text).split())


def legible(text: str) -> str:
    """Replace the characters of `text` that XML forbids or terminals obey by blanks."""
    return _SURROGATE.sub("\ufffd", _CONTROL.sub(" ", text))


_ACTIVE: Final = re.compile(r"([\\`*_\[\]<>|~#])")
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")
_LIST_MARK: Final = re.compile(r"^(\d+)([.)])(?=\s|$)|^([-+=])(?=\s|=|-|$)")


def inline(text: str) -> str:
    """Escape every character of `text` that Markdown or HTML would act on; return it on one line."""
    escaped = _ENTITY.sub("&amp;", _ACTIVE.sub(r"\\\1", plain(text)))
    return _LIST_MARK.sub(lambda it: f"{it[1]}\\{it[2]}" if it[1] else f"\\{it[3]}", escaped)


def code(text: str) -> str:
    """Return `text` in a code span; backticks, which would end it, become apostrophes."""
    return "`" + plain(text).replace("`", "'") + "`"


@dataclass(frozen=True)
class Stretch:
    """A stretch of the narrative, with the numbers of the facts that mention it, shortest first.

    `ending` are those of them whose mention ends here.
    """

    text: str
    facts: tuple[int, ...] = ()
    ending: tuple[int, ...] = ()


def stretches(narrative: str, mentions: Sequence[tuple[int, Span]]) -> list[Stretch]:
    """Cut the narrative at all `mentions`, by the number of their fact; joined, it is the narrative."""
    cuts = {0, len(narrative)}.union(*((span.start, span.end) for _, span in mentions))
    pieces = []
    for start, end in pairwise(sorted(cuts)):
        over = sorted((span.end - span.start, number, span.end) for number, span in mentions
                      if span.start <= start and end <= span.end)  # fmt: skip
        numbers = dict.fromkeys(number for _, number, _ in over)
        ending = dict.fromkeys(number for _, number, stop in over if stop == end)
        pieces.append(Stretch(narrative[start:end], tuple(numbers), tuple(ending)))
    return pieces
