"""The snapshot: what searching needs of a corpus, read from Chroma once and memory-mapped.

It is derived from the collections alone, in one canonical order (judgments by id, chunks by
number), so that an index built again, or in another order, or in several runs, gives the same
bytes. Chroma itself is not opened to search exactly. A snapshot may also be held in memory.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.lexicon import Lexicon, build_lexicon, load_lexicon
from countercase.corpus.index.provision_terms import CitingCases, provision_terms
from countercase.corpus.index.store import CorpusStore
from countercase.corpus.judgment.metadata import Metadata
from countercase.errors import CorpusIndexError, StoreError

VERSION: Final = 4
SECTIONS: Final = ("", "header", "facts", "arguments", "analysis", "holding", "order")
FIELDS: Final = ("case", "number", "start", "end", "section", "page", "paragraph", "at", "after")
Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Manifest:
    """What a snapshot was made of; two with the same checksum rank alike.

    Args:
        models: fingerprint by role of the encoders whose vectors it holds.
        checksum: sha256 over ids, texts and vectors.
    """

    corpus: str
    cases: int
    chunks: int
    chunk_pieces: int
    models: dict[str, str]
    checksum: str
    version: int = VERSION


class Snapshot:
    """A corpus ready to be searched: read from a folder, or held in memory.

    Args:
        contents: everything of a corpus in memory, or the folder of a finished snapshot.
        manifest: of contents in memory.

    Attributes:
        folder: None in memory.
        case_ids: ids of the judgments, sorted; all case arrays follow this order.
        chunks: int64, shape (chunks, fields), columns as in `FIELDS`.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1].
        sentence, passage: vectors of the chunks, shape (chunks, width).
        case_vectors: unit means of the cases' sentence vectors, shape (cases, width).

    Raises:
        CorpusIndexError: the folder holds no finished snapshot, or a damaged one.
    """

    def __init__(self, contents: Gathered | Path, manifest: Manifest | None = None) -> None:
        self.folder: Path | None = None
        if isinstance(contents, Path):
            self.folder = contents
            manifest = read_manifest(contents)
            try:
                contents = _mapped(contents)
            except (OSError, ValueError) as error:
                raise CorpusIndexError(
                    f"{self.folder}: the index is damaged ({error}); run `countercase index` again"
                ) from error
        else:
            contents.place_texts()
        if manifest is None:
            raise ValueError("contents in memory need a manifest")
        self.manifest = manifest
        self.case_ids = tuple(contents.case_ids)
        self.metadata: tuple[Metadata, ...] = tuple(_metadata(row) for row in contents.rows)
        self.chunks, self.sentence = contents.table, contents.sentence
        self.passage = contents.sentence if contents.passage is None else contents.passage
        self.case_vectors = contents.case_vectors
        case_column = np.asarray(self.chunks[:, FIELDS.index("case")])
        self.starts = np.searchsorted(case_column, np.arange(len(self.case_ids) + 1))
        self._contents = contents

    @cached_property
    def lexicon(self) -> Lexicon:
        """The lexical index of the judgments."""
        if self.folder is not None:
            return load_lexicon(self.folder / "lexicon")
        return build_lexicon(self._contents.case_texts())

    @cached_property
    def citing(self) -> CitingCases:
        """Which judgments cite which provisions."""
        if self.folder is not None:
            return CitingCases.load(self.folder / "provisions.json")
        return CitingCases(self._contents.provision_terms())

    @cached_property
    def _texts(self) -> Any:
        if self.folder is not None:
            return np.memmap(self.folder / "texts.bin", dtype=np.uint8, mode="r")
        return np.frombuffer(b"".join(self._contents.raws), dtype=np.uint8)

    def text(self, chunk: int) -> str:
        """The text of a chunk, by its position."""
        return bytes(self._texts[self.field(chunk, "at") : self.field(chunk, "after")]).decode()

    def field(self, chunk: int, name: str) -> int:
        """One number of a chunk: `case`, `number`, `start`, `end`, `page`, `paragraph`, ..."""
        return int(self.chunks[chunk, FIELDS.index(name)])

    def section(self, chunk: int) -> str:
        """The section in which a chunk stands."""
        return SECTIONS[self.field(chunk, "section")]

    def chunk_id(self, chunk: int) -> str:
        """`case id#number`, as in Chroma."""
        return chunk_id(self.case_ids[self.field(chunk, "case")], self.field(chunk, "number"))

    def case_text(self, case: int) -> str:
        """The chunks of one case, joined: all its sentences."""
        return "\n".join(self.text(at) for at in range(self.starts[case], self.starts[case + 1]))


def _mapped(folder: Path) -> Gathered:
    """The contents of a finished snapshot, memory-mapped, without texts."""
    with (folder / "cases.jsonl").open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    passage = folder / "passage.npy"
    return Gathered(
        case_ids=[row.pop("case_id") for row in rows],
        rows=rows,
        table=np.load(folder / "chunks.npy", mmap_mode="r"),
        raws=[],
        sentence=np.load(folder / "sentence.npy", mmap_mode="r"),
        passage=np.load(passage, mmap_mode="r") if passage.exists() else None,
        case_vectors=np.load(folder / "case_vectors.npy"),
    )


def _metadata(row: dict[str, Any]) -> Metadata:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    return Metadata(**values)


def chunk_id(case_id: str, number: int) -> str:
    """The id of a chunk."""
    return f"{case_id}#{number:05d}"


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a finished snapshot.

    Raises:
        CorpusIndexError: there is none, or another version of CounterCase wrote it.
    """
    path = folder / "manifest.json"
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        manifest = Manifest(**values)
    except FileNotFoundError as error:
        raise CorpusIndexError(
            f"{folder}: no finished index; make one with `countercase index PATH --corpus NAME`"
        ) from error
    except (OSError, ValueError, TypeError) as error:
        raise CorpusIndexError(
            f"{path}: not readable ({error}); run `countercase index` again"
        ) from error
    if manifest.version != VERSION:
        raise CorpusIndexError(
            f"{folder}: written by another version; run `countercase index` again"
        )
    return manifest


