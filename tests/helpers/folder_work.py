"""Work on the cases of a folder: made up, or real with a worker that is killed once."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from countercase.case_folder import CaseRow, CaseWork
from countercase.errors import InputError


@dataclass(frozen=True)
class MadeUp(CaseWork):
    """Reports that repeat the case; `asked` names the files that were analysed."""

    @property
    def own(self) -> str:
        return f"{self.settings.TOP_K} {self.corpus}"

    @property
    def asked(self) -> list[str]:
        return vars(self).setdefault("seen", [])

    def __call__(self, item: tuple[Path, str]) -> tuple[CaseRow, dict[str, str | bytes]]:
        path, made_with = item
        assert made_with == self.own
        self.asked.append(path.name)
        text = path.read_text(encoding="utf-8")
        if text == "bad":
            raise InputError(f"{path} is\nbad")
        row = CaseRow(path.name, case_id=path.stem, facts=len(text), measured=1, moving=1,
                      strongest="a fact", sensitivity=0.25, first="A v. B",
                      unjudged=text.count("?"))  # fmt: skip
        return row, {"report.md": text, "report.docx": text.encode()}


@dataclass(frozen=True)
class KilledOnce(CaseWork):
    """The worker that first analyses `victim` is killed by its id after it opened its models."""

    victim: str = ""
    mark: Path = Path()

    def __call__(self, item: tuple[Path, str]) -> Any:
        if item[0].name == self.victim and not self.mark.exists():
            assert self.session
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(item)
