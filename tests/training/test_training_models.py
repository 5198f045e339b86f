"""How the towers and the cross-encoder are trained: the start, the lists, the losses, going on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from countercase.encoders.embedded.graphs import CLOSED
from training import cross_lists, mining, towers
from training.mining import Pair, TrainingSet
from training.pairs import Material, Passage, Question
from training.recall import Cases, recall


def f32(*rows: Sequence[float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def pair(
    case: str, positive: int, *negatives: int, kind: Any = "cites", split: Any = "train"
) -> Pair:
    return Pair(kind, split, case, f"{case} asks", positive, negatives, ())


def made(owners: str, vectors: np.ndarray, pairs: list[Pair], queries: np.ndarray) -> TrainingSet:
    passages = [Passage(owner, f"passage {at} of {owner}") for at, owner in enumerate(owners)]
    return TrainingSet(passages, pairs, vectors, queries)


# Whitening


def test_whitening_by_hand() -> None:
    # Variances 2 and ½ about (1, 1), mean 1¼; with a ridge of twice that mean, 4½ and 3.
    vectors = f32([3, 1], [-1, 1], [1, 2], [1, 0])
    centre, matrix = towers.whitening(vectors)
    assert centre == pytest.approx([1, 1])
    assert matrix == pytest.approx(np.diag(np.sqrt([1.25 / 4.5, 1.25 / 3])), abs=1e-6)


# The loss of the towers

FLAT = (torch.eye(2), torch.eye(2))
ASKED = f32([0.6, 0.8], [0, 1])
TOLD = f32([1, 0], [0, 1], [-1, 0])


@pytest.mark.parametrize(
    ("pairs", "cosines"),
    [
        # .6 with the positive, -.6 with the hard negative, .8 with what was drawn
        ([pair("a", 0, 2)], (0.6, -0.6, 0.8)),
        # another right answer is no negative: the same judgment cites the second one too
        ([pair("a", 0, 2), pair("a", 1, 2)], (0.6, -0.6)),
        # and no passage of the judgment that asks
        ([pair("Y", 0, 2)], (0.6, -0.6)),
    ],
)
def test_the_loss_by_hand(pairs: list[Pair], cosines: tuple[float, ...]) -> None:
    found = made("XYZ", TOLD, pairs, ASKED[[0] * len(pairs)])
    shift, drawn = torch.zeros(2), random.Random(0)
    loss = towers.loss_of(found, Cases(found), FLAT, shift, [0], drawn, [1]).item()
    logits = np.array(cosines) / towers.TEMPERATURE
    assert loss == pytest.approx(np.log(np.exp(logits).sum()) - logits[0], rel=1e-5, abs=1e-6)


# Going on


def test_a_run_that_was_stopped_goes_on_to_the_same_towers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    pairs = [pair(f"q{at}", at, *((at + n) % 8 for n in (1, 2, 3))) for at in range(8)]
    told, asked = (rng.normal(size=(8, 4)).astype(np.float32) for _ in range(2))
    found = made("ABCDEFGH", told, pairs, asked)
    centre, start = towers.whitening(found.passage_vectors)
    monkeypatch.setattr(towers, "CHECKPOINT_EVERY", 10)

    def train(steps: int, folder: str) -> Any:
        monkeypatch.setattr(towers, "STEPS", steps)
        return towers.train(found, centre, start, tmp_path / folder, 0)

    whole, half, again = train(20, "whole"), train(10, "halves"), train(20, "halves")
    for one, other, before in zip(whole[:2], again[:2], half[:2], strict=True):
        assert one.tobytes() == other.tobytes()
        assert not np.array_equal(one, before)
    assert not np.array_equal(whole[0], whole[1])  # the towers part


# Mining and recall


class Recording:
    """Encoders that keep which role is asked, and give the same vectors to all."""

    def __init__(self) -> None:
        self.roles: list[str] = []

    def encode(self, role: str, texts: Sequence[str]) -> np.ndarray:
        self.roles.append(role)
        rng = np.random.default_rng(len(texts))
        raw = rng.normal(size=(len(texts), 8))
        return (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)


def test_pairs_are_mined_with_the_base_model_whatever_towers_are_installed() -> None:
    passages = [Passage(f"case{at}", f"word{at} and the words of all") for at in range(120)]
    asked = Question("cites", "asker", "word7 of all", (7,))
    material = Material(passages, [asked], {}, set())
    encoders = Recording()
    found = mining.mine(material, encoders, lambda _: None)  # type: ignore[arg-type]
    assert encoders.roles == ["sentence", "sentence"]
    [mined] = found.pairs
    assert mined.positive == 7
    assert 7 not in mined.negatives and len(set(mined.negatives)) == len(mined.negatives) > 0


def test_recall_leaves_out_the_judgment_that_asks() -> None:
    # Twelve judgments; only the asker's own passage and ten others lie nearer than the answer.
    vectors = f32(*([np.cos(at / 20), np.sin(at / 20)] for at in range(12)))
    asked = f32([1, 0])
    for asker, share in (("A", 1.0), ("elsewhere", 0.0)):
        found = made("ABCDEFGHIJKL", vectors, [pair(asker, 10)], asked)
        assert recall(found, Cases(found), [0], asked) == {"cites": share, "mean": share}


# Lists of the cross-encoder


def test_the_bank_holds_no_judgment_of_development() -> None:
    found = made("ABA", TOLD, [pair("B", 0, split="development"), pair("A", 1)], ASKED)
    assert cross_lists.bank_of(found) == {"A": [0, 2]}


def test_lists_begin_with_the_positive_and_are_the_same_every_time() -> None:
    owners = "ABCDEFGHIJ"
    vectors = np.random.default_rng(0).normal(size=(10, 4)).astype(np.float32)
    found = made(owners, vectors, [pair("asker", 3, 0, 1, 2, 4, 5, 6)], vectors[:1])
    bank = cross_lists.bank_of(found)
    hard, drawn = cross_lists.lists_of(found, [0], bank)
    assert hard == [[3, 0, 1, 2, 4, 5]]
    assert drawn[0][0] == 3 and len(set(drawn[0])) == 1 + cross_lists.REPORTED
    assert cross_lists.lists_of(found, [0], bank) == (hard, drawn)


# The scorer


@pytest.fixture(scope="module")
def scorer() -> cross_lists.Scorer:
    made = cross_lists.Scorer(0)
    made.bf16 = False
    return made


QUERIES = ["He gave one blow with a stick in a quarrel.", "The cheque came back unpaid."]
PASSAGES = [
    "A single blow in a sudden fight is culpable homicide not amounting to murder.",
    "Section 138 applies where a cheque is returned for want of funds and notice was given.",
    "The assessee claimed depreciation.",
]


def test_texts_read_apart_score_as_a_pair_behind_closed_gates(scorer: cross_lists.Scorer) -> None:
    gates = scorer.head.gates.detach().clone()
    pairs = [(query, passage) for query in QUERIES for passage in PASSAGES]
    with torch.no_grad():
        apart = scorer.apart(QUERIES, PASSAGES)
        scorer.head.gates.fill_(CLOSED)
        closed = scorer(pairs, cross_lists.PAIR_PIECES).view(2, 3)
        scorer.head.gates.copy_(gates)
        start = scorer(pairs, cross_lists.PAIR_PIECES).view(2, 3)
    # The comparison word by word is made in bfloat16 where texts are read apart.
    assert closed.numpy() == pytest.approx(apart.numpy(), abs=0.1)
    assert start.numpy() == pytest.approx(closed.numpy(), abs=0.5)
    assert not torch.equal(start, closed)
    assert apart.argmax(dim=1).tolist() == [0, 1]
