"""The case file: `case.json` as pydantic models, and one line for whatever is wrong with it.

The line names the file, the field and the nearest known key, or the line and column where the JSON
breaks off.
"""

from __future__ import annotations

import difflib
import typing
from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)

from countercase.errors import InputError
from countercase.facts import vocabulary
from countercase.facts.documents import check_characters
from countercase.io import parse_json
from countercase.law.provisions import normal_form
from countercase.text.dates import is_iso_date
from countercase.text.units import QUANTITY_ALIASES, RUPEES

_PROBLEMS_SHOWN: Final = 4
_DISTINCT: Final = AfterValidator(lambda given: list(dict.fromkeys(given)))


def _word_of(words: Sequence[str], what: str, given: str) -> str:
    wanted = " ".join(given.replace("_", " ").split()).lower()
    plain = {word.replace("_", " ").lower(): word for word in words}
    if wanted in plain:
        return plain[wanted]
    near = difflib.get_close_matches(wanted, plain, 1, 0.5)
    meant = f'; did you mean "{plain[near[0]]}"?' if near else ""
    raise ValueError(f'"{given:.60}" is no {what}{meant} (known: {", ".join(filter(None, words))})')


def _one_of(words: Sequence[str], what: str) -> AfterValidator:
    return AfterValidator(partial(_word_of, words, what))


def _duration_unit(given: str) -> str:
    plural = given if given.lower().endswith("s") else f"{given}s"
    return _word_of(vocabulary.DURATION_UNITS, "unit of time", plural)


def _quantity_unit(given: str) -> str:
    lowered = given.strip().lower()
    known = [*vocabulary.QUANTITY_UNITS, *QUANTITY_ALIASES]
    singular = lowered[:-1] if lowered not in known and lowered.endswith("s") else lowered
    unit = QUANTITY_ALIASES.get(singular, singular)
    return _word_of(vocabulary.QUANTITY_UNITS, "unit of quantity", unit)


def _amount_unit(given: str) -> str:
    if given.strip().lower() not in RUPEES:
        raise ValueError(f'"{given:.60}" is no unit of money here; give rupees (INR)')
    return given.strip().lower()


def _date(given: str) -> str:
    if given and not is_iso_date(given):
        raise ValueError(f'"{given:.60}" is no date; write a real day, 2024-08-12, or 2024')
    return given


def _upper(given: float | None, info: ValidationInfo) -> float | None:
    if given is not None and given < info.data.get("value", 0):
        raise ValueError("ends a range, so it is not below the value; swap the two")
    return given


def _party(given: Any) -> Any:
    """A party given as a string is one of the party types, or else a name."""
    if not isinstance(given, str):
        return given
    try:
        return {"type": _word_of(vocabulary.PARTY_TYPES, "party type", given)}
    except ValueError:
        return {"name": given}


def _as_value(read: Callable[[str], str], given: str) -> str:
    """Read a value, an `InputError` about it being a `ValueError` of its field."""
    try:
        return read(given)
    except InputError as error:
        raise ValueError(str(error)) from error


Text = Annotated[str, AfterValidator(partial(_as_value, partial(check_characters, source="it")))]
Section = Annotated[str, AfterValidator(partial(_as_value, normal_form))]
Figure = Annotated[float, Field(ge=0, le=vocabulary.MOST, allow_inf_nan=False)]
Count = Annotated[Figure, Field(multiple_of=1)]
Upper = Annotated[Figure | None, AfterValidator(_upper)]
Owner = Annotated[str, _one_of(("", *vocabulary.OWNERS), "owner")]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PartyPart(_Part):
    """One party: a name, a type, or both; a missing type is inferred from the name."""

    name: Text = ""
    type: Annotated[str, _one_of(vocabulary.PARTY_TYPES, "party type")] = ""
    role: Annotated[str, _one_of(("", *vocabulary.ROLES), "role")] = ""


Party = Annotated[PartyPart, BeforeValidator(_party)]


class OtherPartyPart(PartyPart):
    """A further party on a side: a minor among the claimants, a complainant beside the State."""

    side: Annotated[str, _one_of(vocabulary.SIDES, "side")]


class PartiesPart(_Part):
    """Both sides; a missing side is looked for in the text."""

    petitioner: Party | None = None
    respondent: Party | None = None
    others: tuple[OtherPartyPart, ...] = Field(default=(), strict=False)

    @field_validator("petitioner", "respondent")
    @classmethod
    def _not_empty(cls, party: PartyPart | None) -> PartyPart | None:
        if party is not None and not party.name.strip() and not party.type:
            raise ValueError("needs a name or a type; leave the key out if neither is known")
        return party


