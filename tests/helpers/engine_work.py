"""Small work for engines, in a module that other processes can import."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from countercase.engines.pools import Sendable
from countercase.errors import InputError, StoreError
from countercase.io import Progress


@dataclass(frozen=True)
class Squares(Sendable):
    """Squares numbers; what is no number is an error; `opened` counts openings in a folder."""

    folder: Path
    progress: Progress | None = None

    @cached_property
    def opened(self) -> Path:
        path = self.folder / f"opened-{os.getpid()}-{time.monotonic_ns()}"
        path.touch()
        return path

    def __call__(self, number: int | str) -> int:
        assert self.opened.exists()
        if number == "damaged":
            raise StoreError("damaged")
        if isinstance(number, str):
            raise InputError(f"{number} is no number")
        return number * number


@dataclass(frozen=True)
class KilledOnce(Squares):
    """Squares numbers, but the worker that first gets `victim` is killed by its id."""

    victim: int = 0
    always: bool = False

    def __call__(self, number: int | str) -> int:
        begun = self.folder / "begun"
        if number == self.victim and (self.always or not begun.exists()):
            begun.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(number)


@dataclass(frozen=True)
class SlowFirst(Squares):
    """Squares numbers, and takes its time for 0."""

    def __call__(self, number: int | str) -> int:
        if number == 0:
            time.sleep(1.0)
        return super().__call__(number)


def broken(number: int) -> int:
    """An error of the program."""
    raise ZeroDivisionError(number)
