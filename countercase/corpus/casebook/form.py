"""The form of a record: its fields, vocabularies and lengths, and the fact sheet that it states.

`docs/casebook.md` describes the fields for people who write records.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from countercase.corpus.judgment.treatment import TREATMENTS
from countercase.errors import InputError
from countercase.facts import vocabulary
from countercase.facts.case_file import sheet_from_case
from countercase.facts.case_schema import CaseFile
from countercase.facts.model import FactSheet
from countercase.law.provisions import normal_form
from countercase.text.dates import is_iso_date

AREAS: Final = (
    "homicide", "dowry", "sexual_offences", "narcotics", "corruption", "cheating",
    "cheque_dishonour", "motor_accident", "service", "land", "tax", "writs",
    "child_sexual_offences", "caste_atrocities", "juvenile_justice", "money_laundering",
    "terrorism", "electronic_evidence", "bail", "quashing", "arbitration", "insolvency",
    "consumer", "family",
)  # fmt: skip
"""The areas of the casebook."""


def sheet_of_record(record: Mapping[str, Any]) -> FactSheet:
    """Return the fact sheet that a record states; a provision that no case file may cite is left out."""
    case = {name: record[name] for name in ("case_id", "title", "parties", "evidence_items")} | {
        "text": record["facts"],
        "sections_cited": [p for p in record["sections_cited"] if _readable(p)],
        "numerical_facts": {"counts": []} | record["numerical_facts"],
    }
    return sheet_from_case(CaseFile.model_validate(case), record["case_id"])


def _readable(provision: str) -> bool:
    try:
        normal_form(provision)
    except InputError:
        return False
    return True


FACTS_WORDS: Final = (120, 220)
HOLDING_WORDS: Final = (60, 120)
CATCHWORDS: Final = (5, 7)
"""Phrases of a record that has any."""
CATCHWORDS_WORDS: Final = (40, 80)
LABELS: Final = ("turned_on", "argued", "not_turned_on")
"""Decisive facts, those argued that decided nothing, and background."""
BECAME: Final = ("affirmed", "reversed", "modified", "set aside", "not decided")
"""What became of a finding of a court below."""

_NORMAL_FORM: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*-[0-9A-Z]+(?:\([0-9A-Za-z]+\))*(?:-II?)?")
"""`IPC-302`, `PCA47-5`, `IPC-376(2)(g)`, `CPC-O7R11`, `IPC-304-II`."""


def _among(words: Sequence[str]) -> AfterValidator:
    def check(given: str) -> str:
        if given not in words:
            raise ValueError(f"{given!r} is not one of {', '.join(filter(None, words))}")
        return given

    return AfterValidator(check)


def _normal(given: str) -> str:
    if not _NORMAL_FORM.fullmatch(given):
        raise ValueError(f"{given!r} is not a normal form")
    return given


_NormalForm = Annotated[str, AfterValidator(_normal)]


_MESSAGES: Final = {"missing": "is missing", "extra_forbidden": "is no field of a record"}
_BRANCHES: Final = ("_Source", "_Provision")
"""How pydantic tells the two forms of `known_from` apart."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class _Party(_Part):
    name: str
    type: Annotated[str, _among(vocabulary.PARTY_TYPES)]
    role: Annotated[str, _among(("", *vocabulary.ROLES))] = ""


class _Parties(_Part):
    petitioner: _Party
    respondent: _Party


class _Evidence(_Part):
    evidence_type: Annotated[str, _among(vocabulary.EVIDENCE_TYPES)]
    description: str


class _Figure(_Part):
    value: float
    unit: str
    context: str


class _Duration(_Figure):
    unit: Annotated[str, _among(vocabulary.DURATION_UNITS)]


class _Quantity(_Figure):
    unit: Annotated[str, _among(vocabulary.QUANTITY_UNITS)]


class _Age(_Part):
    value: float
    descriptor: str


class _Figures(_Part):
    amounts: list[_Figure]
    ages: list[_Age]
    durations: list[_Duration]
    quantities: list[_Quantity]
    counts: list[_Figure] = []


class _Point(_Part):
    fact_type: Annotated[str, _among(vocabulary.FACT_TYPES)]
    fact: str
    why: str
    paragraph: int
    held: str = ""
    otherwise: str = ""


class _Source(_Part):
    collection: str = Field(min_length=1)
    id: str = Field(min_length=1)


class _Provision(_Part):
    provision: _NormalForm


class _Citation(_Part):
    neutral: str = ""
    reported: list[str] = []


class _Below(_Part):
    court: str
    finding: str
    became: Annotated[str, _among(BECAME)]


class _Treatment(_Part):
    kind: Annotated[str, _among(TREATMENTS)]
    by: str = Field(min_length=1)
    date: str
    on: str = Field(min_length=1)
    known_from: _Source | _Provision