class EvidencePart(_Part):
    """One item of evidence."""

    evidence_type: Annotated[str, _one_of(vocabulary.EVIDENCE_TYPES, "evidence type")]
    description: Text = ""
    strength: Literal["full", "weakened", "absent"] = "full"


class _FigurePart(_Part):
    value: Figure
    context: Text = ""
    upper: Upper = None
    owner: Owner = ""


class AmountPart(_FigurePart):
    """A sum of money; `unit` is INR (or `lakh`, `crore`)."""

    unit: Annotated[str, AfterValidator(_amount_unit)] = "inr"


class AgePart(_Part):
    """An age in years (a baby's in months), and whose it is; `upper` ends a range."""

    value: Annotated[float, Field(ge=0, le=130, allow_inf_nan=False)]
    descriptor: Text = ""
    unit: Literal["years", "months"] = "years"
    upper: Annotated[Annotated[Figure, Field(le=130)] | None, AfterValidator(_upper)] = None
    owner: Owner = ""


class DurationPart(_FigurePart):
    """A length of time; `upper` ends a range."""

    unit: Annotated[str, AfterValidator(_duration_unit)]


class QuantityPart(_FigurePart):
    """A weight, volume, length or area."""

    unit: Annotated[str, AfterValidator(_quantity_unit)]


class CountPart(_FigurePart):
    """A number of accused, blows, injuries, ...; `upper` ends a range."""

    value: Count
    upper: Annotated[Count | None, AfterValidator(_upper)] = None
    unit: Annotated[str, _one_of(vocabulary.COUNT_UNITS, "thing to count")]


class NumericalPart(_Part):
    """The figures of the case; a kind that is left out is extracted from the text."""

    amounts: list[AmountPart] | None = None
    ages: list[AgePart] | None = None
    durations: list[DurationPart] | None = None
    quantities: list[QuantityPart] | None = None
    counts: list[CountPart] | None = None


class CaseFile(_Part):
    """A case as its file states it. None marks a part that the file leaves out."""

    case_id: Text
    title: Text = ""
    text: Text = ""
    occurred_on: Annotated[str, AfterValidator(_date)] = ""
    parties: PartiesPart | None = None
    sections_cited: Annotated[list[Section], _DISTINCT] | None = None
    evidence_items: list[EvidencePart] | None = None
    numerical_facts: NumericalPart | None = None
    outcome: Annotated[str, _one_of(vocabulary.OUTCOMES, "outcome")] | None = None

    @field_validator("case_id")
    @classmethod
    def _usable_id(cls, case_id: str) -> str:
        if not case_id.strip() or not case_id.isprintable() or set(case_id) & set('/\\:*?"<>|'):
            raise ValueError('must be a name without any of / \\ : * ? " < > | and not blank')
        return case_id


def parse_case(content: str, source: str) -> CaseFile:
    """Return the case file in a JSON text; `source` names the file in messages.

    An `InputError` tells of no JSON, no object, a key twice or unknown, or a value that does not
    fit.
    """
    data = parse_json(content, source)
    if not isinstance(data, dict):
        raise InputError(f"{source} must hold one JSON object with a case_id, not a list or value")
    try:
        return CaseFile.model_validate(data)
    except ValidationError as error:
        problems = [_in_words(problem) for problem in error.errors()]
        left = len(problems) - _PROBLEMS_SHOWN
        more = f" (and {left} more)" if left > 0 else ""
        raise InputError(f"{source}: {'; '.join(problems[:_PROBLEMS_SHOWN])}{more}") from error


def _in_words(problem: Any) -> str:
    place = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in problem["loc"]).lstrip(".")
    if problem["type"] == "extra_forbidden":
        *parents, key = problem["loc"]
        known = _known_keys(parents)
        near = difflib.get_close_matches(str(key), known, 1, 0.5)
        meant = f'did you mean "{near[0]}"?' if near else f"known keys: {', '.join(known)}"
        return f"{place[:60] or 'the empty key'}: unknown key; {meant}"
    if problem["type"] == "missing":
        return f"{place}: this key is required"
    if problem["type"] in ("model_type", "dict_type"):
        return f"{place}: must be an object; known keys: {', '.join(_known_keys(problem['loc']))}"
    return f"{place}: {problem['msg'].removeprefix('Value error, ')}"


def _known_keys(path: Sequence[str | int]) -> list[str]:
    model: type[BaseModel] = CaseFile
    for step in path:
        if isinstance(step, str) and step in model.model_fields:
            model = _model_in(model.model_fields[step].annotation) or model
    return list(model.model_fields)


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_in, typing.get_args(annotation))), None)
