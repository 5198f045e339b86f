"""The case file: `case.json` as pydantic models.

A key or a word that is not known is an error; `case_json` says it in one line.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
)

from countercase.errors import InputError
from countercase.fact_types.party.recognise import party_type_of
from countercase.facts.vocabulary import (
    DURATION_UNITS,
    EVIDENCE_TYPES,
    OUTCOMES,
    PARTY_TYPES,
    QUANTITY_UNITS,
)
from countercase.law.provisions import normal_form

_AMOUNT_UNITS: Final = {
    "inr": 1,
    "rs": 1,
    "rs.": 1,
    "rupee": 1,
    "rupees": 1,
    "₹": 1,
    "lakh": 100_000,
    "lakhs": 100_000,
    "crore": 10_000_000,
    "crores": 10_000_000,
}
_QUANTITY_ALIASES: Final = {
    "gram": "g",
    "gm": "g",
    "kilogram": "kg",
    "milligram": "mg",
    "litre": "l",
    "millilitre": "ml",
    "metre": "m",
    "kilometre": "km",
    "sq m": "sq_m",
    "sq. m": "sq_m",
    "square metre": "sq_m",
}


def _word_of(words: Sequence[str], what: str, given: str) -> str:
    wanted = " ".join(given.replace("_", " ").split()).lower()
    for word in words:
        if word.replace("_", " ").lower() == wanted:
            return word
    near = difflib.get_close_matches(wanted, [w.replace("_", " ").lower() for w in words], 1, 0.5)
    hint = next((w for w in words if near and w.replace("_", " ").lower() == near[0]), None)
    meant = f'; did you mean "{hint}"?' if hint else ""
    raise ValueError(f'"{given}" is no {what}{meant} (known: {", ".join(words)})')


def _duration_unit(given: str) -> str:
    plural = given if given.lower().endswith("s") else f"{given}s"
    return _word_of(DURATION_UNITS, "unit of time", plural)


def _quantity_unit(given: str) -> str:
    lowered = given.strip().lower()
    known = [*QUANTITY_UNITS, *_QUANTITY_ALIASES]
    singular = lowered[:-1] if lowered not in known and lowered.endswith("s") else lowered
    return _word_of(QUANTITY_UNITS, "unit of quantity", _QUANTITY_ALIASES.get(singular, singular))


def _amount_unit(given: str) -> str:
    if given.strip().lower() not in _AMOUNT_UNITS:
        raise ValueError(f'"{given}" is no unit of money here; give rupees (INR)')
    return given.strip().lower()


def _party(given: Any) -> Any:
    """A party given as a string is one of the party types, or else a name."""
    if not isinstance(given, str):
        return given
    for word in PARTY_TYPES:
        if word.lower() == " ".join(given.replace("_", " ").split()).lower():
            return {"type": word}
    return {"name": given}


def _clean_text(given: str) -> str:
    try:
        given.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError("holds half of a surrogate pair, which is no character") from error
    if "\x00" in given:
        raise ValueError("holds a null character")
    return given


Text = Annotated[str, AfterValidator(_clean_text)]
Figure = Annotated[float, Field(ge=0, le=1e15, allow_inf_nan=False)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class PartyPart(_Part):
    """One party: a name, a type, or both; a missing type is inferred from the name."""

    name: Text = ""
    type: Annotated[str, AfterValidator(lambda w: _word_of(PARTY_TYPES, "party type", w))] = ""

    @property
    def party_type(self) -> str:
        """The type given, or the one that the name suggests."""
        return self.type or party_type_of(self.name)


Party = Annotated[PartyPart, BeforeValidator(_party)]


class PartiesPart(_Part):
    """Both sides; a missing side is looked for in the text."""

    petitioner: Party | None = None
    respondent: Party | None = None

    @field_validator("petitioner", "respondent")
    @classmethod
    def _says_something(cls, party: PartyPart | None) -> PartyPart | None:
        if party is not None and not party.name.strip() and not party.type:
            raise ValueError("needs a name or a type; leave the key out if neither is known")
        return party


class EvidencePart(_Part):
    """One item of evidence."""

    evidence_type: Annotated[
        str, AfterValidator(lambda w: _word_of(EVIDENCE_TYPES, "evidence type", w))
    ]
    description: Text = ""
    strength: Literal["full", "weakened"] = "full"


class AmountPart(_Part):
    """A sum of money; `unit` is INR (or `lakh`, `crore`)."""

    value: Figure
    unit: Annotated[str, AfterValidator(_amount_unit)] = "inr"
    context: Text = ""

    @property
    def rupees(self) -> float:
        """The sum in rupees."""
        return self.value * _AMOUNT_UNITS[self.unit]


class AgePart(_Part):
    """An age in years, and whose it is."""

    value: Annotated[float, Field(ge=0, le=130, allow_inf_nan=False)]
    descriptor: Text = ""


class DurationPart(_Part):
    """A length of time."""

    value: Figure
    unit: Annotated[str, AfterValidator(_duration_unit)]
    context: Text = ""


class QuantityPart(_Part):
    """A weight, volume, length or area."""

    value: Figure
    unit: Annotated[str, AfterValidator(_quantity_unit)]
    context: Text = ""


class NumericalPart(_Part):
    """The figures of the case; a kind that is left out is extracted from the text."""

    amounts: list[AmountPart] | None = None
    ages: list[AgePart] | None = None
    durations: list[DurationPart] | None = None
    quantities: list[QuantityPart] | None = None


class CaseFile(_Part):
    """A case as its file states it. None marks a part that the file leaves out."""

    case_id: Text
    title: Text = ""
    text: Text = ""
    parties: PartiesPart | None = None
    sections_cited: list[str] | None = None
    evidence_items: list[EvidencePart] | None = None
    numerical_facts: NumericalPart | None = None
    outcome: Annotated[str, AfterValidator(lambda w: _word_of(OUTCOMES, "outcome", w))] | None = (
        None
    )

    @field_validator("case_id")
    @classmethod
    def _usable_id(cls, case_id: str) -> str:
        if not case_id.strip() or not case_id.isprintable() or set(case_id) & set('/\\:*?"<>|'):
            raise ValueError('must be a name without any of / \\ : * ? " < > | and not blank')
        return case_id

    @field_validator("sections_cited")
    @classmethod
    def _normal_forms(cls, given: list[str] | None) -> list[str] | None:
        if given is None:
            return None
        forms = []
        for index, section in enumerate(given):
            try:
                forms.append(normal_form(section))
            except InputError as error:
                raise ValueError(f"[{index}]: {error}") from error
        return list(dict.fromkeys(forms))
