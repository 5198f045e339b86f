"""The store: chunks, their vectors and their judgments in Chroma collections.

Three collections hold one corpus: `chunks` (text, sentence vectors, where each chunk stands),
`passages` (DPR passage vectors, only where that tower has weights of its own) and `cases` (one
entry a judgment, written after all its chunks, so that it marks the judgment as complete).
Vectors are always ours; Chroma never embeds and never fetches a model.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import uuid
from collections.abc import Iterator, Mapping, Sequence, Sized
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.chroma_calls import ChromaCallError, chroma_failures, connect
from countercase.errors import InputError, StoreError
from countercase.io import make_folder

Vectors = NDArray[np.float32]
Row: TypeAlias = Mapping[str, str | int | float | bool]

MAX_BATCH: Final = 5_000
"""Entries a call; Chroma takes at most 5,461."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,40}[a-z0-9]")


def check_name(corpus: str) -> str:
    """`corpus`, if it can name a corpus.

    Raises:
        InputError: it is not 2 to 42 of a-z, 0-9, '.', '_' and '-'.
    """
    if not _NAME.fullmatch(corpus):
        raise InputError(
            f"--corpus {corpus!r}: use 2 to 42 of a-z, 0-9, '.', '_', '-', ends a letter or digit"
        )
    return corpus


def chunk_id(case_id: str, number: int) -> str:
    """The id of a chunk."""
    return f"{case_id}#{number:05d}"


def case_of(chunk: str) -> str:
    """The id of the case of a chunk, from the chunk's own."""
    return chunk.rsplit("#", 1)[0]


def open_client(folder: Path, host: str | None = None) -> Any:
    """A Chroma client: embedded in `folder`, or of the server at `host` (`name:port` or a URL).

    Raises:
        StoreError: the folder cannot be used, its database is damaged, or the server does not
            answer.
    """
    if host is not None:
        try:
            return connect(host)
        except ChromaCallError as error:
            raise StoreError(
                f"--chroma-host {host}: no Chroma server answers there as it should ({error}); "
                "start one of this version with: chroma run --host 127.0.0.1 --path DIR"
            ) from error
    import chromadb
    from chromadb.config import Settings

    make_folder(folder)
    _check_database(folder)
    try:
        with chroma_failures():
            return chromadb.PersistentClient(
                path=str(folder), settings=Settings(anonymized_telemetry=False)
            )
    except ChromaCallError as error:
        raise StoreError(
            f"{folder}: Chroma cannot open it ({error}); free some space, or "
            f"{_afresh(folder.parent.name)}"
        ) from error


def as_stored(vectors: Vectors) -> Vectors:
    """Vectors as the store gives them back, shape of `vectors`.

    Chroma takes unit vectors to unit length once more, with a rounding of its own that may change
    the last bit. The copies pass through a collection in memory, so that a corpus in memory ranks
    to the bit as its index does.
    """
    import chromadb
    from chromadb.config import Settings

    client = chromadb.EphemeralClient(settings=Settings(anonymized_telemetry=False))
    name = f"rounding-{uuid.uuid4().hex}"
    graph = {"space": "cosine", "ef_construction": 1, "max_neighbors": 2}  # nothing is searched
    rows: list[Vectors] = []
    for part in _parts(vectors):
        collection = client.create_collection(
            name, embedding_function=None, configuration=cast("Any", {"hnsw": graph})
        )
        block = vectors[part]
        ids = [str(at) for at in range(len(block))]
        collection.add(ids=ids, embeddings=block)
        page = collection.get(include=["embeddings"])
        place = {name: at for at, name in enumerate(page["ids"])}
        stored = np.asarray(page["embeddings"], dtype=np.float32)
        rows.append(stored[[place[name] for name in ids]])
        client.delete_collection(name)
    return np.concatenate(rows) if rows else vectors


def delete_store(folder: Path, corpus: str, host: str | None = None) -> None:
    """Delete the collections of a corpus: the embedded store's folder, or those on a server.

    Raises:
        StoreError: the server or the disk fails.
    """
    from chromadb.api.shared_system_client import SharedSystemClient

    if host is not None:
        CorpusStore(open_client(folder, host), corpus, passages=True).drop()
    # A client of this process that is still cached would write to the deleted files.
    SharedSystemClient.clear_system_cache()
    try:
        shutil.rmtree(folder, ignore_errors=not folder.exists())
    except OSError as error:
        raise StoreError(f"{folder}: cannot be removed ({error.strerror})") from error


