"""The evaluation of explanations as measures, tables and a plot."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

from countercase.evaluation.explanation_eval import (
    FORMS,
    Form,
    Label,
    PairScore,
    SentenceScore,
    detection,
    faithfulness,
    raised_by,
    recall_by_error,
)
from countercase.evaluation.faithfulness.faults import CHECKS, Check
from countercase.evaluation.faithfulness.own_explanations import (
    Kind,
    OwnExplanation,
    own_faithfulness,
)
from countercase.evaluation.report import Cell, Measure, Plot, Section, Series, Table
from countercase.evaluation.statistics import bootstrap_interval

TARGET: Final = 0.9
"""Faithfulness that CounterCase's own explanations are to reach, in every form."""

_TITLES: Final[dict[Form, str]] = {
    "overlap": "40% of the content words",
    "strict": "and figures, provisions, names, negations",
    "relations": "and outcomes, who did what, nothing added",
}
_LABELS: Final[tuple[Label, ...]] = ("unfaithful", "faithful")
_LAST_NUMBER: Final = re.compile(r"(\d+)\D*\Z")


def explanation_section(
    pairs: Sequence[PairScore], own: Sequence[OwnExplanation] = (), seed: int = 0
) -> Section:
    """Everything that the evaluation found.

    Args:
        pairs: labelled explanations, scored.
        own: explanations that CounterCase gave.
        seed: of the resampling.
    """
    held_out = [one for one in pairs if _held_out(one)]
    tables = [
        _detection_table("Telling faithful from unfaithful: all pairs", pairs, seed),
        _errors(pairs),
        _checks(pairs),
    ]
    if held_out and len(held_out) < len(pairs):
        tables.insert(1, _detection_table("The same: held-out pairs alone", held_out, seed, _HELD))
        tables.insert(3, _errors(held_out, " among the held-out pairs"))
    if own:
        tables += [_own_table(own, seed), _own_faults(own)]
    return Section(
        name="explanations",
        title="Explanations: does the passage bear them out?",
        measures=(*_pair_measures(pairs, seed), *_own_measures(own, seed)),
        tables=tuple(tables),
        plots=(_plot(pairs),),
        details={
            "pairs": [_pair_details(one) for one in pairs],
            "own": [_own_details(one) for one in own],
        },
    )


_HELD: Final = (
    "The checks were written with the odd-numbered pairs in view; the even-numbered ones are "
    "held out."
)


def _held_out(score: PairScore) -> bool:
    number = _LAST_NUMBER.search(score.pair.pair_id)
    return number is not None and int(number[1]) % 2 == 0


def _pair_measures(pairs: Sequence[PairScore], seed: int) -> Iterator[Measure]:
    for form in FORMS:
        for label in _LABELS:
            told = detection(pairs, form, label, seed)
            name = f"explanations.{form}.{label}"
            for what, share in (("precision", told.precision), ("recall", told.recall)):
                low, high = share.interval or (None, None)
                yield Measure(
                    f"{name}.{what}",
                    f"{what.capitalize()} of telling {label} ({_TITLES[form]})",
                    share.value,
                    share.of,
                    low,
                    high,
                )
            low, high = told.f1_interval or (None, None)
            yield Measure(
                f"{name}.f1",
                f"F1 of telling {label} ({_TITLES[form]})",
                told.f1,
                len(pairs),
                low,
                high,
            )


def _own_measures(own: Sequence[OwnExplanation], seed: int) -> Iterator[Measure]:
    for form in FORMS:
        values = own_faithfulness(own, form)
        low, high = bootstrap_interval(values, seed) or (None, None)
        yield Measure(
            f"explanations.own.{form}",
            f"Faithfulness of CounterCase's own explanations ({_TITLES[form]})",
            sum(values) / len(values) if values else None,
            len(values),
            low,
            high,
            TARGET,
            note="Mean over explanations of the share of their sentences on a passage that the "
            "quoted chunk bears out; statements of measurement are not counted.",
        )


def _detection_table(title: str, pairs: Sequence[PairScore], seed: int, note: str = "") -> Table:
    rows: list[tuple[Cell, ...]] = []
    for form in FORMS:
        for label in _LABELS:
            told = detection(pairs, form, label, seed)
            shares = [
                cell
                for share in (told.precision, told.recall)
                for cell in (share.value, *(share.interval or (None, None)))
            ]
            rows.append((
                _TITLES[form], label, told.recall.of, *shares,
                told.f1, *(told.f1_interval or (None, None)),
            ))  # fmt: skip
    return Table(
        title,
        (
            "form", "label", "pairs", "precision", "low", "high", "recall", "low", "high",
            "F1", "low", "high",
        ),
        tuple(rows),
        note or "An explanation is told faithful where every sentence of it is borne out.",
    )  # fmt: skip


