"""What judges whether a set of edits makes a case that could come before a court."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet
from countercase.registry import VALIDATORS


@dataclass(frozen=True)
class Verdict:
    """Whether a state is plausible, why, the rule that decided, and the law against it, if any."""

    plausible: bool
    reason: str
    rule: str
    provision: str = ""


@runtime_checkable
class Validator(Protocol):
    """Judges whole states: the root's sheet and the set of edits applied to it."""

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """Return the verdict on `root` with all of `edits`."""
        ...


def open_validator(validator: Validator | str = "rules") -> Validator:
    """Return a validator that is open, or open it by its name; ConfigError where it has none."""
    if not isinstance(validator, str) and hasattr(validator, "judge"):
        return validator
    opened: Validator = VALIDATORS.get(str(validator))()
    return opened
