"""Null edits: the words change, the law does not."""

from __future__ import annotations

import pytest
from perturbation_cases import (
    assert_others_untouched,
    evidence,
    figure,
    narrative_after,
    party,
    section,
    sheet,
)

from countercase.counterfactual.proposals import propose_nulls
from countercase.fact_types.rewriting import Synonym
from countercase.facts.edits import apply_edits
from countercase.facts.model import Fact, FactSheet, FactValue, SectionValue
from countercase.io import read_table
from countercase.law.provisions import predecessors
from countercase.text.spans import Span


def texts(marked: str, value: FactValue) -> list[str]:
    root = sheet(marked, f=value)
    return [narrative_after(root, edit) for edit in propose_nulls(root)]


def test_a_section_is_cited_in_another_form_and_as_its_successor() -> None:
    assert texts("Under {f|Section 302} IPC he fell.", section("IPC-302")) == [
        "Under section 302 of the Indian Penal Code he fell.",
        "Under Section 103(1) of the Bharatiya Nyaya Sanhita he fell.",
    ]
    assert texts("Under {f|section 302} of the Indian Penal Code.", section("IPC-302")) == [
        "Under s. 302 IPC.",
        "Under section 103(1) of the Bharatiya Nyaya Sanhita.",
    ]


def test_a_code_form_goes_over_to_the_new_code() -> None:
    assert texts("Charge: {f|IPC 302}.", section("IPC-302"))[-1] == "Charge: BNS 103(1)."


def test_a_section_that_shares_its_act_keeps_the_others() -> None:
    root = sheet(
        "Under {a|Sections 302} and {b|34} of the Indian Penal Code.",
        a=section("IPC-302"),
        b=section("IPC-34"),
    )
    edits = propose_nulls(root)
    assert [e.rule for e in edits] == ["null.successor", "null.successor"]
    for edit in edits:
        assert_others_untouched(root, edit)


def test_a_successor_is_what_the_statute_put_in_the_place_of_the_section() -> None:
    root = sheet("Under {f|Section 302} IPC.", f=section("IPC-302"))
    edit = propose_nulls(root)[-1]
    assert edit.rule == "null.successor"
    assert edit.new_value == section("BNS-103(1)")
    assert predecessors("BNS-103(1)") == ("IPC-302",)


@pytest.mark.parametrize(
    ("marked", "value", "after"),
    [
        ("{f|Rs. 5,00,000} paid", figure("amount", 500000), "Rs. 5 lakh paid"),
        ("{f|Rs. 5,00,000/-} paid", figure("amount", 500000), "Rs. 5 lakh paid"),
        ("{f|Rs. 5 lakh} paid", figure("amount", 500000), "Rs. 5,00,000 paid"),
        ("{f|Rs. 4,500} paid", figure("amount", 4500), "Rupees four thousand five hundred paid"),
        ("{f|rupees fifty thousand} paid", figure("amount", 50000), "Rupees 50,000 paid"),
        ("a girl {f|aged about 16 years}", figure("age", 16), "a girl about 16 years of age"),
        ("a {f|16-year-old} girl", figure("age", 16), "a sixteen-year-old girl"),
        ("an {f|eight-year-old} girl", figure("age", 8), "an 8-year-old girl"),
        ("{f|seven years} later", figure("duration", 7), "7 years later"),
        ("{f|45 days} later", figure("duration", 45, "days"), "Forty-five days later"),
        ("{f|1.25 kg} of it", figure("quantity", 1.25, "kg"), "1,250 g of it"),
        ("{f|250 grams} of it", figure("quantity", 250, "g"), "250 g of it"),
        ("{f|2500 gms} of it", figure("quantity", 2500, "g"), "2.5 kg of it"),
        (
            "a {f|dying declaration}",
            evidence("dying_declaration"),
            "a declaration made before death",
        ),
        ("an {f|eyewitness} came", evidence("eyewitness"), "an ocular witness came"),
        ("The {f|post-mortem report} says", evidence("medical"), "The autopsy report says"),
        ("a {f|constable} came", party("Public servant"), "a police constable came"),
        ("the {f|State of Goa}", party("State"), "the Government of Goa"),
        ("the {f|appellant} ran", party("Individual"), "the appellant herein ran"),
        ("{f|M/s Sita Yarns Ltd.} ran", party("Corporation"), "Messrs Sita Yarns Ltd. ran"),
    ],
)
def test_the_same_in_other_words(marked: str, value: FactValue, after: str) -> None:
    assert texts(marked, value)[0] == after


def all_kinds() -> FactSheet:
    return sheet(
        "The {p|constable}, {n|aged 30 years}, was tried under {s|section 302} of the Indian Penal "
        "Code. A {e|dying declaration} named him, and {q|1.25 kg} of charas and {a|Rs. 5,00,000} "
        "were found.",
        p=party("Public servant"),
        n=figure("age", 30),
        s=section("IPC-302"),
        e=evidence("dying_declaration"),
        q=figure("quantity", 1.25, "kg", "charas"),
        a=figure("amount", 500000),
    )


def test_every_kind_of_fact_has_one_that_leaves_the_law_and_the_other_facts_alone() -> None:
    root = all_kinds()
    edits = propose_nulls(root)
    assert {e.fact_id for e in edits} == {f.fact_id for f in root.facts}
    for edit in edits:
        assert edit.null
        assert edit.replacements
        assert_others_untouched(root, edit)
        if edit.rule not in ("null.successor", "null.scale"):
            assert (
                apply_edits(root, [edit]).fact(edit.fact_id).value == root.fact(edit.fact_id).value
            )
        assert narrative_after(root, edit) != root.narrative


def test_at_most_two_for_one_fact() -> None:
    edits = propose_nulls(all_kinds())
    assert max(sum(e.fact_id == f for e in edits) for f in {e.fact_id for e in edits}) == 2


def test_a_fact_without_a_mention_has_none() -> None:
    assert propose_nulls(sheet("He ran.", f=evidence("motive"))) == []


def test_no_synonym_stands_for_itself() -> None:
    for row in read_table("fact_types/synonyms", Synonym):
        assert row.group in ("evidence", "party")
        assert row.words.casefold() != row.other.casefold()


def test_a_successor_that_says_less_is_no_null_edit() -> None:
    text = "The plea is for section 304 Part II IPC and not for section 302 IPC."
    facts = []
    for provision, words in (("IPC-304-II", "section 304 Part II"), ("IPC-302", "section 302")):
        start = text.index(words)
        spans = (Span(start, start + len(words)),)
        facts.append(Fact(f"section:{provision}", "Section", SectionValue(provision), spans))
    edits = propose_nulls(FactSheet("parts", text, tuple(facts)))
    renamed = {edit.fact_id for edit in edits if edit.rule == "null.successor"}
    assert renamed == {"section:IPC-302"}
