"""How much each statement of a case weighs in its query.

A statement weighs `share · salience^power`, in the case as it is and in every state alike, beside 1
for a segment of the residue. Salience is a model's estimate that courts turn on such a fact; it never
scales a movement. A fact that an edit adds weighs what the model says of it beside the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from countercase.encoders.base import Encoders
from countercase.encoders.embedded.weights import are_embedded
from countercase.facts.model import FactSheet
from countercase.salience.facts import fact_salience
from countercase.salience.model import Salience

DECIMALS: Final = 9

TYPICAL: Final = 0.5
"""The salience of a fact of which the model has no estimate: one that an edit adds."""


@dataclass(frozen=True)
class Weighing:
    """The weights of the statements of one case.

    Attributes:
        facts: salience by fact id; empty where no model fits the encoders, and all weigh `share`.
        power: of the salience in the weight of a statement.
        share: weight of a statement of salience 1, beside 1 for a segment of the residue.
    """

    facts: Mapping[str, Salience] = field(default_factory=dict)
    power: float = 1.5
    share: float = 1.0

    def of(self, fact_id: str) -> float:
        """Return the weight of the statement of a fact, from 0 up."""
        if not self.facts:
            return self.share
        value = known.value if (known := self.facts.get(fact_id)) else TYPICAL
        return round(float(self.share * value**self.power), DECIMALS)


def weigh_facts(sheet: FactSheet, encoders: Encoders, power: float, share: float) -> Weighing:
    """Return the weights of a case; all facts weigh the same without a model for these encoders."""
    facts = fact_salience(sheet, encoders) if are_embedded(encoders, "sentence") else {}
    return Weighing(facts, power, share)
