"""Build and open an index: documents in, a snapshot to search and its collections in Chroma out.

A judgment whose text, metadata and models are the same is taken over. A snapshot is whole or absent.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from countercase.corpus.casebook.records import CASEBOOK, RECORDS, casebook_digest, load_casebook
from countercase.corpus.documents import Document
from countercase.corpus.index import preparation
from countercase.corpus.index.chroma import Collections, delete_folder, open_client
from countercase.corpus.index.kept import keep
from countercase.corpus.index.snapshot import (
    MANIFEST,
    CaseContents,
    Manifest,
    Snapshot,
    check_files,
    check_name,
    opening,
    read_manifest,
    write_snapshot,
)
from countercase.corpus.readers.base import OnDamaged, filled_text, identifier
from countercase.corpus.readers.detect import Source, Whole, read_sources, reader_of
from countercase.encoders.base import Encoders
from countercase.errors import CorpusIndexError, DamagedIndexError, InputError, check_type
from countercase.integrity import DamageWarning
from countercase.io import Progress, cache_root, tell, write_files
from countercase.locks import locked

STAMP: Final = "records.sha256"
"""Beside a casebook's index: the checksum of the records that it was made from, and how."""


@dataclass(frozen=True)
class IndexReport:
    """What one run did; `damaged` are files that were skipped, each with why."""

    corpus: str
    added: int
    changed: int
    unchanged: int
    removed: int
    chunks: int
    cases: int
    checksum: str
    damaged: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CorpusInfo:
    """One indexed corpus, or with no checksum the `problem` for which it cannot be used."""

    name: str
    documents: int
    chunks: int
    models: dict[str, str]
    checksum: str
    size: int
    problem: str = ""


def index_folder(corpus: str) -> Path:
    """Return the folder in which the index of a corpus lies."""
    return cache_root() / "indexes" / check_name(corpus)


def open_index(corpus: str, encoders: Encoders, chunk_pieces: int) -> Snapshot:
    """Open a finished index; CorpusIndexError where there is none, it is damaged, or of other models."""
    folder = index_folder(corpus) / "snapshot"
    with opening(corpus):
        if not (folder / MANIFEST).is_file():
            raise CorpusIndexError(
                f"corpus {corpus!r} has no finished index {_known()}; "
                f"make one with `countercase index PATH --corpus {corpus}`"
            )
        manifest = read_manifest(folder)
        made_with = (manifest.models, manifest.chunk_pieces)
        if made_with != (preparation.models_of(encoders), chunk_pieces):
            raise CorpusIndexError(
                f"corpus {corpus!r} was indexed with other models or chunk sizes; "
                f"run `countercase index PATH --corpus {corpus}` again with these"
            )
        return Snapshot.open(folder)


def open_corpus(
    corpus: str,
    encoders: Encoders,
    chunk_pieces: int,
    chroma_host: str | None = None,
    progress: Progress | None = None,
) -> Snapshot:
    """Open an index, a casebook's made anew where it has to be; errors as of `open_session`."""
    if corpus not in RECORDS:
        return open_index(corpus, encoders, chunk_pieces)
    if not RECORDS[corpus]():
        raise CorpusIndexError(
            f"corpus {corpus!r} holds no decision yet; `countercase casebook add FILE` adds some"
        )
    version, stance = preparation.CONTENT_VERSION, encoders.fingerprint("stance")
    stamp = f"{casebook_digest(corpus)} {version} {stance}"
    stamped = index_folder(corpus) / STAMP
    name = "the casebook" if corpus == CASEBOOK else f"the corpus {corpus}"
    try:
        snapshot = open_index(corpus, encoders, chunk_pieces)
        if stamped.is_file() and stamped.read_bytes() == stamp.encode():
            return snapshot
    except DamagedIndexError as error:
        warnings.warn(str(error), DamageWarning, stacklevel=1)
    except CorpusIndexError:  # not indexed yet, or by other models
        if corpus in known_corpora():
            told = f"{name} has an index of other models or chunks; it is made anew, in minutes"
            warnings.warn(f"{told} (now {encoders.fingerprint('sentence')})", stacklevel=1)
    documents = load_casebook(corpus)
    made = build_index(
        documents, corpus, encoders, chunk_pieces, len(documents), chroma_host, progress,
        doing=f"indexing {name}",
    )  # fmt: skip
    write_files(index_folder(corpus), {STAMP: stamp})
    return made[0]


