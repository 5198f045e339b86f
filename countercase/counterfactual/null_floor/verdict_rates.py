"""How often verdicts were right on labelled cases, as measured and shipped.

`data/verdict_rates.jsonl` is written by `python -m benchmarks.verdict_rates`; where it has no row for
a verdict, the verdict's error is not known, and reports say so.
"""

from __future__ import annotations

from dataclasses import dataclass

from countercase.io import read_table


@dataclass(frozen=True)
class VerdictRate:
    """Of `of` labelled facts that got a verdict by a criterion, `right` had the label it says."""

    criterion: str
    verdict: str
    right: int
    of: int


def rate_in_words(criterion: str, verdict: str) -> str:
    """How often a verdict was right, in a sentence."""
    for rate in read_table("counterfactual/verdict_rates", VerdictRate):
        if (rate.criterion, rate.verdict) == (criterion, verdict) and rate.of:
            share = 100 * rate.right / rate.of
            return f"“{verdict}” was right for {rate.right} of {rate.of} labelled facts ({share:.0f}%)."
    return f"How often “{verdict}” is right was not measured yet."
