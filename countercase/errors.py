"""The errors that CounterCase raises on purpose.

Each message says what is wrong, where, and what to do about it. The command line prints it in
one line and exits with status 2; anything else that escapes is a bug.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CounterCaseError(Exception):
    """Base of every error that a user can cause and mend."""


class ConfigError(CounterCaseError):
    """A setting is unknown, of the wrong type or out of range."""


class InputError(CounterCaseError):
    """A case, a corpus or another input file cannot be read or is not valid."""


class ModelError(CounterCaseError):
    """A model is missing, damaged or cannot be loaded."""


class CorpusIndexError(CounterCaseError):
    """An index is missing, empty, unfinished or was built with other models."""


class DamagedIndexError(CorpusIndexError):
    """A file of an index is missing or is not as it was written."""


class StoreError(CounterCaseError):
    """A store (Chroma, the cache, the disk) cannot be reached or written."""


class ValidatorError(CounterCaseError):
    """The configured language model cannot be reached or answers outside its schema."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`; did you mean DEPTH?`: the known word nearest to `word`, in upper or lower case; or ""."""
    by_word = {name.lower(): name for name in known}
    near = difflib.get_close_matches(word.lower(), by_word, n=1, cutoff=0.4)
    return f"; did you mean {by_word[near[0]]}?" if near else ""
