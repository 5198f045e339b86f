"""How far people agree: raters of explanations, and two passes of labelling an evaluation set.

Cohen's kappa is the agreement of two beyond what their own habits would give by chance; weighted,
a near miss counts for less than a far one (Cohen, Educ. Psychol. Meas. 20, 1960; Psychol. Bull.
70, 1968). Krippendorff's alpha does the same for any number of raters who need not have rated
everything. Both are 1 for full agreement, 0 for chance, below 0 for less; alpha from .8 is
reliable, from .667 enough for tentative conclusions.

Beside each evaluation set lies `passes/<set>.jsonl`: every label as it was given first, a second
time without sight of the first, and as it was settled; where the two differ, with the reason.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

from countercase.errors import InputError
from countercase.evaluation.report import Cell, Measure, Section, Table
from countercase.evaluation.statistics import Interval, bootstrap_interval
from countercase.registry import FACT_TYPES

Level: TypeAlias = Literal["nominal", "ordinal"]
Label: TypeAlias = str | int
Row: TypeAlias = Mapping[str, Any]
_Item = TypeVar("_Item", bound=Hashable)

RESAMPLES: Final = 1_000
"""Resamples of the items for the interval of alpha."""

KAPPA_TARGET: Final = 0.6


@dataclass(frozen=True)
class Agreement:
    """Two passes over the same items.

    Args:
        items: how many both labelled.
        same: the share of them with the same label; None of none.
        kappa: Cohen's, or None where it is not defined (all labels alike).
        linear, quadratic: weighted kappa; None for labels without an order.
        alpha: Krippendorff's, at the level of the labels; None where it is not defined.
    """

    items: int
    same: float | None
    kappa: float | None
    linear: float | None
    quadratic: float | None
    alpha: float | None


def agreement_of_passes(
    first: Mapping[_Item, Label], second: Mapping[_Item, Label], level: Level = "nominal"
) -> Agreement:
    """How far two passes of labelling agree on the items that both labelled.

    Args:
        first, second: the label of each item; grades must be numbers for `ordinal`.
        level: `nominal` for labels without an order, `ordinal` for grades.
    """
    items = [item for item in first if item in second]
    left, right = [first[item] for item in items], [second[item] for item in items]
    same = sum(a == b for a, b in zip(left, right, strict=True))
    ordered = level == "ordinal"
    return Agreement(
        items=len(items),
        same=same / len(items) if items else None,
        kappa=cohen_kappa(left, right),
        linear=cohen_kappa(left, right, "linear") if ordered else None,
        quadratic=cohen_kappa(left, right, "quadratic") if ordered else None,
        alpha=krippendorff_alpha((dict(enumerate(left)), dict(enumerate(right))), level),
    )


def cohen_kappa(
    first: Sequence[Label],
    second: Sequence[Label],
    weights: Literal["linear", "quadratic"] | None = None,
) -> float | None:
    """Cohen's kappa of two raters' labels of the same items, in the same order.

    Args:
        weights: of a disagreement by its distance: that of the grades where they are whole
            numbers, else by the order of the labels; None counts all disagreements alike.

    Returns:
        -1 to 1, or None where nothing was rated or both gave one and the same label throughout.

    Raises:
        ValueError: the raters rated unequally many items.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} labels against {len(second)}: give one of each per item")
    labels = {*first, *second}
    if len(labels) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score

    grades = [label for label in labels if isinstance(label, int)]
    whole = len(grades) == len(labels)
    scale = list(range(min(grades), max(grades) + 1)) if whole else sorted(labels, key=str)
    value = float(cohen_kappa_score(list(first), list(second), labels=scale, weights=weights))
    return None if math.isnan(value) else value


