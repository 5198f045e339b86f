"""The snapshot: everything of a corpus that searching needs, in memory-mapped files or in memory.

The manifest holds the size and checksum of every other file of the folder, and of itself.
"""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from countercase.corpus.casebook.records import RECORDS
from countercase.corpus.index.contents import (
    FIELDS,
    SECTIONS,
    CaseContents,
    CorpusContents,
    Vectors,
)
from countercase.corpus.index.lexical import (
    CitingCases,
    Quotations,
    build_lexicon,
    load_lexicon,
    quotations_of,
)
from countercase.corpus.judgment.metadata import Metadata, points_in
from countercase.corpus.judgment.treatment import treatments_in
from countercase.encoders.base import Role
from countercase.errors import CorpusIndexError, DamagedIndexError, InputError, StoreError
from countercase.integrity import Checked, Sums, damage, seal, sums_of, unsealed
from countercase.locks import locked

VERSION: Final = 8
MANIFEST: Final = "manifest.json"
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,40}[a-z0-9]")


def check_name(corpus: str) -> str:
    """Return `corpus`, if it can name a corpus.

    Raises:
        InputError: it is not 2 to 42 of a-z, 0-9, '.', '_' and '-'.
    """
    if not _NAME.fullmatch(corpus):
        raise InputError(
            f"--corpus {corpus!r}: use 2 to 42 of a-z, 0-9, '.', '_', '-', ends a letter or digit"
        )
    return corpus


@dataclass(frozen=True)
class Manifest:
    """What a snapshot was made of; two with the same checksum rank alike.

    Args:
        models: fingerprint by role of the encoders whose vectors it holds.
        checksum: sha256 over ids, texts and vectors.
        files: size and checksum of every other file of the snapshot; none in memory.
    """

    corpus: str
    cases: int
    chunks: int
    chunk_pieces: int
    models: dict[str, str]
    checksum: str
    version: int = VERSION
    files: Sums = field(default_factory=dict)


class Snapshot:
    """A corpus ready to be searched: read from a folder, or held in memory.

    Args:
        contents: everything of a corpus; its vectors and texts may stay on disk.
        folder: of a finished snapshot, as `open` finds it; None in memory.

    Attributes:
        case_ids: ids of the judgments, sorted; all case arrays follow this order.
        chunks: int64, shape (chunks, fields), columns as in `FIELDS`.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1].
        sentence, passage: vectors of the chunks, shape (chunks, width).
        case_vectors: unit means of the cases' sentence vectors, shape (cases, width).
        digests: of each case; see `CaseContents`.
        lexicon, quotations, citing: the words of the judgments, the runs of words by which they are
            quoted, and which of them cite which provisions.
    """

    def __init__(
        self, contents: CorpusContents, manifest: Manifest, folder: Path | None = None
    ) -> None:
        self.folder, self.manifest, self._contents = folder, manifest, contents
        self.case_ids = tuple(contents.case_ids)
        self.metadata: tuple[Metadata, ...] = tuple(map(_metadata, contents.rows))
        self.chunks, self.sentence = contents.table, contents.sentence
        self.passage = contents.sentence if contents.passage is None else contents.passage
        self.case_vectors = contents.case_vectors
        self.starts, self.digests = contents.starts, contents.digests
        if folder is None:
            self.lexicon = build_lexicon(contents.case_texts())
            self.quotations = quotations_of(contents.case_texts())
            self.citing = CitingCases(contents.provision_terms())
        else:  # all files are opened now: the index may be written anew while this one is searched
            self.lexicon = load_lexicon(folder / "lexicon", len(self.case_ids))
            self.quotations = Quotations.load(folder / "quotations")
            self.citing = CitingCases.load(folder / "provisions.json")
            self._texts = np.memmap(folder / "texts.bin", dtype=np.uint8, mode="r")

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the finished snapshot in `folder`.

        Raises:
            CorpusIndexError: there is none, or another version of CounterCase wrote it.
            DamagedIndexError: one of its files is not as it was written.
        """
        manifest = read_manifest(folder)
        check_files(folder, manifest)
        return cls(_mapped(folder), manifest, folder)

    @cached_property
    def areas(self) -> dict[str, int]:
        """How many judgments each area of law has, by name; empty where none states one."""
        return dict(sorted(Counter(a for row in self.metadata for a in row.areas).items()))

    def vectors(self, role: Role) -> Vectors:
        """Return the vectors of the chunks that a model made, shape (chunks, width)."""
        return self.passage if role == "passage" else self.sentence

    def text(self, chunk: int) -> str:
        """Return the text of a chunk, by its position."""
        if self.folder is None:
            return self._contents.raws[chunk].decode()
        return bytes(self._texts[self.field(chunk, "at") : self.field(chunk, "after")]).decode()

    def field(self, chunk: int, name: str) -> int:
        """Return one number of a chunk: `case`, `number`, `start`, `end`, `page`, `paragraph`, ..."""
        return int(self.chunks[chunk, FIELDS.index(name)])

    def section(self, chunk: int) -> str:
        """Return the section in which a chunk stands."""
        return SECTIONS[self.field(chunk, "section")]

    def chunk_id(self, chunk: int) -> str:
        """Return `case id#number`."""
        return f"{self.case_ids[self.field(chunk, 'case')]}#{self.field(chunk, 'number'):05d}"

    def case_text(self, case: int) -> str:
        """Return the chunks of one case, joined: all its sentences."""
        return "\n".join(self.text(at) for at in range(self.starts[case], self.starts[case + 1]))

    def case_contents(self, case: int) -> CaseContents:
        """Return everything of one case, from which another snapshot can be made."""
        own = slice(self.starts[case], self.starts[case + 1])
        return CaseContents(
            self.digests[case],
            self._contents.rows[case],
            np.array(self.chunks[own]),
            [self.text(chunk).encode() for chunk in range(own.start, own.stop)],
            self.sentence[own],
            None if self.passage is self.sentence else self.passage[own],
        )


def _mapped(folder: Path) -> CorpusContents:
    """Return the contents of a finished snapshot, memory-mapped, without texts."""
    with (folder / "cases.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    passage = folder / "passage.npy"
    return CorpusContents(
        case_ids=[row.pop("case_id") for row in rows],
        digests=[row.pop("digest") for row in rows],
        rows=rows,
        table=np.load(folder / "chunks.npy", mmap_mode="r"),
        raws=[],
        sentence=np.load(folder / "sentence.npy", mmap_mode="r"),
        passage=np.load(passage, mmap_mode="r") if passage.exists() else None,
        case_vectors=np.load(folder / "case_vectors.npy"),
    )


def _metadata(row: dict[str, Any]) -> Metadata:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    read = {
        "treatment": treatments_in(list(row.get("treatment", ()))),
        "points": points_in(row.get("points")),
    }
    return Metadata(**values | read)


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a finished snapshot; its other files are not looked at.

    Raises:
        CorpusIndexError: there is none, or another version of CounterCase wrote it.
        DamagedIndexError: it is not as it was written.
    """
    path = folder / MANIFEST
    try:
        text = path.read_bytes()
    except FileNotFoundError as error:
        raise CorpusIndexError(
            f"{folder}: no finished index; make one with `countercase index PATH --corpus NAME`"
        ) from error
    except OSError as error:
        raise DamagedIndexError(
            f"{path}: cannot be read ({error.strerror}); {_mend(folder)}"
        ) from error
    try:
        values = json.loads(text)
        if not isinstance(values, dict) or values.get("version") != VERSION:
            raise CorpusIndexError(f"{path}: written by another version; {_mend(folder)}")
        return Manifest(**unsealed(text))
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedIndexError(f"{path}: damaged ({error}); {_mend(folder)}") from error