class CorpusStore:
    """The collections of one corpus; with `passages`, DPR vectors beside the sentence vectors."""

    def __init__(self, client: Any, corpus: str, passages: bool) -> None:
        self._client, self.corpus = client, check_name(corpus)
        self.chunks = self._collection("chunks")
        self.cases = self._collection("cases")
        self.passages = self._collection("passages") if passages else None

    def _collection(self, kind: str) -> Any:
        # DPR compares by inner product; the other vectors have unit length.
        space = "ip" if kind == "passages" else "cosine"
        return self._call(
            self._client.get_or_create_collection,
            name=f"{self.corpus}.{kind}",
            embedding_function=None,
            configuration={"hnsw": {"space": space}},
        )

    def add_chunks(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        rows: Sequence[Row],
        vectors: Vectors,
        passages: Vectors | None,
    ) -> None:
        """Write chunks, replacing those that an interrupted run left."""
        for part in _parts(ids):
            self._call(
                self.chunks.upsert,
                ids=list(ids[part]),
                documents=list(texts[part]),
                metadatas=[dict(row) for row in rows[part]],
                embeddings=vectors[part],
            )
            if self.passages is not None and passages is not None:
                self._call(self.passages.upsert, ids=list(ids[part]), embeddings=passages[part])

    def add_cases(self, ids: Sequence[str], rows: Sequence[Row], vectors: Vectors) -> None:
        """Mark judgments as complete, with their metadata."""
        for part in _parts(ids):
            self._call(
                self.cases.upsert,
                ids=list(ids[part]),
                metadatas=[dict(row) for row in rows[part]],
                embeddings=vectors[part],
            )

    def complete_cases(self) -> dict[str, Row]:
        """The metadata of every complete judgment, by id."""
        return {
            case_id: row
            for page in self._pages(self.cases, ["metadatas"])
            for case_id, row in zip(page["ids"], page["metadatas"], strict=True)
        }

    def chunk_ids(self) -> list[str]:
        """The ids of all chunks that are stored."""
        return [chunk_id for page in self._pages(self.chunks, []) for chunk_id in page["ids"]]

    def chunk_pages(self) -> Iterator[dict[str, Any]]:
        """All chunks, page by page: `ids`, `documents`, `metadatas`, `embeddings`."""
        return self._pages(self.chunks, ["documents", "metadatas", "embeddings"])

    def entries(self, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Pages of these chunks as `chunk_pages` has them, and of their passage vectors."""
        for part in _parts(ids):
            named, include = list(ids[part]), ["documents", "metadatas", "embeddings"]
            yield self._call(self.chunks.get, ids=named, include=include)
            if self.passages is not None:
                yield self._call(self.passages.get, ids=named, include=["embeddings"])

    def passage_pages(self) -> Iterator[dict[str, Any]]:
        """All DPR passage vectors, page by page: `ids`, `embeddings`."""
        if self.passages is None:
            return iter(())
        return self._pages(self.passages, ["embeddings"])

    def delete_cases(self, case_ids: Sequence[str]) -> None:
        """Take judgments out, with their chunks; the mark goes first."""
        for part in _parts(case_ids, 500):
            named = list(case_ids[part])
            self._call(self.cases.delete, ids=named)
            chunks = self._call(self.chunks.get, where={"case_id": {"$in": named}}, include=[])
            self.delete_chunks(chunks["ids"])

    def delete_chunks(self, ids: Sequence[str]) -> None:
        """Take chunks out by id."""
        for part, collection in product(_parts(ids), (self.chunks, self.passages)):
            if collection is not None:
                self._call(collection.delete, ids=list(ids[part]))

    def drop(self) -> None:
        """Delete the collections."""
        for collection in (self.cases, self.chunks, self.passages):
            if collection is not None:
                self._call(self._client.delete_collection, name=collection.name)

    def _pages(self, collection: Any, include: list[str]) -> Iterator[dict[str, Any]]:
        offset = 0
        while True:
            page = self._call(collection.get, limit=MAX_BATCH, offset=offset, include=include)
            if not page["ids"]:
                return
            yield page
            offset += len(page["ids"])

    def _call(self, function: Any, **arguments: Any) -> Any:
        try:
            with chroma_failures():
                return function(**arguments)
        except ChromaCallError as error:
            raise StoreError(
                f"corpus {self.corpus}: Chroma failed ({error}); free disk space or check "
                "the server, then run `countercase index` again: it goes on where it stopped; if "
                f"its files are damaged, {_afresh(self.corpus)}"
            ) from error


def _parts(items: Sized, size: int = MAX_BATCH) -> list[slice]:
    return [slice(start, start + size) for start in range(0, len(items), size)]


def _check_database(folder: Path) -> None:
    """Refuse a damaged database: on some of them Chroma ends the whole process.

    It is opened to be written, since only then SQLite takes back a change that was killed half way.
    """
    path = folder / "chroma.sqlite3"
    if not path.is_file():
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as database:
            [[found]] = database.execute("PRAGMA quick_check(1)").fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:  # its message may be damaged too
        found = str(error)
    if found != "ok":
        raise StoreError(
            f"{path}: damaged ({' '.join(found.split())}); {_afresh(folder.parent.name)}"
        )


def _afresh(corpus: str) -> str:
    return f"run `countercase corpus remove {corpus}` and index it again"