def write_snapshot(
    store: CorpusStore, folder: Path, corpus: str, chunk_pieces: int, models: dict[str, str]
) -> Snapshot:
    """Read a corpus from Chroma and lay its snapshot down in `folder`.

    Raises:
        CorpusIndexError: the store holds no complete judgment.
        StoreError: the disk cannot be written.
    """

    gathered = gather(store)
    if not gathered.case_ids:
        raise CorpusIndexError(f"corpus {corpus}: no judgment was indexed")
    staging = folder.with_name(folder.name + ".new")
    shutil.rmtree(staging, ignore_errors=True)
    try:
        staging.mkdir(parents=True)
        gathered.place_texts()
        with (staging / "texts.bin").open("wb") as out:
            out.writelines(gathered.raws)
        np.save(staging / "chunks.npy", gathered.table)
        np.save(staging / "sentence.npy", gathered.sentence)
        if gathered.passage is not None:
            np.save(staging / "passage.npy", gathered.passage)
        np.save(staging / "case_vectors.npy", gathered.case_vectors)
        with (staging / "cases.jsonl").open("w", encoding="utf-8") as out:
            for case_id, row in zip(gathered.case_ids, gathered.rows, strict=True):
                out.write(json.dumps({"case_id": case_id, **row}, ensure_ascii=False) + "\n")
        (staging / "lexicon").mkdir()
        build_lexicon(gathered.case_texts()).save(staging / "lexicon")
        CitingCases(gathered.provision_terms()).save(staging / "provisions.json")
        manifest = gathered.manifest(corpus, chunk_pieces, models)
        (staging / "manifest.json").write_text(json.dumps(asdict(manifest), indent=1))
        shutil.rmtree(folder, ignore_errors=True)
        staging.replace(folder)
    except OSError as error:
        raise StoreError(
            f"{folder}: the index cannot be written ({error.strerror}); what Chroma holds is kept, "
            "run `countercase index` again"
        ) from error
    return Snapshot(folder)