class _Record(_Part):
    case_id: str
    title: str = Field(min_length=1)
    court: str = Field(min_length=1)
    date: str
    docket: str
    bench: list[str]
    citation: _Citation = _Citation()
    area: Annotated[str, _among(AREAS)]
    occurred_on: str = ""
    parties: _Parties
    sections_cited: list[_NormalForm]
    evidence_items: list[_Evidence]
    numerical_facts: _Figures
    outcome: Annotated[str, _among(vocabulary.OUTCOMES)]
    facts: str
    holding: str
    catchwords: list[str] = []
    dispositive: list[_Point]
    turned_on: list[str]
    argued: list[str] = []
    not_turned_on: list[str]
    below: list[_Below] = []
    treatment: list[_Treatment] = []
    cites: list[str]
    source: _Source


@dataclass(frozen=True)
class Finding:
    """One thing wrong with one record: which record, which field, and what."""

    case_id: str
    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.case_id}: {self.field}: {self.message}"


def check_form(record: Mapping[str, Any]) -> list[Finding]:
    """Return what is wrong with `record` by itself: its fields, vocabularies and lengths."""
    case_id = str(record.get("case_id", "?"))
    found = list(_shape(record)) or list(_practice(record)) or list(_turned_on(record))
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", case_id):
        found.append(("case_id", "is not made of a-z, 0-9 and single hyphens"))
    for field, (low, high) in (("facts", FACTS_WORDS), ("holding", HOLDING_WORDS)):
        count = len(str(record.get(field, "")).split())
        if field in record and not low <= count <= high:
            found.append((field, f"has {count} words, not {low} to {high}"))
    found += _catchwords(record.get("catchwords"))
    return [Finding(case_id, field, message) for field, message in found]


def check_ids(records: Sequence[Mapping[str, Any]]) -> list[Finding]:
    """Return the ids that are used twice."""
    counts = Counter(str(record.get("case_id", "?")) for record in records)
    return [Finding(name, "case_id", "is used twice") for name, n in counts.items() if n > 1]


def _shape(record: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Fields that are missing, unknown, not of their type, or say what no record may say."""
    try:
        _Record.model_validate(record)
    except ValidationError as error:
        for problem in error.errors():
            field, *inner = (str(step) for step in problem["loc"] if step not in _BRANCHES)
            message = _MESSAGES.get(problem["type"], problem["msg"].removeprefix("Value error, "))
            yield field, ": ".join(filter(None, [".".join(inner), message]))


def _practice(record: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Yield what is wrong with the date of the occurrence and with the later treatment."""
    decided, occurred = record["date"], record.get("occurred_on", "")
    if not is_iso_date(decided) or len(decided) < len("2020-01-01"):
        yield "date", f"{decided!r} is no date; write 2020-03-06"
    if occurred and not is_iso_date(occurred):
        yield "occurred_on", f"{occurred!r} is no date"
    elif occurred > decided:
        yield "occurred_on", f"{occurred} is after the decision"
    for item in record.get("treatment", []):
        day = item["date"]
        if not is_iso_date(day) or day < decided[: len(day)]:
            yield "treatment", f"{day!r} is no date after the decision"
        elif item["kind"] == "superseded" and len(day) < len("2020-01-01"):
            yield "treatment", f"{day!r}: give the day from which the provision stood"
        if item["by"].endswith(f"({day[:4]})"):
            yield "treatment", f"{item['by']!r}: the year stands in the date"


def _catchwords(given: object) -> Iterable[tuple[str, str]]:
    """Catchwords that are too few or too many, or that stand twice."""
    if not isinstance(given, list) or not given:
        return
    phrases = [" ".join(str(phrase).split()) for phrase in given]
    for count, (low, high), what in (
        (len(phrases), CATCHWORDS, "phrases"),
        (len(" ".join(phrases).split()), CATCHWORDS_WORDS, "words"),
    ):
        if not low <= count <= high:
            yield "catchwords", f"has {count} {what}, not {low} to {high}"
    for phrase, count in Counter(phrase.casefold() for phrase in phrases).items():
        if count > 1 or not phrase or ";" in phrase:
            yield "catchwords", f"{phrase!r} is empty, stands twice or holds a semicolon"


def _turned_on(record: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Yield ids of facts that the sheet has not, that stand twice, or that labels by hand leave out."""
    try:
        known = [fact.fact_id for fact in sheet_of_record(record).facts]
    except (InputError, ValidationError) as error:
        yield "facts", f"cannot be read as a case: {' '.join(str(error).split())}"
        return
    labelled = [(field, fact_id) for field in LABELS for fact_id in record.get(field, [])]
    for field, fact_id in labelled:
        if fact_id not in known:
            yield field, f"{fact_id}: the record states no such fact"
    counts = Counter(fact_id for _, fact_id in labelled)
    for fact_id, count in counts.items():
        if count > 1:
            yield "turned_on", f"{fact_id} is listed twice"
    for fact_id in known:
        if "argued" in record and fact_id not in counts:
            yield "argued", f"{fact_id} is in none of {', '.join(LABELS)}"
