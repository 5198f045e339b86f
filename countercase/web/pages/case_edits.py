"""Corrections of what was read out of a case: a fact changed, added, taken out, put back.

A correction changes the values of the sheet and reads them again as a case file, so that it is
checked and located in the narrative as one that a file states. What stood there stays where it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast, get_args

from pydantic import FiniteFloat, TypeAdapter, ValidationError

from countercase.errors import InputError
from countercase.facts import model, vocabulary
from countercase.facts.case_file import sheet_from_case, write_case
from countercase.facts.case_schema import parse_case
from countercase.facts.model import Fact, FactSheet, FactValue
from countercase.law.provisions import normal_form, provision_name
from countercase.text.dates import is_iso_date, read_date
from countercase.text.spans import Span
from countercase.text.units import RUPEES

CHOICES: Final = {
    "side": vocabulary.SIDES,
    "party_type": vocabulary.PARTY_TYPES,
    "role": ("", *vocabulary.ROLES),
    "evidence_type": vocabulary.EVIDENCE_TYPES,
    "strength": ("full", "weakened", "absent"),
    "kind": get_args(model.NumericalKind),
    "unit": (
        "INR",
        *vocabulary.DURATION_UNITS,
        *vocabulary.QUANTITY_UNITS,
        *vocabulary.COUNT_UNITS,
    ),
}
"""What may be chosen in the fields of a fact."""
_NUMBER: Final = TypeAdapter(FiniteFloat)


def correct(now: FactSheet, first: FactSheet, form: Mapping[str, str]) -> FactSheet:
    """Return a sheet corrected as a form says by its field `action`; what was `first` read is put back.

    An `InputError` is raised where there is no such action or fact, or a field does not fit.
    """
    fact_id, facts = form.get("fact_id", ""), list(now.facts)
    match form.get("action", ""):
        case "change":
            fact = _find(now, fact_id)
            changed = replace(fact, value=_read_value(fact.fact_type, form))
            facts[facts.index(fact)] = changed
        case "add":
            fact_type = form.get("fact_type", "")
            facts.append(Fact("added", fact_type, _read_value(fact_type, form)))
        case "remove":
            facts.remove(_find(now, fact_id))
        case "put_back":
            facts.append(_find(first, fact_id))
        case "date":
            now = replace(now, occurred_on=_read_day(form), title=form.get("title", ""))
        case _:
            raise InputError("the form says not what to do; load the page again")
    numbered = [Fact(str(at), fact.fact_type, fact.value) for at, fact in enumerate(facts)]
    stated = write_case(replace(now, facts=tuple(numbered)))
    after = sheet_from_case(parse_case(json.dumps(stated), "the case"))
    stood = dict[FactValue, list[tuple[Span, ...]]]()
    for fact in facts:
        stood.setdefault(fact.value, []).append(fact.spans)
    same = (replace(it, spans=stood.get(it.value, [()]).pop(0) or it.spans) for it in after.facts)
    return replace(after, facts=tuple(same))


def fields_of(fact: Fact) -> dict[str, str]:
    """Return what the form of a fact holds; empty for a fact type of another package."""
    value = fact.value
    if isinstance(value, model.SectionValue):
        return {"provision": writable(value.provision)}
    if not isinstance(value, (model.PartyValue, model.EvidenceValue, model.NumericalValue)):
        return {}
    fields = {name: str(field) for name, field in vars(value).items()}
    if isinstance(value, model.NumericalValue):
        upper = "" if value.upper is None else f"{value.upper:.15g}"
        fields |= {"value": f"{value.value:.15g}", "upper": upper}
    return fields


def writable(provision: str) -> str:
    """Return a provision as a lawyer writes it, where that is read back as the same; else as it is."""
    name = provision_name(provision)
    try:
        return name if normal_form(name) == normal_form(provision) else provision
    except InputError:
        return provision


def _read_day(form: Mapping[str, str]) -> str:
    """Return the date of the occurrence, however it is written; what is no date as it is."""
    given = form.get("occurred_on", "")
    month = re.fullmatch(r"(\d{1,2})[./-](\d{4})", given)
    day = f"{month[2]}-{int(month[1]):02}" if month else given
    return day if month or is_iso_date(day) else read_date(given) or given


def _find(sheet: FactSheet, fact_id: str) -> Fact:
    try:
        return sheet.fact(fact_id)
    except KeyError:
        raise InputError("the case has no such fact any more; load the page again") from None


def _read_value(fact_type: str, form: Mapping[str, str]) -> FactValue:
    text = {name: " ".join(value.split()) for name, value in form.items()}
    if fact_type == "Section":
        return model.SectionValue(normal_form(text.get("provision", "")))
    if fact_type == "PartyType":
        kind, name, role = (text.get(field, "") for field in ("party_type", "name", "role"))
        is_other = text.get("side") == "respondent"
        return model.PartyValue("respondent" if is_other else "petitioner", kind, name, role)
    if fact_type == "Evidence":
        strength = cast("Any", text.get("strength") or "full")
        kind = text.get("evidence_type", "")
        return model.EvidenceValue(
            kind, text.get("description") or kind.replace("_", " "), strength
        )
    if fact_type == "Numerical":
        kind, unit = text.get("kind", ""), text.get("unit", "")
        if kind not in CHOICES["kind"]:
            raise InputError(f"kind: choose one of {', '.join(CHOICES['kind'])}")
        value, upper = _read_number(text, "value"), _read_number(text, "upper")
        if value is None:
            raise InputError("value: write a number")
        if kind == "amount":
            scale = RUPEES.get(unit.lower(), 1)
            value, unit = value * scale, "INR"
            upper = None if upper is None else upper * scale
        context = text.get("context", "")
        return model.NumericalValue(cast("Any", kind), value, unit, context, upper)
    raise InputError(f"facts of the type {fact_type} cannot be changed here")


def _read_number(text: Mapping[str, str], name: str) -> float | None:
    written = text.get(name, "").replace(",", "")
    try:
        return _NUMBER.validate_python(written) if written else None
    except ValidationError:
        raise InputError(f"{name}: {written[:40]!r} is not a number") from None
