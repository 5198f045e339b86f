"""The weights of the segments of a case, in all its states.

A segment that states facts weighs what the weightiest of them weighs; any other weighs what the
segment model says of its words. Weights are those of the case as it is: an edit changes what is
asked. How much a change counts is the salience of the facts that it changes, for null edits by the
same formula as for others, and never more than in full, so that every list is one that the words
can find: see `weighed`. The null floor alone asks every change as it is worded.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.encoders.base import Encoders
from countercase.encoders.embedded.weights import model_fingerprint, recipes
from countercase.fact_types.base import tokens
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet
from countercase.facts.segments import Segment
from countercase.registry import FACT_TYPES
from countercase.salience.facts import fact_salience
from countercase.salience.model import Salience
from countercase.salience.segments import segment_salience
from countercase.text.spans import Span, one_line

DECIMALS: Final = 9
PRECISIONS: Final = ("bf16", "f32")

FULL: Final = 0.65
"""The salience from which a change counts in full; of the casebook's facts that have a lawful edit,
two thirds lie above it."""


@dataclass(frozen=True)
class CaseSalience:
    """How much the facts and segments of one case weigh.

    Attributes:
        facts: salience by fact id.
        read: the salience of segments by their words.
        power: of the salience in the weight of a segment; 0: all segments weigh 1.
        change_power: of the salience in how much the change of a segment counts; 0: in full.
    """

    facts: dict[str, Salience]
    read: Callable[[Sequence[str]], dict[str, Salience]]
    power: float
    change_power: float

    def as_worded(self) -> CaseSalience:
        """The same, with every change counted in full."""
        return replace(self, change_power=0.0)

    def of_segments(self, segments: Sequence[Segment]) -> list[float]:
        """The weight of each segment of the case as it is."""
        if not self.power:
            return [1.0] * len(segments)
        read = self.read([segment.text for segment in segments])
        values = []
        for segment in segments:
            stated = [self.facts[i].value for i in segment.fact_ids if i in self.facts]
            salience = max(stated, default=read[segment.text].value)
            values.append(round(float(salience**self.power), DECIMALS))
        return values

    def of_change(self, fact_ids: Collection[str], words: str = "") -> float:
        """How much a change of these facts counts: (s / FULL)^power of the weightiest, at most 1.

        The change of a fact that is likely enough to be turned on (`FULL`) counts in full. Where the
        salience of none is known, `words` are read instead; without them, or without a power, 1.
        """
        known = [self.facts[i].value for i in fact_ids if i in self.facts]
        if not known and words and self.change_power:
            known = [self.read([words])[words].value]
        share = min(1.0, max(known, default=1.0) / FULL)
        return round(float(share**self.change_power), DECIMALS)


def weighed(
    root: Sequence[Segment],
    segments: Sequence[Segment],
    changes: Sequence[Edit],
    salience: CaseSalience,
) -> tuple[tuple[float, ...], tuple[tuple[str, float], ...]]:
    """The weights of a state's segments, and the former words that keep a weight.

    A segment of weight w whose change counts g is asked as w · (old + g · (new − old)): the new
    words weigh w · g and the old ones keep w · (1 − g). Words that stay the same weigh w, so equal
    rows move nothing, whatever g is.

    Args:
        root: the segments of the case as it is.
        segments: those of the state.
        changes: its edits.
    """
    own = dict(zip(root, salience.of_segments(root), strict=True))
    by_text: dict[str, float] = {}
    by_place: dict[Span, tuple[str, float]] = {}
    for segment, weight in own.items():
        by_text[segment.text] = max(weight, by_text.get(segment.text, 0.0))
        if segment.span is not None:
            by_place[segment.span] = segment.text, weight
    weights = []
    for segment in segments:
        if segment.text in by_text:
            weights.append(by_text[segment.text])
            continue
        words, [weight] = segment.text, salience.of_segments([segment])
        if segment.span is not None:
            words, weight = by_place.get(segment.span, (words, weight))
        weights.append(round(weight * _counts(segment, words, changes, salience), DECIMALS))
    still = {segment.text for segment in segments}
    former = []
    for segment, weight in own.items():
        if segment.text not in still:
            counts = _counts(segment, segment.text, changes, salience)
            if rest := round(weight * (1 - counts), DECIMALS):
                former.append((segment.text, rest))
    return tuple(weights), tuple(former)


def _counts(
    segment: Segment,
    words: str,
    changes: Sequence[Edit],
    salience: CaseSalience,
) -> float:
    """How much the change of a segment counts, by the facts of the edits that touch it.

    An edit of words and of no fact (a sentence taken away) counts by the words that it changes,
    whatever facts go with them; a fact that an edit adds counts in full.
    """
    touching = [edit for edit in changes if _touches(edit, segment)]
    facts = {
        fact_id for edit in touching for fact_id in edit.fact_ids if edit.fact_type in FACT_TYPES
    }
    return salience.of_change(sorted(facts), "" if facts else words)


def _touches(edit: Edit, segment: Segment) -> bool:
    """Whether an edit changes the words of a segment, or puts them in."""
    span = segment.span
    if span is None:
        stated = any(fact_id in segment.fact_ids for fact_id in edit.fact_ids)
        return stated or any(segment.text in one_line(change.text) for change in edit.changes)
    return any(change.start <= span.end and change.end >= span.start for change in edit.changes)


def weighed_features(
    sheet: FactSheet, salience: Mapping[str, Salience]
) -> tuple[tuple[str, float], ...]:
    """The features of a case, sorted, each once, with the weight of the weightiest fact that has it.

    Args:
        sheet: the case, edits made.
        salience: by fact id; a fact that is not there (evidence that an edit adds) weighs 1.
    """
    weights: dict[str, float] = {}
    for fact in sheet.facts:
        weight = salience[fact.fact_id].value if fact.fact_id in salience else 1.0
        for token in tokens(fact, sheet):
            weights[token] = max(weight, weights.get(token, 0.0))
    return tuple(sorted(weights.items()))


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
