"""Criminal cases with their labels, as the evaluation of similar cases reads them.

The form is that of CAIL2018: a case is `{"fact", "meta": {"accusation", "relevant_articles",
"term_of_imprisonment"}}`, one JSON object a line. Source: Xiao et al., "CAIL2018: A large-scale
legal dataset for judgment prediction", 2018.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from countercase.errors import InputError

TOLERANCE_SHARE: Final = 0.2
"""Share of the query's term by which another term may differ."""
TOLERANCE_MONTHS: Final = 6.0
"""Months by which another term may differ, where that is more."""
ENCODINGS: Final = ("utf-8", "gb18030")
"""Encodings of record files, in the order in which they are tried."""


@dataclass(frozen=True)
class Term:
    """A sentence: months in prison, or life, or death."""

    months: float = 0.0
    life: bool = False
    death: bool = False

    @property
    def kind(self) -> str:
        """`death`, `life` or `months`."""
        return "death" if self.death else "life" if self.life else "months"

    def apart(self, other: Term) -> float | None:
        """Months between two terms; 0 for two of life or of death, None for two of unlike kind."""
        if self.kind != other.kind:
            return None
        return abs(self.months - other.months) if self.kind == "months" else 0.0

    def near(
        self, other: Term, share: float = TOLERANCE_SHARE, months: float = TOLERANCE_MONTHS
    ) -> bool:
        """Whether `other` is within the larger of `share` of this term and `months`."""
        apart = self.apart(other)
        # Rounded, so that a term exactly at the limit is within it whatever binary fractions do.
        return apart is not None and round(apart - max(share * self.months, months), 9) <= 0

    def document(self) -> dict[str, Any]:
        """The term in the words of CAIL2018."""
        months = int(self.months) if self.months == int(self.months) else self.months
        return {
            "death_penalty": self.death,
            "imprisonment": months,
            "life_imprisonment": self.life,
        }


@dataclass(frozen=True)
class Labels:
    """What a court made of a case: the charges, the articles applied, the sentence."""

    accusations: frozenset[str]
    articles: frozenset[str]
    term: Term

    def document(self) -> dict[str, Any]:
        """The labels in the words of CAIL2018, sets in sorted order."""
        return {
            "accusation": sorted(self.accusations),
            "relevant_articles": sorted(self.articles, key=_number_first),
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


def text_key(text: str) -> str:
    """sha256 of a text without its white space, which services trim and reflow."""
    return hashlib.sha256("".join(text.split()).encode("utf-8", "replace")).hexdigest()


class _Loose(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


_Flag = Annotated[bool, Field(strict=True)]


class _Term(_Loose):
    imprisonment: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    life_imprisonment: _Flag = False
    death_penalty: _Flag = False

    def term(self) -> Term:
        return Term(self.imprisonment, self.life_imprisonment, self.death_penalty)


class _Meta(_Loose):
    accusation: list[str]
    relevant_articles: list[int | str]
    term_of_imprisonment: _Term


class _Record(_Loose):
    fact: Annotated[str, Field(pattern=r"\S")]
    meta: _Meta
    id: str | int | None = None


def labels_of(meta: Mapping[str, Any]) -> Labels:
    """The labels in a `meta` object; the term may also be called `imprisonment`.

    Raises:
        ValidationError: a label is missing or of the wrong type.
    """
    given = dict(meta)
    if "term_of_imprisonment" not in given and isinstance(given.get("imprisonment"), Mapping):
        given["term_of_imprisonment"] = given["imprisonment"]
    return _labels(_Meta.model_validate(given))


def read_records(path: Path, encoding: str = "") -> list[CaseRecord]:
    """The case records of a JSON Lines file, in file order.

    Args:
        encoding: of the file; empty tries UTF-8 and then GB18030, in which much of CAIL2018 is.

    A record keeps its own `id`; one without is named after the file and its line.

    Raises:
        InputError: the file cannot be read, or a line is not a valid record; the message names
            file, line and field.
    """
    records = []
    for where, number, row in json_lines(path, encoding):
        record = _checked(row, where)
        name = str(record.id) if record.id is not None else f"{path.stem}-{number}"
        records.append(CaseRecord(name, record.fact, _labels(record.meta)))
    if not records:
        raise InputError(f"{path}: holds no case; give one JSON object a line")
    return records


def json_lines(path: Path, encoding: str = "") -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The objects of a JSON Lines file with their place (`file, line n`) and line number.

    Raises:
        InputError: the file cannot be read or decoded, or a line is no JSON object.
    """
    for number, line in enumerate(_decoded(path, encoding).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where}: not valid JSON ({error})") from error
        if not isinstance(row, dict):
            raise InputError(f"{where}: must be a JSON object")
        yield where, number, row


def invalid(where: str, error: ValidationError) -> InputError:
    """The first thing that a validation found, as an error with place and field."""
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    return InputError(f"{where}: field {field}: {first['msg']}")


def _checked(row: Mapping[str, Any], where: str) -> _Record:
    try:
        return _Record.model_validate(row)
    except ValidationError as error:
        raise invalid(where, error) from error


def _labels(meta: _Meta) -> Labels:
    return Labels(
        frozenset(_charge(name) for name in meta.accusation),
        frozenset(str(article).strip() for article in meta.relevant_articles),
        meta.term_of_imprisonment.term(),
    )


def _charge(name: str) -> str:
    """A charge without the brackets that some releases put around its alternatives."""
    return name.replace("[", "").replace("]", "").strip()


def _number_first(article: str) -> tuple[int, str]:
    return (int(article) if article.isdecimal() else 1 << 30, article)


def _decoded(path: Path, encoding: str) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    for name in (encoding,) if encoding else ENCODINGS:
        try:
            return raw.decode("utf-8-sig" if name == "utf-8" else name)
        except UnicodeDecodeError:
            continue
    raise InputError(f"{path}: not {encoding or ' or '.join(ENCODINGS)}; name its --encoding")
