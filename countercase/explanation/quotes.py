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

from countercase.corpus.casebook.records import RECORDS
from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.judgment.attribution import findings, is_argument, is_told_by_a_side
from countercase.corpus.judgment.sections import label_sections
from countercase.corpus.judgment.treatment import marked
from countercase.encoders.base import Encoders
from countercase.explanation.model import Quote
from countercase.explanation.reasons import nearest_first
from countercase.fact_types.base import telling_words
from countercase.facts.model import FactSheet
from countercase.law.in_force import facts_period
from countercase.law.provisions import with_names
from countercase.retrieval.base import DECIMALS
from countercase.text.sentences import sentence_spans

_NUMBERED: Final = re.compile(r"^\s*(\d{1,3})\\?[.)]\s")
_NUMBER: Final = re.compile(r"\b\d+[A-Z]{0,2}\b")
CITED: Final = 0.1
"""What a sentence gains that has a number of the segment, as of a provision that both cite."""
FEW_CHUNKS: Final = 6
"""Chunks of a judgment all of which are read for a quote; of a longer one only the best."""
OWN: Final = 0.08
"""What the words of the court itself gain, in cosine, and what a finding of another loses."""
SHARED: Final = 0.03
"""What a telling word that the segment has too gains, up to four."""
MIN_WORDS: Final = 4
"""A sentence with fewer telling words is quoted only where the chunk has no better one."""


class Quoter:
    """Finds quotes; all sentences are encoded in one call, and the encoders cache them.

    For a `sheet` it is said whether a decision was good law on its day, and not now, and what is
    nearest to it of what a decision turned on stands first.
    """

    def __init__(
        self, snapshot: Snapshot, encoders: Encoders, sheet: FactSheet | None = None
    ) -> None:
        self.snapshot, self._encoders, self._sheet = snapshot, encoders, sheet
        self._when = facts_period(sheet.occurred_on) if sheet else None
        self._labels: dict[int, dict[str, tuple[str, str]]] = {}

    @cached_property
    def titles(self) -> dict[str, str]:
        """The title of each case of the corpus, or its id; bad law is marked."""
        cases = zip(self.snapshot.case_ids, self.snapshot.metadata, strict=True)
        return {name: marked(it.title or name, it.treatment, self._when) for name, it in cases}

    @cached_property
    def _points(self) -> dict[str, list[dict[str, str]]]:
        records = RECORDS.get(self.snapshot.manifest.corpus, tuple)()
        return {record["case_id"]: record["dispositive"] for record in records}

    def turned_on(self, case_id: str) -> tuple[str, ...]:
        """Return what a decision of a casebook turned on, each with the reason; of others nothing."""
        points = [with_names(f"{p['fact']}: {p['why']}") for p in self._points.get(case_id, ())]
        return nearest_first(points, self._sheet) if self._sheet else tuple(points)

    def quotes(self, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Quote]:
        """Return the quote for each (segment, chunk).

        From the chunk, or in a short judgment from any other, since the sentence that says most of
        the segment need not stand in the chunk that is like it on the whole. The court's own words
        go before what was done below; heads and catchwords are quoted where there is nothing else.
        """
        pairs = list(dict.fromkeys(wanted))
        if not pairs:
            return {}
        chunks = {chunk: self._beside(chunk) for _, chunk in pairs}
        own = {c: self._sentences(c) for c in dict.fromkeys(chain.from_iterable(chunks.values()))}
        segments = [segment for segment, _ in pairs]
        texts = list(dict.fromkeys([*segments, *chain.from_iterable(own.values())]))
        vectors = self._encoders.encode("sentence", texts).astype(np.float64)
        place = {text: at for at, text in enumerate(texts)}
        quotes = {}
        for segment, chunk in pairs:
            candidates = [(c, sentence) for c in chunks[chunk] for sentence in own[c]]
            told = [one for one in candidates if self._place(*one)[0] != "header"]
            candidates = told or candidates
            rows = vectors[[place[sentence] for _, sentence in candidates]]
            scores = np.einsum("ij,j->i", rows, vectors[place[segment]])
            scores = scores + [self._worth(segment, *candidate) for candidate in candidates]
            best = int(np.round(scores, DECIMALS).argmax())
            quotes[segment, chunk] = self._quote(*candidates[best])
        return quotes

    def _beside(self, chunk: int) -> list[int]:
        case = self.snapshot.field(chunk, "case")
        own = range(*map(int, self.snapshot.starts[case : case + 2]))
        return [chunk, *(c for c in own if c != chunk and len(own) <= FEW_CHUNKS)]

    def _worth(self, segment: str, chunk: int, sentence: str) -> float:
        """Return what a sentence is worth beside its likeness, in cosine, by whose and which words."""
        section, finding = self._place(chunk, sentence)
        shared = len(telling_words(segment) & telling_words(sentence))
        own = (section in ("holding", "analysis")) - bool(finding)
        cited = not {*_NUMBER.findall(segment)}.isdisjoint(_NUMBER.findall(sentence))
        return SHARED * min(shared, 4) + OWN * own + CITED * cited

    def _sentences(self, chunk: int) -> list[str]:
        text = self.snapshot.text(chunk)
        sentences = [text[start:end] for start, end in sentence_spans(text)]
        telling = [s for s in sentences if len(telling_words(s)) >= MIN_WORDS]
        return telling or sentences

    def _place(self, chunk: int, sentence: str) -> tuple[str, str]:
        """Return the section of the sentence itself, as a chunk may hold two, and whose finding it is."""
        case = self.snapshot.field(chunk, "case")
        if case not in self._labels:
            text, about = self.snapshot.case_text(case), self.snapshot.metadata[case]
            spans = sentence_spans(text)
            names = label_sections(text, spans)
            sentences = [text[start:end] for start, end in spans]
            courts = findings(sentences, names, about.court, about.outcome)
            self._labels[case] = dict(zip(sentences, zip(names, courts, strict=True), strict=True))
        return self._labels[case].get(sentence, (self.snapshot.section(chunk), ""))

    def _quote(self, chunk: int, sentence: str) -> Quote:
        snapshot = self.snapshot
        before = snapshot.text(chunk).split(sentence, 1)[0]
        paragraph = snapshot.field(chunk, "paragraph")
        for line in [*before.split("\n"), sentence]:
            number = _NUMBERED.match(line)
            if number and 0 < int(number.group(1)) - paragraph <= 3:
                paragraph = int(number.group(1))
        section, finding = self._place(chunk, sentence)
        own = section in ("holding", "order")  # there a mention of arguments disposes of them
        argued = not finding and (is_told_by_a_side if own else is_argument)(sentence)
        return Quote(
            chunk_id=snapshot.chunk_id(chunk),
            text=" ".join(sentence.split()),
            section="arguments" if argued else section,
            paragraph=paragraph,
            page=snapshot.field(chunk, "page"),
            finding=finding,
        )
