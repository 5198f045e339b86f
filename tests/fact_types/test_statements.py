"""Statements: each fact in one sentence of its type, and the same fact in other words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from perturbation_cases import evidence, figure, on, party, section, sheet

from countercase.facts.extraction import extract
from countercase.facts.model import EvidenceValue, FactValue
from countercase.facts.vocabulary import EVIDENCE_TYPES, PARTY_TYPES
from countercase.registry import FACT_TYPES
from countercase.text.numbers import read_number

VALUES: list[FactValue] = [
    section("IPC-302"),
    section("BNS-80"),
    section("CONST-226"),
    section("CPC-O7R11"),
    *(party(kind) for kind in PARTY_TYPES),
    *(evidence(kind) for kind in EVIDENCE_TYPES),
    *(EvidenceValue(kind, "", "absent") for kind in EVIDENCE_TYPES),
    *(EvidenceValue(kind, "as the record says", "weakened") for kind in EVIDENCE_TYPES),
    figure("amount", 500_000, context="compensation"),
    figure("amount", 12_345.5),
    figure("age", 16, context="accused"),
    figure("age", 17.25, context="girl"),
    figure("duration", 1, "days"),
    figure("duration", 6 + 11 / 12, context="since marriage"),
    figure("quantity", 1.25, "kg", "charas"),
    figure("count", 1, "witnesses"),
]


def statements(value: FactValue, templates: range = range(9)) -> list[str]:
    root = sheet("", f=value)
    [fact] = root.facts
    return [FACT_TYPES.get(fact.fact_type).state(root, fact, n) for n in templates]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_every_template_is_one_sentence_and_four_restate_the_fact(value: FactValue) -> None:
    for sentence in statements(value):
        assert sentence.endswith(".") and not sentence.endswith("..")
        assert not sentence[0].islower()
        assert "{" not in sentence and "  " not in sentence
    root = sheet("", f=value)
    [fact] = root.facts
    kind = FACT_TYPES.get(fact.fact_type)
    said = [kind.state(root, fact, n) for n in (0, *kind.restatements(root, fact))]
    assert len(said) >= 5
    assert len(set(said)) == len(said)


def test_what_is_supplied_is_not_said_in_the_words_that_told_its_absence() -> None:
    text = "No independent witness joined the search. No recovery was made."
    root = extract(text, tagger=False)
    kind, [fact, *_] = FACT_TYPES.get("Evidence"), root.facts
    absent = fact.value_as(EvidenceValue)
    assert absent.strength == "absent" and "No independent" in kind.state(root, fact)
    there = replace(fact, value=replace(absent, strength="full"))
    assert kind.state(root, there) == "The safeguards of the search were kept."


def test_the_side_of_the_line_is_said_in_the_words_of_the_law() -> None:
    cited = section("IPC-304B")
    for years, is_within in ((6, True), (8, False)):
        root = on("2019", "", n=figure("duration", years, context="since marriage"), s=cited)
        said = FACT_TYPES.get("Numerical").state(root, root.fact("n"))
        assert "304B" in said and f"{years} years" in said
        assert ("within" in said) is is_within


@pytest.mark.parametrize("value", [700_000, 1_250, 40_000_000])
def test_a_sum_is_the_same_sum_in_every_way_of_writing_it(value: float) -> None:
    from countercase.fact_types.numerical.saying import STYLES, say_figure

    written = [say_figure(figure("amount", value), style) for style in range(STYLES)]
    bare = [words.removeprefix("Rs. ").removeprefix("rupees ") for words in written]
    assert [float(read_number(words) or 0) for words in bare] == [value] * STYLES


def test_a_provision_whose_terms_changed_is_never_said_by_its_new_number() -> None:
    """Sections 406 and 304A IPC are punished otherwise in the Sanhita."""
    for old in ("IPC-406", "IPC-304A"):
        assert not any("Nyaya" in sentence for sentence in statements(section(old)))


def test_what_is_absent_and_what_is_there_are_said_otherwise() -> None:
    for kind in EVIDENCE_TYPES:
        there, gone = evidence(kind), EvidenceValue(kind, "", "absent")
        assert not {*statements(there)} & {*statements(gone)}
