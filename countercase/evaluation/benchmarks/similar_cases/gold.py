"""A gold set of similar cases: queries with the cases that are like them, as JSON Lines.

A line is `{"query_id", "query": {"fact", "meta"}, "positives": [{"fact", "accusation",
"relevant_articles", "imprisonment"}]}`, as the published set has it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from countercase.errors import InputError
from countercase.evaluation.benchmarks.similar_cases.records import (
    CaseRecord,
    invalid,
    json_lines,
    labels_of,
)


@dataclass(frozen=True)
class Positive:
    """A case that is like a query, and how near its term is.

    Args:
        tier: 1 the same term, 2 within the larger of 10% and 3 months, 3 of 20% and 6 months;
            0 where the set does not say.
    """

    case: CaseRecord
    tier: int = 0


@dataclass(frozen=True)
class GoldQuery:
    """A query with the cases that are like it.

    Args:
        qualified: how many records were like it, of which the positives were chosen; 0 where
            the set does not say.
    """

    query: CaseRecord
    positives: tuple[Positive, ...]
    qualified: int = 0

    def document(self) -> dict[str, Any]:
        """The query as a line of a gold set."""
        return {
            "query_id": self.query.record_id,
            "query": {
                "fact": self.query.fact,
                "meta": self.query.labels.document(),
                "id": self.query.record_id,
            },
            "positives": [_positive(one) for one in self.positives],
            "positives_count": len(self.positives),
            "qualified": self.qualified,
        }


def gold_lines(gold: Iterable[GoldQuery]) -> str:
    """The gold set as JSON Lines."""
    return "".join(json.dumps(one.document(), ensure_ascii=False) + "\n" for one in gold)


def read_gold(path: Path, encoding: str = "") -> list[GoldQuery]:
    """The queries of a gold set, in file order.

    Raises:
        InputError: the file cannot be read, a line is not valid, an id or a text comes twice,
            or there is no query; the message names file, line and field.
    """
    gold: list[GoldQuery] = []
    seen: set[str] = set()
    for where, _, row in json_lines(path, encoding):
        one = _query(row, where)
        for mark, field in ((one.query.record_id, "query_id"), (one.query.key, "query.fact")):
            if mark in seen:
                raise InputError(f"{where}: field {field}: was used in an earlier line")
            seen.add(mark)
        gold.append(one)
    if not gold:
        raise InputError(
            f"{path}: holds no query; make a set with `countercase eval similar prepare`"
        )
    return gold


def gold_cases(gold: Iterable[GoldQuery], queries: bool = True) -> list[CaseRecord]:
    """All cases of a gold set: its positives, and its queries unless `queries` is false."""
    cases: list[CaseRecord] = []
    for one in gold:
        cases += [one.query] if queries else []
        cases += [positive.case for positive in one.positives]
    return cases


def _query(row: Mapping[str, Any], where: str) -> GoldQuery:
    asked = row.get("query")
    if not isinstance(asked, Mapping):
        raise InputError(f"{where}: field query: must be an object with fact and meta")
    if not isinstance(asked.get("meta"), Mapping):
        raise InputError(f"{where}: field query.meta: must be an object")
    query_id = row.get("query_id", asked.get("id"))
    if not isinstance(query_id, str | int) or isinstance(query_id, bool):
        raise InputError(f"{where}: field query_id: must be a string or a number")
    query = _case(str(query_id), asked.get("fact"), asked["meta"], f"{where}: query")
    listed = row.get("positives")
    if not isinstance(listed, list) or not listed:
        raise InputError(f"{where}: field positives: must be a list of at least one case")
    positives = []
    for number, given in enumerate(listed):
        place = f"{where}: positives.{number}"
        if not isinstance(given, Mapping):
            raise InputError(f"{place}: must be an object")
        name = given.get("fact_id", given.get("id", f"{query_id}-{number}"))
        meta = given["meta"] if isinstance(given.get("meta"), Mapping) else given
        tier = given.get("tier", 0)
        positives.append(
            Positive(
                _case(str(name), given.get("fact"), meta, place),
                tier if isinstance(tier, int) and 0 < tier < 4 else 0,
            )
        )
    qualified = row.get("qualified", 0)
    return GoldQuery(query, tuple(positives), qualified if isinstance(qualified, int) else 0)


def _case(name: str, fact: object, meta: Mapping[str, Any], where: str) -> CaseRecord:
    if not isinstance(fact, str) or not fact.strip():
        raise InputError(f"{where}: field fact: must be a text that is not empty")
    try:
        return CaseRecord(name, fact, labels_of(meta))
    except ValidationError as error:
        raise invalid(where, error) from error


def _positive(one: Positive) -> dict[str, Any]:
    labels = one.case.labels.document()
    return {
        "fact_id": one.case.record_id,
        "fact": one.case.fact,
        "accusation": labels["accusation"],
        "relevant_articles": labels["relevant_articles"],
        "imprisonment": labels["term_of_imprisonment"],
        "tier": one.tier,
    }
