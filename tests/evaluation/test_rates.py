"""The rate of an event and its interval."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from countercase.evaluation.statistics import Rate


class TestRate:
    def test_the_interval_of_two_in_ten_is_wilsons(self) -> None:
        # By hand: z² = 3.8415; (0.2 + 0.19207 ± 1.96 √(0.016 + 0.0096036)) / 1.38415.
        low, high = Rate(2, 10).interval or (0, 0)
        assert low == pytest.approx(0.0567, abs=1e-4)
        assert high == pytest.approx(0.5098, abs=1e-4)

    @given(st.integers(0, 200), st.integers(1, 200))
    def test_the_interval_holds_the_rate_and_mirrors(self, count: int, of: int) -> None:
        count = min(count, of)
        rate, mirror = Rate(count, of), Rate(of - count, of)
        assert rate.interval is not None and mirror.interval is not None
        low, high = rate.interval
        assert 0 <= low <= count / of <= high <= 1
        assert mirror.interval == pytest.approx((1 - high, 1 - low))

    def test_nothing_of_nothing_has_no_rate(self) -> None:
        assert (Rate(0, 0).value, Rate(0, 0).interval) == (None, None)

    def test_more_than_all_is_no_rate(self) -> None:
        with pytest.raises(ValueError, match="3 of 2"):
            Rate(3, 2)
