"""The evaluation of explanations as measures, tables and a plot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

from countercase.evaluation.explanation_eval import (
    CHECKS,
    FORMS,
    Check,
    Form,
    Label,
    PairScore,
    SentenceScore,
    detection,
    faithfulness,
    raised_by,
    recall_by_error,
)
from countercase.evaluation.faithfulness.own_explanations import (
    Kind,
    OwnExplanation,
    own_faithfulness,
)
from countercase.evaluation.report import Bar, Cell, Measure, Plot, Section, Table, bars
from countercase.evaluation.statistics import mean_estimate

TARGET: Final = 0.9
"""Faithfulness that CounterCase's own explanations should reach, in every form."""

_TITLES: Final[dict[Form, str]] = {
    "overlap": "40% of the content words",
    "strict": "and figures, provisions, names, negations",
    "relations": "and outcomes, who did what, nothing added",
}
_LABELS: Final[tuple[Label, ...]] = ("unfaithful", "faithful")
_LAST_NUMBER: Final = re.compile(r"(\d+)\D*\Z")
_HELD_OUT: Final = (
    "The checks were written with the odd-numbered pairs in view; the even-numbered ones are "
    "held out."
)


def explanation_section(
    pairs: Sequence[PairScore], own: Sequence[OwnExplanation] = (), seed: int = 0
) -> Section:
    """Report on labelled explanations and on those that CounterCase gave itself."""
    held_out = [pair for pair in pairs if _held_out(pair)]
    tables = [
        _detection_table("Telling faithful from unfaithful: all pairs", pairs, seed),
        _errors(pairs),
        _checks(pairs),
    ]
    if held_out and len(held_out) < len(pairs):
        title = "The same: held-out pairs alone"
        tables.insert(1, _detection_table(title, held_out, seed, _HELD_OUT))
        tables.insert(3, _errors(held_out, " among the held-out pairs"))
    if own:
        tables += [_own_table(own, seed), _own_faults(own)]
    return Section(
        "explanations",
        "Explanations: does the passage bear them out?",
        (*_pair_measures(pairs, seed), *_own_measures(own, seed)),
        tuple(tables),
        (_plot(pairs),),
        {
            "pairs": [_pair_details(pair) for pair in pairs],
            "own": [
                {"explanation_id": it.explanation_id, "kind": it.kind, **_sentences(it.scores)}
                for it in own
            ],
        },
    )


def _held_out(score: PairScore) -> bool:
    number = _LAST_NUMBER.search(score.pair.pair_id)
    return number is not None and int(number[1]) % 2 == 0


def _pair_measures(pairs: Sequence[PairScore], seed: int) -> Iterator[Measure]:
    for form, title in _TITLES.items():
        for label in _LABELS:
            detected = detection(pairs, form, label, seed)
            key, ending = f"explanations.{form}.{label}", f"of telling {label} ({title})"
            yield Measure.of(f"{key}.precision", f"Precision {ending}", detected.precision)
            yield Measure.of(f"{key}.recall", f"Recall {ending}", detected.recall)
            yield Measure.of(f"{key}.f1", f"F1 {ending}", detected.f1)


def _own_measures(own: Sequence[OwnExplanation], seed: int) -> Iterator[Measure]:
    note = (
        "Mean over explanations of the share of their sentences on a passage that the quoted "
        "chunk bears out; statements of measurement are not counted."
    )
    for form, title in _TITLES.items():
        title = f"Faithfulness of CounterCase's own explanations ({title})"
        mean, key = mean_estimate(own_faithfulness(own, form), seed), f"explanations.own.{form}"
        yield Measure.of(key, title, mean, target=TARGET, note=note)


