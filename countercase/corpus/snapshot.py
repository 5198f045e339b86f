"""The snapshot: what searching needs of a corpus, read from Chroma once and memory-mapped.

It is derived from the collections alone, in one canonical order (judgments by id, chunks by
number), so that an index built again, or in another order, or in several runs, gives the same
bytes. Chroma itself is not opened to search exactly.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.citing import CitingCases, provision_terms
from countercase.corpus.lexicon import Lexicon, build_lexicon, load_lexicon
from countercase.corpus.metadata import Metadata
from countercase.corpus.store import CorpusStore
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
    """A corpus ready to be searched.

    Attributes:
        case_ids: ids of the judgments, sorted; all case arrays follow this order.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1].
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.manifest = read_manifest(folder)
        try:
            with (folder / "cases.jsonl").open(encoding="utf-8") as lines:
                rows = [json.loads(line) for line in lines]
            self.chunks: NDArray[np.int64] = np.load(folder / "chunks.npy", mmap_mode="r")
            self.sentence: Vectors = np.load(folder / "sentence.npy", mmap_mode="r")
            passage = folder / "passage.npy"
            self.passage: Vectors = (
                np.load(passage, mmap_mode="r") if passage.exists() else self.sentence
            )
            self.case_vectors: Vectors = np.load(folder / "case_vectors.npy")
        except (OSError, ValueError) as error:
            raise CorpusIndexError(
                f"{folder}: the index is damaged ({error}); run `countercase index` again"
            ) from error
        self.case_ids: tuple[str, ...] = tuple(row.pop("case_id") for row in rows)
        self.metadata: tuple[Metadata, ...] = tuple(_metadata(row) for row in rows)
        case_column = np.asarray(self.chunks[:, FIELDS.index("case")])
        self.starts = np.searchsorted(case_column, np.arange(len(self.case_ids) + 1))

    @cached_property
    def lexicon(self) -> Lexicon:
        """The lexical index of the judgments."""
        return load_lexicon(self.folder / "lexicon")

    @cached_property
    def citing(self) -> CitingCases:
        """Which judgments cite which provisions."""
        return CitingCases.load(self.folder / "provisions.json")

    @cached_property
    def _texts(self) -> Any:
        return np.memmap(self.folder / "texts.bin", dtype=np.uint8, mode="r")

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
    from countercase.corpus.gather import gather

    gathered = gather(store)
    if not gathered.case_ids:
        raise CorpusIndexError(f"corpus {corpus}: no judgment was indexed")
    staging = folder.with_name(folder.name + ".new")
    shutil.rmtree(staging, ignore_errors=True)
    try:
        staging.mkdir(parents=True)
        at = np.cumsum([0, *(len(raw) for raw in gathered.raws)])
        gathered.table[:, FIELDS.index("at")] = at[:-1]
        gathered.table[:, FIELDS.index("after")] = at[1:]
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
        terms = [provision_terms(row["provisions"]) for row in gathered.rows]
        CitingCases(terms).save(staging / "provisions.json")
        manifest = Manifest(
            corpus,
            len(gathered.case_ids),
            len(gathered.raws),
            chunk_pieces,
            models,
            gathered.checksum(),
        )
        (staging / "manifest.json").write_text(json.dumps(asdict(manifest), indent=1))
        shutil.rmtree(folder, ignore_errors=True)
        staging.replace(folder)
    except OSError as error:
        raise StoreError(
            f"{folder}: the index cannot be written ({error.strerror}); what Chroma holds is kept, "
            "run `countercase index` again"
        ) from error
    return Snapshot(folder)
