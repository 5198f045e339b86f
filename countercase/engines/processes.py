"""Work in processes of this machine: each takes one item at a time, and may end at any moment."""

from __future__ import annotations

import contextlib
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final

from countercase.engines.work import ATTEMPTS, Failed, Item, Supply, Value, attempt, lost

_CONTEXT: Final = get_context("spawn")


def over_processes(
    work: Callable[[Item], Value], supply: Supply[Item], workers: int
) -> Iterator[tuple[int, Value | Failed]]:
    """Yield position and result of each item as it is finished; close it to end the workers.

    An item whose worker was killed is given to a new one, up to `ATTEMPTS` times.

    Raises:
        RuntimeError: a worker failed by an error of the program; its traceback is on stderr.
    """
    begun: Counter[int] = Counter()
    busy: dict[Connection, tuple[SpawnProcess, int]] = {}
    idle: list[tuple[Connection, SpawnProcess]] = []

    def give_out() -> None:
        while len(busy) < workers and (taken := supply.take()) is not None:
            at, item = taken
            channel, process = idle.pop() if idle else _start(work)
            begun[at] += 1
            busy[channel] = process, at
            with contextlib.suppress(BrokenPipeError):  # it was killed: its channel ends, see below
                channel.send(item)

    try:
        give_out()
        while busy:
            for channel in wait(list(busy)):
                assert isinstance(channel, Connection)
                process, at = busy.pop(channel)
                try:
                    value = channel.recv()
                except (EOFError, OSError):
                    channel.close()
                    process.join()
                    if process.exitcode is None or process.exitcode > 0:
                        raise RuntimeError("a worker failed; its traceback stands above") from None
                    if begun[at] < ATTEMPTS:
                        supply.give_back(at)
                        continue
                    value = lost(f"signal {-process.exitcode}")
                else:
                    idle.append((channel, process))
                supply.finished(at)
                del begun[at]
                give_out()
                yield at, value
            give_out()
    finally:
        for channel, (process, _) in busy.items():
            channel.close()
            process.kill()
        for channel, _ in idle:
            channel.close()  # it ends when nobody asks any more


def _start(work: Callable[[Any], Any]) -> tuple[Connection, SpawnProcess]:
    ours, theirs = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_serve, args=(theirs, work))
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