def krippendorff_alpha(
    raters: Sequence[Mapping[_Item, Label]], level: Level = "nominal"
) -> float | None:
    """Krippendorff's alpha, from the matrix of coincidences.

    Args:
        raters: for each, the labels of the items that they rated.
        level: how a disagreement weighs: `nominal` all alike, `ordinal` by the ratings that lie
            between the two.

    Returns:
        At most 1, or None where it is not defined: no item was rated twice, or all ratings of
        such items are alike.

    Source: Krippendorff, "Computing Krippendorff's Alpha-Reliability", University of Pennsylvania,
    2011, sections C to E. By hand: scikit-learn and scipy have no alpha.
    """
    value = _alpha(_counts(raters), level)
    return None if math.isnan(value) else value


def alpha_interval(
    raters: Sequence[Mapping[_Item, Label]], level: Level = "nominal", seed: int = 0
) -> Interval | None:
    """The 95% percentile interval of alpha over items drawn again with replacement.

    Returns:
        Its ends, or None of fewer than two items with two ratings. Resamples for which alpha is
        not defined are left out.
    """
    counts = _counts(raters)
    return bootstrap_interval(
        range(len(counts)),
        seed,
        resamples=RESAMPLES,
        statistic=lambda items: _alpha(counts[items], level),
    )


def _counts(raters: Sequence[Mapping[_Item, Label]]) -> Any:
    """How often each label was given to each item with two ratings or more: items × labels.

    Labels are in their order: that of numbers where all are numbers, else that of the alphabet.
    """
    import numpy as np

    items = list(dict.fromkeys(item for rater in raters for item in rater))
    rows = [[rater[item] for rater in raters if item in rater] for item in items]
    rows = [row for row in rows if len(row) > 1]
    given = {label for row in rows for label in row}
    numbers = all(isinstance(label, int) for label in given)
    scale = sorted(given, key=None if numbers else str)
    return np.array([[row.count(label) for label in scale] for row in rows], dtype=np.float64)


def _alpha(counts: Any, level: Level) -> float:
    """Alpha of counts (items × labels); NaN where it is not defined."""
    import numpy as np

    if not counts.size:
        return math.nan
    ratings = counts.sum(axis=1, keepdims=True)
    coincidences = (counts / (ratings - 1)).T @ counts - np.diag((counts / (ratings - 1)).sum(0))
    totals = coincidences.sum(axis=0)
    if level == "ordinal":
        middle = np.cumsum(totals) - totals / 2
        distance = (middle[:, np.newaxis] - middle) ** 2
    else:
        distance = 1 - np.eye(len(totals))
    expected = float((np.outer(totals, totals) * distance).sum()) / (totals.sum() - 1)
    return 1 - float((coincidences * distance).sum()) / expected if expected else math.nan


# The two passes over the evaluation sets


def _way(read: Callable[[Any], Label]) -> Callable[[Row, str], Label]:
    return lambda row, way: read(row[way])


def _of_kind(kind: str, both_say: bool = False) -> Callable[[Row], bool]:
    return lambda row: (
        row["kind"] == kind and not (both_say and "neither" in (row["first"], row["second"]))
    )


KINDS: Final[
    tuple[tuple[str, str, str, Level, Callable[[Row], bool], Callable[[Row, str], Label]], ...]
] = (
    ("grade", "grade of a decision, 0 to 3", "retrieval", "ordinal", bool, _way(int)),
    ("relevant", "relevant or not (grade 1 and above)", "retrieval", "nominal", bool,
     _way(lambda grade: "yes" if grade else "no")),
    ("fact", "fact: dispositive or not, where both say", "counterfactual", "nominal",
     _of_kind("fact", both_say=True), _way(str)),
    ("fact-left", "fact: dispositive, not, or left open", "counterfactual", "nominal",
     _of_kind("fact"), _way(str)),
    ("type", "fact type: dispositive or not, where both say", "counterfactual", "nominal",
     _of_kind("type", both_say=True), _way(str)),
    ("type-left", "fact type: dispositive, not, or left open", "counterfactual", "nominal",
     _of_kind("type"), _way(str)),
    ("faithful", "explanation: faithful or not", "explanations", "nominal", bool,
     _way(lambda told: str(told["label"]))),
    ("error", "explanation: kind of error", "explanations", "nominal", bool,
     _way(lambda told: str(told["error"]))),
)  # fmt: skip
"""Kinds of label: key, title, file, level of measurement, which rows, and how a label is read."""

