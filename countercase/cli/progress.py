"""Progress on stderr: bars with an estimate on a terminal, a line now and then in a log."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from countercase.cli.screen import console

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SECONDS_BETWEEN_LINES: Final = 15.0
"""Between two lines about the same work, where stderr is no terminal."""

PHASES: Final = (
    ("root", "the case as it is"),
    ("nulls", "changes of words alone"),
    ("tree", "the tree of changes"),
)


class Steps:
    """Shows what is being done; every method may be called as often as one likes.

    Args:
        quiet: show nothing.
    """

    def __init__(self, quiet: bool = False) -> None:
        self._console = console(stderr=True)
        self._quiet = quiet
        self._bars: Progress | None = None
        self._tasks: dict[str, TaskID] = {}
        self._said: dict[str, float] = {}

    def __enter__(self) -> Self:
        if not self._quiet and self._console.is_terminal:
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            self._bars = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("left"),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bars is not None:
            self._bars.stop()

    def phase(self, name: str, done: int, of: int) -> None:
        """A phase of an analysis: `root`, `nulls`, `tree`."""
        self.work(dict(PHASES).get(name, name), done, of)

    def work(self, what: str, done: int, of: int, detail: str = "") -> None:
        """Some work, how much of it is done, and of how much; 0 where that is not known."""
        if self._quiet:
            return
        if self._bars is not None:
            self._bar(self._bars, what, done, of, detail)
        else:
            self._line(what, done, of, detail)

    def _bar(self, bars: Progress, what: str, done: int, of: int, detail: str) -> None:
        if what not in self._tasks:
            self._tasks[what] = bars.add_task(what, total=of or None)
        task = next(task for task in bars.tasks if task.id == self._tasks[what])
        if done < task.completed:  # the same work again, with other texts
            bars.reset(task.id, total=of or None)
        text = f"{what} ({detail})" if detail else what
        bars.update(task.id, completed=done, total=of or None, description=text)

    def _line(self, what: str, done: int, of: int, detail: str) -> None:
        now = time.monotonic()
        last = self._said.get(what)
        if last is None or now - last >= SECONDS_BETWEEN_LINES:
            self._said[what] = now
            amount = f": {done:,} of {of:,}" if of else (f": {done:,}" if done else "")
            more = f" ({detail})" if detail else ""
            self._console.print(f"{what}{amount}{more}", soft_wrap=True)
