"""Any sentence-transformers folder as the models: tiny random ones, made here."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from sentence_transformers import CrossEncoder, SentenceTransformer
from tiny_models import TEXTS, WIDTH, save_bi_encoder, save_cross_encoder

from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index
from countercase.encoders.base import EncoderOptions, Encoders, Role, encode_as, open_encoders
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import ModelError
from countercase.retrieval.base import Query
from countercase.retrieval.hybrid import HybridRetriever


@pytest.fixture(scope="module")
def bi_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_bi_encoder(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def cross_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_cross_encoder(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def own(home: Path, bi_folder: Path) -> Encoders:
    return open_encoders(str(bi_folder))


def test_a_bi_encoder_serves_three_roles_and_the_cross_encoder_stays(
    own: Encoders, encoders: EmbeddedEncoders
) -> None:
    assert own.fingerprint("sentence") == own.fingerprint("question") == own.fingerprint("passage")
    assert own.fingerprint("sentence") != encoders.fingerprint("sentence")
    assert own.fingerprint("cross") == encoders.fingerprint("cross")
    assert [own.width(role) for role in ("sentence", "question", "cross")] == [WIDTH, WIDTH, 1]
    pairs = [(TEXTS[0], TEXTS[1])]
    assert own.score(pairs).tobytes() == encoders.score(pairs).tobytes()


def test_vectors_are_unit_and_do_not_depend_on_their_company(
    own: Encoders, bi_folder: Path
) -> None:
    together = own.encode("sentence", TEXTS)
    assert together.shape == (3, WIDTH)
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    again = open_encoders(str(bi_folder))
    for text, row in zip(reversed(TEXTS), reversed(together), strict=True):
        assert again.encode("question", [text])[0].tobytes() == row.tobytes()
    library = SentenceTransformer(str(bi_folder), device="cpu")
    assert np.allclose(library.encode(TEXTS, normalize_embeddings=True), together, atol=1e-5)
    assert own.encode("passage", []).shape == (0, WIDTH)


def test_roles_encoded_together_are_as_each_alone(
    own: Encoders, cross_folder: Path, encoders: EmbeddedEncoders
) -> None:
    """Also where another set of models serves them: a folder's model never answers for it."""
    roles: tuple[Role, ...] = ("sentence", "question", "passage")
    texts = ["Asked in every role together.", "And nowhere else."]
    for models in (own, open_encoders(str(cross_folder)), encoders):
        together = encode_as(models, roles, texts)
        for role, vectors in zip(roles, together, strict=True):
            assert vectors.tobytes() == models.encode(role, texts).tobytes()
    for role, vectors in zip(roles, together, strict=True):
        fresh = EmbeddedEncoders(EncoderOptions(threads=1)).encode(role, texts)
        assert vectors.tobytes() == fresh.tobytes()


def test_a_cross_encoder_scores_pairs_and_the_bi_encoders_stay(
    cross_folder: Path, encoders: EmbeddedEncoders
) -> None:
    own = open_encoders(str(cross_folder), pair_pieces=64)
    assert own.fingerprint("cross").startswith("directory:")
    for role in ("sentence", "question", "passage"):
        assert own.fingerprint(role) == encoders.fingerprint(role)
    assert own.encode("sentence", TEXTS).tobytes() == encoders.encode("sentence", TEXTS).tobytes()
    assert own.counts(TEXTS) == encoders.counts(TEXTS)
    pairs = [(TEXTS[0], text) for text in (*TEXTS, "a long answer " * 200)]
    scores = own.score(pairs)
    assert scores.shape == (4,)
    for pair, score in zip(pairs, scores, strict=True):
        assert open_encoders(str(cross_folder), pair_pieces=64).score([pair])[0] == score
    library = CrossEncoder(str(cross_folder), device="cpu")
    expected = library.predict(pairs[:3], activation_fn=torch.nn.Identity())
    assert np.allclose(scores[:3], expected, atol=1e-5)


def test_prompts_make_two_models_of_one(tmp_path: Path) -> None:
    prompted = open_encoders(str(save_bi_encoder(tmp_path, prompts={"query": "question: "})))
    assert prompted.fingerprint("question") != prompted.fingerprint("passage")
    assert prompted.fingerprint("passage") == prompted.fingerprint("sentence")
    asked = prompted.encode("question", TEXTS[:1])
    assert np.allclose(asked, prompted.encode("sentence", ["question: " + TEXTS[0]]), atol=1e-6)


def test_the_fingerprint_is_that_of_the_files(bi_folder: Path, tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    shutil.copytree(bi_folder, copied)
    name = open_encoders(str(copied)).fingerprint("sentence")
    assert name == open_encoders(str(bi_folder)).fingerprint("sentence")
    config = json.loads((copied / "config.json").read_text())
    (copied / "config.json").write_text(json.dumps(config | {"layer_norm_eps": 1e-3}))
    assert open_encoders(str(copied)).fingerprint("sentence") != name


def test_a_corpus_is_indexed_and_searched_with_them(own: Encoders) -> None:
    documents = [Document(f"d{at}", f"Case {at}", text) for at, text in enumerate(TEXTS)]
    snapshot, _ = build_index(documents, "tiny-models", own, 60)
    assert snapshot.sentence.shape == (3, WIDTH)
    assert snapshot.manifest.models["sentence"] == own.fingerprint("sentence")
    [ranking] = HybridRetriever(snapshot, own).retrieve([Query((TEXTS[1],))])
    assert ranking.case_ids[0] == "d1"
    first = ranking.results[0]
    assert first.stages["dpr"] == first.stages["chroma"]
    assert set(first.stages) == {"dpr", "chroma", "lexical", "fused", "mmr", "rerank", "final"}


def test_what_is_no_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no encoders named 'embeded'; did you mean embedded"):
        open_encoders("embeded")
    with pytest.raises(ModelError, match="not a bi-encoder or cross-encoder"):
        open_encoders(str(tmp_path))
    several = open_encoders(str(save_cross_encoder(tmp_path, labels=3)))
    with pytest.raises(ModelError, match="gives 3 scores a pair"):
        several.score([(TEXTS[0], TEXTS[1])])
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "modules.json").write_text("[]")
    with pytest.raises(ModelError, match="broken"):
        open_encoders(str(tmp_path / "broken")).encode("sentence", TEXTS)
