"""Case files in, fact sheets out, and back.

A part that the file states is taken as it is and located in the text; a part that it leaves out is
extracted from the text. A file that states all four parts is read without spaCy.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from countercase.errors import InputError
from countercase.facts import model
from countercase.facts.case_schema import CaseFile, parse_case
from countercase.facts.documents import MAX_BYTES, SUFFIXES, decode, read_bytes, read_document
from countercase.facts.extraction import (
    LONGEST,
    Narrative,
    check_length,
    extract,
    find_occurrence,
    recognise,
)
from countercase.facts.vocabulary import SIDES
from countercase.registry import FACT_TYPES
from countercase.text.sentences import bounded_runs

_PLURALS: Final[dict[model.NumericalKind, str]] = {
    "amount": "amounts",
    "age": "ages",
    "duration": "durations",
    "quantity": "quantities",
    "count": "counts",
}


def read_case(
    path: Path | str,
    max_bytes: int = MAX_BYTES,
    *,
    tagger: bool = True,
    longest: tuple[int, int] = LONGEST,
) -> model.FactSheet:
    """The fact sheet of a `.json`, `.txt`, `.pdf` or `.docx` case file.

    A text or PDF gets its file name as its id, and all its facts are extracted.

    Args:
        max_bytes: the largest file that is read.
        tagger: whether the fact tagger helps to extract what the file leaves out.
        longest: characters and sentences of its narrative, at most.

    Raises:
        InputError: the file is missing, too large, of another kind, damaged, or not a valid case;
            the message names the file, the place and what to do.
        ModelError: the fact tagger is needed, and missing or damaged.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".json":
        case = parse_case(decode(read_bytes(path, max_bytes), path), str(path))
        return sheet_from_case(case, str(path), tagger=tagger, longest=longest)
    if suffix in SUFFIXES:
        document = read_document(path, max_bytes)
        check_length(document.text, str(path), longest)
        return extract(document.text, id_of_file(path), tagger=tagger, longest=longest)
    kind = f"ends in {suffix}" if suffix else "has no ending"
    raise InputError(f"{path} {kind}; a case is a .json, .txt, .pdf or .docx file")


def sheet_from_case(
    case: CaseFile, source: str = "", *, tagger: bool = True, longest: tuple[int, int] = LONGEST
) -> model.FactSheet:
    """The fact sheet of a case file: what it states, and from its text what it leaves out.

    Args:
        source: the name of the file, for messages; the id of the case by default.
        tagger, longest: as in `read_case`.

    Raises:
        InputError: the case has neither a text nor facts.
        ModelError: the fact tagger is needed, and missing or damaged.
    """
    text = case.text if case.text.strip() else ""
    check_length(text, source or case.case_id, longest)
    narrative = Narrative(bounded_runs(text), bounded_runs(case.title))
    stated, facts = _stated_values(case), []
    for name, values in stated.items():
        facts += FACT_TYPES.get(name).locate(narrative, values)
    names = FACT_TYPES.names()
    if text and set(names) - set(stated):
        extracted = extract(text, case.case_id, case.title, tagger=tagger, longest=longest).facts
        facts += [fact for fact in extracted if fact.fact_type not in stated]
    if text and (left_out := _find_left_out(case)):
        found = recognise(text, case.title, learnt=bool(left_out & {"amount", "age", "duration"}))
        facts += [fact for fact in found if _group(fact.value) in left_out]
    if not text and not facts:
        raise InputError(
            f"{source or case.case_id}: the case has neither a text nor facts; give its narrative "
            'under "text", or "sections_cited", "parties", "evidence_items" or "numerical_facts"'
        )
    groups = ["", *SIDES, *_PLURALS]
    facts.sort(key=lambda f: (names.index(f.fact_type), groups.index(_group(f.value))))
    occurred_on = case.occurred_on or find_occurrence(text)
    return model.FactSheet(case.case_id, text, tuple(facts), case.title, case.outcome, occurred_on)


