"""Open a corpus; a casebook is indexed where it is not, or not as its records are now."""

from __future__ import annotations

import warnings
from typing import Final

from countercase.corpus.casebook.records import CASEBOOK, RECORDS
from countercase.corpus.index.build import build_index, changing, index_folder, open_index
from countercase.corpus.index.preparation import CONTENT_VERSION
from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.index.store import delete_store
from countercase.encoders.base import Encoders
from countercase.errors import CorpusIndexError, DamagedIndexError, StoreError
from countercase.integrity import DamageWarning
from countercase.io import Progress, write_files

STAMP: Final = "records.sha256"
"""Beside a casebook's index: the checksum of the records that it was made from, and how."""


def open_corpus(
    corpus: str,
    encoders: Encoders,
    chunk_pieces: int,
    chroma_host: str | None = None,
    progress: Progress | None = None,
) -> Snapshot:
    """Open an index; a casebook is indexed where it is not, or not as its records are now.

    Raises:
        CorpusIndexError: as for `open_session`.
    """
    if corpus in RECORDS and not RECORDS[corpus]():
        raise CorpusIndexError(
            f"corpus {corpus!r} holds no decision yet; `countercase casebook add FILE` adds some"
        )
    try:
        snapshot = open_index(corpus, encoders, chunk_pieces)
        stale = corpus in RECORDS and not _casebook_is_current(snapshot)
    except CorpusIndexError as error:
        if corpus not in RECORDS:
            raise
        if isinstance(error, DamagedIndexError):
            warnings.warn(str(error), DamageWarning, stacklevel=1)
            # The disk that damaged the index may have damaged what it was made from.
            _discard_casebook(corpus, chroma_host)
        stale = True
    if stale:
        snapshot = _index_casebook(corpus, encoders, chunk_pieces, chroma_host, progress)
    return snapshot


def _casebook_is_current(snapshot: Snapshot) -> bool:
    """Whether the index was made from the records that there are."""
    corpus = snapshot.manifest.corpus
    path = index_folder(corpus) / STAMP
    return path.is_file() and path.read_bytes() == _casebook_stamp(corpus).encode()


def _casebook_stamp(corpus: str) -> str:
    from countercase.corpus.casebook import casebook_digest

    return f"{casebook_digest(corpus)} {CONTENT_VERSION}"


def _index_casebook(
    corpus: str,
    encoders: Encoders,
    chunk_pieces: int,
    chroma_host: str | None,
    progress: Progress | None,
) -> Snapshot:
    from countercase.corpus.casebook import load_casebook

    documents = load_casebook(corpus)
    name = "the casebook" if corpus == CASEBOOK else f"the corpus {corpus}"

    def tell(what: str, done: int, of: int) -> None:
        if progress is not None:
            progress(f"indexing {name}" if what == "indexing" else what, done, of)

    def build() -> Snapshot:
        of = len(documents)
        return build_index(documents, corpus, encoders, chunk_pieces, of, chroma_host, tell)[0]

    try:
        snapshot = build()
    except StoreError as error:
        if chroma_host is not None:
            raise
        # It is made of what ships with the package, so nothing is lost by starting afresh.
        warnings.warn(f"{error}; {name} is indexed anew", DamageWarning, stacklevel=1)
        _discard_casebook(corpus)
        snapshot = build()
    write_files(index_folder(corpus), {STAMP: _casebook_stamp(corpus)})
    return snapshot


def _discard_casebook(corpus: str, chroma_host: str | None = None) -> None:
    with changing(corpus):
        delete_store(index_folder(corpus) / "chroma", corpus, chroma_host)
