"""One at a time, first come first served: the models and the caches of a corpus have one user.

An analysis takes its turn for long and lets those who wait go first whenever it reports progress.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition
from typing import Final

from starlette.exceptions import HTTPException

MOST_WAITING: Final = 24
"""Requests that wait for their turn; a further one is refused."""
LONGEST_WAIT: Final = 30.0
"""Seconds after which a request that waits is refused."""


class BusyError(HTTPException):
    """Too many wait already, or the turn did not come in time; ask again after `seconds`."""

    def __init__(self, detail: str, seconds: int = 5) -> None:
        super().__init__(503, detail, {"Retry-After": str(seconds)})


class Turns:
    """A fair lock whose waiting has bounds.

    Args:
        most, seconds: how many may wait, and how long.
        after: done at the end of every turn, before the next one.
    """

    def __init__(
        self,
        most: int = MOST_WAITING,
        seconds: float = LONGEST_WAIT,
        after: Callable[[], None] = lambda: None,
    ) -> None:
        self._most, self._seconds, self._after = most, seconds, after
        self._changed, self._waiting = Condition(), deque[object]()
        self._taken = False

    @contextmanager
    def turn(self, *, patient: bool = False) -> Iterator[None]:
        """Hold the turn.

        Args:
            patient: wait without a bound, as the worker does.

        Raises:
            BusyError: too many wait already, or the turn did not come in time.
        """
        self._take(patient)
        try:
            yield
        finally:
            try:
                self._after()
            finally:
                self._give()

    def let_others(self) -> None:
        """Let those who wait now go first; called by the one whose turn it is."""
        if self._waiting:
            self._give()
            self._take(patient=True)

    def _take(self, patient: bool) -> None:
        mine = object()
        with self._changed:
            if not patient and len(self._waiting) >= self._most:
                raise BusyError(f"{self._most} requests wait already; ask again in a moment")
            self._waiting.append(mine)
            came = self._changed.wait_for(
                lambda: not self._taken and self._waiting[0] is mine,
                None if patient else self._seconds,
            )
            self._waiting.remove(mine)
            self._taken = self._taken or came
            if not came:
                self._changed.notify_all()
                raise BusyError(f"no turn came within {self._seconds:g} s; ask again in a moment")

    def _give(self) -> None:
        with self._changed:
            self._taken = False
            self._changed.notify_all()
