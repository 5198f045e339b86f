"""The tagger at work: a text in, its entities out.

A text is read piece by piece, as the tagger was trained: the head of a judgment whole, and what
follows by sentences. The same text gives the same entities each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Final

from countercase.facts.entities import Entity, head_end, join, pieces, rule_entities
from countercase.facts.tagger import weights
from countercase.facts.tagger.network import blank_tagger, size, with_attributes
from countercase.text.spans import Span, trimmed

if TYPE_CHECKING:
    from spacy.language import Language

_TOGETHER: Final = 64
_ONE_AT_A_TIME: Final = Lock()  # threads share the vocabulary, which a zone empties as it ends


@cache
def load_tagger() -> Language:
    """Return the trained tagger, loaded once a process.

    Weights that are missing, damaged or of another network are a `ModelError`.
    """
    nlp = size(blank_tagger())
    weights.put_arrays(nlp, weights.read())
    return nlp


def find_entities(text: str) -> list[Entity]:
    """Return what the tagger finds in `text`, joined with what the rules find, in order.

    A `ModelError` says that the tagger is missing or damaged.
    """
    spans, head = pieces(text), head_end(text)
    tags = tag_texts([text[span.start : span.end] for span in spans])
    tagged = [
        Entity(Span(piece.start + e.span.start, piece.start + e.span.end), e.label)
        for piece, entities in zip(spans, tags, strict=True)
        for e in entities
    ]
    return join(tagged, [entity for entity in rule_entities(text) if entity.span.start >= head])


def tag_texts(texts: Sequence[str], nlp: Language | None = None) -> list[list[Entity]]:
    """What the tagger alone finds in each text, read whole, without rules added."""
    nlp = nlp or load_tagger()
    with _ONE_AT_A_TIME, nlp.memory_zone():  # else the vocabulary would keep every new word
        docs = (with_attributes(nlp.make_doc(text)) for text in texts)
        tagged = [
            [Entity(trimmed(doc.text, Span(e.start_char, e.end_char)), e.label_) for e in doc.ents]
            for doc in nlp.get_pipe("ner").pipe(docs, batch_size=_TOGETHER)
        ]
    return [[e for e in entities if e.span.start < e.span.end] for entities in tagged]
