"""Agreement: known answers, oracles, and what must hold of any two raters."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from countercase.evaluation.agreement import (
    WEIGHTS,
    cohen_kappa,
    krippendorff_alpha,
)

# Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), example C: four observers,
# twelve units, some values missing.
EXAMPLE = (
    {1: 1, 2: 2, 3: 3, 4: 3, 5: 2, 6: 1, 7: 4, 8: 1, 9: 2},
    {1: 1, 2: 2, 3: 3, 4: 3, 5: 2, 6: 2, 7: 4, 8: 1, 9: 2, 10: 5, 12: 3},
    {2: 3, 3: 3, 4: 3, 5: 2, 6: 3, 7: 4, 8: 2, 9: 2, 10: 5, 11: 1},
    {1: 1, 2: 2, 3: 3, 4: 3, 5: 2, 6: 4, 7: 4, 8: 1, 9: 2, 10: 5, 11: 1},
)


def test_kappa_by_hand() -> None:
    # Both yes 20, both no 15, one of them 5 and 10: observed .7; by chance .5 * .6 + .5 * .4 = .5.
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(first, second) == pytest.approx((0.7 - 0.5) / (1 - 0.5))


def test_weighted_kappa_by_hand() -> None:
    # Distances 0, 1, 0: mean 1/3. Expected over all nine pairs of (1, 1, 3) and (1, 2, 3), on the
    # scale 1, 2, 3: (0+1+2)*2 + (2+1+0) = 9 over 9, so 1; squared: (0+1+4)*2 + 5 = 15 over 9.
    assert cohen_kappa([1, 1, 3], [1, 2, 3], "linear") == pytest.approx(1 - (1 / 3) / 1)
    assert cohen_kappa([1, 1, 3], [1, 2, 3], "quadratic") == pytest.approx(1 - (1 / 3) / (15 / 9))


def test_kappa_wants_labels_that_differ_and_one_of_each_rater() -> None:
    assert cohen_kappa(["a", "a"], ["a", "a"]) is None
    assert cohen_kappa([], []) is None
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        cohen_kappa(["a", "b"], ["a"])


def test_ordinal_alpha_worked_by_hand() -> None:
    """Units (1, 1), (1, 2), (2, 3), (3, 3): n = 8 with n_1 = 3, n_2 = 2, n_3 = 3.

    Squared distances: 1-2 (3 + 2 - 5/2)² = 6.25, 2-3 the same, 1-3 (3 + 2 + 3 - 3)² = 25. Observed
    2 · 6.25 + 2 · 6.25 = 25; expected (2 · 6 · 6.25 + 2 · 6 · 6.25 + 2 · 9 · 25) / 7 = 600 / 7.
    """
    raters = [{1: 1, 2: 1, 3: 2, 4: 3}, {1: 1, 2: 2, 3: 3, 4: 3}]
    assert krippendorff_alpha(raters, "ordinal").value == pytest.approx(1 - 25 / (600 / 7))


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


labels = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=25)


@given(labels)
@settings(max_examples=40, deadline=None)
def test_agreement_has_no_first_rater(pairs: list[tuple[int, int]]) -> None:
    raters = [a for a, _ in pairs], [b for _, b in pairs]

    def measured(first: list[int], second: list[int]) -> list[float | None]:
        alpha = krippendorff_alpha([dict(enumerate(first)), dict(enumerate(second))], "ordinal")
        return [*(cohen_kappa(first, second, weights) for weights in WEIGHTS), alpha]

    for one, other in zip(measured(*raters), measured(*raters[::-1]), strict=True):
        assert one == pytest.approx(other) if one is not None else other is None
