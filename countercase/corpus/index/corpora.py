"""The corpora that are indexed on this machine: list them, remove one."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from countercase.corpus.index.build import changing, index_folder, known_corpora
from countercase.corpus.index.contents import contents_of
from countercase.corpus.index.snapshot import Manifest, check_files, read_manifest
from countercase.corpus.index.store import CorpusStore, delete_store, open_client
from countercase.errors import CorpusIndexError, StoreError


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


def list_corpora() -> tuple[CorpusInfo, ...]:
    """All corpora with a finished index, by name."""
    return tuple(_info(name) for name in known_corpora())


def remove_corpus(name: str, chroma_host: str | None = None) -> None:
    """Remove a corpus with its index; the documents that it was made of stay where they are.

    Raises:
        CorpusIndexError: there is no such corpus.
        StoreError: Chroma fails, or the folder cannot be removed.
    """
    folder = index_folder(name)
    if not folder.is_dir():
        known = ", ".join(known_corpora()) or "none yet"
        raise CorpusIndexError(f"no corpus {name!r} is indexed here (known: {known})")
    with changing(name):
        delete_store(folder / "chroma", name, chroma_host)
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise StoreError(f"{folder}: cannot be removed ({error.strerror})") from error


def check_corpus(name: str, deep: bool = False) -> Manifest:
    """Return the manifest of an index; if `deep`, read every byte of snapshot and embedded store.

    Raises:
        CorpusIndexError: there is no finished index.
        DamagedIndexError: a file of the snapshot is not as it was written.
        StoreError: the store is damaged or cannot be read.
    """
    folder = index_folder(name)
    manifest = read_manifest(folder / "snapshot")
    if deep:
        check_files(folder / "snapshot", manifest, deep=True)
        if (folder / "chroma").is_dir():
            with changing(name):
                separate = manifest.models["passage"] != manifest.models["sentence"]
                contents_of(CorpusStore(open_client(folder / "chroma"), name, separate))
    return manifest


def _info(name: str) -> CorpusInfo:
    folder = index_folder(name)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    try:
        manifest = read_manifest(folder / "snapshot")
    except CorpusIndexError as error:
        return CorpusInfo(name, 0, 0, {}, "", size, str(error))
    return CorpusInfo(
        name, manifest.cases, manifest.chunks, manifest.models, manifest.checksum, size
    )
