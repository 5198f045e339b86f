"""Case files in, fact sheets out, and back.

A part that the file states is taken as it is and located in the text; a part that it leaves out
is extracted from the text. A file that states all four parts is read without spaCy.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from countercase.errors import InputError
from countercase.fact_types.party.recognise import find_parties, locate_party, names_in_title
from countercase.facts.case_json import parse_case
from countercase.facts.case_schema import CaseFile, NumericalPart
from countercase.facts.documents import MAX_BYTES, decode, read_bytes, read_document
from countercase.facts.extraction import (
    extract,
    find_figures,
    find_sections,
    merge_figures,
    number_figures,
)
from countercase.facts.locating import locate_evidence, locate_figures, locate_sections
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalKind,
    NumericalValue,
    PartyValue,
    SectionValue,
    Side,
)
from countercase.text.spans import Span

_SIDES: Final[tuple[Side, Side]] = ("petitioner", "respondent")
_PLURALS: Final[tuple[tuple[NumericalKind, str], ...]] = (
    ("amount", "amounts"),
    ("age", "ages"),
    ("duration", "durations"),
    ("quantity", "quantities"),
)


def read_case(path: Path | str, max_bytes: int = MAX_BYTES) -> FactSheet:
    """The fact sheet of a `.json`, `.txt` or `.pdf` case file.

    A text or PDF gets its file name as its id, and all its facts are extracted.

    Args:
        max_bytes: the largest file that is read.

    Raises:
        InputError: the file is missing, too large, of another kind, damaged, or no valid case;
            the message names the file, the place and what to do.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix == ".json":
        case = parse_case(decode(read_bytes(path, max_bytes), path), str(path))
        return sheet_from_case(case, str(path))
    if suffix in (".txt", ".pdf"):
        document = read_document(path, max_bytes)
        return extract(document.text, _id_from(path))
    kind = f"ends in {suffix}" if suffix else "has no ending"
    raise InputError(f"{path} {kind}; a case is a .json, .txt or .pdf file")


def sheet_from_case(case: CaseFile, source: str = "") -> FactSheet:
    """The fact sheet of a case file: what it states, and from its text what it leaves out.

    Raises:
        InputError: the case has neither a text nor facts.
    """
    name = source or case.case_id
    text = case.text if case.text.strip() else ""
    facts = (
        *_sections(case, text),
        *_parties(case, text),
        *_evidence(case, text),
        *_figures(case, text),
    )
    missing = _missing_types(case)
    if text and missing:
        extracted = extract(text, case.case_id, case.title).facts
        added = [fact for fact in extracted if fact.fact_type in missing]
        order = ("Section", "PartyType", "Evidence", "Numerical")
        facts = tuple(sorted((*facts, *added), key=lambda fact: order.index(fact.fact_type)))
    if not text and not facts:
        raise InputError(
            f'{name}: the case has neither a text nor facts; give its narrative under "text", or '
            '"sections_cited", "parties", "evidence_items" or "numerical_facts"'
        )
    return FactSheet(case.case_id, text, facts, title=case.title, outcome=case.outcome)


def write_case(sheet: FactSheet) -> dict[str, Any]:
    """The case file of a fact sheet, with all four parts stated. Spans are not written.

    Reading it gives a sheet with the same facts.
    """
    values = [fact.value for fact in sheet.facts]
    parties = {
        value.side: {"name": value.name, "type": value.party_type}
        for value in values
        if isinstance(value, PartyValue)
    }
    evidence = [
        {"evidence_type": value.evidence_type, "description": value.description}
        | ({"strength": value.strength} if value.strength != "full" else {})
        for value in values
        if isinstance(value, EvidenceValue)
    ]
    figures: dict[str, list[dict[str, Any]]] = {plural: [] for _, plural in _PLURALS}
    for value in values:
        if isinstance(value, NumericalValue):
            number = int(value.value) if value.value == int(value.value) else value.value
            figures[dict(_PLURALS)[value.kind]].append(
                {"value": number, "descriptor": value.context}
                if value.kind == "age"
                else {"value": number, "unit": value.unit, "context": value.context}
            )
    case: dict[str, Any] = {
        "case_id": sheet.case_id,
        "title": sheet.title,
        "text": sheet.narrative,
        "parties": parties,
        "sections_cited": [v.provision for v in values if isinstance(v, SectionValue)],
        "evidence_items": evidence,
        "numerical_facts": figures,
    }
    return case | ({"outcome": sheet.outcome} if sheet.outcome is not None else {})


def _id_from(path: Path) -> str:
    return re.sub(r"[^\w.-]+", "-", path.stem).strip("-") or "case"


def _missing_types(case: CaseFile) -> frozenset[str]:
    parts = {
        "Section": case.sections_cited,
        "PartyType": case.parties,
        "Evidence": case.evidence_items,
        "Numerical": case.numerical_facts,
    }
    return frozenset(fact_type for fact_type, part in parts.items() if part is None)


def _sections(case: CaseFile, text: str) -> list[Fact]:
    values = [SectionValue(provision) for provision in case.sections_cited or ()]
    places = locate_sections(text, values)
    return [
        Fact(f"section:{value.provision}", "Section", value, spans)
        for value, spans in zip(values, places, strict=True)
    ]


def _parties(case: CaseFile, text: str) -> list[Fact]:
    if case.parties is None:
        return []
    facts = []
    extracted = {p.value.side: p for p in find_parties(text, *names_in_title(case.title))}
    for side in _SIDES:
        stated = getattr(case.parties, side)
        if stated is not None:
            value = PartyValue(side, stated.party_type, stated.name)
            facts.append(Fact(f"party:{side}", "PartyType", value, locate_party(text, value)))
        elif side in extracted and text:
            found = extracted[side]
            facts.append(Fact(f"party:{side}", "PartyType", found.value, found.spans))
    return facts


def _evidence(case: CaseFile, text: str) -> list[Fact]:
    values = [
        EvidenceValue(item.evidence_type, item.description, item.strength)
        for item in case.evidence_items or ()
    ]
    counts: dict[str, int] = {}
    facts = []
    for value, spans in zip(values, locate_evidence(text, values), strict=True):
        kind = value.evidence_type
        counts[kind] = counts.get(kind, 0) + 1
        facts.append(Fact(f"evidence:{kind}:{counts[kind]}", "Evidence", value, spans))
    return facts


def _figures(case: CaseFile, text: str) -> tuple[Fact, ...]:
    if case.numerical_facts is None:
        return ()
    stated = _stated_figures(case.numerical_facts)
    figures: list[tuple[NumericalValue, tuple[Span, ...]]] = list(
        zip(stated, locate_figures(text, stated), strict=True)
    )
    left_out = [k for k, plural in _PLURALS if getattr(case.numerical_facts, plural) is None]
    if text and left_out:
        taken = [item.span for item in find_sections(text)]
        extracted = merge_figures(find_figures(text, taken))
        figures += [(value, spans) for value, spans in extracted if value.kind in left_out]
    kinds = [kind for kind, _ in _PLURALS]
    return number_figures(sorted(figures, key=lambda figure: kinds.index(figure[0].kind)))


def _stated_figures(part: NumericalPart) -> list[NumericalValue]:
    return [
        *(NumericalValue("amount", a.rupees, "INR", a.context) for a in part.amounts or ()),
        *(NumericalValue("age", a.value, "years", a.descriptor) for a in part.ages or ()),
        *(NumericalValue("duration", d.value, d.unit, d.context) for d in part.durations or ()),
        *(NumericalValue("quantity", q.value, q.unit, q.context) for q in part.quantities or ()),
    ]
