"""Facts as sentences of their own."""

from __future__ import annotations

import pytest

from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactValue,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.facts.vocabulary import EVIDENCE_TYPES, PARTY_TYPES
from countercase.registry import FACT_TYPES
from countercase.text.sentences import sentence_spans


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (
            SectionValue("IPC-302"),
            "The offence or provision in question is section 302 of the Indian Penal Code "
            "(punishment for murder).",
        ),
        (PartyValue("petitioner", "Public servant"), "The petitioner is a public servant."),
        (PartyValue("respondent", "Union of India"), "The respondent is the Union of India."),
        (
            EvidenceValue("dying_declaration", "She named her brother-in-law."),
            "The evidence includes a dying declaration: She named her brother-in-law.",
        ),
        (
            EvidenceValue("confession", "", "weakened"),
            "The evidence includes a confession, which is of little weight.",
        ),
        (
            NumericalValue("amount", 500000, "INR", "compensation claimed"),
            "The amount in question is Rs. 5,00,000 (compensation claimed).",
        ),
        (
            NumericalValue("age", 16, "years", "accused"),
            "The age in question is 16 years (accused).",
        ),
        (NumericalValue("duration", 1, "days"), "The length of time is 1 day."),
        (
            NumericalValue("quantity", 1.25, "kg", "charas"),
            "The quantity in question is 1.25 kilograms (charas).",
        ),
    ],
)
def test_each_kind_of_fact_is_one_sentence(value: FactValue, sentence: str) -> None:
    assert _rendered(value) == sentence
    assert len(sentence_spans(sentence)) == 1


def test_every_word_of_the_vocabularies_has_a_phrase() -> None:
    for kind in PARTY_TYPES:
        sentence = _rendered(PartyValue("petitioner", kind))
        assert sentence.split()[3] in ("a", "an", "the")
    sentences = {_rendered(EvidenceValue(kind, "")) for kind in EVIDENCE_TYPES}
    assert len(sentences) == len(EVIDENCE_TYPES)
    assert not any("_" in sentence for sentence in sentences)


def _rendered(value: FactValue) -> str:
    names = {
        SectionValue: "Section",
        PartyValue: "PartyType",
        EvidenceValue: "Evidence",
        NumericalValue: "Numerical",
    }
    name = names[type(value)]
    rendered: str = FACT_TYPES.get(name).render(Fact("f", name, value))
    return rendered
