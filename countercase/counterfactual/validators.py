"""Whether a set of edits makes a case that could come before a court.

A rule speaks against a state only where the edits brought the contradiction in: a case that is
odd from the beginning is the user's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from countercase.counterfactual import words_left
from countercase.counterfactual.plausibility import RULES
from countercase.facts.edits import Edit, apply_edits, compatible
from countercase.facts.model import FactSheet
from countercase.registry import VALIDATORS


@dataclass(frozen=True)
class Verdict:
    """Whether a state is plausible, why in one sentence, and the rule that decided."""

    plausible: bool
    reason: str
    rule: str


class Validator(Protocol):
    """Judges whole states: the root's sheet and the set of edits applied to it."""

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """The verdict on `root` with all of `edits`."""
        ...


class RuleValidator:
    """The rules of `countercase.counterfactual.plausibility`, in their order."""

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """The first rule that speaks against the state, or that none does."""
        if not compatible(edits):
            return Verdict(
                False,
                "The edits change one fact or the same words twice, so they cannot hold at once.",
                "edits.compatible",
            )
        state = apply_edits(root, edits)
        if root.facts and not state.facts:
            return Verdict(False, "No fact of the case would be left.", "edits.something_left")
        for name, objection in RULES:
            reason = objection(state, root.narrative)
            if reason is not None and objection(root, root.narrative) is None:
                return Verdict(False, reason, name)
        for name, rule in words_left.RULES:
            for edit in filter(words_left.changes_a_provision, edits):
                reason = rule(root, edit)
                if reason is not None:
                    return Verdict(False, reason, name)
        return Verdict(True, "No rule of law speaks against it.", "rules")


def open_validator(validator: Validator | str = "rules") -> Validator:
    """A validator by its name in the registry; one that is open already is returned as it is.

    Raises:
        ConfigError: no validator has this name.
    """
    if not isinstance(validator, str):
        return validator
    opened: Validator = VALIDATORS.get(validator)()
    return opened
