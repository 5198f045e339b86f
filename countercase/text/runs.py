"""Bound the runs of a text, so that every pattern takes time in proportion to the text.

A pattern such as `\\s+and` looks through a run of n blanks from each of them: n² steps. Text that
people write has no long runs, so the readers see long ones cut, at the same length: all places stay.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

MOST_SIGNS: Final = 80
"""Characters in a row that are no letter and no digit, at most: blanks, dots, a ruled line."""

MOST_LETTERS: Final = 200
"""Characters in a row without white space, at most: the longest word."""

_BREAK: Final = "x"
_LONG: Final = re.compile(rf"([\W_]{{{MOST_SIGNS}}})[\W_]|(\S{{{MOST_LETTERS}}})\S")


@lru_cache(maxsize=16)
def bounded_runs(text: str) -> str:
    """`text` with every long run cut: an `x` among signs and blanks, a blank within a word.

    The result has the length of `text`, and is `text` itself where no run is too long.
    """
    return _LONG.sub(_cut, text)


def _cut(match: re.Match[str]) -> str:
    return f"{match[1]}{_BREAK}" if match[1] else f"{match[2]} "
