"""Chroma: the chunks of an index as collections, in which the dense stages may look up candidates.

Each matrix of vectors of a snapshot has a collection, with the metadata that filters ask for. It is
named after the checksum of its snapshot: so it never changes, it is whole when it holds as many entries
as there are chunks, and one that a stopped run left is gone on with. Chroma embeds nothing itself.
"""

from __future__ import annotations

import shutil
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias, cast
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Role, Vectors
from countercase.encoders.cache import database_problem
from countercase.errors import StoreError
from countercase.integrity import DamageWarning
from countercase.io import Progress, make_folder, tell

Where: TypeAlias = dict[str, Any] | None
"""Conditions on the metadata of chunks, as Chroma takes them; None: no condition."""

BATCH: Final = 5_000
"""Entries of a call; Chroma takes at most 5,461."""

SECONDS: Final = 120.0
"""Seconds after which a silent server counts as gone."""

_MAJOR: Final = "1"
"""Version of the server's interface that is spoken here, as `GET /api/v2/version` gives it."""

_GRAPH: Final = {"space": "ip", "ef_construction": 200, "ef_search": 400}


@contextmanager
def chroma_failures(what: str, advice: str) -> Iterator[None]:
    """Raise whatever goes wrong in Chroma as a `StoreError` of one line."""
    import httpx
    from chromadb.errors import ChromaError

    expected = (ChromaError, httpx.HTTPError, OSError, RuntimeError, LookupError, TypeError)
    try:
        yield
    except BaseException as error:  # a Rust panic is no Exception; its class cannot be imported
        panic = type(error).__name__ == "PanicException"
        # Chroma's client raises a bare Exception for what a server says in words unknown to it.
        bare = type(error) in (Exception, ValueError)
        if not (panic or bare or isinstance(error, expected)):
            raise
        text = " ".join(str(error).split()) or type(error).__name__
        short = text if len(text) <= 160 else text[:157] + "..."
        raise StoreError(f"{what} ({short}); {advice}") from error


def open_client(folder: Path | None, host: str | None = None) -> Any:
    """Open Chroma: the server at `host` (`name:port` or a URL), else in `folder`, else in memory.

    A damaged database in the folder is deleted with a `DamageWarning`; it is filled again from the
    index. StoreError where the folder cannot be used, or no Chroma of this version answers.
    """
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    if host is not None:
        return _connect(host, settings)
    if folder is None:
        return chromadb.EphemeralClient(settings=settings)
    path = folder / "chroma.sqlite3"
    # On some damage Chroma ends the whole process. The file is opened to be written: only then SQLite
    # takes back a change that was killed half way.
    if path.is_file() and (found := database_problem(path, "rw", "quick_check")):
        told = f"{path}: damaged ({' '.join(found.split())}); it is made anew from the index"
        warnings.warn(told, DamageWarning, stacklevel=2)
        delete_folder(folder)
    make_folder(folder)
    with chroma_failures(
        f"{folder}: Chroma cannot open it", "free some space or delete the folder: it is made anew"
    ):
        return chromadb.PersistentClient(path=str(folder), settings=settings)


def _connect(host: str, settings: Any) -> Any:
    import chromadb
    import httpx

    parts = urlsplit(host if "//" in host else f"http://{host}")
    with chroma_failures(
        f"--chroma-host {host}: no Chroma server answers there as it should",
        "start one of this version with: chroma run --host 127.0.0.1 --path DIR",
    ):
        name, port = parts.hostname or "127.0.0.1", parts.port or 8000
        secure = parts.scheme == "https"
        # Asked first, since a new client of Chroma waits for ever.
        shown = f"[{name}]" if ":" in name else name
        address = f"{'https' if secure else 'http'}://{shown}:{port}/api/v2/version"
        answer = httpx.get(address, timeout=SECONDS)
        version = answer.text.strip().strip('"')
        if answer.status_code != httpx.codes.OK or version.split(".")[0] != _MAJOR:
            said = version if answer.is_success else f"status {answer.status_code}"
            raise RuntimeError(f"it says {said!r} where version {_MAJOR} is needed")
        client = chromadb.HttpClient(name, port, secure, settings=settings)
        client._server._session.timeout = SECONDS  # it has no setting for this
        client.heartbeat()
        return client


