"""What an engine is given to do, and how it is done in processes of this machine.

Each process takes one item at a time, and may end at any moment.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable
from dataclasses import dataclass, fields
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final, TypeVar, cast

from countercase.errors import CounterCaseError, StoreError

Item = TypeVar("Item")
Value = TypeVar("Value")

_CONTEXT: Final = get_context("spawn")
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
    told = f"{ATTEMPTS} workers ended at it without an answer ({why})"
    advice = "memory may be too small: take fewer --workers, or run the same command again"
    return Failed(StoreError(f"{told}; {advice}"))


class Sendable:
    """For a frozen dataclass that is sent to other processes.

    Its fields are sent, all but `progress`; what it opened is opened again there.
    """

    def __getstate__(self) -> dict[str, Any]:
        names = [field.name for field in fields(self)]  # type: ignore[arg-type]
        return {name: None if name == "progress" else getattr(self, name) for name in names}


class Processes:
    """A pool of processes, started when they are first needed."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self._work = work
        self._busy: dict[Connection, tuple[SpawnProcess, int, Any, int]] = {}
        self._idle: list[tuple[Connection, SpawnProcess]] = []

    def submit(self, at: int, item: Any, attempts: int = 1) -> None:
        """Begin an item."""
        channel, process = self._idle.pop() if self._idle else self._start()
        self._busy[channel] = process, at, item, attempts
        with contextlib.suppress(BrokenPipeError):  # it was killed: its channel ends, see `wait`
            channel.send(item)

    def wait(self) -> tuple[int, Any]:
        """Return position and result of the first item that is finished.

        An item whose worker was killed is given to a new one, up to `ATTEMPTS` times.

        Raises:
            RuntimeError: a worker failed by an error of the program; its traceback is on stderr.
        """
        while True:
            channel = cast("Connection", wait(list(self._busy))[0])
            process, at, item, attempts = self._busy.pop(channel)
            try:
                value = channel.recv()
            except (EOFError, OSError):
                channel.close()
                process.join()
                if process.exitcode is None or process.exitcode > 0:
                    raise RuntimeError("a worker failed; its traceback stands above") from None
                if attempts == ATTEMPTS:
                    return at, lost(f"signal {-process.exitcode}")
                self.submit(at, item, attempts + 1)
            else:
                self._idle.append((channel, process))
                return at, value

    def close(self) -> None:
        """Kill the processes that work; the others end when nobody asks any more."""
        for channel, (process, *_) in self._busy.items():
            channel.close()
            process.kill()
        for channel, _ in self._idle:
            channel.close()

    def _start(self) -> tuple[Connection, SpawnProcess]:
        ours, theirs = _CONTEXT.Pipe()
        process = _CONTEXT.Process(target=_serve, args=(theirs, self._work))
        process.start()
        theirs.close()  # so that our end sees when the worker ends
        return ours, process


def _serve(channel: Connection, work: Callable[[Any], Any]) -> None:
    """Answer each item until nobody asks any more; Ctrl-C is for the one who asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            item = channel.recv()
        except EOFError:
            return
        channel.send(attempt(work, item))
