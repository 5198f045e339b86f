"""A shard that tells its process's id and gives a test the time to kill it."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from countercase.retrieval.shards import Answer, Question, Shard


@dataclass(frozen=True)
class Waiting(Shard):
    """Until one process of several was killed, each waits before it answers."""

    folder: Path = Path()

    def __call__(self, question: Question) -> Answer:
        seen = len(list(self.folder.glob("pid-*")))
        (self.folder / f"pid-{os.getpid()}").touch()
        if seen < 2:
            time.sleep(1.5)
        return super().__call__(question)
