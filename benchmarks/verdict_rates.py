"""Measure how often verdicts are right, and write the table that reports quote.

    python -m benchmarks.verdict_rates [--set FILE] [--limit N] [--write]

Analyses the labelled cases with the calibrated criterion (results are stored, as by
`countercase eval counterfactual --criterion calibrated`) and prints a line for each verdict; with
--write they replace `countercase/counterfactual/data/verdict_rates.jsonl`. Nothing is fitted.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import countercase
from countercase.config import load_settings
from countercase.evaluation.counterfactual.verdicts import verdict_rates
from countercase.evaluation.run import SETS, Evaluation

TABLE = Path(countercase.__file__).parent / "counterfactual" / "data" / "verdict_rates.jsonl"


def main() -> None:
    """Measure, print, and write where asked."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--set", type=Path, default=SETS / "counterfactual.jsonl")
    parser.add_argument("--limit", type=int, help="only so many cases")
    parser.add_argument("--write", action="store_true", help="replace the shipped table")
    given = parser.parse_args()
    settings = load_settings()
    evaluation = Evaluation(settings, limit=given.limit, criterion="calibrated")
    results = evaluation.labelled_cases(given.set)
    facts = [fact for result in results for fact in result.facts]
    rates = verdict_rates(facts, settings.DISPOSITIVE_THRESHOLD)
    text = "".join(f"{json.dumps(asdict(rate))}\n" for rate in rates)
    print(text, end="")
    if given.write:
        TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
