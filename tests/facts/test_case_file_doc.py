"""What docs/casefile.md shows is what the reader does: its example, and every error it quotes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from countercase.errors import InputError
from countercase.facts.case_file import read_case, sheet_from_case
from countercase.facts.case_schema import CaseFile, NumericalPart, PartiesPart, parse_case
from countercase.facts.vocabulary import (
    DURATION_UNITS,
    EVIDENCE_TYPES,
    OUTCOMES,
    PARTY_TYPES,
    QUANTITY_UNITS,
)

DOC = (Path(__file__).resolve().parents[2] / "docs" / "casefile.md").read_text(encoding="utf-8")
ERRORS = DOC.partition("## What can go wrong")[2]
FAULTY = (
    ("case.json", '{"case_id": "a", "text": "He ran.", "sections_citd": []}'),
    ("case.json", '{"case_id": "a", "text": "x", "text": "y"}'),
    ("case.json", '{"text": "He ran."}'),
    ("case.json", '{"case_id":"a","text":"x'),
    ("case.json", "[]"),
    ("case.json", '{"case_id": "a"}'),
    ("case.json", '{"case_id": "a", "sections_cited": ["IPX-302"]}'),
    ("case.json", '{"case_id": "a", "evidence_items": [{"evidence_type": "eye witness"}]}'),
    ("case.json", '{"case_id": "a", "parties": {"petitioner": ""}}'),
    ("case.json", '{"case_id": "a", "numerical_facts": {"durations": [{"value": 5}]}}'),
    ("case.json", '{"case_id": "a", "numerical_facts": {"ages": [{"value": -3}]}}'),
    ("case.json", '{"case_id":"a","numerical_facts":{"amounts":[{"value":5,"unit":"USD"}]}}'),
    ("case.odt", "He ran."),
    ("case.txt", b"He ran \xe9."),
    ("case.txt", " \n"),
)


def _quoted() -> list[str]:
    rows = [line for line in ERRORS.splitlines() if line.startswith("| ")][1:]
    return [row.rsplit("|", 2)[1].strip().strip("`") for row in rows]


def test_the_example_is_a_case_with_every_fact_in_its_text() -> None:
    example = re.search(r"```json\n(.*?)```", DOC, re.DOTALL)
    assert example is not None
    sheet = sheet_from_case(parse_case(example.group(1), "docs/casefile.md"))
    assert [fact.fact_id for fact in sheet.facts] == [
        "section:IPC-302",
        "party:petitioner",
        "party:respondent",
        "evidence:dying_declaration:1",
        "numerical:amount:1",
        "numerical:age:1",
        "numerical:duration:1",
        "numerical:count:1",
    ]
    assert all(fact.spans for fact in sheet.facts)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [(*faulty, message) for faulty, message in zip(FAULTY, _quoted(), strict=True)],
)
def test_each_error_is_quoted_as_it_is_raised(
    name: str, content: str | bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError) as raised:
        read_case(path)
    assert message in str(raised.value)
    assert str(path) in str(raised.value)


def test_every_field_and_every_word_of_the_vocabulary_is_named() -> None:
    fields = [*CaseFile.model_fields, *PartiesPart.model_fields, *NumericalPart.model_fields]
    words = [*fields, *EVIDENCE_TYPES, *OUTCOMES, *DURATION_UNITS, *QUANTITY_UNITS]
    assert [word for word in words if f"`{word}`" not in DOC] == []
    assert [kind for kind in PARTY_TYPES if kind not in DOC] == []
