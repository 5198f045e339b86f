"""Labelled criminal cases, and gold sets of queries with the cases that are similar to them.

A case is `{"fact", "meta": {"accusation", "relevant_articles", "term_of_imprisonment"}}`, one JSON
object a line, as in CAIL2018 (Xiao et al., "CAIL2018: A large-scale legal dataset for judgment
prediction", 2018). A line of a gold set is `{"query_id", "query": {"fact", "meta"}, "positives":
[{"fact", "accusation", "relevant_articles", "imprisonment"}]}`, as in the published set.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    TypeAdapter,
    model_validator,
)
from pydantic.dataclasses import dataclass

from countercase.errors import InputError
from countercase.evaluation.benchmarks.json_files import read_json_lines

TOLERANCE_SHARE: Final = 0.2
"""Share of the query's term by which another term may differ."""
TOLERANCE_MONTHS: Final = 6.0
"""Months by which another term may differ, where that is more."""
ENCODINGS: Final = ("utf-8", "gb18030")
"""Encodings of record files, in the order in which they are tried; much of CAIL2018 is GB18030."""

_Text = Annotated[str, Field(pattern=r"\S")]
_Id = StrictStr | StrictInt
_Months = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_Charge = Annotated[str, AfterValidator(lambda name: name.translate(_BRACKETS).strip())]
_Article = Annotated[_Id, AfterValidator(lambda article: str(article).strip())]
_BRACKETS: Final = str.maketrans("", "", "[]")
"""Some releases put brackets around the alternatives of a charge."""


def _alias(*names: str | AliasPath) -> Any:
    return Field(validation_alias=AliasChoices(*names))


@dataclass(frozen=True)
class Term:
    """A sentence: months in prison, or life, or death."""

    months: Annotated[_Months, _alias("imprisonment", "months")] = 0.0
    life: Annotated[StrictBool, _alias("life_imprisonment", "life")] = False
    death: Annotated[StrictBool, _alias("death_penalty", "death")] = False

    @property
    def kind(self) -> str:
        """`death`, `life` or `months`."""
        return "death" if self.death else "life" if self.life else "months"

    def apart(self, other: Term) -> float | None:
        """Months between two terms; 0 for two of life or of death, None for different kinds."""
        if self.kind != other.kind:
            return None
        return abs(self.months - other.months) if self.kind == "months" else 0.0

    def near(
        self, other: Term, share: float = TOLERANCE_SHARE, months: float = TOLERANCE_MONTHS
    ) -> bool:
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
            "relevant_articles": sorted(map(str, self.articles), key=number_first),
            "term_of_imprisonment": self.term.document(),
        }


@dataclass(frozen=True)
class CaseRecord:
    """One case with its labels; `record_id` is unique among the records read together."""

    record_id: str
    fact: str
    labels: Labels

    @property
    def key(self) -> str:
        """The hash of the text; two records with one key are one case."""
        return text_key(self.fact)


@dataclass(frozen=True)
class Positive:
    """A case that is similar to a query.

    Args:
        tier: how near its term is: 1 the same, 2 within the larger of 10% and 3 months, 3 of 20%
            and 6 months; 0 where the set does not say.
    """

    case: CaseRecord
    tier: int = 0

    def document(self) -> dict[str, Any]:
        """The positive as a gold set holds it."""
        labels = self.case.labels.document()
        term = labels.pop("term_of_imprisonment")
        case = {"fact_id": self.case.record_id, "fact": self.case.fact}
        return {**case, **labels, "imprisonment": term, "tier": self.tier}


@dataclass(frozen=True)
class GoldQuery:
    """A query with the cases that are similar to it.

    Args:
        qualified: number of records that were similar, from which the positives were chosen; 0
            where the set does not say.
    """

    query: CaseRecord
    positives: tuple[Positive, ...]
    qualified: int = 0

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


class _Given(BaseModel):
    """A case as a file gives it, its labels in `meta`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    fact: _Text
    meta: Labels
    id: Annotated[_Id | None, _alias("fact_id", "id")] = None

    def record(self, default_id: str) -> CaseRecord:
        return CaseRecord(default_id if self.id is None else str(self.id), self.fact, self.meta)


class _GivenInGold(_Given):
    """A case of a gold set; its labels may also stand beside the text."""

    tier: Annotated[int, Field(ge=0, le=3)] = 0

    @model_validator(mode="before")
    @classmethod
    def _gather_labels(cls, given: Any) -> Any:
        return {"meta": given, **given} if isinstance(given, dict) else given


class _GivenQuery(BaseModel):
    query: _GivenInGold
    query_id: Annotated[_Id, _alias("query_id", AliasPath("query", "id"))]
    positives: Annotated[list[_GivenInGold], Field(min_length=1)]
    qualified: int = 0


def text_key(text: str) -> str:
    """sha256 of a text without its white space, which services trim and reflow."""
    return hashlib.sha256("".join(text.split()).encode("utf-8", "replace")).hexdigest()


def labels_of(meta: Mapping[str, Any]) -> Labels:
    """The labels in a `meta` object; the term may also be called `imprisonment`.

    Raises:
        ValidationError: a label is missing or of the wrong type.
    """
    return TypeAdapter(Labels).validate_python(meta)


def read_records(path: Path, encoding: str = "") -> list[CaseRecord]:
    """The case records of a JSON Lines file, in file order.

    A record keeps its own `id`; one without is named after the file and its line.

    Args:
        encoding: of the file; empty tries `ENCODINGS`.

    Raises:
        InputError: the file cannot be read or holds no case, or a line is not a valid record; the
            message names file, line and field.
    """
    encodings = (encoding,) if encoding else ENCODINGS
    lines = read_json_lines(path, _Given, encodings)
    records = [given.record(f"{path.stem}-{number}") for _, number, given in lines]
    if not records:
        raise InputError(f"{path}: holds no case; give one JSON object a line")
    return records


def read_gold(path: Path) -> list[GoldQuery]:
    """The queries of a gold set, in file order.

    Raises:
        InputError: the file cannot be read, a line is not valid, an id or a text comes twice,
            or there is no query; the message names file, line and field.
    """
    gold: list[GoldQuery] = []
    seen: set[str] = set()
    for where, _, given in read_json_lines(path, _GivenQuery, ENCODINGS):
        name = str(given.query_id)
        query = CaseRecord(name, given.query.fact, given.query.meta)
        for value, field in ((name, "query_id"), (query.key, "query.fact")):
            if value in seen:
                raise InputError(f"{where}: field {field}: was used in an earlier line")
            seen.add(value)
        positives = tuple(
            Positive(case.record(f"{name}-{number}"), case.tier)
            for number, case in enumerate(given.positives)
        )
        gold.append(GoldQuery(query, positives, given.qualified))
    if not gold:
        command = "countercase eval similar prepare"
        raise InputError(f"{path}: holds no query; make a set with `{command}`")
    return gold


def gold_lines(gold: Iterable[GoldQuery]) -> str:
    """The gold set as JSON Lines."""
    return "".join(json.dumps(query.document(), ensure_ascii=False) + "\n" for query in gold)


def gold_cases(gold: Iterable[GoldQuery], queries: bool = True) -> list[CaseRecord]:
    """All cases of a gold set: its positives, and its queries unless `queries` is false."""
    cases: list[CaseRecord] = []
    for query in gold:
        cases += [query.query] * queries + [positive.case for positive in query.positives]
    return cases
