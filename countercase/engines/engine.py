"""Choose where work is done, and do it on every item."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal, get_args

from countercase.engines.pools import Failed, Item, Processes, RayTasks, Value, attempt
from countercase.errors import InputError

EngineName = Literal["plain", "processes", "ray"]
ENGINES: Final[tuple[EngineName, ...]] = get_args(EngineName)

AHEAD: Final = 4
"""Items for each worker that `Engine.map` may have begun and not yet given out."""


@dataclass(frozen=True)
class Engine:
    """Where the items of a long piece of work are done; the results are the same everywhere.

    Attributes:
        name: `plain`: here, one after the other; `processes`: in processes of this machine;
            `ray`: on Ray, one task an item.
        workers: how many items are worked on at once.
        address: a running Ray cluster, as `host:port`; empty for one of its own on this machine.
    """

    name: EngineName = "plain"
    workers: int = 1
    address: str = ""

    @property
    def threads(self) -> int:
        """Threads that one worker should take, so that all fit this machine; 0: one per core."""
        if self.name == "plain":
            return 0
        return 1 if self.name == "ray" else max(1, len(os.sched_getaffinity(0)) // self.workers)

    def run(
        self, work: Callable[[Item], Value], items: Sequence[Item],
        receive: Callable[[int, Value | Failed], None],
    ) -> None:  # fmt: skip
        """Do `work` on each item; `receive` gets position and result as each is finished.

        Work can be pickled, unless the engine is plain. Each worker gets it once, so that it opens
        what it needs once; see `Sendable`. What is raised is that of `connected`.
        """
        with closing(self._results(work, items)) as results:
            for at, result in results:
                receive(at, result)

    def map(
        self, work: Callable[[Item], Value], items: Iterable[Item]
    ) -> Generator[Value | Failed, None, None]:
        """Do `work` on each item of a stream, and yield the results in the order of the items.

        An item is taken when a worker is free for it and at most `AHEAD` items a worker are past
        the first one without a result, so memory is bounded however long the stream is. Close the
        generator to end the workers.
        """
        early: dict[int, Value | Failed] = {}
        following = 0
        with closing(self._results(work, items, AHEAD * self.workers)) as results:
            for at, result in results:
                early[at] = result
                while following in early:
                    yield early.pop(following)
                    following += 1

    def _results(
        self, work: Callable[[Item], Value], items: Iterable[Item], ahead: int | None = None
    ) -> Generator[tuple[int, Value | Failed], None, None]:
        """Yield position and result of each item; `ahead` are begun past the oldest unfinished."""
        source: Iterator[tuple[int, Item]] = enumerate(items)
        if self.name == "plain":
            for at, item in source:
                yield at, attempt(work, item)
            return
        if (first := next(source, None)) is None:
            return
        source, running, ready, begun = chain([first], source), set[int](), None, 0
        pool = RayTasks(work, self.workers, self.address) if self.name == "ray" else Processes(work)
        with closing(pool):
            while True:
                while len(running) < self.workers:
                    is_far = ahead is not None and begun >= min(running, default=begun) + ahead
                    if is_far or (taken := next(source, None)) is None:
                        break
                    pool.submit(*taken)
                    running.add(begun)
                    begun += 1
                if ready is not None:
                    yield ready
                if not running:
                    return
                ready = pool.wait()
                running.remove(ready[0])


PLAIN: Final = Engine()


def choose_engine(name: str | None, workers: int | None, address: str | None = None) -> Engine:
    """Return the engine of these options, processes for several workers; an `InputError` for odd ones."""
    if name is None:
        name = "ray" if address else "processes" if (workers or 1) > 1 else "plain"
    engine = next((known for known in ENGINES if known == name), None)
    if engine is None:
        raise InputError(f"--engine {name!r}: choose {' or '.join(ENGINES)}")
    if engine == "plain" and (workers or 1) > 1:
        raise InputError("--engine plain has one worker; several need --engine processes or ray")
    if address and engine != "ray":
        raise InputError(f"--ray-address is for --engine ray, not {engine}")
    own = 1 if engine == "plain" else len(os.sched_getaffinity(0))
    return Engine(engine, workers or own, address or "")
