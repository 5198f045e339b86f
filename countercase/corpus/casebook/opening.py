"""Open a corpus; a casebook is indexed where it is not, or not as its records are now."""

from __future__ import annotations

import warnings
from typing import Final

from countercase.corpus.casebook.records import (
    CASEBOOK,
    RECORDS,
    casebook_digest,
    load_casebook,
)
from countercase.corpus.index.build import build_index, index_folder, open_index
from countercase.corpus.index.preparation import CONTENT_VERSION
from countercase.corpus.index.snapshot import Snapshot
from countercase.encoders.base import Encoders
from countercase.errors import CorpusIndexError, DamagedIndexError
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
    """Open an index, a casebook's made anew where it has to be; errors as of `open_session`."""
    if corpus not in RECORDS:
        return open_index(corpus, encoders, chunk_pieces)
    if not RECORDS[corpus]():
        raise CorpusIndexError(
            f"corpus {corpus!r} holds no decision yet; `countercase casebook add FILE` adds some"
        )
    stamp = f"{casebook_digest(corpus)} {CONTENT_VERSION} {encoders.fingerprint('stance')}"
    stamped = index_folder(corpus) / STAMP
    try:
        snapshot = open_index(corpus, encoders, chunk_pieces)
        if stamped.is_file() and stamped.read_bytes() == stamp.encode():
            return snapshot
    except DamagedIndexError as error:
        warnings.warn(str(error), DamageWarning, stacklevel=1)
    except CorpusIndexError:
        pass  # not indexed yet, or by other models
    documents = load_casebook(corpus)
    name = "the casebook" if corpus == CASEBOOK else f"the corpus {corpus}"

    def tell(what: str, done: int, of: int) -> None:
        if progress is not None:
            progress(f"indexing {name}" if what == "indexing" else what, done, of)

    snapshot, _ = build_index(
        documents, corpus, encoders, chunk_pieces, len(documents), chroma_host, tell
    )
    write_files(index_folder(corpus), {STAMP: stamp})
    return snapshot
