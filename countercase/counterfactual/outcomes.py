"""How the balance of allowed and dismissed among the precedents moves with each fact.

It is a count of what became of the decisions that the search finds, and no forecast: an appeal may
be the State's or the accused's, and what is found is what is alike in words and provisions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from countercase.counterfactual.tree import PerturbationTree


@dataclass(frozen=True)
class Balance:
    """What became of the decisions of a list; `other` is remanded, disposed of, or not known."""

    allowed: int
    partly_allowed: int
    dismissed: int
    other: int

    @property
    def leaning(self) -> float | None:
        """From -1, all dismissed, to 1, all allowed; partly allowed is 0; None where none counts."""
        counted = self.allowed + self.partly_allowed + self.dismissed
        return (self.allowed - self.dismissed) / counted if counted else None


@dataclass(frozen=True)
class OutcomeShift:
    """What a change of one fact does to the balance.

    Attributes:
        edit_id: the change, made on the case as it is.
        shift: change of the leaning, -2 to 2; None where either list has none.
    """

    fact_id: str
    edit_id: str
    balance: Balance
    shift: float | None


def balance_of(case_ids: Iterable[str], outcomes: Mapping[str, str]) -> Balance:
    """Count the outcomes of a list of decisions."""
    counts = Counter(outcomes.get(case, "") for case in case_ids)
    allowed, partly, dismissed = (counts[it] for it in ("allowed", "partly allowed", "dismissed"))
    return Balance(allowed, partly, dismissed, counts.total() - allowed - partly - dismissed)


def outcome_shifts(
    tree: PerturbationTree, outcomes: Mapping[str, str]
) -> tuple[Balance, tuple[OutcomeShift, ...]]:
    """The balance of the case as it is, and the shift by each change, the largest first.

    Args:
        outcomes: outcome by id, as the judgments' metadata give it.
    """
    ranking = tree.root.ranking
    before = balance_of(ranking.case_ids if ranking is not None else (), outcomes)
    shifts = []
    for edge, _ in tree.measured():
        after = tree.node(edge.target).ranking
        if edge.source == "root" and after is not None:
            balance = balance_of(after.case_ids, outcomes)
            old, new = before.leaning, balance.leaning
            shift = None if old is None or new is None else new - old
            shifts.append(OutcomeShift(edge.edit.fact_id, edge.edit.edit_id, balance, shift))
    return before, tuple(sorted(shifts, key=lambda it: -abs(it.shift or 0.0)))
