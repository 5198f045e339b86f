"""Models for workers that index: as shipped, but one kills its own process, or is another model."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

from countercase.encoders.base import EncoderOptions, Role, Vectors
from countercase.encoders.embedded.suite import EmbeddedEncoders


def uncached() -> EmbeddedEncoders:
    """The shipped models; everything is computed."""
    return EmbeddedEncoders(EncoderOptions(threads=1))


class KilledAt(EmbeddedEncoders):
    """The shipped models; the first process that encodes `words` is killed by its id."""

    def __init__(self, words: str, mark: Path) -> None:
        super().__init__(EncoderOptions(threads=1))
        self._words, self._mark = words, mark

    def encode_as(self, roles: Sequence[Role], texts: Sequence[str]) -> list[Vectors]:
        if any(self._words in text for text in texts) and not self._mark.exists():
            self._mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().encode_as(roles, texts)


class Others(EmbeddedEncoders):
    """The shipped models under another name."""

    def fingerprint(self, role: Role) -> str:
        return f"another {super().fingerprint(role)}"
