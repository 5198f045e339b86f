"""Normal forms, the provision table, and the correspondences of 2024."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.errors import InputError
from countercase.law.acts import acts
from countercase.law.in_force import correspondences
from countercase.law.provision_ids import order_number, parse_id
from countercase.law.provisions import (
    citation,
    describe,
    lookup,
    normal_form,
    predecessors,
    provision_name,
    successors,
    with_names,
)


def table_ids() -> list[str]:
    lines = files("countercase.law").joinpath("data/provisions.jsonl").read_text("utf-8")
    return [json.loads(line)["id"] for line in lines.splitlines()]


IDS = table_ids()


@labelled("normal_forms")
def test_one_provision_has_one_normal_form(text: str, form: str) -> None:
    assert normal_form(text) == form


@labelled("unreadable_provisions")
def test_what_cannot_be_read_names_the_nearest_form(text: str, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        normal_form(text)


def test_the_table_holds_each_provision_once_with_a_heading_and_a_known_act() -> None:
    assert len(set(IDS)) == len(IDS)
    for provision in IDS:
        entry = lookup(provision)
        assert entry is not None
        assert entry.id == provision
        assert entry.title.strip()
        assert parse_id(entry.id).code in acts()
        assert normal_form(provision) == provision


@pytest.mark.parametrize(
    ("asked", "entry"),
    [("IPC-376(1)", "IPC-376"), ("CONST-19(1)(a)", "CONST-19(1)(a)"), ("IPC-506-II", "IPC-506-II")],
)
def test_a_subsection_without_an_entry_answers_for_its_section(asked: str, entry: str) -> None:
    found = lookup(asked)
    assert found is not None and found.id == entry
    assert entry != "IPC-376" or found.title == "Punishment for rape"


def test_what_is_not_in_the_table_is_none_and_what_is_no_normal_form_an_error() -> None:
    assert lookup("XYZ-5") is None
    with pytest.raises(InputError, match="normal form"):
        lookup("section 302")


@labelled("citation_styles")
def test_citations_in_three_styles(provision: str, long: str, short: str, code: str) -> None:
    assert citation(provision) == long
    assert citation(provision, "short") == short
    assert citation(provision, "code") == code


TOLD = {
    it.__name__: it for it in (describe, order_number, predecessors, provision_name, successors)
}


@labelled("provisions_told")
def test_what_is_told_of_a_provision(
    function: str, provision: str, told: str | list[str] | None
) -> None:
    found = TOLD[function](provision)
    assert (list(found) if isinstance(found, tuple) else found) == told


@given(st.integers(1, 99))
def test_the_number_of_an_order_is_read_in_roman_numerals_and_in_digits(number: int) -> None:
    numeral = citation(f"CPC-O{number}R1").split()[1]
    assert order_number(numeral) == order_number(str(number)) == number


def test_every_correspondence_runs_from_a_listed_section_to_the_code_that_replaced_its_act() -> (
    None
):
    replaced = {"IPC": "BNS", "CrPC": "BNSS", "IEA": "BSA"}
    pairs = [(pair.old, pair.new) for pair in correspondences()]
    assert len(set(pairs)) == len(pairs)
    for pair in correspondences():
        old, new = parse_id(pair.old), parse_id(pair.new)
        assert replaced[old.code] == new.code
        assert lookup(pair.old) is not None
        bound = acts()[new.code].bound
        assert bound is not None
        assert 0 < new.base <= bound
        assert pair.checked in ("heading", "tables", "general")
        assert pair.old in predecessors(pair.new)


def test_the_tables_stay_small_enough_to_ship() -> None:
    data = files("countercase.law").joinpath("data")
    names = ("acts.jsonl", "provisions.jsonl", "correspondences.jsonl")
    assert sum(len(data.joinpath(name).read_bytes()) for name in names) < 400_000


def test_codes_in_a_text_become_the_names_that_a_lawyer_writes() -> None:
    told = "DPA-3 and CPC-O41R27 rest on IPC-376(2)(g); an AK-47 and COVID-19 are no law."
    assert with_names(told) == (
        "section 3 Dowry Prohibition Act and O. XLI R. 27 CPC rest on section 376(2)(g) IPC; "
        "an AK-47 and COVID-19 are no law."
    )
