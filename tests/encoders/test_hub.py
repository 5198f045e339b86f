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


def test_each_role_has_its_model_and_a_text_the_same_bits_in_any_company(tiny: HubEncoders) -> None:
    made = {}
    for role in ("sentence", "question", "passage"):
        made[role] = tiny.encode(role, TEXTS)
        assert made[role].shape == (3, WIDTH)
        assert np.isfinite(made[role]).all()
        for text, row in zip(TEXTS, made[role], strict=True):
            assert tiny.encode(role, [text])[0].tobytes() == row.tobytes()
    assert np.linalg.norm(made["sentence"], axis=1) == pytest.approx(1, abs=1e-5)
    assert not np.allclose(made["question"], made["passage"])
    assert tiny.fingerprint("question") != tiny.fingerprint("passage")
    assert tiny.fingerprint("cross").endswith("@cross-revision")
    assert tiny.counts(["murder", "", "one two three"]) == [1, 0, 3]


def test_pairs_are_scored_alone(tiny: HubEncoders) -> None:
    pairs = [(TEXTS[0], text) for text in TEXTS]
    scores = tiny.score(pairs)
    assert scores.shape == (3,)
    assert len(set(scores.tolist())) == 3
    assert [tiny.score([pair])[0] for pair in pairs] == scores.tolist()


def test_a_folder_that_holds_no_model_and_one_that_cannot_be_fetched(
    folders: dict[Role, tuple[Path, str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = opened(folders | {"question": (tmp_path, "none")})
    with pytest.raises(ModelError, match="cannot be loaded"):
        broken.encode("question", TEXTS)
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