def known_corpora() -> list[str]:
    """Return the names of the corpora that have a finished index here."""
    finished = cache_root().glob("indexes/*/snapshot/manifest.json")
    return sorted(path.parent.parent.name for path in finished)


def _known() -> str:
    return f"(known: {', '.join(known_corpora()) or 'none yet'})"


def list_corpora() -> tuple[CorpusInfo, ...]:
    """List all corpora with a finished index, by name."""
    found = []
    for name in known_corpora():
        folder = index_folder(name)
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        try:
            it = read_manifest(folder / "snapshot")
            found.append(CorpusInfo(name, it.cases, it.chunks, it.models, it.checksum, size))
        except CorpusIndexError as error:
            found.append(CorpusInfo(name, 0, 0, {}, "", size, str(error)))
    return tuple(found)


def check_corpus(name: str, deep: bool = False) -> Manifest:
    """Return the manifest of an index, if `deep` every byte read; errors as of `open_index`."""
    manifest = read_manifest(folder := index_folder(name) / "snapshot")
    if deep:
        check_files(folder, manifest, deep=True)
    return manifest


def remove_corpus(name: str, chroma_host: str | None = None) -> None:
    """Remove a corpus with its index; the documents that it was made of stay where they are.

    CorpusIndexError where there is none, or it is damaged on a server; StoreError where that fails.
    """
    folder = index_folder(name)
    if not folder.is_dir():
        raise CorpusIndexError(f"no corpus {name!r} is indexed here {_known()}")
    with changing(name):
        if chroma_host is not None:
            Collections(Snapshot.open(folder / "snapshot"), open_client(None, chroma_host)).delete()
        delete_folder(folder)


def index_corpus(
    path: Path | str,
    corpus: str,
    encoders: Encoders,
    *,
    chunk_pieces: int = 200,
    chroma_host: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
    workers: preparation.Workers | None = None,
) -> IndexReport:
    """Bring the index of `corpus` to the state of the judgments at `path`; see `read_corpus`.

    A damaged file of a folder is skipped and listed on the report, or if `strict` ends the run. A
    chunk has about `chunk_pieces` word pieces. `chroma_host` is a Chroma server, `name:port` or a
    URL; without it Chroma is embedded. `workers` read, cut and encode judgments, by default here.

    InputError where the corpus cannot be read or is made of records; ConfigError where Ray is not
    installed; StoreError where Chroma or the disk fails.
    """
    if check_name(corpus) in RECORDS:
        raise InputError(
            f"corpus {corpus!r} is made of the records of a casebook; choose another name"
        )
    path = Path(path)
    damaged: list[tuple[str, str]] = []
    on_damaged = None if strict else lambda *told: damaged.append((str(told[0]), str(told[1])))
    if workers is not None:
        path = path.absolute()  # a worker may have another working directory
    sources, total = read_sources(path, on_damaged), reader_of(path).count(path)
    _, report = build_index(
        sources, corpus, encoders, chunk_pieces, total, chroma_host, progress,
        workers=workers, on_damaged=on_damaged, whole=Whole(path),
    )  # fmt: skip
    return replace(report, damaged=tuple(damaged))


