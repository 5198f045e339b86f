"""Judgments made ready for an index: read, cut into chunks, labelled and encoded.

Each judgment's part depends on nothing but itself, the models and the size of chunks. So it is done in
batches, here or by workers of any engine, and gives the same wherever that is. Vectors are in the
cache of the models, so that a run that was stopped costs little the second time.
"""

from __future__ import annotations

import hashlib
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from countercase.corpus.documents import Document
from countercase.corpus.index.chroma import round_as_stored
from countercase.corpus.index.snapshot import FIELDS, SECTIONS, CaseContents
from countercase.corpus.judgment.metadata import read_metadata
from countercase.corpus.judgment.sections import label_sections
from countercase.corpus.readers.base import OnDamaged
from countercase.corpus.readers.detect import Source
from countercase.corpus.readers.formats import JudgmentFile
from countercase.encoders.base import Encoders, Role, encode_as
from countercase.engines.engine import PLAIN, Engine
from countercase.engines.pools import Failed, Sendable
from countercase.errors import CorpusIndexError, InputError
from countercase.text.sentences import bounded_runs, sentence_spans

Counts = Callable[[list[str]], list[int]]
"""Word pieces of each text of a list."""

_PARAGRAPH: Final = re.compile(r"(?m)^\s*(\d{1,3})\\?[.)]\s")


@dataclass(frozen=True)
class Chunk:
    """A run of whole sentences of one document, which is exactly `start` to `end` of its text.

    `number` counts from 0 in the document; `section` is what most of its characters are; `page` and
    `paragraph` are where its first character stands, from 1, or 0 where unknown.
    """

    number: int
    text: str
    start: int
    end: int
    section: str = ""
    page: int = 0
    paragraph: int = 0


def chunk_text(
    text: str,
    counts: Counts,
    limit: int = 200,
    labels: Callable[[str, Sequence[tuple[int, int]]], Sequence[str]] | None = None,
    pages: Sequence[int] = (),
) -> list[Chunk]:
    """Split `text` into chunks of at most `limit` word pieces, as `counts` counts them.

    Sentences are kept whole, but for one that is longer than `limit` by itself, which is split
    between words. Boundaries depend on the text alone, not on the `labels` of sections.
    """
    spans = [
        piece
        for span in sentence_spans(text)
        for piece in _split_long_span(text, span, counts, limit)
    ]
    if not spans:
        return []
    sizes = counts([text[start:end] for start, end in spans])
    names = list(labels(text, spans)) if labels is not None else [""] * len(spans)
    marks = [(-1, 0)]
    for match in _PARAGRAPH.finditer(bounded_runs(text)):
        # Numbers that do not follow on are list items or figures at the start of a line.
        if 0 < int(match[1]) - marks[-1][1] <= 3:
            marks.append((match.start(1), int(match[1])))
    chunks = []
    for number, (first, after) in enumerate(_cut_runs(sizes, limit)):
        (start, _), (_, end) = spans[first], spans[after - 1]
        weight: Counter[str] = Counter()
        for name, (left, right) in zip(names[first:after], spans[first:after], strict=True):
            weight[name] += right - left
        _, section = max((size, name) for name, size in weight.items())
        page = bisect_right(pages, start)
        _, paragraph = marks[bisect_right(marks, start, key=lambda mark: mark[0]) - 1]
        chunks.append(Chunk(number, text[start:end], start, end, section, page, paragraph))
    return chunks


def _split_long_span(
    text: str, span: tuple[int, int], counts: Counts, limit: int
) -> list[tuple[int, int]]:
    """Return the span itself, or its parts where it is too long, cut between words."""
    start, end = span
    if end - start <= limit * 2 or counts([text[start:end]])[0] <= limit:
        return [span]
    words = [match.span() for match in re.finditer(r"\S+", text[start:end])]
    sizes = counts([text[start + a : start + b] for a, b in words])
    runs = _cut_runs(sizes, limit)
    return [(start + words[first][0], start + words[after - 1][1]) for first, after in runs]


