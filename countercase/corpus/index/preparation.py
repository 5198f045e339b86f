"""Judgments made ready for an index: read, cut, labelled and encoded, apart from any store.

This is nearly all of the work of indexing, and each judgment's part depends on nothing but itself,
the models and the size of chunks. So it is done in batches, here or by workers of any engine, and
gives the same wherever that is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from countercase.corpus.documents import Document
from countercase.corpus.index.chunking import Chunk, chunk_text
from countercase.corpus.index.contents import case_vectors
from countercase.corpus.index.store import Row, chunk_id
from countercase.corpus.judgment.metadata import Metadata, read_metadata
from countercase.corpus.judgment.sections import label_sections
from countercase.corpus.readers.detect import Source, has_word
from countercase.corpus.readers.files import JudgmentFile
from countercase.encoders.base import Encoders, Vectors, encode_as
from countercase.engines.engine import Engine
from countercase.engines.work import Sendable
from countercase.errors import CorpusIndexError, InputError
from countercase.io import Progress

CONTENT_VERSION: Final = 4
"""Counts the ways of cutting, labelling and reading metadata; a new one indexes anew."""

BATCH_CHARACTERS: Final = 100_000
"""Characters given to a worker at once, about: some hundred chunks, a second or two of encoding."""

Batch: TypeAlias = Sequence[tuple[Source, str | None]]
"""Judgments, each with the digest that the index has of it; None where it has none."""


@dataclass(frozen=True)
class Workers:
    """Where judgments are prepared, and what opens the models there; it can be pickled."""

    engine: Engine
    open_encoders: Callable[[], Encoders]


@dataclass
class Content:
    """What an index holds of one judgment.

    Attributes:
        sentence, passage: vectors of the chunks, shape (chunks, width); no `passage` where the
            passage tower is the sentence encoder.
    """

    metadata: Metadata
    chunks: Sequence[Chunk]
    sentence: Vectors = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))
    passage: Vectors | None = None


@dataclass(frozen=True)
class Prepared:
    """One judgment; without content where the digest is the one that the index has."""

    case_id: str
    digest: str
    has_word: bool
    content: Content | None


@dataclass(frozen=True)
class Unreadable:
    """A file that cannot be read, and why."""

    path: Path
    error: InputError


def models_of(encoders: Encoders) -> dict[str, str]:
    """Fingerprints of the encoders whose vectors an index holds."""
    return {
        "sentence": encoders.fingerprint("sentence"),
        "passage": encoders.fingerprint("passage"),
    }


def chunk_vectors(
    encoders: Encoders, texts: Sequence[str], progress: Progress | None = None
) -> tuple[Vectors, Vectors | None]:
    """Vectors of chunks by the sentence encoder and, where it is another model, the passage tower."""
    if len(set(models_of(encoders).values())) == 1:
        return encoders.encode("sentence", texts, progress), None
    sentence, passage = encode_as(encoders, ("sentence", "passage"), texts, progress)
    return sentence, passage


def recipe_of(encoders: Encoders, chunk_pieces: int) -> str:
    """Names all that a prepared judgment depends on beside the judgment."""
    return json.dumps([models_of(encoders), chunk_pieces, CONTENT_VERSION])


def batches(sources: Iterable[Source], digests: Mapping[str, str]) -> Iterator[Batch]:
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
    """From a batch to what an index holds of its judgments; `recipe` as where it was given out."""

    open_encoders: Callable[[], Encoders]
    chunk_pieces: int
    recipe: str

    @cached_property
    def encoders(self) -> Encoders:
        """The models.

        Raises:
            CorpusIndexError: they are others than where the work was given out.
        """
        encoders = self.open_encoders()
        if recipe_of(encoders, self.chunk_pieces) != self.recipe:
            raise CorpusIndexError(
                "this worker has other models or another version of CounterCase than the machine "
                "that gave out the work; make them the same"
            )
        return encoders

    def __call__(self, batch: Batch) -> list[Prepared | Unreadable]:
        """Prepare a batch; a file that cannot be read is told in its place."""
        results = [self._read(source, known) for source, known in batch]
        cut = [one.content for one in results if isinstance(one, Prepared) and one.content]
        texts = [chunk.text for content in cut for chunk in content.chunks]
        sentence, passage = chunk_vectors(self.encoders, texts)
        after = 0
        for content in cut:
            own = slice(after, after := after + len(content.chunks))
            content.sentence = sentence[own]
            content.passage = None if passage is None else passage[own]
        return results

    def _read(self, source: Source, known: str | None) -> Prepared | Unreadable:
        """A judgment without its vectors."""
        if isinstance(source, Document):
            document = source
        else:
            try:
                document = source.read()
            except InputError as error:
                return Unreadable(source.path, error)
        digest, text, counts = _digest(document, self.recipe), document.text, self.encoders.counts
        content = None
        if digest != known:
            chunks = chunk_text(text, counts, self.chunk_pieces, label_sections, document.pages)
            content = Content(read_metadata(document), chunks)
        return Prepared(document.doc_id, digest, has_word(text), content)


def _digest(document: Document, recipe: str) -> str:
    content = json.dumps(
        [document.title, document.text, dict(document.metadata), list(document.pages), recipe],
        ensure_ascii=False,
        sort_keys=True,
    )
    return hashlib.sha256(content.encode()).hexdigest()[:24]


def entries(block: Sequence[tuple[Prepared, Content]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The chunks and the marks of some judgments, as `StoreWriter.write` takes them."""
    ids, texts, rows, owners = [], [], [], []
    marks: list[Row] = []
    for at, (judgment, content) in enumerate(block):
        metadata = content.metadata
        for chunk in content.chunks:
            ids.append(chunk_id(judgment.case_id, chunk.number))
            texts.append(chunk.text)
            rows.append(_row(judgment.case_id, metadata, chunk))
            owners.append(at)
        marks.append(
            {
                "digest": judgment.digest,
                "title": metadata.title,
                "year": metadata.year or 0,
                "metadata": json.dumps(asdict(metadata), ensure_ascii=False),
            }
        )
    vectors = np.concatenate([content.sentence for _, content in block])
    passages = [content.passage for _, content in block if content.passage is not None]
    means = case_vectors(vectors, np.asarray(owners, dtype=np.int64), len(block))
    chunks = {
        "ids": ids,
        "texts": texts,
        "rows": rows,
        "vectors": vectors,
        "passages": np.concatenate(passages) if passages else None,
    }
    names = [judgment.case_id for judgment, _ in block]
    return chunks, {"ids": names, "rows": marks, "vectors": means}


def _row(case_id: str, metadata: Metadata, chunk: Chunk) -> Row:
    return {
        "case_id": case_id,
        "number": chunk.number,
        "start": chunk.start,
        "end": chunk.end,
        "section": chunk.section,
        "page": chunk.page,
        "paragraph": chunk.paragraph,
        "year": metadata.year or 0,
        "court": metadata.court,
    }
