"""The snapshot: everything of a corpus that searching needs, in memory-mapped files or in memory.

Its manifest says what it was made of, and holds the size and checksum of every other file, and of itself.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.casebook.records import RECORDS
from countercase.corpus.index.lexical import (
    CitingCases,
    Lexicon,
    Quotations,
    build_lexicon,
    load_lexicon,
    provision_terms,
    quotations_of,
)
from countercase.corpus.judgment.metadata import Metadata, points_in
from countercase.corpus.judgment.treatment import treatments_in
from countercase.encoders.base import Role, Vectors
from countercase.errors import CorpusIndexError, DamagedIndexError, InputError, StoreError
from countercase.integrity import Checked, Sums, damage, seal, sums_of, unsealed
from countercase.locks import locked

VERSION: Final = 8
MANIFEST: Final = "manifest.json"
_NAME: Final = re.compile(r"(?!.*\.\.)[a-z0-9][a-z0-9._-]{0,40}[a-z0-9]")


def check_name(corpus: str) -> str:
    """Return `corpus`, if it is 2 to 42 of a-z, 0-9, '.', '_' and '-'; else InputError."""
    if not (isinstance(corpus, str) and _NAME.fullmatch(corpus)):
        raise InputError(
            f"--corpus {corpus!r}: use 2 to 42 of a-z, 0-9, '.', '_', '-', no '..'; ends a letter or digit"
        )
    return corpus


@dataclass(frozen=True)
class Manifest:
    """What a snapshot was made of; two with the same checksum rank alike.

    `models` are the fingerprints of the encoders by role, `checksum` the sha256 over ids, texts and
    vectors, `files` size and checksum of every other file; none in memory.
    """

    corpus: str
    cases: int
    chunks: int
    chunk_pieces: int
    models: dict[str, str]
    checksum: str
    version: int = VERSION
    files: Sums = field(default_factory=dict)


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a finished snapshot; its other files are not looked at.

    CorpusIndexError where there is none or it is of another version; DamagedIndexError where it is
    not as it was written.
    """
    path = folder / MANIFEST
    try:
        text = path.read_bytes()
        values = json.loads(text)
        if not isinstance(values, dict) or values.get("version") != VERSION:
            raise CorpusIndexError(f"{path}: written by another version; {_mend(folder)}")
        return Manifest(**unsealed(text))
    except FileNotFoundError as error:
        raise CorpusIndexError(
            f"{folder}: no finished index; make one with `countercase index PATH --corpus NAME`"
        ) from error
    except (OSError, ValueError, TypeError, RecursionError) as error:
        why = "cannot be read" if isinstance(error, OSError) else "damaged"
        what = error.strerror if isinstance(error, OSError) else error
        raise DamagedIndexError(f"{path}: {why} ({what}); {_mend(folder)}") from error


def check_files(folder: Path, manifest: Manifest, deep: bool = False) -> None:
    """Compare files with their manifest; DamagedIndexError. If not `deep`, not those known whole."""
    checked = None if deep else Checked(folder)
    if problem := damage(folder, manifest.files, checked):
        raise DamagedIndexError(f"{problem}; {_mend(folder)}")
    if checked is not None:
        checked.save()


def _mend(folder: Path) -> str:
    name = folder.parent.name
    if name in RECORDS:
        return "it is built anew when the casebook is next searched"
    return f"run `countercase index PATH --corpus {name}` again"


def opening(corpus: str) -> AbstractContextManager[None]:
    """Held while the files of a snapshot are opened, so that they are of one snapshot."""
    return locked(f"snapshot-{corpus}", f"waiting for the index of {corpus}", shared=True)


SECTIONS: Final = ("", "header", "facts", "arguments", "analysis", "holding", "order")
FIELDS: Final = ("case", "number", "start", "end", "section", "page", "paragraph", "at", "after")
CASE, AT, AFTER = (FIELDS.index(name) for name in ("case", "at", "after"))
Table = NDArray[np.int64]