def write_case(sheet: model.FactSheet) -> dict[str, Any]:
    """The case file of a fact sheet, with all four parts stated. Spans are not written.

    Reading it gives a sheet with the same facts. Facts of other fact types than the four are not
    written; reading extracts them from the text again.
    """
    values = [fact.value for fact in sheet.facts]
    parties: dict[str, Any] = {}
    evidence: list[dict[str, Any]] = []
    numbers: dict[str, list[dict[str, Any]]] = {plural: [] for plural in _PLURALS.values()}
    for value in values:
        if isinstance(value, model.PartyValue):
            party = {"name": value.name, "type": value.party_type}
            party |= {"role": value.role} if value.role else {}
            if value.side not in parties:
                parties[value.side] = party
            else:
                parties.setdefault("others", []).append({"side": value.side} | party)
        elif isinstance(value, model.EvidenceValue):
            item = {"evidence_type": value.evidence_type, "description": value.description}
            evidence.append(
                item | ({"strength": value.strength} if value.strength != "full" else {})
            )
        elif isinstance(value, model.NumericalValue):
            number = int(value.value) if value.value == int(value.value) else value.value
            what = "descriptor" if value.kind == "age" else "context"
            figure = {"value": number, "unit": value.unit, what: value.context}
            figure |= {} if value.upper is None else {"upper": value.upper}
            figure |= {"owner": value.owner} if value.owner else {}
            numbers[_PLURALS[value.kind]].append(figure)
    case: dict[str, Any] = {
        "case_id": sheet.case_id,
        "title": sheet.title,
        "text": sheet.narrative,
        "parties": parties,
        "sections_cited": [v.provision for v in values if isinstance(v, model.SectionValue)],
        "evidence_items": evidence,
        "numerical_facts": numbers,
    }
    if sheet.occurred_on:
        case["occurred_on"] = sheet.occurred_on
    return case | ({"outcome": sheet.outcome} if sheet.outcome is not None else {})


def id_of_file(path: Path) -> str:
    return re.sub(r"[^\w.-]+", "-", path.stem).strip("-") or "case"


def _stated_values(case: CaseFile) -> dict[model.FactTypeName, list[model.FactValue]]:
    """The values that the file states, per fact type; a type that it leaves out has no entry."""
    values: dict[model.FactTypeName, list[model.FactValue]] = {}
    if case.sections_cited is not None:
        values["Section"] = [model.SectionValue(provision) for provision in case.sections_cited]
    if case.parties is not None:
        parties = [(side, getattr(case.parties, side)) for side in SIDES]
        parties += [(side, p) for side in SIDES for p in case.parties.others if p.side == side]
        values["PartyType"] = [
            model.PartyValue(s, p.type, p.name, p.role) for s, p in parties if p is not None
        ]
    if case.evidence_items is not None:
        values["Evidence"] = [
            model.EvidenceValue(item.evidence_type, item.description, item.strength)
            for item in case.evidence_items
        ]
    if (part := case.numerical_facts) is not None:
        values["Numerical"] = [
            _figure(kind, n) for kind, name in _PLURALS.items() for n in getattr(part, name) or ()
        ]
    return values


def _figure(kind: model.NumericalKind, part: Any) -> model.NumericalValue:
    value, unit = (part.rupees, "INR") if kind == "amount" else (part.value, part.unit)
    context = part.descriptor if kind == "age" else part.context
    return model.NumericalValue(kind, value, unit, context, part.upper, owner=part.owner)


def _find_left_out(case: CaseFile) -> set[str]:
    """Return the sides and the kinds of numbers that a part which the file states leaves out."""
    parties, numbers = case.parties, case.numerical_facts
    sides = {side for side in SIDES if parties and getattr(parties, side) is None}
    kinds = {k for k, part in _PLURALS.items() if numbers and getattr(numbers, part) is None}
    return sides | kinds


def _group(value: model.FactValue) -> str:
    """The side of a party, the kind of a number; "" for any other fact."""
    if isinstance(value, model.PartyValue):
        return value.side
    return value.kind if isinstance(value, model.NumericalValue) else ""