def _cut_runs(sizes: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """Cut items of these sizes into runs of at most `limit` together, or of one item."""
    runs, first, total = [], 0, 0
    for at, size in enumerate(sizes):
        if at > first and total + size > limit:
            runs.append((first, at))
            first, total = at, 0
        total += size
    return [*runs, (first, len(sizes))]


CONTENT_VERSION: Final = 6
"""Counts the ways of cutting, labelling and reading metadata; a new one indexes anew."""

BATCH_CHARACTERS: Final = 100_000
"""Characters given to a worker at once, about: some hundred chunks, a second or two of encoding."""

Unreadable: TypeAlias = tuple[Path, InputError]
"""A file that cannot be read, and why."""

Batch: TypeAlias = Sequence[tuple[Source, str | None]]
"""Judgments, each with the digest that the index has of it; None where it has none."""


@dataclass(frozen=True)
class Workers:
    """Where judgments are prepared, and what opens the models there; it can be pickled."""

    engine: Engine
    open_encoders: Callable[[], Encoders]


@dataclass(frozen=True)
class Prepared:
    """One judgment; without contents where the digest is the one that the index has."""

    case_id: str
    contents: CaseContents | None


def models_of(encoders: Encoders) -> dict[str, str]:
    """Return the fingerprints of the encoders whose vectors an index holds."""
    return {role: encoders.fingerprint(role) for role in ("sentence", "passage")}


def recipe_of(encoders: Encoders, chunk_pieces: int) -> str:
    """Name all that a prepared judgment depends on beside the judgment."""
    stance = encoders.fingerprint("stance")  # its vectors of the points are kept with the index
    return json.dumps([models_of(encoders), stance, chunk_pieces, CONTENT_VERSION])


def _batches(sources: Iterable[Source], digests: Mapping[str, str]) -> Iterator[Batch]:
    """Put judgments, with the index's digests, in runs of about `BATCH_CHARACTERS`, in order."""
    batch: list[tuple[Source, str | None]] = []
    size = 0
    for source in sources:
        batch.append((source, digests.get(source.doc_id)))
        size += source.size if isinstance(source, JudgmentFile) else len(source.text)
        if size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@dataclass(frozen=True)
class Preparation(Sendable):
    """Turns a batch into what an index holds; `recipe` as where the work was given out."""

    open_encoders: Callable[[], Encoders]
    chunk_pieces: int
    recipe: str

    @cached_property
    def encoders(self) -> Encoders:
        """The models; CorpusIndexError where they are others than where the work was given out."""
        encoders = self.open_encoders()
        if recipe_of(encoders, self.chunk_pieces) != self.recipe:
            raise CorpusIndexError(
                "this worker has other models or another version of CounterCase than the machine "
                "that gave out the work; make them the same"
            )
        return encoders

    def __call__(self, batch: Batch) -> list[Prepared | Unreadable]:
        """Prepare a batch; a file that cannot be read is named in its place."""
        results = [self._read(source, known) for source, known in batch]
        fresh = [one.contents for one in results if isinstance(one, Prepared) and one.contents]
        texts = [raw.decode() for contents in fresh for raw in contents.raws]
        roles: list[Role] = ["sentence"]
        if len(set(models_of(self.encoders).values())) > 1:  # the passage tower is another model
            roles.append("passage")
        sentence, *passages = encode_as(self.encoders, roles, texts)
        sentence, passage = round_as_stored(sentence), next(iter(passages), None)
        after = 0
        for contents in fresh:
            own = slice(after, after := after + len(contents.raws))
            contents.sentence = sentence[own]
            contents.passage = None if passage is None else passage[own]
        return results

    def _read(self, source: Source, known: str | None) -> Prepared | Unreadable:
        if isinstance(source, Document):
            document = source
        else:
            try:
                document = source.read()
            except InputError as error:
                return source.path, error
        title, text, pages = document.title, document.text, document.pages
        content = [title, text, dict(document.metadata), list(pages), self.recipe]
        plain = json.dumps(content, ensure_ascii=False, sort_keys=True)
        digest, contents = hashlib.sha256(plain.encode()).hexdigest()[:24], None
        if digest != known:
            counts = self.encoders.counts
            chunks = chunk_text(text, counts, self.chunk_pieces, label_sections, pages)
            rows = [
                [0, c.number, c.start, c.end, SECTIONS.index(c.section), c.page, c.paragraph, 0, 0]
                for c in chunks
            ]
            contents = CaseContents(
                digest,
                asdict(read_metadata(document)),
                np.asarray(rows, dtype=np.int64).reshape(-1, len(FIELDS)),
                [chunk.text.encode() for chunk in chunks],
                np.zeros((0, 0), dtype=np.float32),
            )
        return Prepared(document.doc_id, contents)


def prepare(
    sources: Iterable[Source],
    known: dict[str, str],
    encoders: Encoders,
    chunk_pieces: int,
    workers: Workers | None = None,
    on_damaged: OnDamaged | None = None,
) -> Iterator[Prepared]:
    """Yield the judgments in their order, each as soon as it and those before it are ready.

    `known` are digests of judgments whose contents are not needed. Without `workers` they are
    prepared here; without `on_damaged` (see `OnDamaged`) the error is raised.
    """
    workers = workers or Workers(PLAIN, lambda: encoders)
    work = Preparation(workers.open_encoders, chunk_pieces, recipe_of(encoders, chunk_pieces))
    with closing(workers.engine.map(work, _batches(sources, known))) as results:
        for result in results:
            if isinstance(result, Failed):
                raise result.error
            for judgment in result:
                if isinstance(judgment, Prepared):
                    yield judgment
                elif on_damaged is not None:
                    on_damaged(*judgment)
                else:
                    raise judgment[1]