@dataclass
class CaseContents:
    """One judgment as an index holds it.

    A digest names the judgment and all that its contents depend on beside it; `row` is its metadata
    as plain values; `table`, shape (chunks, fields), has the columns of `FIELDS`, of which `case`,
    `at` and `after` are not known yet; `raws` are the chunks' texts as UTF-8; and the vectors have
    shape (chunks, width), no `passage` where the passage tower is the sentence encoder.
    """

    digest: str
    row: dict[str, Any]
    table: Table
    raws: list[bytes]
    sentence: Vectors
    passage: Vectors | None = None


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A corpus ready to be searched: read from a folder, or held in memory.

    Judgments stand in the order of their ids, chunks by judgment and number. So an index that is
    built again, or in another order, or in several runs, has the same bytes.

    For `digests`, `rows` and `chunks` see `CaseContents`; `raw` gives the text of a chunk as UTF-8 by
    its position. Vectors have shape (chunks, width), one matrix where the passage tower is the
    sentence encoder; `case_vectors` are unit means of a case's sentence vectors, (cases, width).
    """

    manifest: Manifest
    case_ids: tuple[str, ...]
    digests: list[str]
    rows: list[dict[str, Any]]
    chunks: Table
    raw: Callable[[int], bytes]
    sentence: Vectors
    passage: Vectors
    case_vectors: Vectors
    lexicon: Lexicon
    quotations: Quotations
    citing: CitingCases
    folder: Path | None = None

    @classmethod
    def of(
        cls, cases: Mapping[str, CaseContents], corpus: str, pieces: int, models: dict[str, str]
    ) -> Self:
        """Put judgments together in memory, given by id; at least one. For the rest see `Manifest`."""
        case_ids = sorted(cases)
        parts = [cases[case_id] for case_id in case_ids]
        raws, sizes = [raw for part in parts for raw in part.raws], [len(it.raws) for it in parts]
        chunks = np.concatenate([part.table for part in parts])
        chunks[:, CASE] = np.repeat(np.arange(len(parts)), sizes)
        ends = np.cumsum([0, *map(len, raws)])
        chunks[:, AT], chunks[:, AFTER] = ends[:-1], ends[1:]
        sentence = np.concatenate([part.sentence for part in parts])
        firsts = np.cumsum([0, *sizes[:-1]])
        sums = np.add.reduceat(sentence.astype(np.float64), firsts, axis=0)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        passages = [part.passage for part in parts if part.passage is not None]
        passage = np.concatenate(passages) if passages else sentence
        digest = hashlib.sha256("\n".join(case_ids).encode())
        matrices = (sentence, passage) if passages else (sentence,)
        for raw in raws:
            digest.update(raw)
        for matrix in matrices:
            digest.update(matrix.data)

        def texts() -> Iterator[list[str]]:
            return ([raw.decode() for raw in part.raws] for part in parts)

        return cls(
            manifest=Manifest(corpus, len(parts), len(raws), pieces, models, digest.hexdigest()),
            case_ids=tuple(case_ids),
            digests=[part.digest for part in parts],
            rows=[part.row for part in parts],
            chunks=chunks,
            raw=raws.__getitem__,
            sentence=sentence,
            passage=passage,
            case_vectors=(sums / np.where(norms == 0, 1, norms)).astype(np.float32),
            lexicon=build_lexicon(texts()),
            quotations=quotations_of(texts()),
            citing=CitingCases([provision_terms(part.row["provisions"]) for part in parts]),
        )

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the finished snapshot in `folder`, memory-mapped; errors as of `read_manifest`.

        All its files are opened now: the index may be written anew while this one is searched.
        """
        manifest = read_manifest(folder)
        check_files(folder, manifest)
        with (folder / "cases.jsonl").open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        chunks = np.load(folder / "chunks.npy", mmap_mode="r")
        sentence = np.load(folder / "sentence.npy", mmap_mode="r")
        passage = folder / "passage.npy"
        texts = np.memmap(folder / "texts.bin", dtype=np.uint8, mode="r")
        return cls(
            manifest=manifest,
            case_ids=tuple(row.pop("case_id") for row in rows),
            digests=[row.pop("digest") for row in rows],
            rows=rows,
            chunks=chunks,
            raw=lambda chunk: bytes(texts[chunks[chunk, AT] : chunks[chunk, AFTER]]),
            sentence=sentence,
            passage=np.load(passage, mmap_mode="r") if passage.exists() else sentence,
            case_vectors=np.load(folder / "case_vectors.npy"),
            lexicon=load_lexicon(folder / "lexicon", len(rows)),
            quotations=Quotations.load(folder / "quotations"),
            citing=CitingCases.load(folder / "provisions.json"),
            folder=folder,
        )

    @cached_property
    def metadata(self) -> tuple[Metadata, ...]:
        """What is known of each judgment."""
        known = []
        for row in self.rows:
            values: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in row.items()
            }
            values["treatment"] = treatments_in(list(row.get("treatment", ())))
            known.append(Metadata(**values | {"points": points_in(row.get("points"))}))
        return tuple(known)

    @cached_property
    def starts(self) -> Table:
        """Shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1]."""
        return np.searchsorted(self.chunks[:, CASE], np.arange(len(self.case_ids) + 1))

    @cached_property
    def areas(self) -> dict[str, int]:
        """How many judgments each area of law has, by name; empty where none states one."""
        return dict(sorted(Counter(a for row in self.metadata for a in row.areas).items()))

    def vectors(self, role: Role) -> Vectors:
        """Return the vectors of the chunks that a model made, shape (chunks, width)."""
        return self.passage if role == "passage" else self.sentence

    def text(self, chunk: int) -> str:
        """Return the text of a chunk, by its position."""
        return self.raw(chunk).decode()

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

    def contents_of(self, case_ids: Collection[str]) -> dict[str, CaseContents]:
        """Return everything of some cases by id, from which another snapshot can be made."""
        found = {}
        for case in (at for at, case_id in enumerate(self.case_ids) if case_id in case_ids):
            own = slice(self.starts[case], self.starts[case + 1])
            raws = list(map(self.raw, range(own.start, own.stop)))
            passage = None if self.passage is self.sentence else self.passage[own]
            digest, row, table = self.digests[case], self.rows[case], np.array(self.chunks[own])
            contents = CaseContents(digest, row, table, raws, self.sentence[own], passage)
            found[self.case_ids[case]] = contents
        return found


