"""Build an index: documents in, chunks and vectors in Chroma, a snapshot to search.

A judgment is skipped when its text, its metadata and the models are those of the last run. A run
may stop at any moment; the next one goes on after the last complete judgment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, replace
from pathlib import Path

from countercase.corpus.casebook.records import RECORDS
from countercase.corpus.index import preparation
from countercase.corpus.index.contents import CorpusContents
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
    open_client,
)
from countercase.corpus.index.stored import StoreWriter
from countercase.corpus.readers.base import OnDamaged
from countercase.corpus.readers.detect import Source, Whole, count_documents, read_sources
from countercase.encoders.base import Encoders
from countercase.engines.engine import PLAIN
from countercase.engines.work import Failed
from countercase.errors import CorpusIndexError, DamagedStoreError, InputError, StoreError
from countercase.io import Progress, cache_root
from countercase.locks import locked

BLOCK_CHUNKS = 512
"""Chunks written together."""


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


def index_folder(corpus: str) -> Path:
    """Where the index of a corpus lies."""
    return cache_root() / "indexes" / check_name(corpus)


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
        if (
            manifest.models != preparation.models_of(encoders)
            or manifest.chunk_pieces != chunk_pieces
        ):
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
    workers: preparation.Workers | None = None,
) -> IndexReport:
    """Bring the index of `corpus` to the state of the judgments at `path`.

    A damaged file of a folder is skipped and listed on the report.

    Args:
        path: see `countercase.corpus.readers.detect.read_corpus`.
        corpus: its name; not `casebook` or `private`, which are made of records.
        chunk_pieces: word pieces of a chunk, about.
        chroma_host: a Chroma server, `name:port` or a URL; by default the index is embedded.
        strict: whether a damaged file ends the run instead.
        workers: where judgments are read, cut and encoded; here by default. The index is the same.

    Raises:
        InputError: the corpus cannot be read, or its name cannot be used.
        ConfigError: Ray is not installed.
        StoreError: Chroma or the disk fails; what was written is taken up by the next run.
    """
    if check_name(corpus) in RECORDS:
        raise InputError(
            f"corpus {corpus!r} is made of the records of a casebook; choose another name"
        )
    path = Path(path)
    damaged: list[tuple[str, str]] = []

    def skip(file: Path, error: InputError) -> None:
        damaged.append((str(file), str(error)))

    on_damaged = None if strict else skip
    if workers is not None:
        path = path.absolute()  # a worker may have another working directory
    sources, total = read_sources(path, on_damaged), count_documents(path)
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
) -> tuple[Snapshot, IndexReport]:
    """Bring the index of `corpus` to the state of `documents`; one run at a time does so.

    Args:
        workers: where judgments are prepared; None: here.
        on_damaged: see `OnDamaged`; None to raise the error.
        whole: checks the documents as they come.

    Raises:
        StoreError: Chroma or the disk fails; what was written stays and is taken up again.
    """
    workers = workers or preparation.Workers(PLAIN, lambda: encoders)
    with changing(corpus, progress):
        folder = index_folder(corpus)
        separate = len(set(preparation.models_of(encoders).values())) > 1
        store = CorpusStore(open_client(folder / "chroma", host), corpus, separate)
        marks = store.complete_cases()
        # Chunks that an interrupted run left without their judgment's mark.
        store.delete_chunks([name for name in store.chunk_ids() if case_of(name) not in marks])
        block: list[tuple[preparation.Prepared, preparation.Content]] = []
        seen: set[str] = set()
        counts = {"added": 0, "changed": 0, "unchanged": 0}
        writer = StoreWriter(store)
        for judgment in _prepared(documents, marks, encoders, chunk_pieces, workers, on_damaged):
            seen.add(judgment.case_id)
            if whole is not None:
                whole.add(judgment.case_id, judgment.has_word)
            if judgment.content is None:
                counts["unchanged"] += 1
            else:
                known = judgment.case_id in marks
                counts["changed" if known else "added"] += 1
                if known:
                    store.delete_cases([judgment.case_id])
                block.append((judgment, judgment.content))
            if sum(len(content.chunks) for _, content in block) >= BLOCK_CHUNKS:
                writer.write(*preparation.entries(block))
                block = []
            if progress is not None:
                progress("indexing", len(seen), total or 0)
        if whole is not None:
            whole.end()
        if block:
            writer.write(*preparation.entries(block))
        writer.wait()
        gone = sorted(set(marks) - seen)
        store.delete_cases(gone)
        same = not (counts["added"] or counts["changed"] or gone)
        snapshot = _snapshot(
            store, folder / "snapshot", corpus, chunk_pieces, encoders, seen, same, progress
        )
        made, (added, changed, unchanged) = snapshot.manifest, counts.values()
        return snapshot, IndexReport(
            corpus, added, changed, unchanged, len(gone), made.chunks, made.cases, made.checksum
        )


def changing(corpus: str, progress: Progress | None = None) -> AbstractContextManager[None]:
    """Held while a corpus is indexed or removed."""
    waiting = f"waiting: corpus {corpus} is being indexed by another run"
    return locked(f"index-{check_name(corpus)}", waiting, progress)


def _prepared(
    sources: Iterable[Source],
    marks: dict[str, Row],
    encoders: Encoders,
    chunk_pieces: int,
    workers: preparation.Workers,
    on_damaged: OnDamaged | None,
) -> Iterator[preparation.Prepared]:
    """The judgments in their order, each as soon as it and those before it are ready."""
    work = preparation.Preparation(
        workers.open_encoders, chunk_pieces, preparation.recipe_of(encoders, chunk_pieces)
    )
    digests = {case_id: str(mark.get("digest")) for case_id, mark in marks.items()}
    with closing(workers.engine.map(work, preparation.batches(sources, digests))) as results:
        for result in results:
            if isinstance(result, Failed):
                raise result.error
            for judgment in result:
                if isinstance(judgment, preparation.Prepared):
                    yield judgment
                elif on_damaged is None:
                    raise judgment.error
                else:
                    on_damaged(judgment.path, judgment.error)


def _snapshot(
    store: CorpusStore,
    folder: Path,
    corpus: str,
    chunk_pieces: int,
    encoders: Encoders,
    seen: set[str],
    same: bool,
    progress: Progress | None,
) -> Snapshot:
    """The snapshot as it is where nothing changed since it was written, else a new one."""
    models = preparation.models_of(encoders)
    if same:
        try:
            snapshot = Snapshot(folder)
        except CorpusIndexError:
            snapshot = None  # there is none, or a damaged one: it is written anew
        if (
            snapshot is not None
            and snapshot.manifest.models == models
            and snapshot.manifest.chunk_pieces == chunk_pieces
            and snapshot.manifest.cases == len(seen)
        ):
            return snapshot

    def also(staging: Path, contents: CorpusContents) -> None:
        if set(contents.case_ids) != seen:
            raise StoreError(
                f"corpus {corpus}: another program changed what Chroma holds of it meanwhile; "
                "let one alone index it, and run the same command again"
            )
        keep(staging, contents, encoders, progress)

    try:
        return write_snapshot(store, folder, corpus, chunk_pieces, models, also)
    except DamagedStoreError as error:
        store.delete_cases(error.case_ids)  # the next run adds them anew
        raise
