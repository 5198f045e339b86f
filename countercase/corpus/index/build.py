"""Build an index: documents in, chunks and vectors in Chroma, a snapshot to search.

A judgment is skipped when its text, its metadata and the models are those of the last run. A run
may stop at any moment; the next one goes on after the last complete judgment.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from countercase.corpus.casebook.records import CASEBOOK
from countercase.corpus.documents import Document
from countercase.corpus.index.chunking import Chunk, chunk_text
from countercase.corpus.index.contents import case_vectors
from countercase.corpus.index.kept import keep
from countercase.corpus.index.snapshot import (
    MANIFEST,
    Snapshot,
    opening,
    read_manifest,
    write_snapshot,
)
from countercase.corpus.index.store import (
    CorpusStore,
    Row,
    case_of,
    check_name,
    chunk_id,
    open_client,
)
from countercase.corpus.index.stored import StoreWriter
from countercase.corpus.judgment.metadata import Metadata, read_metadata
from countercase.corpus.judgment.sections import label_sections
from countercase.corpus.readers.detect import count_documents, read_corpus
from countercase.encoders.base import Encoders
from countercase.errors import CorpusIndexError, DamagedStoreError, InputError
from countercase.io import Progress, cache_root
from countercase.locks import locked

BLOCK_CHUNKS = 512
"""Chunks encoded and written together."""


@dataclass(frozen=True)
class IndexReport:
    """What one run did.

    Attributes:
        damaged: files of the folder that could not be read and were skipped, each with why.
    """

    corpus: str
    added: int
    changed: int
    unchanged: int
    removed: int
    chunks: int
    cases: int
    checksum: str
    damaged: tuple[tuple[str, str], ...] = ()


@dataclass
class _Block:
    documents: list[tuple[Document, Metadata, str]] = field(default_factory=list)
    chunks: list[list[Chunk]] = field(default_factory=list)

    @property
    def size(self) -> int:
        return sum(len(chunks) for chunks in self.chunks)


def index_folder(corpus: str) -> Path:
    """Where the index of a corpus lies."""
    return cache_root() / "indexes" / check_name(corpus)


def models_of(encoders: Encoders) -> dict[str, str]:
    """Fingerprints of the encoders whose vectors an index holds."""
    return {
        "sentence": encoders.fingerprint("sentence"),
        "passage": encoders.fingerprint("passage"),
    }


def open_index(corpus: str, encoders: Encoders, chunk_pieces: int) -> Snapshot:
    """A finished index, if it was built with these models.

    Raises:
        CorpusIndexError: unknown corpus, unfinished, or built with other models.
        DamagedIndexError: one of its files is not as it was written.
    """
    folder = index_folder(corpus) / "snapshot"
    with opening(corpus):
        if not (folder / MANIFEST).is_file():
            known = ", ".join(known_corpora()) or "none yet"
            raise CorpusIndexError(
                f"corpus {corpus!r} has no finished index (known: {known}); "
                f"make one with `countercase index PATH --corpus {corpus}`"
            )
        manifest = read_manifest(folder)
        if manifest.models != models_of(encoders) or manifest.chunk_pieces != chunk_pieces:
            raise CorpusIndexError(
                f"corpus {corpus!r} was indexed with other models or chunk sizes; "
                f"run `countercase index PATH --corpus {corpus}` again with these"
            )
        return Snapshot(folder)


def known_corpora() -> list[str]:
    """Names of the corpora that have a finished index here."""
    root = cache_root() / "indexes"
    if not root.is_dir():
        return []
    return sorted(path.parent.parent.name for path in root.glob("*/snapshot/manifest.json"))


def index_corpus(
    path: Path | str,
    corpus: str,
    encoders: Encoders,
    *,
    chunk_pieces: int = 200,
    chroma_host: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> IndexReport:
    """Bring the index of `corpus` to the state of the judgments at `path`.

    A damaged file of a folder is skipped and listed on the report.

    Args:
        path: see `countercase.corpus.readers.detect.read_corpus`.
        corpus: its name; not `casebook`, which is the corpus that ships.
        chunk_pieces: word pieces of a chunk, about.
        chroma_host: a Chroma server, `name:port` or a URL; by default the index is embedded.
        strict: whether a damaged file ends the run instead.

    Raises:
        InputError: the corpus cannot be read, or its name cannot be used.
        StoreError: Chroma or the disk fails; what was written is taken up by the next run.
    """
    if check_name(corpus) == CASEBOOK:
        raise InputError(f"corpus {corpus!r} is the one that ships; choose another name")
    path = Path(path)
    damaged: list[tuple[str, str]] = []
    documents = read_corpus(
        path,
        None if strict else lambda file, error: damaged.append((str(file), str(error))),
    )
    total = count_documents(path)
    _, report = build_index(documents, corpus, encoders, chunk_pieces, total, chroma_host, progress)
    return replace(report, damaged=tuple(damaged))


def build_index(
    documents: Iterable[Document],
    corpus: str,
    encoders: Encoders,
    chunk_pieces: int,
    total: int | None = None,
    host: str | None = None,
    progress: Progress | None = None,
) -> tuple[Snapshot, IndexReport]:
    """Bring the index of `corpus` to the state of `documents`; one run at a time does so.

    Raises:
        StoreError: Chroma or the disk fails; what was written stays and is taken up again.
        InputError: from the reader, for a document that cannot be read.
    """
    with changing(corpus, progress):
        return _build(documents, corpus, encoders, chunk_pieces, total, host, progress)


def changing(corpus: str, progress: Progress | None = None) -> AbstractContextManager[None]:
    """Held while a corpus is indexed or removed."""
    waiting = f"waiting: corpus {corpus} is being indexed by another run"
    return locked(f"index-{check_name(corpus)}", waiting, progress)


def _build(
    documents: Iterable[Document],
    corpus: str,
    encoders: Encoders,
    chunk_pieces: int,
    total: int | None,
    host: str | None,
    progress: Progress | None,
) -> tuple[Snapshot, IndexReport]:
    folder = index_folder(corpus)
    models = models_of(encoders)
    separate = models["passage"] != models["sentence"]
    store = CorpusStore(open_client(folder / "chroma", host), corpus, separate)
    marks = store.complete_cases()
    _sweep(store, set(marks))
    recipe = json.dumps([models, chunk_pieces, CONTENT_VERSION])
    block = _Block()
    seen: set[str] = set()
    counts = {"added": 0, "changed": 0, "unchanged": 0}
    writer = StoreWriter(store)
    for document in documents:
        seen.add(document.doc_id)
        digest = _digest(document, recipe)
        mark = marks.get(document.doc_id)
        if mark is not None and mark.get("digest") == digest:
            counts["unchanged"] += 1
        else:
            counts["added" if mark is None else "changed"] += 1
            if mark is not None:
                store.delete_cases([document.doc_id])
            chunks = chunk_text(
                document.text, encoders.counts, chunk_pieces, label_sections, document.pages
            )
            block.documents.append((document, read_metadata(document), digest))
            block.chunks.append(chunks)
        if block.size >= BLOCK_CHUNKS:
            _encode(writer, block, encoders, separate)
            block = _Block()
        if progress is not None:
            progress("indexing", len(seen), total or 0)
    _encode(writer, block, encoders, separate)
    writer.wait()
    gone = sorted(set(marks) - seen)
    store.delete_cases(gone)
    snapshot = _snapshot(
        store, folder / "snapshot", corpus, chunk_pieces, encoders, marks, counts, gone, progress
    )
    manifest = snapshot.manifest
    report = IndexReport(
        corpus=corpus,
        removed=len(gone),
        chunks=manifest.chunks,
        cases=manifest.cases,
        checksum=manifest.checksum,
        added=counts["added"],
        changed=counts["changed"],
        unchanged=counts["unchanged"],
    )
    return snapshot, report


CONTENT_VERSION = 3
"""Counts the ways of cutting, labelling and reading metadata; a new one indexes anew."""


def _snapshot(
    store: CorpusStore,
    folder: Path,
    corpus: str,
    chunk_pieces: int,
    encoders: Encoders,
    marks: dict[str, Row],
    counts: dict[str, int],
    gone: Sequence[str],
    progress: Progress | None,
) -> Snapshot:
    """The snapshot as it is where nothing changed since it was written, else a new one."""
    models = models_of(encoders)
    if not (counts["added"] or counts["changed"] or gone):
        try:
            snapshot = Snapshot(folder)
        except CorpusIndexError:
            snapshot = None  # there is none, or a damaged one: it is written anew
        if (
            snapshot is not None
            and snapshot.manifest.models == models
            and snapshot.manifest.chunk_pieces == chunk_pieces
            and snapshot.manifest.cases == len(marks)
        ):
            return snapshot
    also = partial(keep, encoders=encoders, progress=progress)
    try:
        return write_snapshot(store, folder, corpus, chunk_pieces, models, also)
    except DamagedStoreError as error:
        store.delete_cases(error.case_ids)  # the next run adds them anew
        raise


def _encode(writer: StoreWriter, block: _Block, encoders: Encoders, separate: bool) -> None:
    if not block.documents:
        return
    texts = [chunk.text for chunks in block.chunks for chunk in chunks]
    owners = [at for at, chunks in enumerate(block.chunks) for _ in chunks]
    ids, rows = [], []
    for (document, metadata, _), chunks in zip(block.documents, block.chunks, strict=True):
        for chunk in chunks:
            ids.append(chunk_id(document.doc_id, chunk.number))
            rows.append(_row(document, metadata, chunk))
    vectors = encoders.encode("sentence", texts)
    passages = encoders.encode("passage", texts) if separate else None
    means = case_vectors(vectors, np.asarray(owners, dtype=np.int64), len(block.documents))
    marks: list[Row] = [
        {
            "digest": digest,
            "title": metadata.title,
            "year": metadata.year or 0,
            "metadata": json.dumps(asdict(metadata), ensure_ascii=False),
        }
        for _, metadata, digest in block.documents
    ]
    writer.write(
        {"ids": ids, "texts": texts, "rows": rows, "vectors": vectors, "passages": passages},
        {
            "ids": [document.doc_id for document, _, _ in block.documents],
            "rows": marks,
            "vectors": means,
        },
    )


def _row(document: Document, metadata: Metadata, chunk: Chunk) -> Row:
    return {
        "case_id": document.doc_id,
        "number": chunk.number,
        "start": chunk.start,
        "end": chunk.end,
        "section": chunk.section,
        "page": chunk.page,
        "paragraph": chunk.paragraph,
        "year": metadata.year or 0,
        "court": metadata.court,
    }


def _sweep(store: CorpusStore, complete: set[str]) -> None:
    """Take out chunks that an interrupted run left without their judgment's mark."""
    stray = [name for name in store.chunk_ids() if case_of(name) not in complete]
    store.delete_chunks(stray)


def _digest(document: Document, recipe: str) -> str:
    content = json.dumps(
        [document.title, document.text, dict(document.metadata), list(document.pages), recipe],
        ensure_ascii=False,
        sort_keys=True,
    )
    return hashlib.sha256(content.encode()).hexdigest()[:24]
