"""How far people agree: raters of explanations, and two passes of labelling an evaluation set.

Cohen's kappa is the agreement of two beyond what their own habits would give by chance; weighted,
a near miss counts for less than a far one (Cohen, Educ. Psychol. Meas. 20, 1960; Psychol. Bull.
70, 1968). Krippendorff's alpha does the same for any number of raters who need not have rated
everything. Beside each evaluation set lies `passes/<set>.jsonl`: every label as it was given first,
a second time without sight of the first, and as it was settled.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, TypeVar

from pydantic import BaseModel

from countercase.errors import InputError
from countercase.evaluation.report import Cell, Section
from countercase.evaluation.sets import read_rows
from countercase.evaluation.statistics import Estimate, bootstrap_interval, share
from countercase.io import read_table
from countercase.registry import FACT_TYPES

Level: TypeAlias = Literal["nominal", "ordinal"]
Weights: TypeAlias = Literal["linear", "quadratic"] | None
WEIGHTS: Final[tuple[Weights, ...]] = (None, "linear", "quadratic")
"""How disagreements are weighted by their distance: all alike, or (of labels with an order) more."""
Label: TypeAlias = str | int
_Item = TypeVar("_Item", bound=Hashable)


def cohen_kappa(
    first: Sequence[Label], second: Sequence[Label], weights: Weights = None
) -> float | None:
    """Compute Cohen's kappa of two raters' labels of the same items, in the same order, -1 to 1.

    A disagreement is weighted by the distance of whole numbers, else of places in the order of the
    labels. None where nothing was rated or both gave one and the same label throughout.
    """
    labels = {*first, *second}
    if len(labels) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score

    grades = [label for label in labels if isinstance(label, int)]
    whole = len(grades) == len(labels)
    scale = list(range(min(grades), max(grades) + 1)) if whole else sorted(labels, key=str)
    return float(cohen_kappa_score(list(first), list(second), labels=scale, weights=weights))


def krippendorff_alpha(
    raters: Sequence[Mapping[_Item, Label]], level: Level = "nominal", seed: int | None = None
) -> Estimate:
    """Compute Krippendorff's alpha over the items with two ratings, from the matrix of coincidences.

    `nominal` weighs all disagreements alike, `ordinal` by the ratings between the two. At most 1;
    None where all ratings are alike. With a seed, an interval over 1,000 resamples of the items.

    Source: Krippendorff, "Computing Krippendorff's Alpha-Reliability", University of Pennsylvania,
    2011, sections C to E. By hand: scikit-learn and scipy have no alpha.
    """
    import numpy as np

    items = list(dict.fromkeys(item for rater in raters for item in rater))
    rows = [[rater[item] for rater in raters if item in rater] for item in items]
    rows = [row for row in rows if len(row) > 1]
    given = {label for row in rows for label in row}
    scale = sorted(given, key=None if all(isinstance(it, int) for it in given) else str)
    table = np.array([[row.count(label) for label in scale] for row in rows], dtype=np.float64)

    def alpha(counts: Any) -> float:
        """Alpha of counts (items × labels); NaN where it is not defined."""
        if not counts.size:
            return math.nan
        weighed = counts / (counts.sum(axis=1, keepdims=True) - 1)
        coincidences = weighed.T @ counts - np.diag(weighed.sum(axis=0))
        totals = coincidences.sum(axis=0)
        distance = 1 - np.eye(len(totals))
        if level == "ordinal":
            middle = np.cumsum(totals) - totals / 2
            distance = (middle[:, np.newaxis] - middle) ** 2
        expected = float((np.outer(totals, totals) * distance).sum()) / (totals.sum() - 1)
        return 1 - float((coincidences * distance).sum()) / expected if expected else math.nan

    whole = alpha(table)
    found = None if math.isnan(whole) else whole
    if seed is None:
        return Estimate(found, len(rows))
    ends = bootstrap_interval(range(len(rows)), seed, 1_000, lambda chosen: alpha(table[chosen]))
    return Estimate(found, len(rows), *ends)


# The two passes over the evaluation sets


class PassRow(BaseModel):
    """An item as it was labelled twice, as it was settled, and why where the passes differ."""

    case_id: str = ""
    kind: str = ""
    first: Any
    second: Any
    settled: Any
    reason: str = ""


class CasePassRow(PassRow):
    """A label of the counterfactual set; its kind is `fact`, `type` or `ranking`."""

    case_id: str
    kind: str


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "grade": int,
    "relevance": lambda grade: "yes" if grade else "no",
    "word": str,
    "label": lambda label: str(label["label"]),
    "error": lambda label: str(label["error"]),
    "ranks": dict,
}
"""How a label is read; `data/agreement.jsonl` says which kinds of label there are."""


def agreement_section(folder: Path) -> Section:
    """Report the agreement of the passes in `folder/passes`, and how disagreements were settled."""
    found, rows = Section("agreement", "Agreement of the two passes"), list[tuple[Cell, ...]]()
    passes, settled = dict[str, list[PassRow]](), list[tuple[Cell, ...]]()
    for name in ("retrieval", "counterfactual", "explanations"):
        path = folder / "passes" / f"{name}.jsonl"
        if not path.is_file():
            raise InputError(f"{path}: missing; the passes lie beside the evaluation sets")
        model = CasePassRow if name == "counterfactual" else PassRow
        passes[name] = [row for _, _, row in read_rows(path, model)]
        differing = [row for row in passes[name] if row.first != row.second]
        if wrong := [row for row in differing if not row.reason]:
            raise InputError(f"passes/{name}.jsonl: a disagreement without a reason: {wrong[0]}")
        ways = Counter((row.settled == row.first, row.settled == row.second) for row in differing)
        counts = (ways[way] for way in ((True, False), (False, True), (False, False)))
        settled.append((name, len(differing), *counts))
    for of in read_table("evaluation/agreement", dict):
        title, name, level, kind = of["title"], of["set"], of["level"], of["kind"]
        label = _READERS[of["read"]]
        chosen = [row for row in passes[name] if not kind or row.kind == kind]
        if title.endswith("where both say"):
            chosen = [row for row in chosen if "neither" not in (row.first, row.second)]
        try:
            pairs = [(label(row.first), label(row.second)) for row in chosen]
            if kind == "ranking":
                both = product(pairs, FACT_TYPES.names())
                pairs = [(one[it], two[it]) for (one, two), it in both if it in one and it in two]
        except (KeyError, TypeError, ValueError) as error:
            where = f"{folder}/passes/{name}.jsonl"
            raise InputError(f"{where}: {error} is missing or wrong") from error
        first, second = [one for one, _ in pairs], [two for _, two in pairs]
        alpha = krippendorff_alpha([dict(enumerate(own)) for own in (first, second)], level)
        weighed = () if kind == "ranking" else WEIGHTS if level == "ordinal" else WEIGHTS[:1]
        kappas = [cohen_kappa(first, second, it) if it in weighed else None for it in WEIGHTS]
        same = share(one == two for one, two in pairs)
        agreed = None if kind == "ranking" else same.value
        rows.append((title, same.n, same.n - same.count, agreed, *kappas, alpha.value))
        if kind == "ranking":
            found.add_measure("agreement.ranking.alpha", alpha)
        else:
            kappa = Estimate(kappas[0], same.n)
            found.add_measure("agreement.{kind}.kappa", kappa, kind=of["key"], title=title)
    found.add_table("agreement.kinds", rows)
    found.add_table("agreement.settled", settled)
    return found
