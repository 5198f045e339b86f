"""Numbers computed once for a corpus and kept beside its vectors, so that no analysis does it again.

*Hubness*: one number a judgment and pair of models. *Readings*: what the cross-encoder makes of
each chunk alone, some 60 to 80 KB a chunk of 200 word pieces, so of a corpus of up to `MOST_READINGS`
chunks (the casebook: 130 MB); of a larger one a chunk is read when it first reaches a pool, and then
kept in the cache. *Sides*: the vectors of both sides of each point on which decisions turned. Nothing
depends on them but time: without the files the same is computed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.contents import CorpusContents
from countercase.corpus.index.search import DECIMALS, Scores, best_chunks
from countercase.corpus.judgment.metadata import Point, points_in
from countercase.encoders.base import Encoders, Role, encode_as
from countercase.encoders.reading import Reading, unpacked
from countercase.errors import CorpusIndexError
from countercase.io import Progress

if TYPE_CHECKING:
    from countercase.corpus.index.snapshot import Snapshot

MOST_READINGS: Final = 3_000
"""Chunks of the largest corpus whose readings are kept: about 240 MB."""

CHANNELS: Final[tuple[tuple[Role, Role], ...]] = (("question", "passage"), ("sentence", "sentence"))
"""The model that reads a segment and the one that read the chunks, of each dense ranker."""

SAMPLED: Final = 256
"""Chunks that are asked as questions to measure hubness, and cases that a score is held against."""

_READ_AT_ONCE: Final = 64
_UNREADABLE: Final = (OSError, ValueError, EOFError)
"""What numpy raises where a file holds no array."""


def sampled(count: int) -> NDArray[np.int64]:
    """Return at most `SAMPLED` positions, spread evenly over `count`: all of a small corpus."""
    return np.unique(np.linspace(0, count - 1, min(SAMPLED, count)).astype(np.int64))


def hubness(
    questions: NDArray[np.float32],
    owners: NDArray[np.int64],
    chunks: NDArray[np.float32],
    starts: NDArray[np.int64],
) -> Scores:
    """Measure each case's hubness: its mean best score over `questions`, its own ones left out.

    The more chunks a judgment has, and the more they say what every judgment says, the higher the
    best of them scores for any question: the judgment is a hub (Radovanovic, Nanopoulos and
    Ivanovic 2010). A share of this mean is taken off its scores, as BM25 takes off a share of the
    length, and as cross-domain similarity local scaling does in translation (Conneau et al. 2018,
    sec. 2.3).

    Args:
        questions: shape (sampled, width), unit.
        owners: the case that each question was taken from, shape (sampled,).
        chunks: shape (chunks, width), unit, grouped by case.
        starts: shape (cases + 1,): the chunks of case i are starts[i]:starts[i + 1].
    """
    best, _ = best_chunks(questions, chunks, starts)
    others = owners[:, None] != np.arange(best.shape[1])
    counted = others.sum(axis=0)
    total = np.sort(np.where(others, best, 0.0), axis=0).sum(axis=0)
    mean: Scores = np.round(total / np.maximum(counted, 1), DECIMALS)
    # A case that no other case asks has nothing to compare with; it gets what the others have.
    mean[counted == 0] = mean[counted > 0].mean() if (counted > 0).any() else 0.0
    return mean


def hubness_of(
    encoders: Encoders,
    channels: Sequence[tuple[Role, NDArray[np.float32]]],
    starts: NDArray[np.int64],
    text: Callable[[int], str],
) -> list[Scores]:
    """Measure the hubness of every case by model of questions and chunk vectors, shape (cases,)."""
    chosen = sampled(int(starts[-1]))
    owners = np.searchsorted(starts, chosen, side="right") - 1
    asked = [text(chunk) for chunk in chosen.tolist()]
    read = encode_as(encoders, [asking for asking, _ in channels], asked)
    return [
        hubness(questions, owners, chunks, starts)
        for questions, (_, chunks) in zip(read, channels, strict=True)
    ]


def keep(
    folder: Path, contents: CorpusContents, encoders: Encoders, progress: Progress | None = None
) -> None:
    """Compute what is kept of a corpus and write it into the folder of its snapshot.

    Raises:
        OSError: the disk cannot be written.
    """

    def text(chunk: int) -> str:
        return contents.raws[chunk].decode()

    passages = contents.sentence if contents.passage is None else contents.passage
    vectors = {"passage": passages, "sentence": contents.sentence}
    channels = [(asking, vectors[answering]) for asking, answering in CHANNELS]
    for roles, scores in zip(
        CHANNELS, hubness_of(encoders, channels, contents.starts, text), strict=True
    ):
        np.save(_file(folder, "hubness", *map(encoders.fingerprint, roles)), scores)
    points = [point for row in contents.rows for point in points_in(row.get("points"))]
    sides = _file(folder, "sides", encoders.fingerprint("stance"))
    np.save(sides, _encode_sides(points, encoders))
    if encoders.apart is not None and len(contents.raws) <= MOST_READINGS:
        _write_readings(folder, encoders, [raw.decode() for raw in contents.raws], progress)


def _write_readings(
    folder: Path, encoders: Encoders, texts: Sequence[str], progress: Progress | None
) -> None:
    assert encoders.apart is not None
    path, ends = _file(folder, "readings", encoders.apart.name, ending="bin"), [0]
    with path.open("wb") as out:
        for start in range(0, len(texts), _READ_AT_ONCE):
            # The index keeps them, so the cache need not.
            for reading in encoders.apart.read(texts[start : start + _READ_AT_ONCE], keep=False):
                ends.append(ends[-1] + out.write(reading.packed()))
            if progress is not None:
                progress("reading the chunks", len(ends) - 1, len(texts))
    np.save(path.with_suffix(".npy"), np.asarray(ends, dtype=np.int64))


def _encode_sides(points: Sequence[Point], encoders: Encoders) -> NDArray[np.float32]:
    texts = [side for sides in zip(*points, strict=True) for side in sides]
    read = encode_as(encoders, ("sentence", "stance"), texts)
    return np.stack(read).reshape(2, 2, len(points), encoders.width("stance"))


def kept_sides(corpus: Snapshot, encoders: Encoders) -> NDArray[np.float32]:
    """Return the vectors of every point of a corpus, shape (2, 2, points, width).

    Of the sentence encoder, then of the stance encoder; of the fact as it stood, then otherwise.

    Raises:
        CorpusIndexError: the file that is kept with an index is damaged.
    """
    points = [point for row in corpus.metadata for point in row.points]
    stance = encoders.fingerprint("stance")
    path = None if corpus.folder is None else _file(corpus.folder, "sides", stance)
    if path is None or not path.is_file():
        return _encode_sides(points, encoders)
    shape = (2, 2, len(points), encoders.width("stance"))
    sides: NDArray[np.float32] = _load(path, shape, "one vector a side")
    return sides


def kept_hubness(
    folder: Path | None, encoders: Encoders, asking: Role, answering: Role, cases: int
) -> Scores | None:
    """Return the hubness that is kept with an index, shape (cases,); None where there is none.

    Raises:
        CorpusIndexError: the file is damaged.
    """
    models = map(encoders.fingerprint, (asking, answering))
    path = None if folder is None else _file(folder, "hubness", *models)
    if path is None or not path.is_file():
        return None
    scores: Scores = _load(path, (cases,), "one number a judgment")
    return scores


def kept_readings(folder: Path | None, encoders: Encoders) -> Callable[[int], Reading | None]:
    """Finds the reading of a chunk that is kept with an index; None where there is none.

    Raises:
        CorpusIndexError: the file is damaged.
    """
    if folder is None or (apart := encoders.apart) is None:
        return lambda chunk: None
    path = _file(folder, "readings", apart.name, ending="bin")
    if not path.is_file():
        return lambda chunk: None
    try:
        ends = np.load(path.with_suffix(".npy"))
        packed = np.memmap(path, dtype=np.uint8, mode="r")
    except _UNREADABLE as error:
        raise _damaged(path, str(error)) from error
    if ends.ndim != 1 or ends[-1] != len(packed):
        raise _damaged(path, "not as long as it was written")

    def reading(chunk: int) -> Reading | None:
        found = unpacked(packed[ends[chunk] : ends[chunk + 1]].tobytes(), apart.width)
        if found is None:
            raise _damaged(path, f"chunk {chunk} is no reading")
        return found

    return reading


def _load(path: Path, shape: tuple[int, ...], what: str) -> Any:
    """Return the array of a file, memory-mapped, if it has this shape."""
    try:
        array = np.load(path, mmap_mode="r")
    except _UNREADABLE as error:
        raise _damaged(path, str(error)) from error
    if array.shape != shape or not np.isfinite(array).all():
        raise _damaged(path, f"not {what}")
    return array


def _damaged(path: Path, why: str) -> CorpusIndexError:
    return CorpusIndexError(f"{path}: damaged ({why}); run `countercase index` again")


def _file(folder: Path, what: str, *models: str, ending: str = "npy") -> Path:
    """Return where something that depends on these models is kept."""
    digest = hashlib.sha256("\x1f".join(models).encode()).hexdigest()[:16]
    return folder / f"{what}-{digest}.{ending}"
