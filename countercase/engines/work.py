"""What an engine is given to do, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

from countercase.errors import CounterCaseError, StoreError

Item = TypeVar("Item")
Value = TypeVar("Value")

ATTEMPTS: Final = 3
"""How often an item is tried whose worker ended without an answer."""


@dataclass(frozen=True)
class Failed:
    """An item that has no result, and why."""

    error: CounterCaseError


def attempt(work: Callable[[Item], Value], item: Item) -> Value | Failed:
    """Return the result of an item, or the error that a user can mend; any other error is raised."""
    try:
        return work(item)
    except CounterCaseError as error:
        return Failed(error)


def lost(why: str) -> Failed:
    """Return the failure of an item whose workers all ended without an answer."""
    return Failed(
        StoreError(
            f"{ATTEMPTS} workers ended at it without an answer ({why}); memory may be too small: "
            "take fewer --workers, or run the same command again"
        )
    )


class Sendable:
    """For a frozen dataclass that is sent to other processes.

    Its fields are sent, all but `progress`; what it opened is opened again there.
    """

    def __getstate__(self) -> dict[str, Any]:
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return {name: None if name == "progress" else getattr(self, name) for name in names}
