"""Labelled criminal cases, and gold sets of queries with the cases that are similar to them.

A case is `{"fact", "meta": {"accusation", "relevant_articles", "term_of_imprisonment"}}`, one JSON
object a line, as in CAIL2018 (Xiao et al., "CAIL2018: A large-scale legal dataset for judgment
prediction", 2018); the labels may also stand beside the text. A line of a gold set is
`{"query_id", "query": {"fact", "meta"}, "positives": [{"fact", "accusation", "relevant_articles",
"imprisonment"}]}`, as in the published set.

A similar case has the same charges, the same set of articles and a near term. No retriever takes
part in the choice, so that the set favours none.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Annotated, Any, Final

import pydantic
from pydantic import AfterValidator, AliasChoices, AliasPath, BeforeValidator, Field, StrictStr
from pydantic.dataclasses import dataclass

from countercase.errors import CounterCaseError, InputError
from countercase.evaluation.sets import first_error, free_name, json_lines, read_rows
from countercase.evaluation.statistics import group_by

TIERS: Final = ((0.0, 0.0), (0.1, 3.0), (0.2, 6.0))
"""By how much the term of a positive of tier 1, 2, 3 may differ: a share of the query's term or a
number of months, whichever is larger. The last is what counts as near."""
ENCODINGS: Final = ("UTF-8", "GB18030")
"""Encodings of record files, in the order in which they are tried; much of CAIL2018 is GB18030."""


def _number(article: str) -> int:
    return int(article) if article.isdecimal() else 1 << 30


_BRACKETS: Final = str.maketrans("", "", "[]")
"""Some releases put brackets around the alternatives of a charge."""
_PUBLISHED: Final = ("accusation", "relevant_articles", "imprisonment")
"""The labels of a positive as the published set names them."""
_Id = Annotated[StrictStr, BeforeValidator(lambda name: str(name) if type(name) is int else name)]
_Name = Annotated[_Id, BeforeValidator(lambda name: "" if name is None else name)]
_Months = Annotated[
    float,
    Field(ge=0, allow_inf_nan=False),
    AfterValidator(lambda months: int(months) if months == int(months) else months),
]
_Charges = Annotated[
    frozenset[Annotated[str, AfterValidator(lambda name: name.translate(_BRACKETS).strip())]],
    AfterValidator(lambda names: tuple(sorted(names))),
]
_Articles = Annotated[
    frozenset[Annotated[_Id, AfterValidator(str.strip)]],
    AfterValidator(lambda names: tuple(sorted(names, key=lambda it: (_number(it), it)))),
]


@dataclass(frozen=True)
class Term:
    """A sentence: months in prison, or life, or death."""

    death_penalty: pydantic.StrictBool = False
    imprisonment: _Months = 0
    life_imprisonment: pydantic.StrictBool = False

    def apart(self, other: Term) -> float | None:
        """Return months between two terms; 0 for two of life or of death, None across kinds."""
        kinds = [
            "death" if term.death_penalty else "life" if term.life_imprisonment else "months"
            for term in (self, other)
        ]
        if kinds[0] != kinds[1]:
            return None
        return abs(self.imprisonment - other.imprisonment) if kinds[0] == "months" else 0.0

    def tier(self, other: Term) -> int | None:
        """Return the first of `TIERS`, from 1, that `other` is within; None where it is not near."""
        apart = self.apart(other)
        if apart is None:
            return None
        # Rounded, so that a term exactly at the limit is within it in binary fractions too.
        over = (round(apart - max(share * self.imprisonment, most), 9) for share, most in TIERS)
        return next((tier for tier, beyond in enumerate(over, 1) if beyond <= 0), None)


@dataclass(frozen=True)
class Labels:
    """What a court made of a case: charges and articles, each once and in order, the sentence."""

    accusation: _Charges
    relevant_articles: _Articles
    term_of_imprisonment: Annotated[
        Term, Field(validation_alias=AliasChoices("term_of_imprisonment", "imprisonment"))
    ]


@dataclass(frozen=True)
class CaseRecord:
    """One case with its labels.

    `tier` is, of a positive, the first of `TIERS` within which its term is, 0 where it is not known.
    """

    fact: Annotated[str, Field(pattern=r"\S")]
    meta: Labels
    record_id: Annotated[
        _Name, Field(validation_alias=AliasChoices("fact_id", "id", "record_id"))
    ] = ""
    tier: Annotated[int, Field(ge=0, le=3)] = 0

    @pydantic.model_validator(mode="before")
    @classmethod
    def _gather_labels(cls, given: Any) -> Any:
        return {"meta": given, **given} if isinstance(given, dict) else given

    @property
    def key(self) -> str:
        """The hash of the text; two records with one key are one case."""
        return text_key(self.fact)


@dataclass(frozen=True)
class GoldQuery:
    """A query with similar cases, chosen from `qualified` ones; 0 where the set does not say."""

    query_id: Annotated[
        _Id,
        Field(min_length=1, validation_alias=AliasChoices("query_id", AliasPath("query", "id"))),
    ]
    query: CaseRecord
    positives: Annotated[tuple[CaseRecord, ...], Field(min_length=1)]
    qualified: int = 0


def text_key(text: str) -> str:
    """Return sha256 of a text without its white space, which services trim and reflow."""
    return hashlib.sha256("".join(text.split()).encode("utf-8", "replace")).hexdigest()


def read_records(path: Path, encoding: str = "") -> list[CaseRecord]:
    """Read the cases of a JSON Lines file; one without an id is named after file and line."""
    lines = read_rows(path, CaseRecord, (encoding,) if encoding else ENCODINGS)
    records = [
        replace(case, record_id=case.record_id or f"{path.stem}-{number}")
        for _, number, case in lines
    ]
    if not records:
        raise InputError(f"{path}: holds no case; give one JSON object a line")
    return records


def read_gold(path: Path) -> list[GoldQuery]:
    """Read the queries of a gold set, in file order."""
    gold: list[GoldQuery] = []
    seen: set[str] = set()
    for where, _, line in read_rows(path, GoldQuery, ENCODINGS):
        name = line.query_id
        for value, field in ((name, "query_id"), (line.query.key, "query.fact")):
            if value in seen:
                raise InputError(f"{where}: field {field}: was used in an earlier line")
            seen.add(value)
        positives = tuple(
            replace(case, record_id=case.record_id or f"{name}-{at}")
            for at, case in enumerate(line.positives)
        )
        query = replace(line.query, record_id=name)
        gold.append(replace(line, query=query, positives=positives))
    if not gold:
        hint = "make a set with `countercase eval similar prepare`"
        raise InputError(f"{path}: holds no query; {hint}")
    return gold


def gold_lines(gold: Iterable[GoldQuery]) -> str:
    """Write the gold set as JSON Lines."""
    return json_lines(
        {
            "query_id": it.query_id,
            "query": {"fact": it.query.fact, "meta": asdict(it.query.meta), "id": it.query_id},
            "positives": [
                {"fact_id": case.record_id, "fact": case.fact,
                 **dict(zip(_PUBLISHED, asdict(case.meta).values(), strict=True)),
                 "tier": case.tier}
                for case in it.positives
            ],
            "positives_count": len(it.positives),
            "qualified": it.qualified,
        }
        for it in gold
    )  # fmt: skip


def corpus_lines(records: Iterable[CaseRecord]) -> str:
    """Write the records as a BEIR `corpus.jsonl`, labels as metadata, one of each text."""
    return json_lines(
        {"_id": it.record_id, "title": "", "text": it.fact, "metadata": asdict(it.meta)}
        for it in unique_records(records)
    )


def unique_records(records: Iterable[CaseRecord]) -> list[CaseRecord]:
    """Keep the first record of each text, under ids that are unique."""
    by_name: dict[str, CaseRecord] = {}
    for record, *_ in group_by(records, lambda record: record.key).values():
        name = free_name(record.record_id, by_name)
        by_name[name] = replace(record, record_id=name)
    return list(by_name.values())


def prepare_gold(
    records: Sequence[Path], gold: Path | None, *, without_queries: bool, encoding: str, **how: Any
) -> tuple[list[GoldQuery], list[CaseRecord]]:
    """Make a gold set, and the records of the corpus to search, from files of labelled cases.

    Args:
        gold: a set to take in place of drawing one; the records are further documents then.
        without_queries: whether the queries of `gold` stay out of the corpus.
        how: see `build_gold`.
    """
    if not records and gold is None:
        raise InputError("name at least one file of RECORDS, or a set with --gold")
    if without_queries and gold is None:
        raise InputError("--without-queries goes with --gold; leave it out")
    cases = [record for path in records for record in read_records(path, encoding)]
    if gold is None:
        cases = unique_records(cases)
        return build_gold(cases, **how), cases
    chosen = read_gold(gold)
    own = [case for line in chosen for case in (line.query, *line.positives)]
    asked = {line.query.key for line in chosen} if without_queries else set()
    given = [case for case in (*own, *cases) if case.key not in asked]
    return chosen, unique_records(given)


def build_gold(
    records: Sequence[CaseRecord],
    queries: int = 200,
    positives: int = 10,
    seed: int = 0,
    min_characters: int = 100,
) -> list[GoldQuery]:
    """Draw a gold set of at most `queries` queries with `positives` positives each.

    The queries, of `min_characters` or more, are drawn one from each combination of charges and
    articles in turn, so that frequent offences do not fill the set. The positives of a query are
    the records of its combination with the nearest terms; equal ones are drawn by lot.
    """

    def draw(members: Sequence[CaseRecord], asking: Sequence[CaseRecord]) -> Iterator[GoldQuery]:
        """Yield those who ask and have enough positives among `members`, one by one."""
        for query in asking:
            similar, term = [], query.meta.term_of_imprisonment
            for other in members:
                tier = term.tier(other.meta.term_of_imprisonment)
                if tier is not None and other.record_id != query.record_id:
                    apart = term.apart(other.meta.term_of_imprisonment)
                    similar.append((tier, apart, lot.random(), replace(other, tier=tier)))
            if len(similar) >= positives:
                nearest = sorted(similar, key=lambda entry: entry[:3])[:positives]
                chosen = tuple(other for *_, other in nearest)
                yield GoldQuery(query.record_id, query, chosen, len(similar))

    lot, turns = random.Random(seed), list[Iterator[GoldQuery]]()
    labelled = [
        it for it in unique_records(records) if it.meta.accusation and it.meta.relevant_articles
    ]
    groups = group_by(
        labelled, lambda it: (*it.meta.accusation, "", *sorted(it.meta.relevant_articles))
    )
    for _, members in sorted(groups.items()):
        if len(members) > positives:
            candidates = [record for record in members if len(record.fact) >= min_characters]
            lot.shuffle(candidates)
            turns.append(draw(members, candidates))
    lot.shuffle(turns)
    gold = list(islice(filter(None, chain.from_iterable(zip_longest(*turns))), queries))
    if not gold:
        raise InputError(
            f"none of the {len(records)} records has {positives} others with the same charges, "
            "the same articles and a near term; give more records or fewer --positives"
        )
    return gold


class ServiceError(CounterCaseError):
    """A search service cannot be reached, fails, or does not answer with rankings."""


class Hit(pydantic.BaseModel):
    """One result of a service, with all that it gave."""

    model_config = pydantic.ConfigDict(extra="allow", frozen=True, coerce_numbers_to_str=True)

    doc_id: str = Field("", validation_alias=AliasChoices("id", "fact_id", "doc_id"))
    text: str = Field(
        min_length=1, validation_alias=AliasChoices("fact", "text", "content", "sentence")
    )
    score: float | None = None

    @pydantic.model_validator(mode="before")
    @classmethod
    def _drop_blanks(cls, given: Any) -> Any:
        """Pass over fields without a value, so that another name of the field is taken."""
        filled = isinstance(given, Mapping)
        return {k: v for k, v in given.items() if v not in (None, "")} if filled else given

    def labels(self, known: Mapping[str, Labels]) -> Labels:
        """Return its labels, of its own (`metadata`, `meta`, beside the text) or known of the text."""
        given = self.model_extra or {}
        places = (given.get("metadata"), given.get("meta"), given)
        meta = next((m for m in places if isinstance(m, Mapping) and "accusation" in m), None)
        try:
            return known[text_key(self.text)] if meta is None else _LABELS.validate_python(meta)
        except pydantic.ValidationError as error:
            message = f"result {self.doc_id!r} of the service: {first_error(error)}"
            raise ServiceError(message) from error
        except KeyError as error:
            raise ServiceError(
                f"result {self.doc_id!r} of the service has no accusation, relevant_articles and "
                "term_of_imprisonment; let it give them, or name the records with --records"
            ) from error


_LABELS: Final = pydantic.TypeAdapter(Labels)
