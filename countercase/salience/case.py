"""The weights of the segments of a case, in all its states.

A segment that states facts weighs what the weightiest of them weighs; any other weighs what the
segment model says of its words. Weights are those of the case as it is: an edit changes what is
asked, not how much it counts. Where an edit changes a segment, only the share of the fact that it
changes is asked in the new words; the rest of the segment is asked as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from countercase.encoders.base import Encoders
from countercase.encoders.embedded.weights import model_fingerprint, recipes
from countercase.facts.model import FactSheet
from countercase.facts.segments import Segment
from countercase.salience.facts import fact_salience
from countercase.salience.model import Salience
from countercase.salience.segments import segment_salience

DECIMALS: Final = 9
PRECISIONS: Final = ("bf16", "f32")


@dataclass(frozen=True)
class CaseSalience:
    """How much the facts and segments of one case weigh.

    Attributes:
        facts: salience by fact id.
        read: the salience of segments by their words.
        power: of the salience in the weight of a segment; 0: all segments weigh 1.
        change_power: of the salience in the share of an edited segment that is asked in the new
            words; 0: all of it.
    """

    facts: dict[str, Salience]
    read: Callable[[Sequence[str]], dict[str, Salience]]
    power: float
    change_power: float

    def of_segments(self, segments: Sequence[Segment]) -> list[float]:
        """The weight of each segment of the case as it is."""
        read = self.read([segment.text for segment in segments])
        values = []
        for segment in segments:
            stated = [self.facts[i].value for i in segment.fact_ids if i in self.facts]
            salience = max(stated, default=read[segment.text].value)
            values.append(round(float(salience**self.power), DECIMALS))
        return values

    def of_change(self, fact_ids: Collection[str], text: str) -> float:
        """The weight of words that an edit brings in: of its facts, else of the words."""
        known = [self.facts[i].value for i in fact_ids if i in self.facts]
        salience = max(known) if known else self.read([text])[text].value
        return round(float(salience**self.change_power), DECIMALS)


def weighed(
    root: Sequence[Segment],
    segments: Sequence[Segment],
    changed: Collection[str],
    salience: CaseSalience,
) -> tuple[tuple[Segment, ...], tuple[float, ...]]:
    """The segments that a state asks with, and their weights.

    Args:
        root: the segments of the case as it is.
        segments: those of the state.
        changed: ids of the facts that its edits change.
    """
    own = dict(zip(root, salience.of_segments(root), strict=True))
    by_text: dict[str, float] = {}
    for segment, weight in own.items():
        by_text[segment.text] = max(weight, by_text.get(segment.text, 0.0))
    asked: list[tuple[Segment, float]] = []
    for segment in segments:
        kept = by_text.get(segment.text)
        of_words = salience.of_change(changed, segment.text) if kept is None else kept
        asked.append((segment, of_words))
    still = {segment.text for segment in segments}
    known = [i for i in changed if i in salience.facts]
    for segment, weight in own.items():
        if segment.text not in still:
            share = salience.of_change(known, segment.text) if known else 0.0
            rest = round(weight - share, DECIMALS)
            if rest > 0:
                asked.append((segment, rest))
    return tuple(segment for segment, _ in asked), tuple(weight for _, weight in asked)


def case_salience(
    sheet: FactSheet, encoders: Encoders, power: float, change_power: float
) -> CaseSalience | None:
    """The salience of a case; None where all weigh the same (powers of 0, or other encoders)."""
    if not (power or change_power) or not fits(encoders):
        return None
    facts = fact_salience(sheet, encoders)
    return CaseSalience(facts, lambda texts: segment_salience(texts, encoders), power, change_power)


def text_weights(segments: Sequence[str], encoders: Encoders, power: float) -> tuple[float, ...]:
    """The weights of the segments of a text without facts; empty where all weigh the same."""
    if not power or not fits(encoders):
        return ()
    read = segment_salience(segments, encoders)
    return tuple(round(read[text].value ** power, DECIMALS) for text in segments)


def fits(encoders: Encoders) -> bool:
    """Whether the models were trained on the vectors of these encoders: the embedded ones."""
    recipe = recipes()["sentence"]
    known = {model_fingerprint(recipe, precision) for precision in PRECISIONS}
    return encoders.fingerprint("sentence") in known
