"""The errors that CounterCase raises on purpose.

Each message says what is wrong, where, and what to do about it. The command line prints it in
one line and exits with status 2; anything else that escapes is a bug.
"""

from __future__ import annotations


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


class StoreError(CounterCaseError):
    """A store (Chroma, the cache, the disk) cannot be reached or written."""


class ValidatorError(CounterCaseError):
    """The configured language model cannot be reached or answers outside its schema."""
