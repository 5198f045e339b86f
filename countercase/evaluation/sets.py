"""The evaluation sets and other files of people: their rows, read and checked.

Errors name file, line and field.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar, cast

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from countercase.errors import InputError
from countercase.evaluation.metrics import Judged
from countercase.facts.case_schema import CaseFile
from countercase.facts.model import FactTypeName
from countercase.facts.vocabulary import known_fact_type
from countercase.io import parse_json

Grade = Annotated[int, Field(ge=0, le=3)]
KnownFactType = Annotated[FactTypeName, AfterValidator(known_fact_type)]
Rank = Annotated[int, Field(ge=1, le=4)]
ErrorKind = Literal[
    "negation", "figure", "party_swap", "recombination", "provision", "outcome", "addition"
]
KINDS: Final = {
    "query_id": "retrieval", "narrative": "counterfactual", "pair_id": "explanations",
    "facts": "reading",
}  # fmt: skip
"""The kind of a set by the key that only its rows have."""
_Row = TypeVar("_Row", bound=BaseModel)
_Form = TypeVar("_Form")
_adapter: Final[Callable[[Any], TypeAdapter[Any]]] = cache(TypeAdapter)


class Row(BaseModel):
    """A record of a benchmark; keys beside its fields are ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class StrictRow(BaseModel):
    """A row of an evaluation set; a key that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RetrievalQuery(StrictRow):
    """A matter in the words of a client or a junior, with graded decisions.

    Grades: 3 on all fours, 2 same question on like facts, 1 helps, 0 not relevant; the rest is unread.
    """

    query_id: str
    area: str
    voice: Literal["client", "junior"]
    text: str
    relevant: dict[str, Grade]
    reasons: dict[str, str] = {}


class FactLabel(StrictRow):
    """One fact of the case with the editors' label, its reason and what the reason rests on."""

    fact_id: str
    fact_type: KnownFactType
    value: str
    reason: str
    basis: str


class TypeLabel(StrictRow):
    """One fact type with the reason of its label."""

    fact_type: KnownFactType
    reason: str


class CounterfactualCase(StrictRow):
    """A case with the facts that should and should not matter, as its editors judged.

    `fact_sheet` holds the parts of case.json beside the text. Rank 1 is the most important fact type.
    """

    case_id: str
    area: str
    title: str
    narrative: str
    fact_sheet: dict[str, Any]
    dispositive_facts: list[FactLabel]
    non_dispositive_facts: list[FactLabel]
    dispositive_types: list[TypeLabel]
    non_dispositive_types: list[TypeLabel]
    expert_importance_ranking: dict[KnownFactType, Rank]
    ranking_reason: str
    design: Literal["threshold", "tempting", "plain"]

    @property
    def case_file(self) -> CaseFile:
        """The case as `countercase analyze` reads it."""
        return CaseFile.model_validate(
            {"case_id": self.case_id, "title": self.title, "text": self.narrative} | self.fact_sheet
        )

    @model_validator(mode="after")
    def _labels_apart(self) -> CounterfactualCase:
        try:
            _ = self.case_file
        except ValidationError as error:
            raise ValueError(f"fact_sheet: {first_error(error)}") from error
        low = {label.fact_id for label in self.non_dispositive_facts}
        if both := sorted({label.fact_id for label in self.dispositive_facts} & low):
            raise ValueError(f"both dispositive and not: {', '.join(both)}")
        return self


class SourceChunk(StrictRow):
    """A passage that an explanation rests on."""

    chunk_id: str
    text: str


class ExplanationPair(StrictRow):
    """An explanation, its source and whether the source bears it out."""

    pair_id: str
    case_id: str
    source: list[SourceChunk]
    explanation: str
    label: Literal["faithful", "unfaithful"]
    error: ErrorKind | None = None
    what: str | None = None

    @model_validator(mode="after")
    def _error_named(self) -> ExplanationPair:
        if (self.label == "unfaithful") != (self.error is not None):
            raise ValueError("an unfaithful pair names its error, a faithful one has none")
        return self


class LabelledFact(StrictRow):
    """One fact that a matter states, with the words that state it.

    `same_as` is the provision in the other code; `months`, `days` and `minutes` add to `value`;
    `value_to` ends a range; `of` says what a number measures.
    """

    type: KnownFactType
    mentions: list[str]
    provision: str = ""
    same_as: str = ""
    side: str = ""
    party_type: str = ""
    role: str = ""
    evidence_type: str = ""
    state: str = ""
    kind: str = ""
    value: float | None = None
    unit: str = ""
    months: float = 0
    days: float = 0
    minutes: float = 0
    value_to: float | None = None
    of: str = ""

    @property
    def words(self) -> str:
        """Its first mention, with the number as labelled."""
        number = "" if self.value is None else f" = {self.value:g} {self.unit} ({self.of})"
        return f"{self.mentions[0]!r}{number}"


