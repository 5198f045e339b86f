"""The spaCy pipeline that reads a narrative: its tokens, sentences and fact components.

The recognisers are the pure ones of this package, so a narrative gives the same facts with and
without spaCy, but for the names of parties. What the pipeline adds is the `Doc`: tokens that keep
`376(2)(g)` and `302/34` whole, sentences by legal rules, the entities that the fact tagger finds in
`doc.spans["entities"]`, and the facts as labelled spans in `doc.spans["facts"]`, where a trained
component can read and extend them (`nlp.add_pipe("ner", source=trained)`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import spacy
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokens import Doc
from spacy.tokens import Span as DocSpan

from countercase.fact_types.evidence.recognise import EvidenceItem, evidence_items
from countercase.fact_types.party.names import find_named_parties
from countercase.fact_types.party.recognise import PartyFound, names_in_title
from countercase.facts.extraction import Mentions, find_figures, find_sections
from countercase.facts.mentions import Found
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
    found = find_entities(doc.text)
    doc.user_data["entities"] = found
    marked = [
        doc.char_span(e.span.start, e.span.end, label=e.label, alignment_mode="expand")
        for e in found
    ]
    doc.spans["entities"] = [span for span in marked if span is not None]
    return doc


def mark_sections(doc: Doc) -> Doc:
    """Provisions cited."""
    found = find_sections(doc.text)
    spans = [(item.span, str(item.value)) for item in found]
    return _mark(doc, "sections", "Section", found, spans)


def mark_parties(doc: Doc) -> Doc:
    """What the parties are; `doc.user_data["title"]` names them, or else the entities do."""
    titled = names_in_title(doc.user_data.get("title", ""))
    entities = doc.user_data.get("entities", ())
    found: list[PartyFound] = find_named_parties(doc.text, titled, entities)
    spans = [(span, str(party.value)) for party in found for span in party.spans]
    return _mark(doc, "parties", "PartyType", found, spans)


def mark_evidence(doc: Doc) -> Doc:
    """Items of evidence."""
    found: list[EvidenceItem] = evidence_items(doc.text)
    spans = [(span, str(item.value)) for item in found for span in item.spans]
    return _mark(doc, "evidence", "Evidence", found, spans)


def mark_figures(doc: Doc) -> Doc:
    """Amounts, ages, durations and quantities outside the provisions cited."""
    sections: list[Found] = doc.user_data.get("sections", [])
    found = find_figures(doc.text, [item.span for item in sections])
    spans = [(item.span, str(item.value)) for item in found]
    return _mark(doc, "figures", "Numerical", found, spans)


def _mark(doc: Doc, key: str, label: str, found: object, spans: Iterable[tuple[Span, str]]) -> Doc:
    doc.user_data[key] = found
    marked: list[DocSpan] = list(doc.spans["facts"]) if "facts" in doc.spans else []
    for span, value in spans:
        place = doc.char_span(
            span.start, span.end, label=label, span_id=value, alignment_mode="expand"
        )
        if place is not None:
            marked.append(place)
    doc.spans["facts"] = sorted(marked, key=lambda place: (place.start, place.end, place.label_))
    return doc


TAGGER: Final = "countercase_entities"
"""The component that runs the fact tagger."""

_MAKERS: Final = (
    ("countercase_sentences", mark_sentences),
    (TAGGER, mark_entities),
    ("countercase_sections", mark_sections),
    ("countercase_parties", mark_parties),
    ("countercase_evidence", mark_evidence),
    ("countercase_figures", mark_figures),
)
COMPONENTS: Final = tuple(name for name, _ in _MAKERS)
"""The components of the pipeline, in order."""

for _name, _component in _MAKERS:
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


def read_doc(nlp: Language, text: str, title: str = "") -> Mentions:
    """Run the pipeline over `text` and hand back what its components found."""
    doc = nlp.make_doc(text)
    doc.user_data["title"] = title
    nlp(doc)
    found = doc.user_data
    return Mentions(
        sections=tuple(found["sections"]),
        parties=tuple(found["parties"]),
        evidence=tuple(found["evidence"]),
        figures=tuple(found["figures"]),
    )
