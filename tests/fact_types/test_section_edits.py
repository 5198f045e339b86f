"""Section edits: the neighbouring provision, in the words of the narrative."""

from __future__ import annotations

import pytest
from perturbation_cases import assert_others_untouched, mention, narrative_after, section, sheet

from countercase.fact_types import section as family
from countercase.fact_types.section import Neighbour, neighbours, propose, propose_nulls
from countercase.facts.edits import apply_edits
from countercase.facts.extraction import extract
from countercase.io import read_table
from countercase.law.citations import provisions_in
from countercase.law.provision_ids import parse_id
from countercase.law.provisions import lookup

MURDER = sheet(
    "He was tried under {s:302|Sections 302} and {s:34|34} of the Indian Penal Code. "
    "The charge under {s:302|section 302} IPC was framed first.",
    s__302=section("IPC-302"),
    s__34=section("IPC-34"),
)


def edits_of(root, fact_id):  # type: ignore[no-untyped-def]
    return [edit for edit in propose(root) if edit.fact_id == fact_id]


@pytest.mark.parametrize(
    ("provision", "expected"),
    [
        ("IPC-302", ["IPC-304-I", "IPC-304-II", "IPC-307", "IPC-304A", "IPC-306"]),
        ("IPC-304B", ["IPC-306", "IPC-498A", "IPC-302"]),
        ("IPC-34", ["IPC-149", "IPC-120B", ""]),
        ("NDPS-20(b)(ii)(C)", ["NDPS-20(b)(ii)(B)"]),
        ("POCSO-4", ["POCSO-8", "POCSO-6", "IPC-376"]),
        ("MVA-166", ["MVA-163A", ""]),
        ("CONST-226", ["CONST-32", "CONST-227"]),
        ("CrPC-227", ["CrPC-228"]),
    ],
)
def test_neighbours_come_with_the_most_telling_first(provision: str, expected: list[str]) -> None:
    assert [row.neighbour for row in neighbours(provision)] == expected


def test_a_part_without_neighbours_has_those_of_its_section() -> None:
    assert neighbours("IPC-354(1)")[0].neighbour == "IPC-376"
    assert neighbours("IPC-376(2)(g)")[0].neighbour == "IPC-376"


def test_an_unknown_provision_has_none() -> None:
    assert neighbours("IPC-9") == ()


@pytest.mark.parametrize(
    ("provision", "neighbour"),
    [
        ("BNS-103(1)", "BNS-105"),
        ("BNS-103", "BNS-105"),
        ("BNS-3(5)", "BNS-190"),
        ("BNS-80", "BNS-108"),
        ("BNS-318(4)", "BNS-316(2)"),
        ("BNSS-480", "BNSS-483"),
    ],
)
def test_the_codes_of_2023_have_their_neighbours_by_correspondence(
    provision: str, neighbour: str
) -> None:
    assert neighbours(provision)[0].neighbour == neighbour


def test_a_special_act_beside_the_new_codes_has_new_neighbours() -> None:
    root = sheet(
        "See {a|section 138} of the NI Act and {b|section 61(2)} BNS.",
        a=section("NIA-138"),
        b=section("BNS-61(2)"),
    )
    assert edits_of(root, "a")[0].perturbed_value == "BNS-318(4)"


def test_every_mention_cites_the_neighbour_in_its_own_style() -> None:
    after = narrative_after(MURDER, edits_of(MURDER, "s:302")[1])
    assert after == (
        "He was tried under Sections 304 Part II and 34 of the Indian Penal Code. "
        "The charge under section 304 Part II IPC was framed first."
    )


def test_narrative_and_sheet_agree_after_every_edit() -> None:
    for edit in propose(MURDER):
        after = apply_edits(MURDER, [edit])
        assert after.fact(edit.fact_id).value == section(edit.perturbed_value)
        cited = provisions_in(after.narrative)
        assert edit.perturbed_value in cited
        assert edit.original_value not in cited
        assert_others_untouched(MURDER, edit)


def test_where_the_act_changes_its_name_goes_along() -> None:
    root = sheet(
        "The complaint under {a|section 138} of the Negotiable Instruments Act, 1881 failed.",
        a=section("NIA-138"),
    )
    edit = edits_of(root, "a")[0]
    assert narrative_after(root, edit) == (
        "The complaint under section 420 of the Indian Penal Code failed."
    )
    assert mention(apply_edits(root, [edit]), "a") == "section 420 of the Indian Penal Code"