def build_index(
    documents: Iterable[Source],
    corpus: str,
    encoders: Encoders,
    chunk_pieces: int,
    total: int | None = None,
    host: str | None = None,
    progress: Progress | None = None,
    *,
    workers: preparation.Workers | None = None,
    on_damaged: OnDamaged | None = None,
    whole: Whole | None = None,
    doing: str = "indexing",
) -> tuple[Snapshot, IndexReport]:
    """Bring the index of `corpus` to the state of `documents`; one run at a time does so.

    `whole` checks them as they come; without `on_damaged` (see `OnDamaged`) an error is raised.
    CorpusIndexError where there is no document; StoreError where Chroma or the disk fails.
    """
    with changing(corpus, progress):
        folder = index_folder(corpus)
        before: Snapshot | None = None
        with suppress(CorpusIndexError):  # damaged, or of another version
            before = Snapshot.open(folder / "snapshot")
        if before is None:
            delete_folder(folder / "chroma")  # of another version, or of a damaged index
        client = open_client(None, host) if host else None
        known = {} if before is None else dict(zip(before.case_ids, before.digests, strict=True))
        seen: set[str] = set()
        fresh: dict[str, CaseContents] = {}
        for judgment in preparation.prepare(
            documents, known, encoders, chunk_pieces, workers, on_damaged
        ):
            seen.add(judgment.case_id)
            if whole is not None:
                whole.add(judgment.case_id)
            if judgment.contents is not None:
                fresh[judgment.case_id] = judgment.contents
            tell(progress, doing, len(seen), total or 0)
        if whole is not None:
            whole.end()
        if before is not None and not fresh and known.keys() == seen:
            snapshot = before
        elif not seen:
            raise CorpusIndexError(f"corpus {corpus}: no judgment was indexed")
        else:
            kept = {} if before is None else before.contents_of(seen - fresh.keys())
            models = preparation.models_of(encoders)
            made = Snapshot.of(fresh | kept, corpus, chunk_pieces, models)
            also = partial(keep, made, encoders, progress)
            snapshot = write_snapshot(made, folder / "snapshot", also)
        client = client or open_client(folder / "chroma")  # a run that failed leaves no folder
        Collections(snapshot, client).fill(progress)
        if before is not None and before.manifest.checksum != snapshot.manifest.checksum:
            Collections(before, client).delete()
    holds, changed = snapshot.manifest, len(fresh.keys() & known.keys())
    return snapshot, IndexReport(
        corpus, len(fresh) - changed, changed, len(seen) - len(fresh), len(known.keys() - seen),
        holds.chunks, holds.cases, holds.checksum,
    )  # fmt: skip


def changing(corpus: str, progress: Progress | None = None) -> AbstractContextManager[None]:
    """Lock a corpus while it is indexed or removed."""
    waiting = f"waiting: corpus {corpus} is being indexed by another run"
    return locked(f"index-{check_name(corpus)}", waiting, progress)


def open_collections(snapshot: Snapshot, host: str | None = None) -> Collections:
    """Open the collections of an index, filled where they are not; StoreError where Chroma fails."""
    folder = None if snapshot.folder is None else snapshot.folder.with_name("chroma")
    collections = Collections(snapshot, open_client(folder, host))
    if not collections.is_whole:
        with changing(snapshot.manifest.corpus):
            collections.fill()
    return collections


def index_in_memory(
    documents: Iterable[Document],
    encoders: Encoders,
    chunk_pieces: int = 200,
    progress: Progress | None = None,
) -> Snapshot:
    """Make a snapshot of documents in memory, which ranks as their index; InputError where one is unfit."""
    checked: dict[str, Document] = {}
    for document in documents:
        where = f"document {len(checked) + 1}"
        check_type("from_documents", where, document, Document)
        doc_id = identifier(document.doc_id, "id", where)
        filled_text(document.text, "text", f"{where} ({doc_id})")
        check_type(where, "metadata", document.metadata, Mapping)
        if doc_id in checked:
            raise InputError(f"{where}: the id {doc_id!r} is used twice")
        checked[doc_id] = replace(document, doc_id=doc_id)
    if not checked:
        raise CorpusIndexError("there is no document to index")
    cases: dict[str, CaseContents] = {}
    for judgment in preparation.prepare(checked.values(), {}, encoders, chunk_pieces):
        assert judgment.contents is not None
        cases[judgment.case_id] = judgment.contents
        tell(progress, "indexing", len(cases), len(checked))
    return Snapshot.of(cases, "memory", chunk_pieces, preparation.models_of(encoders))
