"""Agreement: answers worked by hand, and those of the published example."""

from __future__ import annotations

import pytest

from countercase.evaluation.agreement import cohen_kappa, krippendorff_alpha

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example C: four observers,
# twelve units, some values missing.
EXAMPLE = (
    {1: 1, 2: 2, 3: 3, 4: 3, 5: 2, 6: 1, 7: 4, 8: 1, 9: 2},
    {1: 1, 2: 2, 3: 3, 4: 3, 5: 2, 6: 2, 7: 4, 8: 1, 9: 2, 10: 5, 12: 3},
    {2: 3, 3: 3, 4: 3, 5: 2, 6: 3, 7: 4, 8: 2, 9: 2, 10: 5, 11: 1},
    {1: 1, 2: 2, 3: 3, 4: 3, 5: 2, 6: 4, 7: 4, 8: 1, 9: 2, 10: 5, 11: 1},
)


def test_weighted_kappa_by_hand() -> None:
    # Distances 0, 1, 0: mean 1/3. Expected over all nine pairs of (1, 1, 3) and (1, 2, 3), on the
    # scale 1, 2, 3: (0+1+2)*2 + (2+1+0) = 9 over 9, so 1; squared: (0+1+4)*2 + 5 = 15 over 9.
    assert cohen_kappa([1, 1, 3], [1, 2, 3], "linear") == pytest.approx(1 - (1 / 3) / 1)
    assert cohen_kappa([1, 1, 3], [1, 2, 3], "quadratic") == pytest.approx(1 - (1 / 3) / (15 / 9))
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None
    assert cohen_kappa([], []) is None


def test_alpha_of_the_published_example() -> None:
    assert krippendorff_alpha(EXAMPLE, "nominal").value == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(EXAMPLE, "ordinal").value == pytest.approx(0.815, abs=5e-4)


def test_alpha_is_not_defined_without_two_ratings_of_an_item_or_two_values() -> None:
    assert krippendorff_alpha([{1: 3}, {2: 4}], "ordinal").value is None
    assert krippendorff_alpha([{1: 3, 2: 3}, {1: 3, 2: 3}], "ordinal").value is None
    assert krippendorff_alpha([], "nominal").value is None
    # What was rated once takes no part: its value does not make the others vary.
    assert krippendorff_alpha([{1: 3, 2: 5}, {1: 3}], "ordinal").value is None


def test_interval_of_alpha_is_the_same_every_time_and_holds_the_value() -> None:
    found = krippendorff_alpha(EXAMPLE, "ordinal", seed=0)
    assert found == krippendorff_alpha(EXAMPLE, "ordinal", seed=0)
    low, high = found.low, found.high
    value = krippendorff_alpha(EXAMPLE, "ordinal").value
    assert value is not None and low is not None and high is not None
    assert low < value < high <= 1
    assert krippendorff_alpha([{1: 1}, {1: 2}], "ordinal", seed=0).low is None