@dataclass
class Gathered:
    """A corpus in memory: judgments by id, chunks by judgment and number.

    Attributes:
        rows: metadata of each judgment as plain values.
        table: int64, shape (chunks, fields), columns as in `FIELDS`.
        raws: the chunks' texts as UTF-8; empty where they stay on disk.
        passage: None where the passage tower is the sentence encoder.
    """

    case_ids: list[str]
    rows: list[dict[str, Any]]
    table: NDArray[np.int64]
    raws: list[bytes]
    sentence: Vectors
    passage: Vectors | None
    case_vectors: Vectors

    def place_texts(self) -> None:
        """Write into the table where each chunk's text begins and ends among all texts."""
        at = np.cumsum([0, *(len(raw) for raw in self.raws)])
        self.table[:, FIELDS.index("at")] = at[:-1]
        self.table[:, FIELDS.index("after")] = at[1:]

    def manifest(self, corpus: str, chunk_pieces: int, models: dict[str, str]) -> Manifest:
        """What a snapshot of this was made of."""
        return Manifest(
            corpus, len(self.case_ids), len(self.raws), chunk_pieces, models, self.checksum()
        )

    def provision_terms(self) -> list[tuple[str, ...]]:
        """The provision terms of each judgment."""
        return [provision_terms(row["provisions"]) for row in self.rows]

    def case_texts(self) -> Iterator[list[str]]:
        """The chunk texts of each judgment."""
        cases = self.table[:, FIELDS.index("case")]
        bounds = np.searchsorted(cases, np.arange(len(self.case_ids) + 1))
        for left, right in itertools.pairwise(bounds):
            yield [raw.decode() for raw in self.raws[left:right]]

    def checksum(self) -> str:
        """sha256 over ids, texts and vectors."""
        digest = hashlib.sha256("\n".join(self.case_ids).encode())
        for raw in self.raws:
            digest.update(raw)
        digest.update(np.ascontiguousarray(self.sentence).data)
        if self.passage is not None:
            digest.update(np.ascontiguousarray(self.passage).data)
        return digest.hexdigest()


def table_row(case: int, chunk: Mapping[str, Any]) -> list[int]:
    """A chunk's row of the table, where its text stands left open."""
    section = SECTIONS.index(chunk["section"]) if chunk["section"] in SECTIONS else 0
    places = [int(chunk[name]) for name in ("number", "start", "end")]
    return [case, *places, section, int(chunk["page"]), int(chunk["paragraph"]), 0, 0]


def gather(store: CorpusStore) -> Gathered:
    """Everything of the complete judgments of a corpus; chunks of others are left out."""
    marks = store.complete_cases()
    case_ids = sorted(marks)
    place = {case_id: at for at, case_id in enumerate(case_ids)}
    keys: list[tuple[int, int]] = []
    table: list[list[int]] = []
    raws: list[bytes] = []
    blocks: list[Vectors] = []
    ids: list[str] = []
    for page in store.chunk_pages():
        vectors = np.asarray(page["embeddings"], dtype=np.float32)
        kept = []
        for at, row in enumerate(page["metadatas"]):
            if row["case_id"] not in place:
                continue
            case = place[row["case_id"]]
            keys.append((case, row["number"]))
            table.append(table_row(case, row))
            raws.append(page["documents"][at].encode())
            ids.append(page["ids"][at])
            kept.append(at)
        blocks.append(vectors[kept])
    order = sorted(range(len(keys)), key=keys.__getitem__)
    sentence = np.concatenate(blocks)[order] if blocks else np.zeros((0, 0), dtype=np.float32)
    passage = _passages(store, [ids[at] for at in order])
    array = np.asarray([table[at] for at in order], dtype=np.int64).reshape(-1, len(FIELDS))
    return Gathered(
        case_ids=case_ids,
        rows=[json.loads(str(marks[case_id]["metadata"])) for case_id in case_ids],
        table=array,
        raws=[raws[at] for at in order],
        sentence=sentence,
        passage=passage,
        case_vectors=case_vectors(sentence, array[:, 0], len(case_ids)),
    )


def _passages(store: CorpusStore, ids: list[str]) -> Vectors | None:
    if store.passages is None:
        return None
    place = {chunk: at for at, chunk in enumerate(ids)}
    rows: Vectors | None = None
    for page in store.passage_pages():
        vectors = np.asarray(page["embeddings"], dtype=np.float32)
        if rows is None:
            rows = np.zeros((len(ids), vectors.shape[1]), dtype=np.float32)
        for at, chunk in enumerate(page["ids"]):
            if chunk in place:
                rows[place[chunk]] = vectors[at]
    return rows


def case_vectors(sentence: Vectors, cases: NDArray[np.int64], count: int) -> Vectors:
    """The unit mean of each case's chunk vectors, shape (count, width)."""
    if not len(sentence):
        return np.zeros((count, 0), dtype=np.float32)
    bounds = np.searchsorted(cases, np.arange(count))
    sums = np.add.reduceat(sentence.astype(np.float64), bounds, axis=0)
    norms = np.linalg.norm(sums, axis=1, keepdims=True)
    return (sums / np.where(norms == 0, 1, norms)).astype(np.float32)