def write_snapshot(snapshot: Snapshot, folder: Path, also: Callable[[Path], None]) -> Snapshot:
    """Lay a snapshot down in `folder`, with what `also` writes, and open it; StoreError if the disk fails."""
    staging = folder.with_name(folder.name + ".new")
    try:
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        with (staging / "texts.bin").open("wb") as out:
            out.writelines(map(snapshot.raw, range(len(snapshot.chunks))))
        for name in ("chunks", "sentence", "case_vectors"):
            np.save(staging / f"{name}.npy", getattr(snapshot, name))
        if snapshot.passage is not snapshot.sentence:
            np.save(staging / "passage.npy", snapshot.passage)
        with (staging / "cases.jsonl").open("w", encoding="utf-8") as out:
            for case_id, digest, row in zip(
                snapshot.case_ids, snapshot.digests, snapshot.rows, strict=True
            ):
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


def _put_in_place(staging: Path, folder: Path) -> None:
    """Move a complete snapshot to its place; who has the old one open goes on with that."""
    before = folder.with_name(folder.name + ".old")
    shutil.rmtree(before, ignore_errors=True)
    with locked(f"snapshot-{folder.parent.name}", "waiting for those who open the index"):
        if folder.exists():
            folder.replace(before)
        staging.replace(folder)
    shutil.rmtree(before, ignore_errors=True)
