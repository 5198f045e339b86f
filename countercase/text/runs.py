"""Bound the runs of a text, so that every pattern takes time in proportion to the text.

A pattern such as `\\s+and` looks through a run of n blanks from each of them: n² steps. Text that
people write has no long runs, so the readers see long ones cut, at the same length: all places stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

MOST_SIGNS: Final = 80
"""Characters in a row that are no letter and no digit, at most: blanks, dots, a ruled line."""

MOST_LETTERS: Final = 200
"""Characters in a row without white space, at most: the longest word."""

_LONG: Final = re.compile(rf"[\W_]{{{MOST_SIGNS + 1}}}|\S{{{MOST_LETTERS + 1}}}")


@lru_cache(maxsize=16)
def bounded_runs(text: str) -> str:
    """`text` with every long run cut: an `x` among signs and blanks, a blank within a word.

    The result has the length of `text`, and is `text` itself where no run is too long.
    """
    return "".join(_cut(text)) if _LONG.search(text) else text


def _cut(text: str) -> Iterator[str]:
    signs = letters = 0
    for char in text:
        # A blank is a sign and an `x` a letter, so that both runs must not be full at once.
        if signs == MOST_SIGNS or (letters, signs) == (MOST_LETTERS - 1, MOST_SIGNS - 1):
            char = "x"
        elif letters == MOST_LETTERS and not char.isspace():
            char = " "
        signs = 0 if char.isalnum() else signs + 1
        letters = 0 if char.isspace() else letters + 1
        yield char
