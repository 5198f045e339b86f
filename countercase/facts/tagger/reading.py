"""The tagger at work: a text in, its entities out; and whether it is the tagger that was trained.

A text is read piece by piece, as the tagger was trained: the head of a judgment whole, and what
follows by sentences. The same text gives the same entities each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from countercase.errors import ModelError, model_problem
from countercase.facts.entities import Entity, head_end, join, pieces, rule_entities
from countercase.facts.tagger import weights
from countercase.facts.tagger.network import blank_tagger, size, with_attributes
from countercase.text.spans import Span, trimmed

if TYPE_CHECKING:
    from spacy.language import Language

_TOGETHER: Final = 64


@cache
def load_tagger(folder: Path | None = None) -> Language:
    """The trained tagger, loaded once a process.

    Args:
        folder: where its weights and checksums are; the package's own by default.

    Raises:
        ModelError: the weights are missing, damaged or of another network.
    """
    nlp = size(blank_tagger())
    weights.put_arrays(nlp, weights.read(folder))
    return nlp


def find_entities(text: str, nlp: Language | None = None) -> list[Entity]:
    """The entities of `text`: what the tagger finds, joined with what the rules find, in order.

    Args:
        text: a narrative, a judgment or its head.
        nlp: a tagger; the package's own by default.

    Raises:
        ModelError: the package's tagger is missing or damaged.
    """
    spans, head = pieces(text), head_end(text)
    tags = tag_texts([text[span.start : span.end] for span in spans], nlp)
    tagged = [
        Entity(Span(piece.start + e.span.start, piece.start + e.span.end), e.label)
        for piece, entities in zip(spans, tags, strict=True)
        for e in entities
    ]
    return join(tagged, [entity for entity in rule_entities(text) if entity.span.start >= head])


def tag_texts(texts: Sequence[str], nlp: Language | None = None) -> list[list[Entity]]:
    """What the tagger alone finds in each text, read whole, without rules added."""
    nlp = nlp or load_tagger()
    ner = nlp.get_pipe("ner")
    with nlp.memory_zone():  # else the vocabulary would keep every new word for good
        docs = (with_attributes(nlp.make_doc(text)) for text in texts)
        tagged = [
            [Entity(trimmed(doc.text, Span(e.start_char, e.end_char)), e.label_) for e in doc.ents]
            for doc in ner.pipe(docs, batch_size=_TOGETHER)
        ]
    return [[e for e in entities if e.span.start < e.span.end] for entities in tagged]


KNOWN_TEXT: Final = (
    "The appellant Mohan Lal was convicted under Section 302 of the Indian Penal Code by the "
    "Sessions Court at Jaipur on 12th March, 1998, on the word of Sita Devi (PW-2)."
)
"""A sentence of our own that is tagged to see whether code and weights work together."""

KNOWN_ENTITIES: Final = (
    ("PETITIONER", "Mohan Lal"),
    ("PROVISION", "Section 302"),
    ("STATUTE", "Indian Penal Code"),
    ("COURT", "Sessions Court at Jaipur"),
    ("DATE", "12th March, 1998"),
    ("WITNESS", "Sita Devi"),
)
"""What the tagger finds in it, in order."""

KNOWN_ANSWER: Final = "known answer"


def verify(folder: Path | None = None) -> dict[str, str]:
    """Check the sha256 of every file of the tagger, and that it still gives a known answer.

    Returns:
        What is wrong with each file, and with the `known answer`; empty where nothing is. Nothing
        is raised for a damaged file. The weights are always checked. The known answer loads spaCy
        and takes about two seconds; it is not looked for where a file is damaged.
    """
    try:
        listed = weights.checksums(folder)
    except ModelError as error:
        return {weights.WEIGHTS: str(error)}
    problems = {
        name: model_problem(partial(weights.verified, name, folder)) for name in sorted(listed)
    }
    if weights.WEIGHTS not in listed:
        listing = (folder or weights.folder()) / weights.CHECKSUMS
        problems[weights.WEIGHTS] = f"{listing}: does not list {weights.WEIGHTS}"
    if not any(problems.values()):
        problems[KNOWN_ANSWER] = model_problem(partial(_ask, folder))
    return problems


def _ask(folder: Path | None) -> None:
    entities = find_entities(KNOWN_TEXT, load_tagger(folder))
    answer = tuple((e.label, KNOWN_TEXT[e.span.start : e.span.end]) for e in entities)
    if answer != KNOWN_ENTITIES:
        raise ModelError(
            f"the fact tagger reads its test sentence as {answer}, not as {KNOWN_ENTITIES}: "
            "its code and its weights are not of one version; install countercase again"
        )
