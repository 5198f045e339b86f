"""A corpus in memory: the same chunks, vectors and order as an index, without a folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import numpy as np

from countercase.corpus.documents import Document
from countercase.corpus.index.chunking import chunk_text
from countercase.corpus.index.contents import FIELDS, CorpusContents, case_vectors, table_row
from countercase.corpus.index.preparation import chunk_vectors, models_of
from countercase.corpus.index.snapshot import Snapshot, manifest_of
from countercase.corpus.index.store import as_stored
from countercase.corpus.judgment.metadata import read_metadata
from countercase.corpus.judgment.sections import label_sections
from countercase.corpus.readers.base import filled_text, identifier
from countercase.encoders.base import Encoders
from countercase.errors import CorpusIndexError, InputError
from countercase.io import Progress


def index_in_memory(
    documents: Iterable[Document],
    encoders: Encoders,
    chunk_pieces: int = 200,
    progress: Progress | None = None,
) -> Snapshot:
    """A snapshot of documents; it ranks as an index of the same documents does.

    Raises:
        InputError: a document has no text, or an id is used twice.
        CorpusIndexError: there is no document.
    """
    by_id: dict[str, Document] = {}
    for document in documents:
        where = f"document {len(by_id) + 1}"
        identifier(document.doc_id, "id", where)
        filled_text(document.text, "text", f"{where} ({document.doc_id})")
        if document.doc_id in by_id:
            raise InputError(f"{where}: the id {document.doc_id!r} is used twice")
        by_id[document.doc_id] = document
    if not by_id:
        raise CorpusIndexError("there is no document to index")
    ordered = [by_id[case_id] for case_id in sorted(by_id)]
    table: list[list[int]] = []
    texts: list[str] = []
    for case, document in enumerate(ordered):
        if progress is not None:
            progress("splitting", case, len(ordered))
        for chunk in chunk_text(
            document.text, encoders.counts, chunk_pieces, label_sections, document.pages
        ):
            table.append(table_row(case, asdict(chunk)))
            texts.append(chunk.text)
    models = models_of(encoders)
    vectors, passage = chunk_vectors(encoders, texts, progress)
    sentence = as_stored(vectors)
    array = np.asarray(table, dtype=np.int64).reshape(-1, len(FIELDS))
    contents = CorpusContents(
        case_ids=[document.doc_id for document in ordered],
        rows=[asdict(read_metadata(document)) for document in ordered],
        table=array,
        raws=[text.encode() for text in texts],
        sentence=sentence,
        passage=passage,
        case_vectors=case_vectors(sentence, array[:, 0], len(ordered)),
    )
    return Snapshot(contents, manifest_of(contents, "memory", chunk_pieces, models))
