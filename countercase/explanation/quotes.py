"""The sentence of a chunk that carried a score.

The chunk is known from the scores; within it, the sentence whose vector lies closest to the
segment's is quoted, by the same sentence encoder that found the chunk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Final

import numpy as np

from countercase.corpus.casebook.records import CASEBOOK, later_treatment, turned_on
from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.judgment.attribution import finding_of, is_argument
from countercase.corpus.judgment.sections import label_sections
from countercase.encoders.base import Encoders
from countercase.explanation.model import Quote
from countercase.fact_types.base import telling_words
from countercase.retrieval.base import DECIMALS
from countercase.text.sentences import sentence_spans

_NUMBERED: Final = re.compile(r"^\s*(\d{1,3})\\?[.)]\s")
MIN_WORDS: Final = 4
"""A sentence with fewer telling words is quoted only where the chunk has no better one."""


class Quoter:
    """Finds quotes; all sentences are encoded in one call, and the encoders cache them."""

    def __init__(self, snapshot: Snapshot, encoders: Encoders) -> None:
        self.snapshot, self._encoders = snapshot, encoders
        self._labels: dict[int, dict[str, tuple[str, str]]] = {}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each case of the corpus, or its id where it has none."""
        cases = zip(self.snapshot.case_ids, self.snapshot.metadata, strict=True)
        return {case_id: metadata.title or case_id for case_id, metadata in cases}

    def turned_on(self, case_id: str) -> tuple[str, ...]:
        """What a decision of the casebook turned on, each with the reason; of others nothing."""
        return turned_on(case_id) if self.snapshot.manifest.corpus == CASEBOOK else ()

    def later(self, case_id: str) -> tuple[str, ...]:
        """What later decisions did to a decision of the casebook; of others nothing is known."""
        return later_treatment(case_id) if self.snapshot.manifest.corpus == CASEBOOK else ()

    def quotes(self, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Quote]:
        """The quote for each (segment, chunk)."""
        pairs = list(dict.fromkeys(wanted))
        if not pairs:
            return {}
        sentences = {chunk: self._sentences(chunk) for _, chunk in pairs}
        segments = [segment for segment, _ in pairs]
        texts = list(dict.fromkeys([*segments, *chain.from_iterable(sentences.values())]))
        vectors = self._encoders.encode("sentence", texts).astype(np.float64)
        place = {text: at for at, text in enumerate(texts)}
        quotes = {}
        for segment, chunk in pairs:
            rows = vectors[[place[text] for text in sentences[chunk]]]
            scores = np.round(np.einsum("ij,j->i", rows, vectors[place[segment]]), DECIMALS)
            quotes[segment, chunk] = self._quote(chunk, sentences[chunk][int(scores.argmax())])
        return quotes

    def _sentences(self, chunk: int) -> list[str]:
        text = self.snapshot.text(chunk)
        sentences = [text[start:end] for start, end in sentence_spans(text)]
        telling = [s for s in sentences if len(telling_words(s)) >= MIN_WORDS]
        return telling or sentences

    def _place(self, chunk: int, sentence: str) -> tuple[str, str]:
        """The section of the sentence itself, since a chunk may hold two, and the one before it."""
        case = self.snapshot.field(chunk, "case")
        if case not in self._labels:
            text = self.snapshot.case_text(case)
            spans = sentence_spans(text)
            names = label_sections(text, spans)
            sentences = [text[start:end] for start, end in spans]
            before = ["", *sentences]
            self._labels[case] = dict(zip(sentences, zip(names, before, strict=False), strict=True))
        return self._labels[case].get(sentence, (self.snapshot.section(chunk), ""))

    def _quote(self, chunk: int, sentence: str) -> Quote:
        snapshot = self.snapshot
        before = snapshot.text(chunk).split(sentence, 1)[0]
        paragraph = snapshot.field(chunk, "paragraph")
        for line in [*before.split("\n"), sentence]:
            number = _NUMBERED.match(line)
            if number and 0 < int(number.group(1)) - paragraph <= 3:
                paragraph = int(number.group(1))
        about = snapshot.metadata[snapshot.field(chunk, "case")]
        section, previous = self._place(chunk, sentence)
        finding = finding_of(sentence, about.court, about.outcome, previous)
        own = section in ("holding", "order")  # there a mention of arguments disposes of them
        argued = not own and not finding and is_argument(sentence)
        return Quote(
            chunk_id=snapshot.chunk_id(chunk),
            text=" ".join(sentence.split()),
            section="arguments" if argued else section,
            paragraph=paragraph,
            page=snapshot.field(chunk, "page"),
            finding=finding,
        )
