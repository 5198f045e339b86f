"""The evaluation of explanations as measures, tables and a plot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any, Final, TypeAlias, get_args

from countercase.evaluation.experiment import measure, table
from countercase.evaluation.explanation_eval import (
    CHECKS,
    FORMS,
    Detection,
    Form,
    Label,
    PairScore,
    SentenceScore,
    detection,
    faithfulness,
)
from countercase.evaluation.faithfulness.own_explanations import (
    Kind,
    OwnExplanation,
    own_faithfulness,
)
from countercase.evaluation.report import Cell, Plot, Section, Table, bars
from countercase.evaluation.sets import ErrorKind
from countercase.evaluation.statistics import Cells, Rate, mean_estimate, share

_TITLES: Final[dict[Form, str]] = {
    "overlap": "40% of the content words",
    "strict": "and figures, provisions, names, negations",
    "relations": "and outcomes, who did what, nothing added",
}
_LABELS: Final[tuple[Label, ...]] = ("unfaithful", "faithful")
_LAST_NUMBER: Final = re.compile(r"(\d+)\D*\Z")

Detections: TypeAlias = dict[tuple[Form, Label], Detection]


def explanation_section(
    pairs: Sequence[PairScore], own: Sequence[OwnExplanation] = (), seed: int = 0
) -> Section:
    """Report on labelled explanations and on those that CounterCase gave itself."""
    detected = detect_all(pairs, seed)
    measures = [
        measure(f"explanations.{{form}}.{{label}}.{what}", getattr(found, what),
                form=form, label=label, words=_TITLES[form])
        for (form, label), found in detected.items()
        for what in ("precision", "recall", "f1")
    ]  # fmt: skip
    for form, words in _TITLES.items():
        mean = mean_estimate(own_faithfulness(own, form), seed)
        measures.append(measure("explanations.own.{form}", mean, form=form, words=words))
    return Section(
        "explanations",
        "Explanations: does the passage bear them out?",
        tuple(measures),
        (*_pair_tables(pairs, detected, seed), *(_own_tables(own, seed) if own else ())),
        (_plot(pairs),),
        {
            "pairs": [
                {
                    **it.pair.model_dump(include={"pair_id", "case_id", "label", "error"}),
                    "told": {form: it.verdict(form) for form in FORMS},
                    **_sentences(it.sentences),
                }
                for it in pairs
            ],
            "own": [
                {"explanation_id": it.explanation_id, "kind": it.kind, **_sentences(it.scores)}
                for it in own
            ],
        },
    )


def detect_all(pairs: Sequence[PairScore], seed: int) -> Detections:
    """Compute how well each form detects each label."""
    return {key: detection(pairs, *key, seed) for key in product(_TITLES, _LABELS)}


def recall_by_error(pairs: Sequence[PairScore], form: Form) -> dict[ErrorKind, Rate]:
    """Count of the pairs with each kind of error those that the form calls unfaithful; by name."""
    errors = sorted({score.pair.error for score in pairs if score.pair.error is not None})
    return {
        error: share(it.verdict(form) == "unfaithful" for it in pairs if it.pair.error == error)
        for error in errors
    }


def _pair_tables(pairs: Sequence[PairScore], detected: Detections, seed: int) -> list[Table]:
    numbers = (_LAST_NUMBER.search(it.pair.pair_id) for it in pairs)
    even = [number is not None and int(number[1]) % 2 == 0 for number in numbers]
    held_out = [pair for pair, is_even in zip(pairs, even, strict=True) if is_even]
    tables = [_detections("explanations.detection", detected), _errors(pairs), _checks(pairs)]
    if held_out and not all(even):
        again = _detections("explanations.detection.held_out", detect_all(held_out, seed))
        tables.insert(1, again)
        tables.insert(3, _errors(held_out, " among the held-out pairs"))
    return tables


def _detections(key: str, detected: Detections) -> Table:
    return table(key, (
        (_TITLES[form], label, it.recall.of, *it.precision.cells, *it.recall.cells, *it.f1.cells)
        for (form, label), it in detected.items()
    ))  # fmt: skip


def _errors(pairs: Sequence[PairScore], among: str = "") -> Table:
    by_form = {form: recall_by_error(pairs, form) for form in FORMS}
    rows = (
        (error.replace("_", " "), rate.of, *(by_form[form][error].value for form in FORMS))
        for error, rate in by_form["overlap"].items()
    )
    return table("explanations.errors", rows, [*_TITLES.values()], among=among)


def _checks(pairs: Sequence[PairScore]) -> Table:
    rows = []
    for name, finds, checks in (
        *((check, finds, (check,)) for check, finds in CHECKS.items()),
        ("strict", "any of the first four", FORMS["strict"]),
        ("relations", "any of them", FORMS["relations"]),
    ):
        right, wrong = (
            share(
                any(fault.check in checks for it in score.sentences for fault in it.faults)
                for score in pairs
                if score.pair.label == label
            )
            for label in _LABELS
        )
        rows.append((name, finds, right.count, right.of, wrong.count, wrong.of))
    return table("explanations.checks", rows)


def _own_tables(own: Sequence[OwnExplanation], seed: int) -> tuple[Table, Table]:
    rows: list[tuple[Cell, ...]] = []
    faults: list[tuple[Cell, ...]] = []
    for kind in get_args(Kind):
        listed = [explanation for explanation in own if explanation.kind == kind]
        scores = [score for explanation in listed for score in explanation.scores]
        measured = sum(len(explanation.sentences) for explanation in listed) - len(scores)
        for form, title in _TITLES.items():
            mean = mean_estimate(own_faithfulness(listed, form), seed)
            on_passages = (len(scores), faithfulness(scores, form), measured)
            rows.append((kind, title, mean.n, *mean.cells, *on_passages))
        raised = Counter(check for it in scores for check in {fault.check for fault in it.faults})
        faults += [(kind, check, raised[check]) for check in CHECKS]
    return table("explanations.own", rows), table("explanations.own.faults", faults)


def _plot(pairs: Sequence[PairScore]) -> Plot:
    by_form = {form: recall_by_error(pairs, form) for form in FORMS}
    labels = [error.replace("_", " ") for error in by_form["overlap"]]
    heights: dict[str, list[Cells]] = {
        form: [it.cells for it in rates.values()] for form, rates in by_form.items()
    }
    title = "Unfaithful explanations that are found, by error"
    return bars(title, "error", "share found", labels, heights)


def _sentences(scores: Sequence[SentenceScore]) -> dict[str, Any]:
    return {
        "faithfulness": {form: faithfulness(scores, form) for form in FORMS},
        "sentences": [
            {
                "text": score.text,
                "chunk_id": score.chunk_id,
                "overlap": score.overlap,
                "faults": [{"check": fault.check, "words": fault.words} for fault in score.faults],
            }
            for score in scores
        ],
    }