def delete_folder(folder: Path) -> None:
    """Delete a folder in which an embedded Chroma may be open; StoreError where the disk fails."""
    if not folder.exists():
        return
    from chromadb.api.shared_system_client import SharedSystemClient

    # A client of this process that is still cached would write to the deleted files.
    SharedSystemClient.clear_system_cache()
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be removed ({error.strerror})") from error


class Collections:
    """The collections of one snapshot."""

    def __init__(self, snapshot: Snapshot, client: Any) -> None:
        self._snapshot, self._client = snapshot, client
        self._matrices: dict[Role, Vectors] = {"sentence": snapshot.sentence}
        if snapshot.passage is not snapshot.sentence:
            self._matrices["passage"] = snapshot.passage
        manifest = snapshot.manifest
        self._open: dict[Role, Any] = {
            role: self._call(
                client.get_or_create_collection, embedding_function=None,
                name=f"{manifest.corpus}.{role}.{manifest.checksum[:16]}",
                configuration={"hnsw": _GRAPH},
            )
            for role in self._matrices
        }  # fmt: skip

    @property
    def is_whole(self) -> bool:
        """Whether every chunk is in every collection."""
        size = len(self._snapshot.chunks)
        return all(self._call(collection.count) == size for collection in self._open.values())

    def fill(self, progress: Progress | None = None) -> None:
        """Add the chunks that are lacking; StoreError where it fails, and what was added stays."""
        size = len(self._snapshot.chunks)
        for role, collection in self._open.items():
            for start in range(self._call(collection.count), size, BATCH):
                chunks = range(start, min(start + BATCH, size))
                self._call(
                    collection.upsert,
                    ids=list(map(str, chunks)),
                    embeddings=np.asarray(self._matrices[role][start : start + BATCH]),
                    metadatas=list(map(self._metadata, chunks)),
                )
                tell(progress, f"filling Chroma ({role})", chunks.stop, size)

    def _metadata(self, chunk: int) -> dict[str, Any]:
        case = self._snapshot.field(chunk, "case")
        known, case_id = self._snapshot.metadata[case], self._snapshot.case_ids[case]
        stated = {"year": known.year, "court": known.court, "areas": list(known.areas)}
        values = {"case_id": case_id, "section": self._snapshot.section(chunk)}
        return values | {name: value for name, value in stated.items() if value}

    def nearest(
        self, role: Role, vectors: Vectors, where: Where, count: int
    ) -> list[NDArray[np.int64]]:
        """Return for each unit vector the positions of about the `count` nearest chunks, nearest first."""
        collection = self._open.get(role, self._open["sentence"])
        found = self._call(
            collection.query, query_embeddings=vectors, where=where, include=[],
            n_results=min(count, len(self._snapshot.chunks)),
        )  # fmt: skip
        return [np.asarray(ids, dtype=np.int64) for ids in found["ids"]]

    def delete(self) -> None:
        """Delete the collections."""
        for collection in self._open.values():
            self._call(self._client.delete_collection, name=collection.name)

    def _call(self, function: Any, **arguments: Any) -> Any:
        with chroma_failures(
            f"corpus {self._snapshot.manifest.corpus}: Chroma failed",
            "free disk space or check the server, then run the same command again: it goes on "
            "where it stopped",
        ):
            return function(**arguments)


def round_as_stored(vectors: Vectors) -> Vectors:
    """Return unit vectors as Chroma gives them back, shape of `vectors`.

    Chroma takes vectors to unit length once more, with a rounding of its own that may change the last
    bit. The vectors of every index have passed through it, and rankings rest on their last bits.
    """
    client = open_client(None)
    graph = {"space": "cosine", "ef_construction": 1, "max_neighbors": 2}  # nothing is searched
    stored = np.empty_like(vectors)
    for start in range(0, len(vectors), BATCH):
        block = vectors[start : start + BATCH]
        name = f"rounding-{uuid.uuid4().hex}"
        collection = client.create_collection(
            name, embedding_function=None, configuration=cast("Any", {"hnsw": graph})
        )
        collection.add(ids=[str(at) for at in range(len(block))], embeddings=block)
        page = collection.get(include=["embeddings"])
        stored[start + np.asarray(page["ids"], dtype=np.int64)] = page["embeddings"]
        client.delete_collection(name)
    return stored