_FILES: Final = ("retrieval", "counterfactual", "explanations")


def agreement_section(folder: Path) -> Section:
    """Agreement of the passes in `folder/passes` as a section.

    Raises:
        InputError: a file is missing or a line of it is not as it should be.
    """
    passes = {name: _read(folder / "passes" / f"{name}.jsonl") for name in _FILES}
    rows: list[tuple[Cell, ...]] = []
    measures = []
    for key, title, name, level, chosen, label in KINDS:
        try:
            pairs = [
                (label(row, "first"), label(row, "second")) for row in passes[name] if chosen(row)
            ]
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{folder}/passes/{name}.jsonl: {error} is missing or wrong"
            ) from error
        first, second = (dict(enumerate(pair[at] for pair in pairs)) for at in (0, 1))
        passed = agreement_of_passes(first, second, level)
        differing = sum(one != other for one, other in pairs)
        rows.append((title, passed.items, differing, passed.same, passed.kappa, passed.linear,
                     passed.quadratic, passed.alpha))  # fmt: skip
        title = f"Cohen's kappa, {title}"
        measures.append(
            Measure(
                f"agreement.{key}.kappa", title, passed.kappa, passed.items, target=KAPPA_TARGET
            )
        )
    try:
        alpha, items, differing = ranking_agreement(passes["counterfactual"])
    except (KeyError, TypeError) as error:
        raise InputError(f"{folder}/passes/counterfactual.jsonl: {error}: wrong ranking") from error
    rows.append(("importance of the fact types", items, differing, None, None, None, None, alpha))
    title = "Krippendorff's alpha, importance of the fact types"
    measures.append(Measure("agreement.ranking.alpha", title, alpha, items, target=KAPPA_TARGET))
    columns = (
        "label", "items", "differ", "same", "kappa", "kappa, linear", "kappa, quadratic", "alpha",
    )  # fmt: skip
    return Section(
        "agreement",
        "Agreement of the two passes",
        tuple(measures),
        (Table("Per kind of label", columns, tuple(rows)), _settled(passes)),
    )


def ranking_agreement(rows: Iterable[Row]) -> tuple[float | None, int, int]:
    """Krippendorff's ordinal alpha over (case, fact type), how many those are, how many differ."""
    pairs = {
        (row["case_id"], kind): (row["first"][kind], row["second"][kind])
        for row in rows
        if row["kind"] == "ranking"
        for kind in FACT_TYPES.names()
        if kind in row["first"] and kind in row["second"]
    }
    passes = [{key: labels[way] for key, labels in pairs.items()} for way in (0, 1)]
    differing = sum(first != second for first, second in pairs.values())
    return krippendorff_alpha(passes, "ordinal"), len(pairs), differing


def _settled(passes: Mapping[str, list[Row]]) -> Table:
    """How many disagreements were settled as in the first pass, in the second, or otherwise."""
    rows: list[tuple[Cell, ...]] = []
    for name in _FILES:
        counts: Counter[str] = Counter()
        for row in passes[name]:
            if row["first"] != row["second"]:
                if not row.get("reason"):
                    raise InputError(f"passes/{name}.jsonl: a disagreement without a reason: {row}")
                ways = [way for way in ("first", "second") if row["settled"] == row[way]]
                counts[ways[0] if ways else "other"] += 1
        settled = (counts[way] for way in ("first", "second", "other"))
        rows.append((name, sum(counts.values()), *settled))
    columns = ("set", "disagreements", "as first", "as second", "otherwise")
    return Table("Disagreements and how they were settled", columns, tuple(rows))


def _read(path: Path) -> list[Row]:
    if not path.is_file():
        raise InputError(f"{path}: missing; the passes lie beside the evaluation sets")
    rows: list[Row] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}:{number}: not JSON ({error})") from error
        if not isinstance(row, dict) or not {"first", "second", "settled"} <= row.keys():
            raise InputError(f"{path}:{number}: needs first, second and settled")
        rows.append(row)
    return rows
