"""The errors that CounterCase raises on purpose.

Each message says what is wrong, where, and what to do about it. The command line prints it in
one line and exits with status 2; anything else that escapes is a bug.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence, Set
from functools import wraps
from inspect import signature
from reprlib import repr as shortened
from typing import Any, Final, ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")
COUNT: Final = range(1, 10**9)
"""What a number of things may be, for `takes`."""


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


def check_type(where: str, name: str, value: Any, kind: Any) -> None:
    """Raise an `InputError` for another type; `[str]` is a list, `{str}` in any order."""
    if isinstance(kind, list | set):
        [own] = kind
        many = Sequence if isinstance(kind, list) else Sequence | Set
        listed = isinstance(value, many) and not isinstance(value, str | bytes)
        right = listed and all(isinstance(it, own) for it in value)
        told = f"a list of {getattr(own, '__name__', own)}"
    elif isinstance(kind, range):
        right = type(value) is int and value in kind
        told = f"a whole number from {kind[0]} to {kind[-1]:,}"
    elif isinstance(kind, tuple):
        right, told = value in kind, f"one of {', '.join(filter(None, kind))}"
    else:
        right, told = isinstance(value, kind), getattr(kind, "__name__", kind)
    if not right:
        given = f"{type(value).__name__} {' '.join(shortened(value).split())}"
        raise InputError(f"{where}: {name} must be {told}, not {given}")


def takes(**kinds: Any) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Let a function refuse arguments of other types, as `check_type` does; defaults are right."""

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        form = signature(function)
        where = function.__qualname__.removesuffix(".__init__")

        @wraps(function)
        def checked(*args: _P.args, **named: _P.kwargs) -> _R:
            for name, value in form.bind_partial(*args, **named).arguments.items():
                if name in kinds and value is not form.parameters[name].default:
                    check_type(where, name, value, kinds[name])
            return function(*args, **named)

        return checked

    return decorate


def call(name: str, function: Callable[..., _R], *args: Any, **asked: Any) -> _R:
    """Call a function; InputError with its `name` where one that is not of this package fails."""
    try:
        return function(*args, **asked)
    except Exception as error:
        if isinstance(error, CounterCaseError) or is_own(getattr(function, "__self__", function)):
            raise
        raise InputError(f"{name} failed: {type(error).__name__}: {error}") from error


def is_own(part: object) -> bool:
    """Return whether a part is of this package; what another raises is an error of its user."""
    return str(getattr(part, "__module__", "")).startswith("countercase.")
