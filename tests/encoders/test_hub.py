"""The public models' loading code, on tiny random models of the same classes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tiny_models import TEXTS, TINY, WIDTH, save, save_bi_encoder, save_cross_encoder

from countercase.encoders import saved as hub
from countercase.encoders.base import Role
from countercase.encoders.saved import HubEncoders
from countercase.errors import ModelError


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[Role, tuple[Path, str]]:
    import torch
    from transformers import DPRConfig, DPRContextEncoder, DPRQuestionEncoder

    torch.manual_seed(0)
    root = tmp_path_factory.mktemp("hub")
    made: dict[Role, Path] = {
        "question": save(root / "question", DPRQuestionEncoder(DPRConfig(**TINY))),
        "passage": save(root / "passage", DPRContextEncoder(DPRConfig(**TINY))),
        "cross": save_cross_encoder(root),
        "sentence": save_bi_encoder(root),
    }
    return {role: (folder, f"{role}-revision") for role, folder in made.items()}


def opened(folders: dict[Role, tuple[Path, str]]) -> HubEncoders:
    """The public models, of these folders in place of those that are fetched."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub, "fetch", lambda role: folders["sentence" if role == "stance" else role])
        return HubEncoders()


@pytest.fixture(scope="module")
def tiny(folders: dict[Role, tuple[Path, str]]) -> HubEncoders:
    return opened(folders)


@pytest.mark.parametrize("role", ["sentence", "question", "passage"])
def test_vectors_do_not_depend_on_their_company(tiny: HubEncoders, role: Role) -> None:
    together = tiny.encode(role, TEXTS)
    assert together.shape == (3, WIDTH)
    assert np.isfinite(together).all()
    for text, row in zip(TEXTS, together, strict=True):
        assert tiny.encode(role, [text])[0].tobytes() == row.tobytes()


def test_the_towers_are_two_models(tiny: HubEncoders) -> None:
    question, passage = (tiny.encode(role, TEXTS) for role in ("question", "passage"))
    assert not np.allclose(question, passage)
    assert tiny.fingerprint("question") != tiny.fingerprint("passage")
    assert tiny.fingerprint("cross").endswith("@cross-revision")


def test_sentence_vectors_have_unit_length(tiny: HubEncoders) -> None:
    assert np.linalg.norm(tiny.encode("sentence", TEXTS), axis=1) == pytest.approx(1, abs=1e-5)


def test_pairs_are_scored_alone(tiny: HubEncoders) -> None:
    pairs = [(TEXTS[0], text) for text in TEXTS]
    scores = tiny.score(pairs)
    assert scores.shape == (3,)
    assert len(set(scores.tolist())) == 3
    for pair, score in zip(pairs, scores, strict=True):
        assert tiny.score([pair])[0] == score


def test_word_pieces_are_those_of_the_tokenizer(tiny: HubEncoders) -> None:
    assert tiny.counts(["murder", "", "one two three"]) == [1, 0, 3]


def test_a_folder_that_holds_no_model(
    folders: dict[Role, tuple[Path, str]], tmp_path: Path
) -> None:
    broken = opened(folders | {"question": (tmp_path, "none")})
    with pytest.raises(ModelError, match="cannot be loaded"):
        broken.encode("question", TEXTS)


def test_what_is_not_there_and_cannot_be_fetched(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match="use --models embedded"):
        hub.fetch("cross")


def test_a_revision_is_pinned_at_first_use(home: Path) -> None:
    name = hub.HUB_MODELS["question"][0]
    assert hub.pinned("sentence") == hub.HUB_MODELS["sentence"][1]
    assert hub.pinned("question") is None
    hub._pin(name, "abc123")
    try:
        assert hub.pinned("question") == "abc123"
        assert hub.pinned("passage") is None
    finally:
        hub.lock_file().unlink()


@pytest.mark.parametrize("damaged", [b"{", b"\xff", b"[1, 2]", b"[" * 100_000])
def test_a_damaged_lock_file_is_named(
    damaged: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", str(tmp_path))
    (tmp_path / "models").mkdir()
    hub.lock_file().write_bytes(damaged)
    with pytest.raises(ModelError, match=r"hub\.lock\.json: damaged .*delete it"):
        hub.pinned("question")
