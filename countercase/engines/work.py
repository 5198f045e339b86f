"""What an engine is given to do, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, Final, Generic, TypeVar

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
    """The result of an item, or the error that a user can mend; any other error is raised."""
    try:
        return work(item)
    except CounterCaseError as error:
        return Failed(error)


def lost(why: str) -> Failed:
    """An item whose workers all ended without an answer."""
    return Failed(
        StoreError(
            f"{ATTEMPTS} workers ended at it without an answer ({why}); memory may be too small: "
            "take fewer --workers, or run the same command again"
        )
    )


class Supply(Generic[Item]):
    """Items given out by position, each taken from its source only when a worker is free for it.

    Args:
        ahead: how far the items given out may reach beyond the oldest that is unfinished, so that
            what is finished early and waits for it stays little; None: as far as they like.
    """

    def __init__(self, items: Iterable[Item], ahead: int | None = None) -> None:
        self._source, self._ahead = enumerate(items), ahead
        self._unfinished: dict[int, Item] = {}
        self._again: list[int] = []
        self._given = 0

    def take(self) -> tuple[int, Item] | None:
        """The next item with its position; None where none may begin now."""
        if self._again:
            at = self._again.pop()
            return at, self._unfinished[at]
        oldest = next(iter(self._unfinished), self._given)  # they are in order
        if self._ahead is not None and self._given >= oldest + self._ahead:
            return None
        for at, item in self._source:
            self._given += 1
            self._unfinished[at] = item
            return at, item
        return None

    def finished(self, at: int) -> None:
        """The item at this position needs no further work."""
        del self._unfinished[at]

    def give_back(self, at: int) -> None:
        """The item at this position must be worked on again, before any other."""
        self._again.append(at)


class Sendable:
    """For a frozen dataclass that is sent to other processes.

    Its fields are sent, all but `progress`; what it opened is opened again there.
    """

    def __getstate__(self) -> dict[str, Any]:
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return {name: None if name == "progress" else getattr(self, name) for name in names}
