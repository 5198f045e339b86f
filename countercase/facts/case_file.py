"""Case files in, fact sheets out, and back.

A part that the file states is taken as it is and located in the text; a part that it leaves out is
extracted from the text. A file that states all four parts is read without spaCy.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, Final

from countercase.errors import InputError, takes
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
from countercase.text.units import RUPEES

_PLURALS: Final[dict[model.NumericalKind, str]] = {
    "amount": "amounts", "age": "ages", "duration": "durations", "quantity": "quantities",
    "count": "counts",
}  # fmt: skip


@takes(path=str | Path, max_bytes=int, longest=tuple)
def read_case(
    path: Path | str,
    max_bytes: int = MAX_BYTES,
    *,
    tagger: bool = True,
    longest: tuple[int, int] = LONGEST,
) -> model.FactSheet:
    """Return the fact sheet of a `.json`, `.txt`, `.pdf` or `.docx` case file.

    A text or PDF gets its file name as its id. What the file leaves out is extracted, with the fact
    tagger if asked; the narrative has at most `longest` characters and sentences. A file that is too
    large, missing, of another kind, damaged or no valid case is an `InputError` that says where; a
    tagger that is missing or damaged a `ModelError`.
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
    kind = "is a folder" if os.path.isdir(path) else kind  # noqa: PTH112 - no error for a long name
    raise InputError(f"{path} {kind}; a case is a .json, .txt, .pdf or .docx file")


def sheet_from_case(
    case: CaseFile, source: str = "", *, tagger: bool = True, longest: tuple[int, int] = LONGEST
) -> model.FactSheet:
    """Return the fact sheet of a case file: what it states, and from its text what it leaves out.

    Messages name `source`, or the id of the case, which needs a text or facts; else as `read_case`.
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

    Reading it gives the same facts; those of other fact types are extracted from the text again.
    """
    parties: dict[str, Any] = {}
    for _, value in sheet.valued(model.PartyValue):
        party = _told(name=value.name, type=value.party_type, role=value.role or None)
        if value.side in parties:
            parties.setdefault("others", []).append({"side": value.side} | party)
        parties.setdefault(value.side, party)
    evidence = [
        _told(
            evidence_type=item.evidence_type,
            description=item.description,
            strength=None if item.strength == "full" else item.strength,
        )
        for _, item in sheet.valued(model.EvidenceValue)
    ]
    numbers: dict[str, list[dict[str, Any]]] = {plural: [] for plural in _PLURALS.values()}
    for _, figure in sheet.valued(model.NumericalValue):
        number = int(figure.value) if figure.value == int(figure.value) else figure.value
        what = "descriptor" if figure.kind == "age" else "context"
        own = {"value": number, "unit": figure.unit, what: figure.context}
        own |= _told(upper=figure.upper, owner=figure.owner or None)
        numbers[_PLURALS[figure.kind]].append(own)
    return _told(
        case_id=sheet.case_id, title=sheet.title, text=sheet.narrative, parties=parties,
        sections_cited=[value.provision for _, value in sheet.valued(model.SectionValue)],
        evidence_items=evidence, numerical_facts=numbers,
        occurred_on=sheet.occurred_on or None, outcome=sheet.outcome,
    )  # fmt: skip


def _told(**parts: Any) -> dict[str, Any]:
    return {name: part for name, part in parts.items() if part is not None}


def id_of_file(path: Path) -> str:
    return re.sub(r"[^\w.-]+", "-", path.stem).strip("-") or "case"


def _stated_values(case: CaseFile) -> dict[model.FactTypeName, list[model.FactValue]]:
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
    scale, unit = (RUPEES[part.unit], "INR") if kind == "amount" else (1, part.unit)
    context = part.descriptor if kind == "age" else part.context
    upper = None if part.upper is None else part.upper * scale
    return model.NumericalValue(kind, part.value * scale, unit, context, upper, owner=part.owner)


def _find_left_out(case: CaseFile) -> set[str]:
    """Return the sides and the kinds of numbers that a part which the file states leaves out."""
    parties, numbers = case.parties, case.numerical_facts
    others = {party.side for party in parties.others} if parties else {*SIDES}
    sides = {side for side in SIDES if side not in others and getattr(parties, side) is None}
    kinds = {k for k, part in _PLURALS.items() if numbers and getattr(numbers, part) is None}
    return sides | kinds


def _group(value: model.FactValue) -> str:
    if isinstance(value, model.PartyValue):
        return value.side
    return value.kind if isinstance(value, model.NumericalValue) else ""
