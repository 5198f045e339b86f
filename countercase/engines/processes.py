"""Work in processes of this machine: each takes one item at a time, and may end at any moment."""

from __future__ import annotations

import contextlib
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final

from countercase.engines.work import ATTEMPTS, Failed, Item, Value, attempt, lost

_CONTEXT: Final = get_context("spawn")


def over_processes(
    work: Callable[[Item], Value], items: Sequence[Item], workers: int
) -> Iterator[tuple[int, Value | Failed]]:
    """Yield position and result of each item as it is finished; close it to end the workers.

    An item whose worker was killed is given to a new one, up to `ATTEMPTS` times.

    Raises:
        RuntimeError: a worker failed by an error of the program; its traceback is on stderr.
    """
    waiting = deque(range(len(items)))
    begun: Counter[int] = Counter()
    busy: dict[Connection, tuple[SpawnProcess, int]] = {}

    def give(channel: Connection, process: SpawnProcess) -> None:
        at = waiting.popleft()
        begun[at] += 1
        busy[channel] = process, at
        with contextlib.suppress(BrokenPipeError):  # it was killed: its channel ends, as seen below
            channel.send(items[at])

    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                give(*_start(work))
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
                        waiting.appendleft(at)
                    else:
                        yield at, lost(f"signal {-process.exitcode}")
                    continue
                if waiting:
                    give(channel, process)
                else:
                    channel.close()
                yield at, value
    finally:
        for channel, (process, _) in busy.items():
            channel.close()
            process.kill()


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
