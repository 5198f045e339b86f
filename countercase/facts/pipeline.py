"""A spaCy pipeline that reads a narrative: its tokens, sentences, entities and facts.

The facts are those of `countercase.facts.extraction.recognise`. What the pipeline adds is the `Doc`:
tokens that keep `376(2)(g)` and `302/34` whole, sentences by legal rules, the entities that the fact
tagger finds in `doc.spans["entities"]`, and the facts as labelled spans in `doc.spans["facts"]`,
where a trained component can read and extend them (`nlp.add_pipe("ner", source=trained)`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import spacy
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokens import Doc
from spacy.tokens import Span as TokenSpan

from countercase.facts.extraction import recognise
from countercase.facts.tagger.reading import find_entities, load_tagger
from countercase.text.sentences import sentence_spans
from countercase.text.spans import Span

_WHOLE_TOKENS: Final = re.compile(
    r"\d+[A-Z]{0,2}(?:-[A-Z]{1,2})?(?:\([0-9A-Za-z]{1,4}\))+\Z"
    r"|\d+[A-Z]{0,2}(?:/\d+[A-Z]{0,2})+\Z"
    r"|[PDC]\.?W\.?s?\.?-?\d+\Z"
    r"|\d{1,3}(?:,\d{2,3})+(?:\.\d+)?(?:/-)?\Z|\d+/-\Z"
)
_ABBREVIATIONS: Final = tuple(
    """
    Rs. rs. u/s u/s. U/s U/S r/w r/w. R/w P.W. D.W. C.W. P.Ws. I.P.C. Cr.P.C. C.P.C. F.I.R. Art.
    Arts. Sec. Secs. ss. w.e.f. vs. Smt. Ext. Exh. Nos. Ors. Anr. Govt. Ltd. Pvt. M/s M/s. s/o S/o
    w/o d/o
    """.split()  # noqa: SIM905
)
_LONGEST: Final = 50_000_000


def mark_sentences(doc: Doc) -> Doc:
    """Set the sentence starts by `countercase.text.sentences`."""
    starts = [start for start, _ in sentence_spans(doc.text)]
    for token in doc:
        token.is_sent_start = token.i == 0
    for start in starts:
        place = doc.char_span(start, start + 1, alignment_mode="expand")
        if place is not None and place[0].idx == start:
            place[0].is_sent_start = True
    return doc


def mark_entities(doc: Doc) -> Doc:
    """Names, courts, judges, witnesses and dates, as the fact tagger and the rules find them.

    Raises:
        ModelError: the fact tagger is missing or damaged.
    """
    doc.user_data["entities"] = entities = find_entities(doc.text)
    doc.spans["entities"] = _marked(doc, [(e.span, e.label, "") for e in entities])
    return doc


def _marked(doc: Doc, spans: Iterable[tuple[Span, str, str]]) -> list[TokenSpan]:
    """The tokens of (span, label, id); a span without a token is left out."""
    marked = (
        doc.char_span(span.start, span.end, label, span_id=name, alignment_mode="expand")
        for span, label, name in spans
    )
    return [place for place in marked if place is not None]


def mark_facts(doc: Doc) -> Doc:
    """The facts of every fact type; `doc.user_data["title"]` names the parties."""
    given = doc.user_data
    facts = recognise(doc.text, given.get("title", ""), given.get("entities", ()))
    doc.user_data["facts"] = facts
    places = _marked(doc, [(s, f.fact_type, str(f.value)) for f in facts for s in f.spans])
    doc.spans["facts"] = sorted(places, key=lambda place: (place.start, place.end, place.label_))
    return doc


TAGGER: Final = "countercase_entities"
"""The component that runs the fact tagger."""

_MAKERS: Final = {
    "countercase_sentences": mark_sentences, TAGGER: mark_entities, "countercase_facts": mark_facts,
}  # fmt: skip
COMPONENTS: Final = tuple(_MAKERS)
"""The components of the pipeline, in order."""

for _name, _component in _MAKERS.items():
    Language.component(_name, func=_component)


def build_pipeline(tagger: bool = True) -> Language:
    """A blank English pipeline with CounterCase's tokens, sentences and fact components.

    Args:
        tagger: whether the fact tagger is one of them. Without it parties are named by the title
            alone.

    Raises:
        ModelError: the fact tagger is wanted, and missing or damaged.
    """
    if tagger:
        load_tagger()
    nlp = spacy.blank("en")
    nlp.max_length = _LONGEST
    for word in _ABBREVIATIONS:
        nlp.tokenizer.add_special_case(word, [{ORTH: word}])
    nlp.tokenizer.token_match = _WHOLE_TOKENS.match
    for name in COMPONENTS:
        if tagger or name != TAGGER:
            nlp.add_pipe(name)
    return nlp