class ReadingCase(StrictRow):
    """A short matter in the words of a junior or a client, with every fact that it states."""

    case_id: str
    area: str
    voice: Literal["client", "junior"]
    title: str
    text: str
    occurred_on: str | None
    facts: list[LabelledFact]

    @model_validator(mode="after")
    def _mentions_stated(self) -> ReadingCase:
        if missing := [m for it in self.facts for m in it.mentions if m not in self.text]:
            raise ValueError(f"not in the text: {missing[0]!r}")
        return self


@dataclass(frozen=True)
class Labels:
    """What was judged, the texts of the queries where known, and groups of them by name."""

    judged: Judged
    queries: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def first(self, limit: int | None) -> Labels:
        """Return the first `limit` queries, in their order, with their judgements."""
        chosen = [name for name in self.queries or self.judged if name in self.judged][:limit]
        queries = {name: self.queries[name] for name in chosen if name in self.queries}
        return replace(self, judged={name: self.judged[name] for name in chosen}, queries=queries)


def read_set(path: Path, model: type[_Row]) -> list[_Row]:
    """Read the rows of a set; the first field of the model names each of them."""
    if not path.is_file():
        raise InputError(f"{path}: missing; name the file of the set")
    rows: dict[str, _Row] = {}
    key = next(iter(model.model_fields))
    for where, _, row in read_rows(path, model):
        name = str(getattr(row, key))
        if name in rows:
            raise InputError(f"{where}: the {key} {name!r} is used twice")
        rows[name] = row
    if not rows:
        raise InputError(f"{path}: empty")
    return list(rows.values())


def kind_of(path: Path) -> str:
    """Tell the kind of a set by the keys of its first line: a value of `KINDS`."""
    if not path.is_file():
        raise InputError(f"{path}: missing")
    where = f"{path}, line 1"
    with path.open(encoding="utf-8", errors="replace") as lines:
        row = parse_json(next(filter(str.strip, lines), ""), where)
    kinds = [kind for key, kind in KINDS.items() if isinstance(row, dict) and key in row]
    if len(kinds) != 1:
        raise InputError(f"{where}: not an evaluation set; a line needs {' or '.join(KINDS)}")
    return kinds[0]


# Files


def read_text(
    path: Path, encodings: Sequence[str] = ("UTF-8",), hint: str = "save it as UTF-8"
) -> str:
    """Read a file in the first encoding that fits, without a byte order mark, line ends kept."""
    place = 0
    try:
        names = [codecs.lookup(name).name for name in encodings]
        raw = path.read_bytes()
        for name in names:
            try:
                return raw.decode("utf-8-sig" if name == "utf-8" else name)
            except UnicodeDecodeError as error:
                place = error.start
    except LookupError as error:
        raise InputError(f"--encoding: {error}; utf-8 and gb18030 are usual") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from error
    raise InputError(f"{path}: not {' or '.join(encodings)} at byte {place}; {hint}")


def read_json(path: Path, form: type[_Form]) -> _Form:
    """Read a JSON file as a value of type `form`."""
    return parse(read_text(path), form, str(path))


def read_rows(
    path: Path, form: type[_Form], encodings: Sequence[str] = ("UTF-8",), hint: str = ""
) -> Iterator[tuple[str, int, _Form]]:
    """Read the rows of a JSON Lines file, each with its place (`file, line n`) and line number."""
    named = "" if tuple(encodings) == ("UTF-8",) else ", or name its --encoding"
    text = read_text(path, encodings, f"save it as UTF-8{named}")
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            where = f"{path}, line {number}"
            yield where, number, parse(line, form, where, hint)


def free_name(name: str, taken: Container[str]) -> str:
    """Return the name, with the least number from 2 behind it where it is taken."""
    numbered = (f"{name}-{number}" for number in count(2))
    return next(it for it in chain([name], numbered) if it not in taken)


def json_lines(rows: Iterable[object]) -> str:
    """Write rows as JSON Lines."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def parse(text: str, form: type[_Form], where: str, hint: str = "") -> _Form:
    """Read a JSON text as a value of type `form`."""
    try:
        return cast("_Form", _adapter(form).validate_json(text))
    except ValidationError as error:
        raise InputError(f"{where}: {first_error(error)}{hint}") from error


def first_error(error: ValidationError) -> str:
    """Say the first thing that a validation objects to, with its field."""
    first = error.errors(include_url=False)[0]
    told = first["msg"].removeprefix("Value error, ")
    if first["type"] == "json_invalid":
        return f"not valid JSON ({first['ctx']['error']})"
    field = ".".join(str(part) for part in first["loc"])
    return f"field {field}: {told}" if field else told
