"""From questions to training lists: the nearest answer as the positive, hard negatives beside it.

Negatives look like what the models will meet: the best passage of each of the judgments that BM25
and the base encoder, fused by reciprocal rank, would put before them. Judgments that cite one
another are never each other's negatives.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.base import Encoders
from training.pairs import Kind, Material, Passage, Question

Vectors = NDArray[np.float32]
Tell = Callable[[str], None]

PLACES: Final = (1, 4, 8, 13, 19, 26, 34, 43)
"""Places, from 0, of the judgments whose passages are hard negatives: not the very first, which
often is relevant and not known to be, and reaching as far down as the candidates of a ranking."""

_DEPTH: Final = 100
_RRF_K: Final = 20
_TOO_LIKE: Final = 0.95
_FACTS_KEPT: Final = 2


@dataclass(frozen=True)
class Pair:
    """A query, the row of its positive passage and the rows of its hard negatives.

    Args:
        case_id: the judgment that asks.
        lexical: BM25 scores of the positive and the negatives, in that order.
    """

    kind: Kind
    split: Literal["train", "development"]
    case_id: str
    query: str
    positive: int
    negatives: tuple[int, ...]
    lexical: tuple[float, ...]


@dataclass(frozen=True)
class TrainingSet:
    """Everything that training reads.

    Args:
        passage_vectors: unit vectors of the base model, shape (passages, 384).
        query_vectors: unit vectors of the base model, shape (pairs, 384).
    """

    passages: list[Passage]
    pairs: list[Pair]
    passage_vectors: Vectors
    query_vectors: Vectors

    def rows(self, split: str) -> list[int]:
        """Positions of the pairs of a split."""
        return [at for at, pair in enumerate(self.pairs) if pair.split == split]

    def cosines(self, at: int) -> Vectors:
        """Cosines of pair `at` with its positive and its negatives, in that order."""
        pair = self.pairs[at]
        rows = [pair.positive, *pair.negatives]
        found: Vectors = self.passage_vectors[rows] @ self.query_vectors[at]
        return found


def mine(material: Material, encoders: Encoders, tell: Tell) -> TrainingSet:
    """Choose positives and hard negatives for every question."""
    texts = [passage.text for passage in material.passages]
    tell(f"encoding {len(texts)} passages and {len(material.questions)} questions")
    vectors = encoders.encode("sentence", texts)
    asked = encoders.encode("sentence", [question.text for question in material.questions])
    chosen = _positives(material.questions, vectors, asked)
    tell(f"mining negatives for {len(chosen)} pairs")
    questions = [material.questions[at] for at, _ in chosen]
    queries = asked[[at for at, _ in chosen]]
    lexical = Lexical(texts)
    pairs = []
    for number, (question, (_, positive)) in enumerate(zip(questions, chosen, strict=True)):
        owner = material.passages[positive].case_id
        held = {question.case_id, owner} & material.development
        cosines = vectors @ queries[number]
        scores = lexical.scores(question.text)
        negatives = _negatives(
            material, cosines, scores, {question.case_id, owner}, allow_development=bool(held)
        )
        rows = [positive, *negatives]
        pairs.append(
            Pair(
                question.kind,
                "development" if held else "train",
                question.case_id,
                question.text,
                positive,
                tuple(negatives),
                tuple(round(float(scores[row]), 4) for row in rows),
            )
        )
        if number % 1000 == 999:
            tell(f"{number + 1} pairs")
    return TrainingSet(material.passages, pairs, vectors, queries)


def _positives(
    questions: Sequence[Question], vectors: Vectors, asked: Vectors
) -> list[tuple[int, int]]:
    """Questions that are kept, each with its nearest answer.

    Of the fact sentences that one judgment puts to another, those nearest to an answer are kept.
    """
    nearest: list[tuple[int, int, float]] = []
    for at, question in enumerate(questions):
        cosines = vectors[list(question.answers)] @ asked[at]
        best = int(np.argmax(cosines))
        if cosines[best] < _TOO_LIKE:
            nearest.append((at, question.answers[best], float(cosines[best])))
    groups: dict[tuple[str, int], list[tuple[int, int, float]]] = {}
    kept: list[tuple[int, int]] = []
    for item in nearest:
        question = questions[item[0]]
        if question.kind == "facts":
            groups.setdefault((question.case_id, question.answers[0]), []).append(item)
        else:
            kept.append(item[:2])
    for group in groups.values():
        group.sort(key=lambda item: (-item[2], item[0]))
        kept += [item[:2] for item in group[:_FACTS_KEPT]]
    return sorted(kept)


class Lexical:
    """BM25 over the passages."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._bm25s: Any = importlib.import_module("bm25s")
        self._index = self._bm25s.BM25()
        tokens = self._bm25s.tokenize(list(texts), stopwords="en", show_progress=False)
        self._index.index(tokens, show_progress=False)

    def scores(self, query: str) -> Vectors:
        """The score of every passage, shape (passages,)."""
        tokens = self._bm25s.tokenize(
            [query], stopwords="en", return_ids=False, show_progress=False
        )[0]
        return np.asarray(self._index.get_scores(tokens), dtype=np.float32)


