"""Case files: what they state, what is extracted, and what is said when they are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.errors import InputError
from countercase.facts.case_file import read_case, sheet_from_case, write_case
from countercase.facts.case_schema import parse_case
from countercase.facts.extraction import extract
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.facts.vocabulary import EVIDENCE_TYPES, PARTY_TYPES, QUANTITY_UNITS

TEXT = (
    "Ram Singh, a constable, is accused under Section 302 IPC. The post-mortem report shows a "
    "wound. A cheque for Rs. 5.5 lakh was in his bag, with 1250 grams of charas. The deceased "
    "was aged 40 years. They had been married for two years; he faces two years in jail. The "
    "State of Bihar opposes bail."
)
FULL: dict[str, Any] = {
    "case_id": "bag",
    "title": "Ram Singh v. State of Bihar",
    "text": TEXT,
    "parties": {
        "petitioner": {"name": "Ram Singh", "type": "Public servant"},
        "respondent": "State of Bihar",
    },
    "sections_cited": ["Section 302 IPC", "IPC-302"],
    "evidence_items": [{"evidence_type": "medical", "description": "one wound"}],
    "numerical_facts": {
        "amounts": [{"value": 550000, "unit": "INR", "context": "cheque in the bag"}],
        "ages": [{"value": 40, "descriptor": "deceased"}],
        "durations": [{"value": 2, "unit": "year", "context": "since marriage"}],
        "quantities": [{"value": 1.25, "unit": "kg", "context": "charas"}],
    },
}


def _sheet(**changes: Any) -> FactSheet:
    data = {key: value for key, value in (FULL | changes).items() if value is not ...}
    return sheet_from_case(parse_case(json.dumps(data), "case.json"), "case.json")


def _read_again(sheet: FactSheet) -> FactSheet:
    """The sheet, written as a case file and read."""
    return sheet_from_case(parse_case(json.dumps(write_case(sheet)), "again.json"))


def _words(sheet: FactSheet, fact_id: str) -> list[str]:
    return [sheet.narrative[s.start : s.end] for s in sheet.fact(fact_id).spans]


def test_what_is_stated_is_taken_and_located() -> None:
    sheet = _sheet()
    assert {fact.fact_id: _words(sheet, fact.fact_id) for fact in sheet.facts} == {
        "section:IPC-302": ["Section 302"],
        "party:petitioner": ["constable"],
        "party:respondent": ["State of Bihar"],
        "evidence:medical:1": ["post-mortem report"],
        "numerical:amount:1": ["Rs. 5.5 lakh"],
        "numerical:age:1": ["aged 40 years"],
        "numerical:duration:1": ["two years"],
        "numerical:quantity:1": ["1250 grams"],
    }
    duration = sheet.fact("numerical:duration:1")
    assert duration.span == duration.spans[0]
    assert TEXT[: duration.spans[0].start].endswith("married for ")


@pytest.mark.parametrize(
    ("left_out", "fact_type"),
    [
        ("sections_cited", "Section"),
        ("parties", "PartyType"),
        ("evidence_items", "Evidence"),
        ("numerical_facts", "Numerical"),
    ],
)
def test_a_part_left_out_is_extracted_and_no_other(left_out: str, fact_type: str) -> None:
    sheet = _sheet(**{left_out: ...})
    extracted = extract(TEXT, "bag", FULL["title"])
    assert sheet.of_type(fact_type) == extracted.of_type(fact_type)  # type: ignore[arg-type]
    others = [f for f in sheet.facts if f.fact_type != fact_type]
    assert others == [f for f in _sheet().facts if f.fact_type != fact_type]


def test_an_empty_part_says_that_there_is_none_and_a_kind_of_figure_left_out_is_extracted() -> None:
    assert _sheet(evidence_items=[]).of_type("Evidence") == ()
    others = {"amounts": [], "durations": [], "quantities": []}
    assert _sheet(numerical_facts=others | {"ages": []}).of_type("Numerical") == ()
    sheet = _sheet(numerical_facts=others)
    assert [f.fact_id for f in sheet.of_type("Numerical")] == ["numerical:age:1"]


def test_facts_without_a_text_have_no_spans() -> None:
    sheet = _sheet(text=...)
    assert sheet.narrative == ""
    assert len(sheet.facts) == 8
    assert all(fact.spans == () for fact in sheet.facts)


@pytest.mark.parametrize(
    ("given_party", "name", "kind"),
    [
        ("public_servant", "", "Public servant"),
        ("State", "", "State"),
        ("Sonpura Mills Ltd.", "Sonpura Mills Ltd.", "Corporation"),
        ({"name": "Asha"}, "Asha", "Individual"),
        ({"type": "Tenant"}, "", "Tenant"),
        ({"name": "Sonpura Mills Ltd.", "type": "Tenant"}, "Sonpura Mills Ltd.", "Tenant"),
    ],
)
def test_a_party_is_a_type_a_name_or_both(given_party: Any, name: str, kind: str) -> None:
    value: Any = _sheet(parties={"petitioner": given_party}).fact("party:petitioner").value
    assert (value.name, value.party_type) == (name, kind)


def test_two_items_of_one_type_share_the_mentions_by_their_words() -> None:
    text = "A sale deed names the uncle. It rained. Nobody spoke. A lease deed names the widow."
    items = [
        {"evidence_type": "documentary", "description": "lease deed in favour of the widow"},
        {"evidence_type": "documentary", "description": "sale deed in favour of the uncle"},
    ]
    sheet = _sheet(
        text=text, evidence_items=items, parties={}, sections_cited=[], numerical_facts={}
    )
    assert _words(sheet, "evidence:documentary:1") == ["lease deed"]
    assert _words(sheet, "evidence:documentary:2") == ["sale deed"]


@labelled("broken_cases")
def test_what_is_wrong_is_said_with_its_place(content: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        parse_case(content, "case.json")
    assert str(raised.value).startswith("case.json")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "stated",
    [{"sections_cited": ["9" * 5000]}, {"outcome": "x" * 5000}, {"occurred_on": "9" * 5000},
     {"y" * 5000: 1}],
)  # fmt: skip
def test_a_message_stays_short(stated: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError) as raised:
        parse_case(json.dumps({"case_id": "a", **stated}), "case.json")
    assert len(str(raised.value)) < 400
    with pytest.raises(InputError, match="is a folder; a case is"):
        read_case(tmp_path)


@pytest.mark.parametrize(
    ("unit", "known"),
    [("kgs", "kg"), ("grams", "g"), ("acres", "acre"), ("Litre", "l"), ("sq_m", "sq_m")],
)
def test_usual_spellings_of_units_are_taken(unit: str, known: str) -> None:
    sheet = _sheet(numerical_facts={"quantities": [{"value": 3, "unit": unit}]})
    quantity = sheet.of_type("Numerical")[-1].value
    assert isinstance(quantity, NumericalValue)
    assert quantity.unit == known and known in QUANTITY_UNITS


def test_lakh_and_crore_become_rupees_at_both_ends_of_a_range() -> None:
    amounts = [{"value": 5.5, "unit": "lakh"}, {"value": 1, "upper": 2, "unit": "crore"}]
    sheet = _sheet(numerical_facts={"amounts": amounts, "ages": []})
    assert str(sheet.fact("numerical:amount:1").value) == "550000 INR"
    assert _words(sheet, "numerical:amount:1") == ["Rs. 5.5 lakh"]
    [_, wide, *_] = [value for _, value in sheet.valued(NumericalValue)]
    assert (wide.value, wide.upper) == (10_000_000, 20_000_000)


def test_text_files_are_extracted_and_named_after_the_file(tmp_path: Path) -> None:
    path = tmp_path / "the bag.txt"
    path.write_text(TEXT, encoding="utf-8")
    sheet = read_case(path)
    assert sheet.case_id == "the-bag"
    assert sheet.facts == extract(TEXT, "x").facts


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("case.odt", "x", r"a case is a \.json, \.txt, \.pdf or \.docx file"),
        ("case", "x", r"a case is a \.json, \.txt, \.pdf or \.docx file"),
        ("a\0.json", None, "cannot be read: embedded null"),
        ("case.json", json.dumps(FULL), "more than the 50 allowed"),
        ("case.json", '{"case_id": "x", "text": "  "}', "neither a text nor facts"),
    ],
)
def test_what_is_no_case_file_is_refused(
    tmp_path: Path, name: str, content: str | None, says: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=says):
        read_case(tmp_path / name, max_bytes=50)


def test_reading_what_was_written_gives_the_same_facts() -> None:
    for sheet in (_sheet(outcome="dismissed"), extract(TEXT, "bag", FULL["title"])):
        assert _read_again(sheet) == sheet
    assert _sheet(outcome="dismissed").outcome == "dismissed"


names = st.text(st.characters(categories=["L", "N", "Zs"]), max_size=20)
figures = st.floats(0, 1e6).map(lambda value: round(value, 3))


sides = st.sampled_from(PARTY_TYPES)
items = {"evidence_type": st.sampled_from(EVIDENCE_TYPES), "description": names}
sums = {"value": figures, "context": names}


@given(
    parties=st.fixed_dictionaries({}, optional={"petitioner": sides, "respondent": sides}),
    evidence=st.lists(st.fixed_dictionaries(items), max_size=4),
    amounts=st.lists(st.fixed_dictionaries(sums), max_size=3),
    text=names,
)
def test_every_valid_case_survives_a_round_trip(
    parties: dict[str, str], evidence: list[Any], amounts: list[Any], text: str
) -> None:
    numbers = {"amounts": amounts, "ages": [], "durations": [], "quantities": []}
    sheet = _sheet(text=text, parties=parties, evidence_items=evidence, numerical_facts=numbers)

    def stated(facts: tuple[Fact, ...]) -> list[tuple[str, object]]:
        return [(fact.fact_id, fact.value) for fact in facts]

    assert stated(_read_again(sheet).facts) == stated(sheet.facts)


def test_no_party_is_lost_where_a_side_has_two() -> None:
    parties = {
        "petitioner": {"type": "Individual", "role": "claimant"},
        "respondent": {"type": "Individual", "role": "defendant"},
        "others": [
            {"side": "respondent", "type": "Corporation", "role": "insurer"},
            {"side": "petitioner", "type": "Minor", "role": "claimant"},
        ],
    }
    case = {"case_id": "claim", "parties": parties}
    sheet = sheet_from_case(parse_case(json.dumps(case), "claim.json"))
    ids = [fact.fact_id for fact in sheet.of_type("PartyType")]
    assert ids == [
        "party:petitioner", "party:petitioner:2", "party:respondent", "party:respondent:2",
    ]  # fmt: skip
    assert _read_again(sheet).facts == sheet.facts


def test_a_side_whose_party_stands_among_others_is_not_looked_for_again() -> None:
    others = [{"side": "respondent", "name": "Sita Devi"}]
    sheet = _sheet(parties={"petitioner": "Ram Singh", "respondent": None, "others": others})
    assert sheet.fact("party:respondent").value.name == "Sita Devi"  # type: ignore[union-attr]
