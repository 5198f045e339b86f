"""`propose`: the fact types take turns, and the facts within a type."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st
from perturbation_cases import assert_others_untouched, evidence, figure, party, section, sheet

from countercase.counterfactual.proposals import propose, propose_nulls, reason
from countercase.facts.edits import apply_edits, compatible
from countercase.facts.vocabulary import FACT_TYPES

CASE = sheet(
    "The {p|tenant}, {n|aged 20 years}, was tried under {s:1|sections 302} and {s:2|34} of the "
    "Indian Penal Code. A neighbour {e|saw the attack}. He had taken {m|Rs. 500}. Six persons were with him.",
    p=party("Tenant"),
    n=figure("age", 20, context="accused"),
    s__1=section("IPC-302"),
    s__2=section("IPC-34"),
    e=evidence("eyewitness"),
    m=figure("amount", 500),
)


def test_the_first_four_edits_are_one_of_each_type() -> None:
    assert tuple(edit.fact_type for edit in propose(CASE, limit=4)) == FACT_TYPES


def test_the_facts_of_a_type_take_turns() -> None:
    sections = [edit.fact_id for edit in propose(CASE) if edit.fact_type == "Section"]
    assert sections[:3] == ["s:1", "s:2", "s:1"]


def test_a_limit_takes_the_beginning() -> None:
    assert propose(CASE, limit=7) == propose(CASE)[:7]
    assert propose(CASE, limit=0) == []


def test_only_the_types_asked_for() -> None:
    assert {e.fact_type for e in propose(CASE, types=("Evidence",))} == {"Evidence"}
    assert propose(CASE, types=()) == []


def test_no_edit_comes_twice() -> None:
    ids = [edit.edit_id for edit in propose(CASE)]
    assert len(ids) == len(set(ids))


def test_each_edit_is_sound_by_itself_and_gives_its_law() -> None:
    for edit in propose(CASE):
        assert not edit.null
        assert edit.provision
        assert reason(edit).endswith(".")
        assert apply_edits(CASE, [edit]) != CASE


def test_a_null_edit_has_no_law_behind_it() -> None:
    assert {reason(edit) for edit in propose_nulls(CASE)} == {""}


def test_a_matter_that_nothing_is_known_of_has_no_additions() -> None:
    assert propose(sheet("He ran.")) == []


def test_another_process_with_another_hash_seed_proposes_the_same() -> None:
    program = (
        "import sys; sys.path[:0] = ['tests/fact_types', 'tests/helpers']\n"
        "from test_edits_in_turn import CASE\n"
        "from countercase.counterfactual.proposals import propose, propose_nulls\n"
        "print([e.edit_id for e in [*propose(CASE), *propose_nulls(CASE)]])"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert runs[0] == f"{[e.edit_id for e in [*propose(CASE), *propose_nulls(CASE)]]}\n"


SENTENCES = (
    "The {p|constable}, {n|aged 30 years}, was tried under {s:1|sections 302} and {s:2|34} IPC.",
    "A neighbour {e|saw} the {p|constable} strike, and the knife was {r|recovered} later.",
    "By the {d|dying declaration} the boy of {a|16 years} had paid {m|Rs. 5.5 lakh}.",
    "The {o|State of Goa} relies on {s:1|section 302} of the Indian Penal Code; he is {n|30} now.",
    "From his bag {q|1.25 kg} of charas was {r|recovered}, and that brings in {s:3|section 20} of "
    "the NDPS Act.",
    "They married {y|five years} before; she made a {d|dying declaration}.",
    "An {e|eyewitness} came.",
)
VALUES = {
    "p": party("Public servant"),
    "o": party("State", "respondent"),
    "n": figure("age", 30, context="accused"),
    "a": figure("age", 16, context="boy"),
    "m": figure("amount", 550000),
    "q": figure("quantity", 1.25, "kg", "charas"),
    "y": figure("duration", 5, context="since marriage"),
    "e": evidence("eyewitness"),
    "d": evidence("dying_declaration"),
    "r": evidence("recovery"),
    "s__1": section("IPC-302"),
    "s__2": section("IPC-34"),
    "s__3": section("NDPS-20"),
}
NARRATIVES = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5)


@settings(max_examples=40, deadline=None)
@given(NARRATIVES, st.sampled_from([" ", "\n", "\n\n"]))
def test_no_edit_touches_the_words_of_another_fact(sentences: list[str], gap: str) -> None:
    root = sheet(gap.join(sentences), **VALUES)
    for edit in [*propose(root), *propose_nulls(root)]:
        assert compatible([edit])
        assert_others_untouched(root, edit)


@settings(max_examples=40, deadline=None)
@given(NARRATIVES, st.data())
def test_edits_that_are_compatible_all_hold_at_once(
    sentences: list[str], data: st.DataObject
) -> None:
    root = sheet(" ".join(sentences), **VALUES)
    chosen = data.draw(st.lists(st.sampled_from(propose(root)), max_size=4, unique=True))
    if compatible(chosen):
        state = apply_edits(root, chosen)
        for edit in chosen:
            values = {fact.fact_id: fact.value for fact in state.facts}
            assert values.get(edit.fact_id) == edit.new_value
        for change in (r for edit in chosen for r in edit.replacements):
            assert change.text in state.narrative
