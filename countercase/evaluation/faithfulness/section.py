"""The evaluation of explanations as measures, tables and a plot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress, product
from operator import itemgetter
from typing import Any, Final, Literal, TypeAlias, get_args

from countercase.evaluation import statistics as stats
from countercase.evaluation.experiment import counted
from countercase.evaluation.faithfulness import sentences as told
from countercase.evaluation.report import Cell, Section
from countercase.evaluation.sets import ExplanationPair
from countercase.io import Progress

Label: TypeAlias = Literal["faithful", "unfaithful"]
_TITLES: Final[dict[told.Form, str]] = {
    "overlap": "40% of the content words",
    "strict": "and figures, provisions, names, negations",
    "relations": "and outcomes, who did what, nothing added",
}
_LABELS: Final[tuple[Label, ...]] = ("unfaithful", "faithful")
_LAST_NUMBER: Final = re.compile(r"(\d+)\D*\Z")


@dataclass(frozen=True)
class PairScore:
    """A labelled pair and its sentences' scores."""

    pair: ExplanationPair
    sentences: tuple[told.SentenceScore, ...]

    def verdict(self, form: told.Form) -> Label:
        """Return the label that the form gives: faithful where every sentence is borne out."""
        return "faithful" if told.faithfulness(self.sentences, form) == 1.0 else "unfaithful"


Detection: TypeAlias = dict[str, stats.Estimate]
"""How well a form detects one label: precision, recall and F1, which is None where no pair has it."""


def detection(
    scores: Sequence[PairScore], form: told.Form, label: Label, seed: int = 0
) -> Detection:
    """Compute precision, recall and F1 of detecting `label`, `seed` for the interval of F1."""
    outcomes = [
        2 * (score.verdict(form) == label) + (score.pair.label == label) for score in scores
    ]
    hits, given, true = outcomes.count(3), outcomes.count(2), outcomes.count(1)
    f1 = stats.Estimate(None, len(scores))

    def of_resample(drawn: Any, axis: int) -> Any:
        """Compute F1 of resamples of pairs; 1 where no pair has or is given the label."""
        import numpy as np

        both = (drawn == 3).sum(axis=axis)
        total = both + (drawn > 0).sum(axis=axis)
        return np.where(total > 0, 2 * both / np.maximum(total, 1), 1.0)

    if hits + true:
        ends = stats.bootstrap_interval(outcomes, seed, statistic=of_resample)
        f1 = stats.Estimate(2 * hits / (2 * hits + given + true), len(scores), *ends)
    precision, recall = stats.rate(hits, hits + given), stats.rate(hits, hits + true)
    return {"precision": precision, "recall": recall, "f1": f1}