def check_files(folder: Path, manifest: Manifest, deep: bool = False) -> None:
    """Compare the files of a snapshot with its manifest; if not `deep`, not those known whole.

    Raises:
        DamagedIndexError: one is missing or not as it was written; the message names the first.
    """
    checked = None if deep else Checked(folder)
    problem = damage(folder, manifest.files, checked)
    if problem:
        raise DamagedIndexError(f"{problem}; {_mend(folder)}")
    if checked is not None:
        checked.save()


def _mend(folder: Path) -> str:
    name = folder.parent.name
    if name in RECORDS:
        return "it is built anew when the casebook is next searched"
    return f"run `countercase index PATH --corpus {name}` again"


def manifest_of(
    contents: CorpusContents, corpus: str, chunk_pieces: int, models: dict[str, str]
) -> Manifest:
    """Return what a snapshot of these contents is made of."""
    cases, chunks = len(contents.case_ids), len(contents.raws)
    return Manifest(corpus, cases, chunks, chunk_pieces, models, contents.checksum())


def write_snapshot(snapshot: Snapshot, folder: Path, also: Callable[[Path], None]) -> Snapshot:
    """Lay a snapshot in memory down in `folder`, and open it there.

    Args:
        also: writes what else is kept of the corpus into the folder that it is given.

    Raises:
        StoreError: the disk cannot be written.
    """
    contents = snapshot._contents
    staging = folder.with_name(folder.name + ".new")
    try:
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        with (staging / "texts.bin").open("wb") as out:
            out.writelines(contents.raws)
        np.save(staging / "chunks.npy", contents.table)
        np.save(staging / "sentence.npy", contents.sentence)
        if contents.passage is not None:
            np.save(staging / "passage.npy", contents.passage)
        np.save(staging / "case_vectors.npy", contents.case_vectors)
        with (staging / "cases.jsonl").open("w", encoding="utf-8") as out:
            columns = (contents.case_ids, contents.digests, contents.rows)
            for case_id, digest, row in zip(*columns, strict=True):
                line = {"case_id": case_id, "digest": digest, **row}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
        snapshot.lexicon.save(staging / "lexicon")
        snapshot.quotations.save(staging / "quotations")
        snapshot.citing.save(staging / "provisions.json")
        also(staging)
        document = asdict(replace(snapshot.manifest, files=sums_of(staging)))
        (staging / MANIFEST).write_text(json.dumps(seal(document), indent=1))
        _put_in_place(staging, folder)
    except OSError as error:
        raise StoreError(
            f"{folder}: the index cannot be written ({error.strerror or error}); free some space "
            "and run `countercase index` again"
        ) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return Snapshot.open(folder)


def opening(corpus: str) -> AbstractContextManager[None]:
    """Held while the files of a snapshot are opened, so that they are of one snapshot."""
    return locked(f"snapshot-{corpus}", f"waiting for the index of {corpus}", shared=True)


def _put_in_place(staging: Path, folder: Path) -> None:
    """Move a complete snapshot to its place; who has the old one open goes on with that."""
    before = folder.with_name(folder.name + ".old")
    shutil.rmtree(before, ignore_errors=True)
    with locked(f"snapshot-{folder.parent.name}", "waiting for those who open the index"):
        if folder.exists():
            folder.replace(before)
        staging.replace(folder)
    shutil.rmtree(before, ignore_errors=True)
