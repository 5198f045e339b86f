"""How far the two passes over an evaluation set agree, and how their disagreements were settled.

Beside each set lies `passes/<set>.jsonl`: every label as it was given first, a second time without
sight of the first, and as it was settled; where the two differ, with the reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from countercase.errors import InputError
from countercase.evaluation.agreement import (
    Agreement,
    Level,
    agreement_of_passes,
    krippendorff_alpha,
)
from countercase.evaluation.report import Cell, Measure, Section, Table
from countercase.facts.vocabulary import FACT_TYPES

Row: TypeAlias = Mapping[str, Any]
Label: TypeAlias = str | int
Take: TypeAlias = Callable[[Row, str], Label]


def _both(kind: str) -> Callable[[Row], bool]:
    return lambda row: row["kind"] == kind and "neither" not in (row["first"], row["second"])


KINDS: Final[tuple[tuple[str, str, str, Level, Callable[[Row], bool], Take], ...]] = (
    ("grade", "grade of a decision, 0 to 3", "retrieval", "ordinal",
     lambda row: True, lambda row, way: int(row[way])),
    ("relevant", "relevant or not (grade 1 and above)", "retrieval", "nominal",
     lambda row: True, lambda row, way: "yes" if row[way] else "no"),
    ("fact", "fact: dispositive or not, where both say", "counterfactual", "nominal",
     _both("fact"), lambda row, way: str(row[way])),
    ("fact-left", "fact: dispositive, not, or left open", "counterfactual", "nominal",
     lambda row: row["kind"] == "fact", lambda row, way: str(row[way])),
    ("type", "fact type: dispositive or not, where both say", "counterfactual", "nominal",
     _both("type"), lambda row, way: str(row[way])),
    ("type-left", "fact type: dispositive, not, or left open", "counterfactual", "nominal",
     lambda row: row["kind"] == "type", lambda row, way: str(row[way])),
    ("faithful", "explanation: faithful or not", "explanations", "nominal",
     lambda row: True, lambda row, way: str(row[way]["label"])),
    ("error", "explanation: kind of error", "explanations", "nominal",
     lambda row: True, lambda row, way: str(row[way]["error"])),
)  # fmt: skip
"""Kinds of label: key, title, file, level of measurement, which rows, and how a label is read."""


def agreement_section(folder: Path) -> Section:
    """Agreement of the passes in `folder/passes` as a section.

    Raises:
        InputError: a file is missing or a line of it is not as it should be.
    """
    read = {name: _read(folder / "passes" / f"{name}.jsonl") for name in _FILES}
    rows: list[tuple[Cell, ...]] = []
    measures = []
    for key, title, name, level, chosen, take in KINDS:
        try:
            kept = [row for row in read[name] if chosen(row)]
            first = {at: take(row, "first") for at, row in enumerate(kept)}
            second = {at: take(row, "second") for at, row in enumerate(kept)}
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{folder}/passes/{name}.jsonl: {error} is missing or wrong"
            ) from error
        found = agreement_of_passes(first, second, level)
        differing = sum(first[at] != second[at] for at in first)
        rows.append(_row(title, found, differing))
        measures.append(
            Measure(
                f"agreement.{key}.kappa",
                f"Cohen's kappa, {title}",
                found.kappa,
                found.items,
                target=0.6,
            )
        )
    try:
        alpha, items, differing = ranking_agreement(read["counterfactual"])
    except (KeyError, TypeError) as error:
        raise InputError(f"{folder}/passes/counterfactual.jsonl: {error}: wrong ranking") from error
    rows.append(("importance of the fact types", items, differing, None, None, None, None, alpha))
    measures.append(
        Measure(
            "agreement.ranking.alpha",
            "Krippendorff's alpha, importance of the fact types",
            alpha,
            items,
            target=0.6,
        )
    )
    columns = (
        "label", "items", "differ", "same", "kappa", "kappa, linear", "kappa, quadratic", "alpha",
    )  # fmt: skip
    return Section(
        "agreement",
        "Agreement of the two passes",
        tuple(measures),
        (Table("Per kind of label", columns, tuple(rows)), _settled(read)),
    )


_FILES: Final = ("retrieval", "counterfactual", "explanations")


def ranking_agreement(rows: Iterable[Row]) -> tuple[float | None, int, int]:
    """Krippendorff's ordinal alpha over (case, fact type), how many those are, how many differ."""
    pairs: dict[tuple[str, str], tuple[int, int]] = {}
    for row in rows:
        if row["kind"] == "ranking":
            for kind in FACT_TYPES:
                if kind in row["first"] and kind in row["second"]:
                    pairs[row["case_id"], kind] = (row["first"][kind], row["second"][kind])
    passes = [{key: labels[way] for key, labels in pairs.items()} for way in (0, 1)]
    differing = sum(one != other for one, other in pairs.values())
    return krippendorff_alpha(passes, "ordinal"), len(pairs), differing


def _row(title: str, found: Agreement, differing: int) -> tuple[Cell, ...]:
    return (
        title, found.items, differing, found.same, found.kappa, found.linear, found.quadratic,
        found.alpha,
    )  # fmt: skip


def _settled(read: Mapping[str, list[Row]]) -> Table:
    """How many disagreements were settled as in the first pass, in the second, or otherwise."""
    rows: list[tuple[Cell, ...]] = []
    for name in _FILES:
        counts: Counter[str] = Counter()
        for row in read[name]:
            if row["first"] != row["second"]:
                if not row.get("reason"):
                    raise InputError(f"passes/{name}.jsonl: a disagreement without a reason: {row}")
                settled = row["settled"]
                counts[
                    "first" if settled == row["first"]
                    else "second" if settled == row["second"] else "other"
                ] += 1  # fmt: skip
        rows.append(
            (name, sum(counts.values()), *(counts[k] for k in ("first", "second", "other")))
        )
    columns = ("set", "disagreements", "as first", "as second", "otherwise")
    return Table("Disagreements and how they were settled", columns, tuple(rows))


def _read(path: Path) -> list[Row]:
    if not path.is_file():
        raise InputError(f"{path}: missing; the passes lie beside the evaluation sets")
    rows: list[Row] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{path}:{number}: not JSON ({error})") from error
        if not isinstance(row, dict) or not {"first", "second", "settled"} <= row.keys():
            raise InputError(f"{path}:{number}: needs first, second and settled")
        rows.append(row)
    return rows
