"""A validator: the shipped rules, and never two changes of evidence at once."""

from __future__ import annotations

from collections.abc import Sequence

from countercase.counterfactual.lawful import LawfulValidator, Verdict
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet


class CautiousValidator:
    """Refuses states in which more than one item of evidence differs from the case."""

    def __init__(self) -> None:
        self._rules = LawfulValidator()

    def judge(self, root: FactSheet, edits: Sequence[Edit]) -> Verdict:
        """Return the verdict on `root` with all of `edits`."""
        if sum(edit.fact_type == "Evidence" for edit in edits) > 1:
            return Verdict(False, "Two items of evidence would change at once.", "cautious")
        return self._rules.judge(root, edits)