def _negatives(
    material: Material,
    cosines: Vectors,
    lexical: Vectors,
    owners: set[str],
    allow_development: bool,
) -> list[int]:
    """Rows of the best passage of each leading judgment, best first."""
    barred = owners | {case for owner in owners for case in material.related.get(owner, ())}
    fused: dict[int, float] = {}
    for scores in (cosines, lexical):
        top = np.argpartition(-scores, _DEPTH)[:_DEPTH]
        for rank, row in enumerate(top[np.lexsort((top, -scores[top]))].tolist(), start=1):
            fused[row] = fused.get(row, 0.0) + 1.0 / (_RRF_K + rank)
    chosen: list[int] = []
    seen: set[str] = set()
    for row in sorted(fused, key=lambda row: (-fused[row], row)):
        case = material.passages[row].case_id
        if case in barred or case in seen or cosines[row] > _TOO_LIKE:
            continue
        if case in material.development and not allow_development:
            continue
        seen.add(case)
        chosen.append(row)
    return [chosen[place] for place in PLACES if place < len(chosen)]


def save(found: TrainingSet, folder: Path) -> None:
    """Write a training set into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, items in (("passages", found.passages), ("pairs", found.pairs)):
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as stream:
            for item in items:
                stream.write(json.dumps(asdict(item), ensure_ascii=False) + "\n")
    np.save(folder / "queries.npy", found.query_vectors)
    np.save(folder / "vectors.npy", found.passage_vectors)  # last: its presence says complete


def load(folder: Path) -> TrainingSet | None:
    """The training set in `folder`, or None where none was completed."""
    if not (folder / "vectors.npy").is_file():
        return None
    with (folder / "passages.jsonl").open(encoding="utf-8") as stream:
        passages = [Passage(**json.loads(line)) for line in stream]
    pairs = []
    with (folder / "pairs.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            row["negatives"], row["lexical"] = tuple(row["negatives"]), tuple(row["lexical"])
            pairs.append(Pair(**row))
    return TrainingSet(
        passages, pairs, np.load(folder / "vectors.npy"), np.load(folder / "queries.npy")
    )


def training_set(data: Path, out: Path, seed: int, tell: Tell) -> TrainingSet:
    """The training set of `data`, made once and kept in `out`.

    Raises:
        InputError: `data` does not hold the corpus.
    """
    from countercase.encoders.base import open_encoders
    from training.pairs import make_material, read_judgments

    folder = out / f"pairs-{seed}"
    found = load(folder)
    if found is None:
        encoders = open_encoders()
        material = make_material(read_judgments(data), encoders.counts, seed)
        found = mine(material, encoders, tell)
        save(found, folder)
    return found
