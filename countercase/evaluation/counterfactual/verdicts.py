"""How often a verdict was right on labelled facts, by threshold and against the null floor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from countercase.evaluation.counterfactual_eval import LABELS, CaseResult, Labelled
from countercase.evaluation.report import Measure, Table
from countercase.evaluation.statistics import Rate, false_discovery_rate, share

LEVEL: Final = 0.05
"""The false discovery rate over the facts of all cases."""

ACCURACY_TARGETS: Final = {True: 0.75, False: 0.9}


class VerdictRate(NamedTuple):
    """Of `of` labelled facts that got a verdict by a criterion, `right` had the label it says."""

    criterion: str
    verdict: str
    right: int
    of: int


def verdict_rates(facts: Sequence[Labelled], threshold: float) -> list[VerdictRate]:
    """For each criterion and verdict: of the facts that got it, those whose label agrees.

    An inconclusive fact is neither right nor wrong; its row says how many were dispositive.
    """
    called: dict[tuple[str, str], list[bool]] = {}
    for fact in facts:
        carries = fact.reading.carries(threshold, nulls=True)
        if carries is not None:
            word = "dispositive" if carries else "not dispositive"
            called.setdefault(("threshold", word), []).append(fact.dispositive)
        if fact.reading.calibrated:
            called.setdefault(("calibrated", fact.reading.calibrated), []).append(fact.dispositive)
    return [
        VerdictRate(criterion, word, labels.count(word != "not dispositive"), len(labels))
        for (criterion, word), labels in sorted(called.items(), reverse=True)
    ]


def verdict_table(facts: Sequence[Labelled], threshold: float) -> Table:
    """`verdict_rates` as a table."""
    rows = tuple(
        (*rate, *Rate(rate.right, rate.of).cells) for rate in verdict_rates(facts, threshold)
    )
    columns = ("criterion", "verdict", "label agrees", "of", "share", "low", "high")
    note = (
        "Of the facts that got a verdict, those whose label agrees; of the inconclusive, those "
        "labelled dispositive."
    )
    return Table("How often a verdict was right", columns, rows, note)


def calibrated_measures(results: Sequence[CaseResult]) -> Iterator[Measure]:
    """The accuracies of the calibrated criterion over all labelled facts; none without the floor.

    An inconclusive fact is not called dispositive, so it is a miss where the label says that it is;
    so is a fact that was not measured, whatever its label.
    """
    facts = [fact for result in results for fact in result.facts]
    if not any(fact.reading.calibrated for fact in facts):
        return
    for label, name in LABELS.items():
        own = [fact.reading.calibrated for fact in facts if fact.dispositive == label]
        right = share(said and (said == "dispositive") == label for said in own)
        key = f"counterfactual.{name.replace('-', '_')}.facts.calibrated"
        title = f"{name.capitalize()} accuracy, calibrated criterion"
        yield Measure.of(key, title, right, target=ACCURACY_TARGETS[label])
    unsure = share(fact.reading.calibrated == "inconclusive" for fact in facts)
    title = "Facts on which the calibrated criterion is inconclusive"
    yield Measure.of("counterfactual.inconclusive", title, unsure)
    agreed = share(it.dispositive for it in facts if it.reading.calibrated == "dispositive")
    title = "Facts said to move the list, calibrated criterion, that are labelled dispositive"
    yield Measure.of("counterfactual.verdict.right.calibrated", title, agreed)
    p = {
        (result.case.case_id, fact.fact_id): fact.p
        for result in results
        for fact in result.reading.facts
        if fact.p is not None
    }
    found = share(q <= LEVEL for q in false_discovery_rate(p).values())
    title = f"Facts that move the list beyond words over all cases, false discovery rate {LEVEL:g}"
    note = "By Benjamini and Hochberg over the facts of all cases together."
    yield Measure.of("counterfactual.beyond_words", title, found, note=note)
