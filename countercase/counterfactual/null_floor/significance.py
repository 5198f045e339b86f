"""How sure one can be that a fact moved the list further than words alone do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeVar

_Name = TypeVar("_Name")


def permutation_p(value: float, nulls: Sequence[float]) -> float:
    """(b + 1) / (m + 1), where b of m null values are at least as large; never 0.

    Source: Phipson and Smyth, "Permutation p-values should never be zero", Statistical Applications
    in Genetics and Molecular Biology 9(1), 2010.
    """
    return (sum(null >= value for null in nulls) + 1) / (len(nulls) + 1)


def nulls_needed(tests: int, level: float = 0.05) -> int:
    """How many null values let Holm's method decide `tests` facts at `level`.

    The smallest of m p-values, 1 / (N + 1), must fall below level / m.
    """
    return math.ceil(round(tests / level, 9))


def holm(p_values: Mapping[_Name, float]) -> dict[_Name, float]:
    """p-values of one family adjusted by Holm's step-down method, in the order given.

    The smallest of m is multiplied by m, the next by m − 1, and so on; none is smaller than the
    one before it or greater than 1. Rejecting where the adjusted p is at most α keeps the chance
    of any false rejection in the family at α, whatever the dependence. By hand: scipy adjusts by
    Benjamini and Hochberg alone.

    Source: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal
    of Statistics 6(2), 1979.
    """
    adjusted: dict[_Name, float] = {}
    least = 0.0
    for place, name in enumerate(sorted(p_values, key=lambda name: p_values[name])):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[name]))
        adjusted[name] = least
    return {name: adjusted[name] for name in p_values}


def cliffs_delta(values: Sequence[float], nulls: Sequence[float]) -> float | None:
    """How much more often a value is above a null value than below one, -1 to 1.

    Source: Cliff, "Dominance statistics", Psychological Bulletin 114, 1993.
    """
    if not values or not nulls:
        return None
    signs = sum((value > null) - (value < null) for value in values for null in nulls)
    return signs / (len(values) * len(nulls))
