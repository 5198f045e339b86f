"""How far people agree: raters of explanations, and two passes of labelling an evaluation set.

Cohen's kappa is the agreement of two beyond what their own habits would give by chance; weighted,
a near miss counts for less than a far one (Cohen, Educ. Psychol. Meas. 20, 1960; Psychol. Bull.
70, 1968). Krippendorff's alpha does the same for any number of raters who need not have rated
everything (Krippendorff, "Content Analysis", chapter 12). Both are 1 for full agreement, 0 for
chance, below 0 for less; alpha from .8 is reliable, from .667 enough for tentative conclusions.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, TypeVar

Level: TypeAlias = Literal["nominal", "ordinal"]
Weights: TypeAlias = Literal["linear", "quadratic"]
_Item = TypeVar("_Item", bound=Hashable)

RESAMPLES: Final = 1_000
"""Resamples of the items for the interval of alpha."""


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
    first: Mapping[_Item, str | int], second: Mapping[_Item, str | int], level: Level = "nominal"
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
    first: Sequence[str | int], second: Sequence[str | int], weights: Weights | None = None
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
    if len({*first, *second}) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score

    given = [*first, *second]
    grades = [one for one in given if isinstance(one, int)]
    scale = (
        range(min(grades), max(grades) + 1)
        if len(grades) == len(given)
        else sorted({*given}, key=str)
    )
    value = float(cohen_kappa_score(list(first), list(second), labels=list(scale), weights=weights))
    return None if math.isnan(value) else value


def krippendorff_alpha(
    raters: Sequence[Mapping[_Item, str | int]], level: Level = "nominal"
) -> float | None:
    """Krippendorff's alpha.

    Args:
        raters: for each, the labels of the items that they rated.
        level: how a disagreement weighs: `nominal` all alike, `ordinal` by the ratings that lie
            between the two.

    Returns:
        At most 1, or None where it is not defined: no item was rated twice, or all ratings of
        such items are alike.
    """
    items = list(dict.fromkeys(item for rater in raters for item in rater))
    return _alpha([[rater.get(item) for rater in raters] for item in items], level)


def alpha_interval(
    raters: Sequence[Mapping[_Item, str | int]],
    level: Level = "nominal",
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> tuple[float, float] | None:
    """The 95% percentile interval of alpha over items drawn again with replacement.

    Returns:
        Its ends, or None of fewer than two items with two ratings. Draws for which alpha is not
        defined are left out.
    """
    import numpy as np

    items = list(dict.fromkeys(item for rater in raters for item in rater))
    rows = [[rater.get(item) for rater in raters] for item in items]
    rows = [row for row in rows if sum(value is not None for value in row) > 1]
    if len(rows) < 2:
        return None
    draw = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        value = _alpha([rows[at] for at in draw.integers(len(rows), size=len(rows))], level)
        if value is not None:
            found.append(value)
    if not found:
        return None
    low, high = np.percentile(found, (2.5, 97.5))
    return float(low), float(high)


def _alpha(rows: Sequence[Sequence[str | int | None]], level: Level) -> float | None:
    """Alpha of items in rows; ratings of items with fewer than two count for nothing."""
    paired = [row for row in rows if sum(value is not None for value in row) > 1]
    given = {value for row in paired for value in row if value is not None}
    if len(given) < 2:
        return None
    import krippendorff
    import numpy as np

    numbers = all(isinstance(value, int) for value in given)
    domain = sorted(given) if numbers else sorted(given, key=str)
    place = {value: float(at) for at, value in enumerate(domain)}
    data = np.array(
        [[math.nan if value is None else place[value] for value in row] for row in paired]
    ).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        value = float(
            krippendorff.alpha(
                reliability_data=data,
                level_of_measurement=level,
                value_domain=list(place.values()),
            )
        )
    return None if math.isnan(value) else value