def test_a_list_keeps_its_act_when_one_of_it_goes_to_another_act() -> None:
    root = sheet(
        "A car was demanded. Charged under {a|sections 498A} and {b|506} of the Indian Penal Code.",
        a=section("IPC-498A"),
        b=section("IPC-506"),
    )
    edit = next(e for e in edits_of(root, "a") if e.perturbed_value == "DPA-4")
    after = apply_edits(root, [edit])
    assert set(provisions_in(after.narrative)) == {"DPA-4", "IPC-506"}
    assert_others_untouched(root, edit)


def test_a_neighbour_that_is_cited_already_is_not_proposed() -> None:
    root = sheet("", a=section("IPC-302"), b=section("IPC-304-I"))
    assert "IPC-304-I" not in {e.perturbed_value for e in edits_of(root, "a")}


def test_a_provision_that_the_narrative_does_not_mention_changes_on_the_sheet_alone() -> None:
    root = sheet("He died.", a=section("IPC-302"))
    edit = edits_of(root, "a")[0]
    assert edit.replacements == ()
    assert apply_edits(root, [edit]).fact("a").value == section("IPC-304-I")


def test_each_edit_names_its_law_and_has_a_reason() -> None:
    for edit in propose(MURDER):
        assert edit.rule == "section.neighbour"
        assert edit.provision == edit.perturbed_value
        assert family.reason(edit).endswith(".")


def test_the_table_holds_well_formed_pairs_once_each_with_a_reason() -> None:
    rows = read_table("law/neighbours", Neighbour)
    assert len({(row.provision, row.neighbour) for row in rows}) == len(rows)
    for row in rows:
        assert row.provision != row.neighbour
        assert row.reason.endswith(".")
        for name in filter(None, (row.provision, row.neighbour)):
            form = parse_id(name)
            if form.code in ("IPC", "CrPC", "IEA", "CONST", "NIA", "MVA"):
                assert lookup(name) is not None, name


def test_of_a_provision_named_in_both_codes_the_new_one_is_changed() -> None:
    root = sheet(
        "FIR u/s {n|103(1)} BNS (old {o|302} IPC).", n=section("BNS-103(1)"), o=section("IPC-302")
    )
    edited = {edit.fact_id for edit in propose(root)}
    assert edited == {"n"}


@pytest.mark.parametrize(
    ("text", "fact_id", "new", "after"),
    [
        (
            "Occurrence of 22.10.2024. FIR u/s 103(1), 3(5) BNS (old 302/34), died.",
            "section:BNS-103(1)",
            "BNS-105",
            "FIR u/s 105, 3(5) BNS (old 304 Part I/34)",
        ),
        (
            "Occurrence of 22.10.2024. FIR u/s 103(1), 3(5) BNS (old 302/34), planned, died.",
            "section:BNS-3(5)",
            "BNS-61(2)",
            "FIR u/s 103(1), 61(2) BNS (old 302/120B)",
        ),
        (
            "Occurrence of 19.07.2024. S. 318(4) BNS (old 420) for goods entrusted.",
            "section:BNS-318(4)",
            "BNS-316(2)",
            "S. 316(2) BNS (old 406)",
        ),
    ],
)
def test_a_provision_named_in_both_codes_changes_on_both_sides(
    text: str, fact_id: str, new: str, after: str
) -> None:
    root = extract(text, tagger=False)
    (edit,) = (e for e in propose(root) if (e.fact_id, e.perturbed_value) == (fact_id, new))
    assert after in apply_edits(root, [edit]).narrative
    assert len(edit.fact_ids) == 2


def test_an_old_number_is_not_put_into_the_new_code_in_its_bracket() -> None:
    """`(old 302/34)`: neither a neighbour nor a null edit writes a section of 2023 there."""
    root = extract(
        "Occurrence of 22.10.2024. FIR u/s 103(1) BNS (old 302/34) on five men, died.",
        tagger=False,
    )
    edits = [*propose(root), *propose_nulls(root)]
    assert {e.fact_id for e in propose(root)} == {"section:BNS-103(1)"}
    for edit in edits:
        narrative = apply_edits(root, [edit]).narrative
        inside = narrative[narrative.index("(old") : narrative.index(")", narrative.index("(old"))]
        assert "BNS" not in inside
        assert "3(5)" not in inside
        assert "190" not in inside
