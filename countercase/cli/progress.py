"""Progress on stderr: bars with an estimate on a terminal, a line now and then in a log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Self

from countercase.cli.screen import console

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from countercase.config import Settings
    from countercase.io import Progress
    from countercase.session import Session

SECONDS_BETWEEN_LINES: Final = 15.0
"""Between two lines about the same work, where stderr is not a terminal."""


@contextmanager
def opened_session(
    settings: Settings, corpus: str, models: str, chroma_host: str | None = None
) -> Iterator[tuple[Session, Progress]]:
    """Open the models and a corpus, and show how far that and the work with them is.

    Raises:
        CorpusIndexError, ModelError: what `open_session` may raise.
    """
    from countercase import session as sessions

    with Steps() as steps:
        session = sessions.open_session(
            settings, corpus, chroma_host=chroma_host, models=models, progress=steps.work
        )
        yield session, steps.work


class Steps:
    """Shows the progress of work; its method `work` is a `countercase.io.Progress`."""

    def __init__(self) -> None:
        self._console = console(stderr=True)
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}
        self._printed: dict[str, float] = {}

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            from rich import progress as rich

            self._bars = rich.Progress(
                rich.SpinnerColumn(),
                rich.TextColumn("{task.description}", markup=False),
                rich.BarColumn(bar_width=24),
                rich.MofNCompleteColumn(),
                rich.TimeElapsedColumn(),
                rich.TextColumn("left"),
                rich.TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def work(self, what: str, done: int, of: int) -> None:
        """Show that `done` of `of` (0: unknown) is done of some work."""
        if self._bars is not None:
            self._bar(self._bars, what, done, of)
        else:
            self._line(what, done, of)

    def _bar(self, bars: Bars, what: str, done: int, of: int) -> None:
        if what not in self._tasks:
            self._tasks[what] = bars.add_task(what, total=of or None)
        task = next(task for task in bars.tasks if task.id == self._tasks[what])
        if done < task.completed:  # the same work again, with other texts
            bars.reset(task.id, total=of or None)
        bars.update(task.id, completed=done, total=of or None)

    def _line(self, what: str, done: int, of: int) -> None:
        now = time.monotonic()
        last = self._printed.get(what)
        if last is None or now - last >= SECONDS_BETWEEN_LINES:
            self._printed[what] = now
            amount = f": {done:,} of {of:,}" if of else (f": {done:,}" if done else "")
            self._console.print(f"{what}{amount}", soft_wrap=True)