def _detection_table(title: str, pairs: Sequence[PairScore], seed: int, note: str = "") -> Table:
    rows: list[tuple[Cell, ...]] = []
    for form, form_title in _TITLES.items():
        for label in _LABELS:
            detected = detection(pairs, form, label, seed)
            rates = (*detected.precision.cells, *detected.recall.cells, *detected.f1.cells)
            rows.append((form_title, label, detected.recall.of, *rates))
    ends = ("low", "high")
    columns = ("form", "label", "pairs", "precision", *ends, "recall", *ends, "F1", *ends)
    note = note or "An explanation is told faithful where every sentence of it is borne out."
    return Table(title, columns, tuple(rows), note)


def _errors(pairs: Sequence[PairScore], among: str = "") -> Table:
    by_form = {form: recall_by_error(pairs, form) for form in FORMS}
    rows = [
        (error.replace("_", " "), rate.of, *(by_form[form][error].value for form in FORMS))
        for error, rate in by_form["overlap"].items()
    ]
    title = f"Share of the unfaithful explanations that are found, by error{among}"
    return Table(title, ("error", "pairs", *_TITLES.values()), tuple(rows))


def _checks(pairs: Sequence[PairScore]) -> Table:
    listed: list[tuple[str, str, tuple[Check, ...]]] = [
        *((check, finds, (check,)) for check, finds in CHECKS.items()),
        ("strict", "any of the first four", FORMS["strict"]),
        ("relations", "any of them", FORMS["relations"]),
    ]
    rows = []
    for name, finds, checks in listed:
        right, wrong = (raised_by(pairs, checks, label) for label in _LABELS)
        rows.append((name, finds, right.count, right.of, wrong.count, wrong.of))
    columns = ("check", "finds", "in unfaithful", "of", "in faithful", "of ")
    note = "A fault in a faithful explanation is a false alarm."
    return Table("What each check finds", columns, tuple(rows), note)


def _own_table(own: Sequence[OwnExplanation], seed: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for kind in get_args(Kind):
        listed = [explanation for explanation in own if explanation.kind == kind]
        scores = [score for explanation in listed for score in explanation.scores]
        count = sum(len(explanation.sentences) for explanation in listed)
        for form, title in _TITLES.items():
            mean = mean_estimate(own_faithfulness(listed, form), seed)
            on_passages = (len(scores), faithfulness(scores, form), count - len(scores))
            rows.append((kind, title, mean.n, *mean.cells, *on_passages))
    return Table(
        "CounterCase's own explanations",
        (
            "explains a", "form", "explanations", "faithfulness", "low", "high",
            "sentences on a passage", "borne out", "statements of measurement",
        ),
        tuple(rows),
        "Where a quote stands is not part of the sentence. Statements of measurement (ranks, "
        "displacement, the edit) rest on no passage and are counted apart.",
    )  # fmt: skip


def _own_faults(own: Sequence[OwnExplanation]) -> Table:
    counts: Counter[tuple[str, str]] = Counter(
        (explanation.kind, check)
        for explanation in own
        for score in explanation.scores
        for check in dict.fromkeys(fault.check for fault in score.faults)
    )
    rows = [(kind, check, counts[kind, check]) for kind in get_args(Kind) for check in CHECKS]
    title = "Sentences of CounterCase's own in which a check finds a fault"
    return Table(title, ("explains a", "check", "sentences"), tuple(rows))


def _plot(pairs: Sequence[PairScore]) -> Plot:
    by_form = {form: recall_by_error(pairs, form) for form in FORMS}
    labels = [error.replace("_", " ") for error in by_form["overlap"]]
    heights: dict[str, list[Bar | None]] = {
        form: [(rate.value or 0.0, rate.interval or (0.0, 0.0)) for rate in rates.values()]
        for form, rates in by_form.items()
    }
    title = "Unfaithful explanations that are found, by error"
    return bars(title, "error", "share found", labels, heights)


def _pair_details(score: PairScore) -> dict[str, Any]:
    pair = score.pair
    return {
        "pair_id": pair.pair_id,
        "case_id": pair.case_id,
        "label": pair.label,
        "error": pair.error,
        "told": {form: score.verdict(form) for form in FORMS},
        **_sentences(score.sentences),
    }


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
