"""Precision and recall of fact extraction against hand labels.

Run `python benchmarks/facts_extraction.py --data DIR [--json] [--errors]`, where `DIR` holds
`charge_sentences/Train-Sent.jsonl`. The labels and the rules they were made by are in
`tests/gold/`. Each kind of fact is compared as a set of values per narrative, and the counts are
added over the narratives (micro average).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from countercase.errors import CounterCaseError, InputError
from countercase.facts.extract import extract
from countercase.facts.model import EvidenceValue, FactSheet, NumericalValue, SectionValue

KINDS: Final = ("provisions", "amounts", "ages", "durations", "evidence")
GOLD: Final = Path(__file__).resolve().parent.parent / "tests" / "gold" / "facts.jsonl"
NARRATIVES: Final = Path("charge_sentences") / "Train-Sent.jsonl"

Labels = Mapping[str, frozenset[str]]
"""The values of one narrative, each written as text, for every kind in `KINDS`."""


@dataclass(frozen=True)
class Score:
    """Counts of one kind, and the rates that follow; a rate without cases is None."""

    hits: int
    false_alarms: int
    misses: int

    @property
    def precision(self) -> float | None:
        """Share of the extracted values that are labelled."""
        return _rate(self.hits, self.hits + self.false_alarms)

    @property
    def recall(self) -> float | None:
        """Share of the labelled values that were extracted."""
        return _rate(self.hits, self.hits + self.misses)

    @property
    def f1(self) -> float | None:
        """Harmonic mean of the two, as 2 hits / (2 hits + false alarms + misses)."""
        return _rate(2 * self.hits, 2 * self.hits + self.false_alarms + self.misses)


@dataclass(frozen=True)
class Difference:
    """One value on which labels and extraction disagree."""

    factid: str
    kind: str
    error: str
    value: str


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _figure(value: float) -> str:
    return f"{float(value):.10g}"


def read_gold(path: Path = GOLD) -> dict[str, Labels]:
    """The hand labels by `factid`.

    Raises:
        InputError: a line is not JSON or lacks a key.
    """
    gold: dict[str, Labels] = {}
    for number, row in _rows(path):
        try:
            gold[row["factid"]] = {
                "provisions": frozenset(row["provisions"]),
                "amounts": frozenset(_figure(value) for value in row["amounts"]),
                "ages": frozenset(_figure(value) for value in row["ages"]),
                "durations": frozenset(f"{_figure(v)} {unit}" for v, unit in row["durations"]),
                "evidence": frozenset(row["evidence"]),
            }
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{path}, line {number}: not a label row ({error!r})") from error
    return gold


def read_narratives(data: Path, wanted: Iterable[str]) -> dict[str, str]:
    """The narratives with these ids, each the sentences of a row joined by one space.

    Raises:
        InputError: the file is missing or damaged, or does not hold every id.
    """
    path, ids = data / NARRATIVES, set(wanted)
    found: dict[str, str] = {}
    for number, row in _rows(path):
        if "factid" not in row or "text" not in row:
            raise InputError(f"{path}, line {number}: expected the keys factid and text")
        if row["factid"] in ids:
            found[row["factid"]] = " ".join(row["text"])
    if missing := sorted(ids - found.keys()):
        raise InputError(f"{path} lacks {len(missing)} labelled narratives, first {missing[0]}")
    return found


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}; check --data") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(f"{path}, line {number}: not JSON ({error.msg})") from error


def labels_of(sheet: FactSheet) -> Labels:
    """What was extracted, in the form of the labels."""
    found: dict[str, set[str]] = {kind: set() for kind in KINDS}
    for fact in sheet.facts:
        value = fact.value
        if isinstance(value, SectionValue):
            found["provisions"].add(value.provision)
        elif isinstance(value, EvidenceValue):
            found["evidence"].add(value.evidence_type)
        elif isinstance(value, NumericalValue) and value.kind in ("amount", "age"):
            found[f"{value.kind}s"].add(_figure(value.value))
        elif isinstance(value, NumericalValue) and value.kind == "duration":
            found["durations"].add(f"{_figure(value.value)} {value.unit}")
    return {kind: frozenset(values) for kind, values in found.items()}


def compare(
    gold: Mapping[str, Labels], found: Mapping[str, Labels]
) -> tuple[dict[str, Score], list[Difference]]:
    """Scores per kind over all narratives of `gold`, and every disagreement in order."""
    scores: dict[str, Score] = {}
    differences: list[Difference] = []
    for kind in KINDS:
        hits = 0
        errors: list[Difference] = []
        for factid, labels in gold.items():
            expected, got = labels[kind], found[factid][kind]
            hits += len(expected & got)
            errors += [Difference(factid, kind, "miss", v) for v in sorted(expected - got)]
            errors += [Difference(factid, kind, "false alarm", v) for v in sorted(got - expected)]
        misses = sum(error.error == "miss" for error in errors)
        scores[kind] = Score(hits, len(errors) - misses, misses)
        differences += errors
    return scores, differences


def _cell(rate: float | None) -> str:
    return f"{'-':>10}" if rate is None else f"{rate:>10.3f}"


def table(scores: Mapping[str, Score]) -> str:
    """The scores as lines of text; `-` where there is nothing to divide by."""
    lines = [f"{'kind':<12}{'labels':>8}{'found':>8}{'precision':>10}{'recall':>10}{'F1':>10}"]
    for kind, score in scores.items():
        counts = f"{score.hits + score.misses:>8}{score.hits + score.false_alarms:>8}"
        rates = "".join(_cell(rate) for rate in (score.precision, score.recall, score.f1))
        lines.append(f"{kind:<12}{counts}{rates}")
    return "\n".join(lines)


def as_json(scores: Mapping[str, Score], differences: Iterable[Difference] | None) -> str:
    """The scores, and the differences where they are asked for, as one JSON object."""
    result: dict[str, Any] = {
        "scores": {
            kind: {
                "hits": score.hits,
                "false_alarms": score.false_alarms,
                "misses": score.misses,
                "precision": score.precision,
                "recall": score.recall,
                "f1": score.f1,
            }
            for kind, score in scores.items()
        }
    }
    if differences is not None:
        result["errors"] = [vars(difference) for difference in differences]
    return json.dumps(result, indent=2)


def main() -> int:
    """Read the arguments, measure, print; 2 where the data cannot be used."""
    parser = argparse.ArgumentParser(description="Measure fact extraction against hand labels.")
    parser.add_argument("--data", type=Path, required=True, help="folder with charge_sentences/")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--errors", action="store_true", help="list every miss and false alarm")
    options = parser.parse_args()
    try:
        gold = read_gold()
        narratives = read_narratives(options.data, gold)
        found = {name: labels_of(extract(narratives[name], case_id=name)) for name in gold}
    except CounterCaseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    scores, differences = compare(gold, found)
    if options.json:
        print(as_json(scores, differences if options.errors else None))
        return 0
    print(f"{len(gold)} narratives\n{table(scores)}")
    if options.errors:
        for item in differences:
            print(f"{item.factid}  {item.kind}  {item.error}: {item.value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
