"""The spaCy pipeline: its tokens, sentences and labelled spans."""

from __future__ import annotations

import pytest
from spacy.language import Language

from countercase.facts.extraction import read_doc
from countercase.facts.pipeline import COMPONENTS, build_pipeline
from countercase.text.sentences import sentence_spans

TEXT = (
    "He was tried u/s 302/34 and 376(2)(g) I.P.C. by Rs. 5,00,000/- bail r/w Art. 21. P.W.1 saw "
    "the incident. The girl was aged 12 years."
)


@pytest.fixture(scope="module")
def nlp() -> Language:
    return build_pipeline()


def test_the_components_run_in_order(nlp: Language) -> None:
    assert tuple(nlp.pipe_names) == COMPONENTS


@pytest.mark.parametrize(
    "token", ["u/s", "302/34", "376(2)(g)", "I.P.C.", "Rs.", "5,00,000/-", "r/w", "Art.", "P.W.1"]
)
def test_legal_tokens_stay_whole(nlp: Language, token: str) -> None:
    assert token in [t.text for t in nlp(TEXT)]


def test_no_character_is_lost(nlp: Language) -> None:
    doc = nlp(TEXT)
    assert doc.text == TEXT
    assert "".join(token.text_with_ws for token in doc) == TEXT


def test_sentences_are_the_packages_own(nlp: Language) -> None:
    starts = [sentence.start_char for sentence in nlp(TEXT).sents]
    assert starts == [start for start, _ in sentence_spans(TEXT)]


def test_an_abbreviation_behind_a_stroke_ends_no_sentence() -> None:
    text = "The High Court declined under s. 115 CPC/Art. 227. The rent is due."
    assert [text[start:end] for start, end in sentence_spans(text)] == [
        "The High Court declined under s. 115 CPC/Art. 227.",
        "The rent is due.",
    ]


def test_facts_are_labelled_spans_in_text_order(nlp: Language) -> None:
    doc = nlp(TEXT)
    spans = list(doc.spans["facts"])
    assert [(span.text, span.label_) for span in spans if span.label_ == "Numerical"] == [
        ("Rs. 5,00,000/-", "Numerical"),
        ("aged 12 years", "Numerical"),
    ]
    assert {"Section", "Evidence", "Numerical"} <= {span.label_ for span in spans}
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    assert next(s.id_ for s in spans if s.text == "aged 12 years") == "12 years (girl)"


def test_a_trained_component_can_be_added_behind(nlp: Language) -> None:
    grown = build_pipeline()
    grown.add_pipe("entity_ruler").add_patterns([{"label": "COURT", "pattern": "Sessions Court"}])
    doc = grown("The Sessions Court tried him under Section 302 IPC.")
    assert [entity.text for entity in doc.ents] == ["Sessions Court"]
    assert [span.text for span in doc.spans["facts"]] == ["Section 302"]


def test_an_empty_text_has_no_facts(nlp: Language) -> None:
    assert read_doc(nlp, "") == ()
