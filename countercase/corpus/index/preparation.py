"""Judgments made ready for an index: read, cut, labelled and encoded.

This is nearly all of the work of indexing, and each judgment's part depends on nothing but itself,
the models and the size of chunks. So it is done in batches, here or by workers of any engine, and
gives the same wherever that is. Vectors are in the cache of the models, so that a run that was
stopped costs little the second time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from countercase.corpus.documents import Document
from countercase.corpus.index.chroma import round_as_stored
from countercase.corpus.index.chunking import Chunk, chunk_text
from countercase.corpus.index.snapshot import FIELDS, SECTIONS, CaseContents
from countercase.corpus.judgment.metadata import read_metadata
from countercase.corpus.judgment.sections import label_sections
from countercase.corpus.readers.base import OnDamaged
from countercase.corpus.readers.detect import Source, has_word
from countercase.corpus.readers.files import JudgmentFile
from countercase.encoders.base import Encoders, Vectors, encode_as
from countercase.engines.engine import PLAIN, Engine
from countercase.engines.pools import Failed, Sendable
from countercase.errors import CorpusIndexError, InputError

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
    has_word: bool
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
        sentence, passage = self._encode(texts)
        after = 0
        for contents in fresh:
            own = slice(after, after := after + len(contents.raws))
            contents.sentence = sentence[own]
            contents.passage = None if passage is None else passage[own]
        return results

    def _encode(self, texts: Sequence[str]) -> tuple[Vectors, Vectors | None]:
        """Encode chunks by the sentence encoder and, where it is another model, the passage tower."""
        if len(set(models_of(self.encoders).values())) == 1:
            return round_as_stored(self.encoders.encode("sentence", texts)), None
        sentence, passage = encode_as(self.encoders, ("sentence", "passage"), texts)
        return round_as_stored(sentence), passage

    def _read(self, source: Source, known: str | None) -> Prepared | Unreadable:
        """Read a judgment; its vectors are left empty."""
        if isinstance(source, Document):
            document = source
        else:
            try:
                document = source.read()
            except InputError as error:
                return source.path, error
        digest, text = _digest(document, self.recipe), document.text
        contents = None
        if digest != known:
            chunks = chunk_text(
                text, self.encoders.counts, self.chunk_pieces, label_sections, document.pages
            )
            contents = CaseContents(
                digest,
                asdict(read_metadata(document)),
                np.asarray(list(map(_table_row, chunks)), dtype=np.int64).reshape(-1, len(FIELDS)),
                [chunk.text.encode() for chunk in chunks],
                np.zeros((0, 0), dtype=np.float32),
            )
        return Prepared(document.doc_id, has_word(text), contents)


def _table_row(chunk: Chunk) -> list[int]:
    section = SECTIONS.index(chunk.section)
    return [0, chunk.number, chunk.start, chunk.end, section, chunk.page, chunk.paragraph, 0, 0]


def _digest(document: Document, recipe: str) -> str:
    known = [document.title, document.text, dict(document.metadata), list(document.pages), recipe]
    content = json.dumps(known, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:24]


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
    recipe = recipe_of(encoders, chunk_pieces)
    work = Preparation(workers.open_encoders, chunk_pieces, recipe)
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