def _errors(pairs: Sequence[PairScore], among: str = "") -> Table:
    by_form = {form: recall_by_error(pairs, form) for form in FORMS}
    rows = [
        (kind.replace("_", " "), share.of, *(by_form[form][kind].value for form in FORMS))
        for kind, share in by_form["overlap"].items()
    ]
    return Table(
        f"Share of the unfaithful explanations that are found, by error{among}",
        ("error", "pairs", *(_TITLES[form] for form in FORMS)),
        tuple(rows),
    )


def _checks(pairs: Sequence[PairScore]) -> Table:
    listed: list[tuple[str, str, tuple[Check, ...]]] = [
        (check, finds, (check,)) for check, finds in CHECKS.items()
    ]
    listed.append(("strict", "any of the first four", FORMS["strict"]))
    listed.append(("relations", "any of them", FORMS["relations"]))
    rows = []
    for name, finds, checks in listed:
        right, wrong = (raised_by(pairs, checks, label) for label in _LABELS)
        rows.append((name, finds, right.count, right.of, wrong.count, wrong.of))
    return Table(
        "What each check finds",
        ("check", "finds", "in unfaithful", "of", "in faithful", "of "),
        tuple(rows),
        "A fault in a faithful explanation is a false alarm.",
    )


def _own_table(own: Sequence[OwnExplanation], seed: int) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for kind in get_args(Kind):
        listed = [one for one in own if one.kind == kind]
        sentences = [score for one in listed for score in one.scores]
        bare = sum(not sentence.passage for one in listed for sentence in one.sentences)
        for form in FORMS:
            values = own_faithfulness(listed, form)
            low, high = bootstrap_interval(values, seed) or (None, None)
            mean = sum(values) / len(values) if values else None
            share = faithfulness(sentences, form)
            rows.append(
                (kind, _TITLES[form], len(values), mean, low, high, len(sentences), share, bare)
            )
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
        (one.kind, check)
        for one in own
        for score in one.scores
        for check in dict.fromkeys(fault.check for fault in score.faults)
    )
    rows = [(kind, check, counts[kind, check]) for kind in get_args(Kind) for check in CHECKS]
    return Table(
        "Sentences of CounterCase's own in which a check finds a fault",
        ("explains a", "check", "sentences"),
        tuple(rows),
    )


def _plot(pairs: Sequence[PairScore]) -> Plot:
    by_form = {form: recall_by_error(pairs, form) for form in FORMS}
    kinds = list(by_form["overlap"])
    series = []
    for form, shares in by_form.items():
        ends = [shares[kind].interval or (0.0, 0.0) for kind in kinds]
        series.append(
            Series(
                form,
                tuple(float(at) for at in range(len(kinds))),
                tuple(shares[kind].value or 0.0 for kind in kinds),
                tuple(low for low, _ in ends),
                tuple(high for _, high in ends),
            )
        )
    return Plot(
        "Unfaithful explanations that are found, by error",
        "bars",
        "error",
        "share found",
        tuple(series),
        tuple(kind.replace("_", " ") for kind in kinds),
    )


def _pair_details(score: PairScore) -> dict[str, Any]:
    pair = score.pair
    return {
        "pair_id": pair.pair_id,
        "case_id": pair.case_id,
        "label": pair.label,
        "error": pair.error,
        "told": {form: score.told(form) for form in FORMS},
        "faithfulness": {form: faithfulness(score.sentences, form) for form in FORMS},
        "sentences": [_sentence_details(one) for one in score.sentences],
    }


def _own_details(one: OwnExplanation) -> dict[str, Any]:
    return {
        "explanation_id": one.explanation_id,
        "kind": one.kind,
        "faithfulness": {form: faithfulness(one.scores, form) for form in FORMS},
        "sentences": [_sentence_details(score) for score in one.scores],
    }


def _sentence_details(score: SentenceScore) -> dict[str, Any]:
    return {
        "text": score.text,
        "chunk_id": score.chunk_id,
        "overlap": score.overlap,
        "faults": [{"check": fault.check, "words": fault.words} for fault in score.faults],
    }
