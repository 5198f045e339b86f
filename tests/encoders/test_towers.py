"""The two towers: their projections, what is taken off for hubs, and their known answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import save_file
from typed_commands import typed

from countercase.cli.models import CARDS
from countercase.corpus.index.kept import SAMPLED, hubness, sampled
from countercase.encoders.base import ROLES, Role
from countercase.encoders.embedded import suite as known
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.suite import (
    ASKED,
    EmbeddedEncoders,
    Projection,
    difference,
    read_projection,
)
from countercase.errors import ModelError
from countercase.retrieval.base import beyond
from countercase.retrieval.dense import dense_rows, standard, standout_of

TEXTS = [
    "The tenant sublet the shop without the landlord's leave.",
    "One blow with a stick was given in a quarrel.",
    "The notice was sent on the sixteenth day.",
]


def f32(*rows: Sequence[float]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


# Projections


def test_a_projection_by_hand() -> None:
    # (2, 2) lies (1, 1) from the centre and is turned to (2, 1), of length √5.
    made = Projection(np.array([1.0, 1.0]), np.array([[2.0, 0.0], [0.0, 1.0]]))
    assert made(f32([2, 2])) == pytest.approx(f32([2, 1]) / np.sqrt(5))
    assert made(f32([2, 2])).dtype == np.float32


@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(2, 48))
def test_a_row_is_of_unit_length_and_the_same_bits_alone(seed: int, rows: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    made = Projection(rng.normal(size=width), rng.normal(size=(width, width)))
    vectors = rng.normal(size=(rows, width)).astype(np.float32)
    together = made(vectors)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    for vector, row in zip(vectors, together, strict=True):
        assert made(vector[None])[0].tobytes() == row.tobytes()


def test_a_tower_is_read_from_the_file_of_both_and_a_file_without_one_is_told(
    tmp_path: Path,
) -> None:
    path = tmp_path / "towers.safetensors"
    centres = {"question.centre": [0.5], "passage.centre": [0.25]}
    matrices = {"question.matrix": [[2.0]], "passage.matrix": [[4.0]]}
    halves = (centres | matrices).items()
    save_file({name: np.array(half, np.float16) for name, half in halves}, path)
    question, passage = read_projection(path, "question"), read_projection(path, "passage")
    assert (question.centre.tolist(), question.matrix.tolist()) == ([0.5], [[2.0]])
    assert (passage.centre.tolist(), passage.matrix.tolist()) == ([0.25], [[4.0]])
    assert question.matrix.dtype == np.float64
    save_file({"question.centre": np.zeros(2)}, path)
    with pytest.raises(ModelError, match=r"towers\.safetensors: holds no .question\.matrix"):
        read_projection(path, "question")
    path.write_bytes(b"no tensors")
    with pytest.raises(ModelError, match=r"towers\.safetensors: .*install countercase again"):
        read_projection(path, "question")


# Hubs

CHUNKS = f32([1, 0], [1, 0], [0, 1], [0.6, 0.8])
STARTS = np.array([0, 1, 3, 4])


def drawn_corpus(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(rng.integers(1, 5, size=6))])
    raw = rng.normal(size=(int(starts[-1]), 8))
    chunks = (raw / np.linalg.norm(raw, axis=1, keepdims=True)).astype(np.float32)
    return chunks, starts, np.repeat(np.arange(6), np.diff(starts))


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.randoms(use_true_random=False))
def test_hubness_by_brute_force_and_in_any_order_of_questions(seed: int, random: Any) -> None:
    chunks, starts, owners = drawn_corpus(seed)
    found = hubness(chunks, owners, chunks, starts)
    scores = chunks.astype(np.float64) @ chunks.astype(np.float64).T
    for case, (left, right) in enumerate(pairwise(starts)):
        asked = [scores[at, left:right].max() for at in np.flatnonzero(owners != case)]
        assert found[case] == pytest.approx(np.mean(asked), abs=1e-8)
    order = random.sample(range(len(chunks)), len(chunks))
    assert hubness(chunks[order], owners[order], chunks, starts).tobytes() == found.tobytes()


def test_questions_are_drawn_evenly_and_all_of_a_small_corpus() -> None:
    assert sampled(5).tolist() == [0, 1, 2, 3, 4]
    many = sampled(100_000)
    assert len(many) == SAMPLED == len(set(many.tolist()))
    assert (many[0], many[-1]) == (0, 99_999)
    assert set(np.diff(many).tolist()) <= {392, 393}


# Standing out


@pytest.mark.parametrize(
    ("segments", "most", "threshold"),
    [(0, 2, 0), (1, 2, 0), (10, 2, 1), (100, 2, 2), (1000, 2, 2), (1000, 5, 3), (10, 0.5, 0.5)],
)
def test_the_threshold_grows_with_the_logarithm_of_the_segments(
    segments: int, most: float, threshold: float
) -> None:
    assert standout_of(segments, most) == pytest.approx(threshold)


def test_what_is_taken_off_for_hubs_changes_what_stands_out_and_no_cosine() -> None:
    [plain] = dense_rows(f32([1, 0]), CHUNKS, STARTS)
    [row] = dense_rows(f32([1, 0]), CHUNKS, STARTS, np.array([0.0, 0.5, 0.0]))
    assert row.cosine.tolist() == plain.cosine.tolist() == pytest.approx([1, 1, 0.6])
    assert row.chunk.tolist() == plain.chunk.tolist() == [0, 1, 3]
    assert plain.z[0] == plain.z[1] > plain.z[2]
    assert row.z == pytest.approx(standard(np.array([1.0, 0.5, 0.6])))
    assert row.strength(1.0) == pytest.approx(beyond(row.z, 1.0))


# Recipes and fingerprints


def test_each_role_has_a_name_of_its_own_though_three_share_a_model() -> None:
    recipes = weights.recipes()
    assert len({weights.fingerprint(recipes[role], "f32") for role in ROLES}) == len(ROLES)
    models = {role: weights.model_fingerprint(recipes[role], "f32") for role in ROLES}
    assert models["sentence"] == models["question"] == models["passage"] != models["cross"]
    assert weights.fingerprint(recipes["sentence"], "f32") == models["sentence"]


def test_other_towers_and_another_precision_have_another_name() -> None:
    recipe = weights.recipes()["question"]
    names = {
        weights.fingerprint(one, precision)
        for one in (recipe, replace(recipe, projection_sha256="0" * 64))
        for precision in ("f32", "bf16")
    }
    assert len(names) == 4
    without = replace(recipe, projection_sha256=None)
    assert weights.fingerprint(without, "f32") == weights.model_fingerprint(recipe, "f32")
    with pytest.raises(ModelError, match="damaged or replaced"):
        weights.towers_file(replace(recipe, projection_sha256="0" * 64))


def test_a_tower_projects_what_the_sentence_encoder_says(encoders: EmbeddedEncoders) -> None:
    sentences = encoders.encode("sentence", TEXTS)
    towers = weights.towers_file(weights.recipes()["question"])
    assert towers is not None
    for role in ("question", "passage"):
        vectors = encoders.encode(role, TEXTS)
        assert vectors.tobytes() == read_projection(towers, role)(sentences).tobytes()
        assert not np.allclose(vectors, sentences, atol=0.05)
    assert encoders.encode("question", []).shape == (0, 384)


# Known answers

PACKAGE = resources.files("countercase.encoders.embedded")
SHIPPED: dict[str, list[float]] = json.loads(
    PACKAGE.joinpath("adapter_files", "known_answers.json").read_text("utf-8")
)


def answering(role: Role, *added: float) -> Any:
    """Encoders whose cosines and scores are those that were shipped, and so much more."""
    answers = [a + b for a, b in zip(SHIPPED[role], added, strict=True)]

    def encode(role: Role, texts: Sequence[str]) -> np.ndarray:
        cosines = [1.0] if list(texts) == [ASKED] else answers
        return np.array([[cosine, 0.0] for cosine in cosines])

    return SimpleNamespace(encode=encode, score=lambda pairs: np.array(answers))


@pytest.mark.parametrize("role", ROLES)
def test_answers_may_differ_by_the_arithmetic_and_no_more(role: Role) -> None:
    allowed = known.SCORE_TOLERANCE if role == "cross" else known.COSINE_TOLERANCE
    near, far = 0.9 * allowed, 1.1 * allowed
    assert difference(answering(role, near, -near), role) == ""
    for added in ((far, 0.0), (0.0, -far), (float("nan"), 0.0), (0.0, float("nan"))):
        assert "when it was shipped" in difference(answering(role, *added), role)


def test_verify_asks_the_models_and_fails_where_an_answer_is_wrong(
    encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = typed("models", "verify", "--json")
    problems = {one["role"]: one["problem"] for one in json.loads(found.stdout)}
    assert problems == dict.fromkeys((*ROLES, "contrast", "reader", "tagger"), "")
    monkeypatch.setattr(known, "known_answers", lambda *_: [9.0, 9.0])
    wrong = typed("models", "verify", "--json", status=1)
    assert [one["role"] for one in json.loads(wrong.stdout) if one["problem"]] == list(ROLES)


# Cards


def card(name: str) -> str:
    return PACKAGE.joinpath("cards", f"{CARDS[name]}.md").read_text("utf-8")


def test_everything_that_was_trained_has_a_card_that_names_its_file() -> None:
    for role, recipe in weights.recipes().items():
        if recipe.adapter is not None:
            assert recipe.adapter in card(role)
        if recipe.projection_sha256 is not None:
            assert weights.TOWERS in card(role)
    found = typed("models", "card", "crows", status=2)
    assert all(name in found.stderr for name in (*ROLES, "contrast", "reader", "tagger"))
