"""Precision and recall of fact extraction against hand labels.

Run `python benchmarks/facts_extraction.py --data DIR [--json] [--errors]`, where `DIR` holds
`charge_sentences/Train-Sent.jsonl` and `aila2019/corpus.jsonl`. The labels and the rules they were
made by are in `tests/gold/`. Each kind of fact is compared as a set of values per text, and the
counts are added over the texts (micro average), for each of the two sets, for both together, and
for a smaller set that was labelled after the recognisers were last changed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fact_labels import (
    GOLD,
    KINDS,
    Labels,
    labels_of,
    read_gold,
    read_narratives,
    read_passage_gold,
    read_passages,
)

from countercase.errors import CounterCaseError
from countercase.facts.extraction import extract

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from training.inlegalner import Score


class Difference(NamedTuple):
    """One value on which labels and extraction disagree."""

    text: str
    kind: str
    error: str
    value: str


class Result(NamedTuple):
    """What one set of texts gave."""

    texts: int
    scores: Mapping[str, Score]
    differences: Sequence[Difference]


def compare(gold: Mapping[str, Labels], found: Mapping[str, Labels]) -> Result:
    """Scores per kind over all texts of `gold`, and every disagreement in order."""
    scores: dict[str, Score] = {}
    differences: list[Difference] = []
    for kind in KINDS:
        sides = [(name, labels[kind], found[name][kind]) for name, labels in gold.items()]
        hits = sum(len(expected & got) for _, expected, got in sides)
        scores[kind] = Score(
            hits, sum(len(got) for *_, got in sides), sum(len(expected) for _, expected, _ in sides)
        )
        for name, expected, got in sides:
            differences += [Difference(name, kind, "miss", v) for v in sorted(expected - got)]
            wrong = sorted(got - expected)
            differences += [Difference(name, kind, "false alarm", v) for v in wrong]
    return Result(len(gold), scores, differences)


def measure(data: Path) -> dict[str, Result]:
    """The result of each set: the two that were worked with, `both` together, and `unseen`.

    Raises:
        InputError: labels or texts cannot be read, or do not belong together.
    """
    narratives = read_gold()
    texts = read_narratives(data, narratives)
    sets = {"narratives": narratives}
    for name in ("passages", "unseen"):
        gold = read_passage_gold(GOLD / f"{name}.jsonl")
        texts |= read_passages(data, gold)
        sets[name] = {passage.name: passage.labels for passage in gold}
    unseen = sets.pop("unseen")
    sets |= {"both": sets["narratives"] | sets["passages"], "unseen": unseen}
    found = {name: labels_of(extract(text, case_id=name)) for name, text in texts.items()}
    return {name: compare(gold, found) for name, gold in sets.items()}


def rates_of(score: Score) -> dict[str, float | None]:
    """Return precision, recall and F1; None where there is nothing to divide by."""
    return {
        "precision": score.precision if score.found else None,
        "recall": score.recall if score.labelled else None,
        "f1": score.f1 if score.found + score.labelled else None,
    }


def table(scores: Mapping[str, Score]) -> str:
    """Write the scores as lines of text; `-` where there is nothing to divide by."""
    lines = [f"{'kind':<12}{'labels':>8}{'found':>8}{'precision':>10}{'recall':>10}{'F1':>10}"]
    for kind, score in scores.items():
        cells = ("-" if rate is None else f"{rate:.3f}" for rate in rates_of(score).values())
        row = "".join(f"{cell:>10}" for cell in cells)
        lines.append(f"{kind:<12}{score.labelled:>8}{score.found:>8}{row}")
    return "\n".join(lines)


def as_json(results: Mapping[str, Result], errors: bool) -> str:
    """The scores of each set, and the disagreements where asked for, as one JSON object."""
    written: dict[str, Any] = {
        name: {
            "texts": result.texts,
            "scores": {
                kind: {
                    "hits": score.hits,
                    "false_alarms": score.found - score.hits,
                    "misses": score.labelled - score.hits,
                    **rates_of(score),
                }
                for kind, score in result.scores.items()
            },
        }
        for name, result in results.items()
    }
    if errors:
        written["errors"] = [each._asdict() for each in _differences(results)]
    return json.dumps(written, indent=2)


def _differences(results: Mapping[str, Result]) -> list[Difference]:
    return [*results["both"].differences, *results["unseen"].differences]


def main() -> int:
    """Read the arguments, measure, print; 2 where the data cannot be used."""
    parser = argparse.ArgumentParser(description="Measure fact extraction against hand labels.")
    parser.add_argument("--data", type=Path, required=True, help="folder with both collections")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--errors", action="store_true", help="list every miss and false alarm")
    options = parser.parse_args()
    try:
        results = measure(options.data)
    except CounterCaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(as_json(results, options.errors))
        return 0
    for name, result in results.items():
        print(f"{name}: {result.texts} texts\n{table(result.scores)}\n")
    if options.errors:
        for item in _differences(results):
            print(f"{item.text}  {item.kind}  {item.error}: {item.value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
