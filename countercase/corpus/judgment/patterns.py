"""The patterns by which judgments are read, in tables of this folder, compiled when first needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Final

from countercase.io import read_table
from countercase.text.patterns import NamedPattern, Pattern

_PART: Final = re.compile(r"\{([A-Z][A-Z_0-9]*)\}")


@cache
def rows_of(table: str) -> dict[str, str]:
    """Return the expressions of a table by name, in its order."""
    rows = read_table(f"corpus/judgment/{table}_patterns", NamedPattern)
    return {row.name: row.pattern for row in rows}


def expand(table: str, words: str) -> str:
    """Return an expression with those that it names put in."""
    while _PART.search(words):
        words = _PART.sub(lambda match: rows_of(table)[match[1]], words)
    return words


@cache
def _pattern_of(table: str, name: str) -> Pattern:
    return Pattern(expand(table, f"{{{name}}}"))


def patterns_of(table: str) -> Callable[[str], Pattern]:
    """Return what finds the patterns of a table by name."""
    return partial(_pattern_of, table)
