"""A rate with the interval that its sample leaves open."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

Z95: Final = 1.959963984540054
"""The standard normal quantile of a two-sided 95% interval."""


@dataclass(frozen=True)
class Rate:
    """`count` of `of`, with its Wilson 95% interval; all three None where `of` is 0.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22 (1927), 209-212.
    """

    count: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.of:
            raise ValueError(f"not a rate: {self.count} of {self.of}")

    @property
    def value(self) -> float | None:
        """The share, 0 to 1."""
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The lower and the upper end, each 0 to 1."""
        if not self.of:
            return None
        share, spread = self.count / self.of, Z95 * Z95 / self.of
        middle = share + spread / 2
        half = Z95 * math.sqrt(share * (1 - share) / self.of + spread / (4 * self.of))
        low = 0.0 if self.count == 0 else (middle - half) / (1 + spread)
        high = 1.0 if self.count == self.of else (middle + half) / (1 + spread)
        return low, high

    def to_dict(self) -> dict[str, Any]:
        """As JSON: `count`, `of`, `rate`, `low`, `high`."""
        low, high = self.interval or (None, None)
        return {"count": self.count, "of": self.of, "rate": self.value, "low": low, "high": high}
