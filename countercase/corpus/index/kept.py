"""Numbers computed once for a corpus and kept beside its vectors, so that no analysis does it again.

*Hubness*: one number a judgment and pair of models. *Readings*: what the cross-encoder makes of
each chunk alone, 60 to 80 KB each; of a corpus of more than `MOST_READINGS` chunks one is read when it
first reaches a pool, and kept in the cache. *Sides*: the vectors of both sides of each point on which
decisions turned. Nothing depends on them but time: without the files the same is computed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.index.search import DECIMALS, Scores, best_chunks
from countercase.encoders.apart import Reading, unpacked
from countercase.encoders.base import Encoders, Role, encode_as
from countercase.errors import CorpusIndexError
from countercase.io import Progress, tell

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
    best of them scores for any question: it is a hub (Radovanovic, Nanopoulos and Ivanovic 2010). A
    share of this mean is taken off its scores (compare Conneau et al. 2018, sec. 2.3). `owners` are
    the cases of the questions; for the rest see `best_chunks`.
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
    corpus: Snapshot, encoders: Encoders, channels: Sequence[tuple[Role, Role]]
) -> list[Scores]:
    """Measure the hubness of every case by models as in `CHANNELS`; each of shape (cases,)."""
    chosen = sampled(len(corpus.chunks))
    owners = np.searchsorted(corpus.starts, chosen, side="right") - 1
    asked = [corpus.text(chunk) for chunk in chosen.tolist()]
    read = encode_as(encoders, [asking for asking, _ in channels], asked)
    return [
        hubness(questions, owners, corpus.vectors(answering), corpus.starts)
        for questions, (_, answering) in zip(read, channels, strict=True)
    ]


def keep(corpus: Snapshot, encoders: Encoders, progress: Progress | None, folder: Path) -> None:
    """Compute what is kept of a corpus and write it to the folder; OSError where the disk fails."""
    for roles, scores in zip(CHANNELS, hubness_of(corpus, encoders, CHANNELS), strict=True):
        np.save(folder / _name("hubness", *map(encoders.fingerprint, roles)), scores)
    sides = _name("sides", encoders.fingerprint("stance"))
    np.save(folder / sides, _encode_sides(corpus, encoders))
    if (apart := encoders.apart) is None or len(corpus.chunks) > MOST_READINGS:
        return
    texts = list(map(corpus.text, range(len(corpus.chunks))))
    path, ends = folder / _name("readings", apart.name, ending="bin"), [0]
    with path.open("wb") as out:
        for start in range(0, len(texts), _READ_AT_ONCE):
            # The index keeps them, so the cache need not.
            for reading in apart.read(texts[start : start + _READ_AT_ONCE], keep=False):
                ends.append(ends[-1] + out.write(reading.packed()))
            tell(progress, "reading the chunks", len(ends) - 1, len(texts))
    np.save(path.with_suffix(".npy"), np.asarray(ends, dtype=np.int64))


def _encode_sides(corpus: Snapshot, encoders: Encoders) -> NDArray[np.float32]:
    points = [point for row in corpus.metadata for point in row.points]
    texts = [side for sides in zip(*points, strict=True) for side in sides]
    read = encode_as(encoders, ("sentence", "stance"), texts)
    return np.stack(read).reshape(2, 2, len(points), encoders.width("stance"))


def kept_sides(corpus: Snapshot, encoders: Encoders) -> NDArray[np.float32]:
    """Return the vectors of every point of a corpus, shape (2, 2, points, width).

    Of the sentence encoder, then of the stance encoder; of the fact as it stood, then otherwise.
    CorpusIndexError where the file that is kept with an index is damaged.
    """
    points = sum(len(row.points) for row in corpus.metadata)
    name = _name("sides", encoders.fingerprint("stance"))
    kept = _load(corpus, name, (2, 2, points, encoders.width("stance")), "one vector a side")
    return _encode_sides(corpus, encoders) if kept is None else kept


def kept_hubness(corpus: Snapshot, encoders: Encoders, asking: Role, answering: Role) -> Scores:
    """Return the hubness of every case by two models, shape (cases,); errors as of `kept_sides`."""
    name = _name("hubness", *map(encoders.fingerprint, (asking, answering)))
    kept = _load(corpus, name, (len(corpus.case_ids),), "one number a judgment")
    return hubness_of(corpus, encoders, [(asking, answering)])[0] if kept is None else kept


def kept_readings(folder: Path | None, encoders: Encoders) -> Callable[[int], Reading | None]:
    """Return what finds a chunk's kept reading, or None; CorpusIndexError if it is damaged."""
    if folder is None or (apart := encoders.apart) is None:
        return lambda chunk: None
    path = folder / _name("readings", apart.name, ending="bin")
    if not path.is_file():
        return lambda chunk: None
    try:
        ends = np.load(path.with_suffix(".npy"))
        packed = np.memmap(path, dtype=np.uint8, mode="r")
    except _UNREADABLE as error:
        raise _damaged(path, str(error)) from error
    if ends.ndim != 1 or ends[-1] != len(packed):
        raise _damaged(path, "not as long as it was written")

    @lru_cache(maxsize=128)  # those of a pool, which the states of a case share
    def reading(chunk: int) -> Reading | None:
        found = unpacked(packed[ends[chunk] : ends[chunk + 1]].tobytes(), apart.width)
        if found is None:
            raise _damaged(path, f"chunk {chunk} is no reading")
        return found

    return reading


def _load(corpus: Snapshot, name: str, shape: tuple[int, ...], what: str) -> Any:
    """Return the array that is kept with an index, if it has this shape; None where there is none."""
    if corpus.folder is None or not (path := corpus.folder / name).is_file():
        return None
    try:
        array = np.load(path, mmap_mode="r")
    except _UNREADABLE as error:
        raise _damaged(path, str(error)) from error
    if array.shape != shape or not np.isfinite(array).all():
        raise _damaged(path, f"not {what}")
    return array


def _damaged(path: Path, why: str) -> CorpusIndexError:
    return CorpusIndexError(f"{path}: damaged ({why}); run `countercase index` again")


def _name(what: str, *models: str, ending: str = "npy") -> str:
    digest = hashlib.sha256("\x1f".join(models).encode()).hexdigest()[:16]
    return f"{what}-{digest}.{ending}"