def explanation_section(
    labelled: Sequence[ExplanationPair],
    own: Sequence[told.OwnExplanation] = (),
    seed: int = 0,
    progress: Progress | None = None,
) -> Section:
    """Report on labelled explanations and on those that CounterCase gave itself."""
    found = Section("explanations", "Explanations: does the passage bear them out?")
    listed = counted(labelled, "pairs", progress)
    pairs = [PairScore(it, told.score_sentences(it.explanation, it.source)) for it in listed]
    numbers = (_LAST_NUMBER.search(it.pair.pair_id) for it in pairs)
    even = [number is not None and int(number[1]) % 2 == 0 for number in numbers]
    parts = {"": (pairs, "")}
    if any(even) and not all(even):
        parts[".held_out"] = ([*compress(pairs, even)], " among the held-out pairs")
    detected: dict[str, list[list[Cell]]] = {}
    for part, (chosen, _) in parts.items():
        detected[part] = []
        for form, label in product(_TITLES, _LABELS):
            figures, words = detection(chosen, form, label, seed), _TITLES[form]
            cells = (cell for figure in figures.values() for cell in figure.cells)
            detected[part].append([words, label, figures["recall"].n, *cells])
            for what, figure in figures.items() if not part else ():
                key = f"explanations.{{form}}.{{label}}.{what}"
                found.add_measure(key, figure, form=form, label=label, words=words)
    for form, words in _TITLES.items():
        mean = stats.mean_estimate(told.own_faithfulness(own, form), seed)
        found.add_measure("explanations.own.{form}", mean, form=form, words=words)
    for part, rows in detected.items():
        found.add_table(f"explanations.detection{part}", rows)
    for chosen, among in parts.values():
        first, *others = (recall_by_error(chosen, form) for form in told.FORMS)
        by_error = (
            (error, rate.n, rate.value, *(rates[error].value for rates in others))
            for error, rate in first.items()
        )
        found.add_table("explanations.errors", by_error, [*_TITLES.values()], among=among)
    found.add_table("explanations.checks", _count_checks(pairs))
    if own:
        _add_own(found, own, seed)
    by_form = {str(form): recall_by_error(pairs, form) for form in told.FORMS}
    heights = {form: [it.cells for it in rates.values()] for form, rates in by_form.items()}
    title = "Unfaithful explanations that are found, by error"
    found.add_bars(title, "error", "share found", [*by_form["overlap"]], heights)
    found.details = {
        "pairs": [
            {
                **it.pair.model_dump(include={"pair_id", "case_id", "label", "error"}),
                "told": {form: it.verdict(form) for form in told.FORMS},
                **_sentences(it.sentences),
            }
            for it in pairs
        ],
        "own": [
            {"explanation_id": it.explanation_id, "kind": it.kind, **_sentences(it.scores)}
            for it in own
        ],
    }
    return found


def recall_by_error(pairs: Sequence[PairScore], form: told.Form) -> dict[str, stats.Estimate]:
    """Count of the pairs with each kind of error those that the form calls unfaithful; by name."""
    faulty = [(it.pair.error.replace("_", " "), it) for it in pairs if it.pair.error]
    return {
        error: stats.share(it.verdict(form) == "unfaithful" for _, it in own)
        for error, own in sorted(stats.group_by(faulty, itemgetter(0)).items())
    }


def _count_checks(pairs: Sequence[PairScore]) -> Iterator[tuple[Cell, ...]]:
    raised = [
        (it.pair.label, {fault.check for score in it.sentences for fault in score.faults})
        for it in pairs
    ]
    for name, finds, checks in (
        *((check, finds, (check,)) for check, finds in told.CHECKS.items()),
        ("strict", "any of the first four", told.FORMS["strict"]),
        ("relations", "any of them", told.FORMS["relations"]),
    ):
        seen = [(label, not own.isdisjoint(checks)) for label, own in raised]
        right, wrong = (stats.share(it for of, it in seen if of == label) for label in _LABELS)
        yield name, finds, right.count, right.n, wrong.count, wrong.n


def _add_own(found: Section, own: Sequence[told.OwnExplanation], seed: int) -> None:
    rows: list[tuple[Cell, ...]] = []
    faults: list[tuple[Cell, ...]] = []
    for kind in get_args(told.Kind):
        listed = [explanation for explanation in own if explanation.kind == kind]
        scores = [score for explanation in listed for score in explanation.scores]
        measured = sum(len(explanation.sentences) for explanation in listed) - len(scores)
        for form, title in _TITLES.items():
            mean = stats.mean_estimate(told.own_faithfulness(listed, form), seed)
            on_passages = (len(scores), told.faithfulness(scores, form), measured)
            rows.append((kind, title, mean.n, *mean.cells, *on_passages))
        raised = Counter(check for it in scores for check in {fault.check for fault in it.faults})
        faults += [(kind, check, raised[check]) for check in told.CHECKS]
    found.add_table("explanations.own", rows)
    found.add_table("explanations.own.faults", faults)


def _sentences(scores: Sequence[told.SentenceScore]) -> dict[str, Any]:
    return {
        "faithfulness": {form: told.faithfulness(scores, form) for form in told.FORMS},
        "sentences": [
            vars(it) | {"faults": [{"check": own.check, "words": own.words} for own in it.faults]}
            for it in scores
        ],
    }
