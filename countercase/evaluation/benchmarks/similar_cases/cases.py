"""Labelled criminal cases, and gold sets of queries with the cases that are similar to them.

A case is `{"fact", "meta": {"accusation", "relevant_articles", "term_of_imprisonment"}}`, one JSON
object a line, as in CAIL2018 (Xiao et al., "CAIL2018: A large-scale legal dataset for judgment
prediction", 2018); the labels may also stand beside the text. A line of a gold set is
`{"query_id", "query": {"fact", "meta"}, "positives": [{"fact", "accusation", "relevant_articles",
"imprisonment"}]}`, as in the published set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BeforeValidator,
    Field,
    StrictBool,
    StrictStr,
    model_validator,
)
from pydantic.dataclasses import dataclass

from countercase.errors import InputError
from countercase.evaluation.json_files import json_lines, read_rows
from countercase.evaluation.statistics import group_by

TOLERANCE: Final = (0.2, 6.0)
"""By how much another term may differ: a share of the query's term or a number of months,
whichever is larger."""
ENCODINGS: Final = ("UTF-8", "GB18030")
"""Encodings of record files, in the order in which they are tried; much of CAIL2018 is GB18030."""

_BRACKETS: Final = str.maketrans("", "", "[]")
"""Some releases put brackets around the alternatives of a charge."""
_Id = Annotated[StrictStr, BeforeValidator(lambda name: str(name) if type(name) is int else name)]
_Months = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Charge = Annotated[str, AfterValidator(lambda name: name.translate(_BRACKETS).strip())]
_Article = Annotated[_Id, AfterValidator(str.strip)]
_Name = Annotated[_Id, BeforeValidator(lambda name: "" if name is None else name)]


def _alias(*names: str | AliasPath) -> Any:
    return Field(validation_alias=AliasChoices(*names))


@dataclass(frozen=True)
class Term:
    """A sentence: months in prison, or life, or death."""

    months: Annotated[_Months, _alias("imprisonment", "months")] = 0.0
    life: Annotated[StrictBool, _alias("life_imprisonment", "life")] = False
    death: Annotated[StrictBool, _alias("death_penalty", "death")] = False

    def apart(self, other: Term) -> float | None:
        """Months between two terms; 0 for two of life or of death, None for different kinds."""
        kind, of_other = ("death" if t.death else "life" if t.life else "" for t in (self, other))
        if kind != of_other:
            return None
        return 0.0 if kind else abs(self.months - other.months)

    def near(self, other: Term, share: float = TOLERANCE[0], months: float = TOLERANCE[1]) -> bool:
        """Whether `other` is within the larger of `share` of this term and `months`."""
        apart = self.apart(other)
        # Rounded, so that a term exactly at the limit is within it in binary fractions too.
        return apart is not None and round(apart - max(share * self.months, months), 9) <= 0

    def document(self) -> dict[str, Any]:
        """The term in the words of CAIL2018."""
        months = int(self.months) if self.months == int(self.months) else self.months
        return {"death_penalty": self.death, "imprisonment": months, "life_imprisonment": self.life}


@dataclass(frozen=True)
class Labels:
    """What a court made of a case: the charges, the articles applied, the sentence."""

    accusations: Annotated[frozenset[_Charge], _alias("accusation", "accusations")]
    articles: Annotated[frozenset[_Article], _alias("relevant_articles", "articles")]
    term: Annotated[Term, _alias("term_of_imprisonment", "imprisonment", "term")]

    def document(self) -> dict[str, Any]:
        """The labels in the words of CAIL2018, sets in sorted order, articles by number."""

        def number_first(article: str) -> tuple[int, str]:
            return (int(article) if article.isdecimal() else 1 << 30, article)

        return {
            "accusation": sorted(self.accusations),
            "relevant_articles": sorted(self.articles, key=number_first),
            "term_of_imprisonment": self.term.document(),
        }


@dataclass(frozen=True)
class CaseRecord:
    """One case with its labels.

    Args:
        record_id: unique among the records read together.
        tier: of a positive, how near its term is: 1 the same, 2 within the larger of 10% and 3
            months, 3 of 20% and 6 months; 0 where the set does not say.
    """

    fact: Annotated[str, Field(pattern=r"\S")]
    labels: Annotated[Labels, _alias("meta", "labels")]
    record_id: Annotated[_Name, _alias("fact_id", "id", "record_id")] = ""
    tier: Annotated[int, Field(ge=0, le=3)] = 0

    @model_validator(mode="before")
    @classmethod
    def _gather_labels(cls, given: Any) -> Any:
        return {"meta": given, **given} if isinstance(given, dict) else given

    @property
    def key(self) -> str:
        """The hash of the text; two records with one key are one case."""
        return text_key(self.fact)

    def named(self, name: str) -> CaseRecord:
        """The record under this id."""
        return replace(self, record_id=name)

    def document(self) -> dict[str, Any]:
        """The record as a gold set holds a positive."""
        labels = self.labels.document()
        term = labels.pop("term_of_imprisonment")
        case = {"fact_id": self.record_id, "fact": self.fact}
        return {**case, **labels, "imprisonment": term, "tier": self.tier}


@dataclass(frozen=True)
class GoldQuery:
    """A query with the cases that are similar to it.

    Args:
        qualified: number of records that were similar, from which the positives were chosen; 0
            where the set does not say.
        query_id: what a file calls the query, until its record is named so.
    """

    query: CaseRecord
    positives: tuple[CaseRecord, ...]
    qualified: int = 0
    query_id: Annotated[_Name, _alias("query_id", AliasPath("query", "id"))] = ""

    def document(self) -> dict[str, Any]:
        """The query as a line of a gold set."""
        name, meta = self.query.record_id, self.query.labels.document()
        return {
            "query_id": name,
            "query": {"fact": self.query.fact, "meta": meta, "id": name},
            "positives": [positive.document() for positive in self.positives],
            "positives_count": len(self.positives),
            "qualified": self.qualified,
        }


def text_key(text: str) -> str:
    """sha256 of a text without its white space, which services trim and reflow."""
    return hashlib.sha256("".join(text.split()).encode("utf-8", "replace")).hexdigest()


def read_records(path: Path, encoding: str = "") -> list[CaseRecord]:
    """Read the case records of a JSON Lines file; one without an id is named after file and line.

    Args:
        encoding: of the file; empty tries `ENCODINGS`.

    Raises:
        InputError: the file cannot be read or holds no case, or a line is not a valid record.
    """
    lines = read_rows(path, CaseRecord, (encoding,) if encoding else ENCODINGS)
    records = [case.named(case.record_id or f"{path.stem}-{number}") for _, number, case in lines]
    if not records:
        raise InputError(f"{path}: holds no case; give one JSON object a line")
    return records


def read_gold(path: Path) -> list[GoldQuery]:
    """Read the queries of a gold set, in file order.

    Raises:
        InputError: a line is not valid, an id or a text comes twice, or there is no query.
    """
    gold: list[GoldQuery] = []
    seen: set[str] = set()
    for where, _, line in read_rows(path, GoldQuery, ENCODINGS):
        name = line.query_id
        if not name:
            raise InputError(f"{where}: field query_id: Field required")
        if not line.positives:
            raise InputError(f"{where}: field positives: empty; name at least one similar case")
        for value, field in ((name, "query_id"), (line.query.key, "query.fact")):
            if value in seen:
                raise InputError(f"{where}: field {field}: was used in an earlier line")
            seen.add(value)
        numbered = enumerate(line.positives)
        positives = tuple(case.named(case.record_id or f"{name}-{at}") for at, case in numbered)
        gold.append(GoldQuery(line.query.named(name), positives, line.qualified))
    if not gold:
        command = "countercase eval similar prepare"
        raise InputError(f"{path}: holds no query; make a set with `{command}`")
    return gold


def gold_lines(gold: Iterable[GoldQuery]) -> str:
    """Write the gold set as JSON Lines."""
    return json_lines(query.document() for query in gold)


def corpus_lines(records: Iterable[CaseRecord]) -> str:
    """Write the records as a BEIR `corpus.jsonl`, labels as metadata, one of each text."""
    return json_lines(
        {"_id": case.record_id, "title": "", "text": case.fact, "metadata": case.labels.document()}
        for case in unique_records(records)
    )


def gold_cases(gold: Iterable[GoldQuery], queries: bool = True) -> list[CaseRecord]:
    """All cases of a gold set: its positives, and its queries unless `queries` is false."""
    return [case for query in gold for case in ([query.query] * queries + [*query.positives])]


def unique_records(records: Iterable[CaseRecord]) -> list[CaseRecord]:
    """The records with the first of each text only, under ids that are unique."""
    by_name: dict[str, CaseRecord] = {}
    for record, *_ in group_by(records, lambda record: record.key).values():
        numbered = (f"{record.record_id}-{number}" for number in count(2))
        name = next(name for name in chain([record.record_id], numbered) if name not in by_name)
        by_name[name] = record.named(name)
    return list(by_name.values())
