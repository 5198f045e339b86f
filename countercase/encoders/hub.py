"""The four public models of `--models hub`, at pinned revisions, in torch on the CPU.

They are fetched from the Hugging Face hub by its own client and cached by it. A revision that this
file does not pin is pinned at first use: the commit that was fetched is written to a lock file, and
every later run takes that commit and no other. No code of a model repository is ever run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from countercase.encoders import directory
from countercase.encoders.base import ROLES, CachedEncoders, EncoderOptions, Role, Vectors
from countercase.encoders.cache import Report
from countercase.errors import ModelError
from countercase.io import cache_root, write_files

_MINILM: Final = (
    "sentence-transformers/all-MiniLM-L6-v2",
    "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
)
HUB_MODELS: Final[dict[Role, tuple[str, str | None]]] = {
    "question": ("facebook/dpr-question_encoder-single-nq-base", None),
    "passage": ("facebook/dpr-ctx_encoder-single-nq-base", None),
    "sentence": _MINILM,
    "stance": _MINILM,
    "cross": ("cross-encoder/ms-marco-MiniLM-L-6-v2", "c5ee24cb16019beea0893ab7796b1df96625c6b8"),
}
"""Repository and revision of each role; None: pinned in the lock file at first use."""

LIMIT: Final = 512
_FETCHED: Final = ["*.json", "*.txt", "*.safetensors", "pytorch_model.bin", "1_Pooling/*"]


def lock_file() -> Path:
    """Return where revisions that were pinned at first use are kept."""
    return cache_root() / "models" / "hub.lock.json"


def pinned(role: Role) -> str | None:
    """Return the revision of a role: ours, or the one in the lock file; None before first use."""
    revision = HUB_MODELS[role][1]
    return _pinned_here().get(HUB_MODELS[role][0]) if revision is None else revision


def _pinned_here() -> dict[str, str]:
    """Revisions by repository that were pinned at first use; ModelError on a damaged file."""
    path = lock_file()
    if not path.is_file():
        return {}
    try:
        known: dict[str, str] = dict(json.loads(path.read_bytes()))
    except (ValueError, TypeError, RecursionError) as error:
        raise ModelError(
            f"{path}: damaged ({error}); delete it, and the newest revisions are pinned"
        ) from error
    return known


def fetch(role: Role) -> tuple[Path, str]:
    """Return the local folder of a role's model and its revision, fetched if it is not there yet.

    ModelError where the hub cannot be reached and the model is not in its cache.
    """
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    name, revision = HUB_MODELS[role][0], pinned(role)
    try:
        folder = Path(snapshot_download(name, revision=revision, allow_patterns=_FETCHED))
    except (OSError, HfHubHTTPError, LocalEntryNotFoundError, ValueError) as error:
        raise ModelError(
            f"{name}: not in the local hub cache and the hub cannot be reached "
            f"({type(error).__name__}); go online once, or use --models embedded"
        ) from error
    fetched = folder.name
    if revision is None:
        _pin(name, fetched)
    return folder, fetched


def _pin(name: str, revision: str) -> None:
    path = lock_file()
    known = json.dumps(_pinned_here() | {name: revision}, indent=1, sort_keys=True)
    write_files(path.parent, {path.name: f"{known}\n"})


class HubEncoders(CachedEncoders):
    """The public models, fetched unless their folders and revisions are given by role."""

    def __init__(
        self,
        options: EncoderOptions | None = None,
        folders: dict[Role, tuple[Path, str]] | None = None,
    ) -> None:
        super().__init__(options)
        self._folders: dict[Role, tuple[Path, str]] = dict(folders or {})
        self._models: dict[Role, Any] = {}
        if "sentence" in self._folders:
            self._folders.setdefault("stance", self._folders["sentence"])
        for role in ROLES:
            if role not in self._folders:
                self._folders[role] = fetch(role)

    def fingerprint(self, role: Role) -> str:
        return f"hub:{HUB_MODELS[role][0]}@{self._folders[role][1]}"

    def width(self, role: Role) -> int:
        if role == "cross":
            return 1
        model = self._model(role)
        if role in ("sentence", "stance"):
            return int(model.get_embedding_dimension())
        return int(model[1].config.hidden_size)

    def counts(self, texts: list[str]) -> list[int]:
        return directory.count_pieces(self._model("sentence"), texts)

    def _vector(self, role: Role, text: str) -> Vectors:
        if role in ("sentence", "stance"):
            return directory.embed(self._model(role), text)
        import torch

        tokenizer, encoder = self._model(role)
        inputs = tokenizer(text, return_tensors="pt", truncation=True, max_length=LIMIT)
        with torch.no_grad():
            output = encoder(**inputs).pooler_output
        return np.asarray(output[0].numpy(), dtype=np.float32)

    def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> Sequence[Vectors]:
        return directory.one_by_one(lambda text: self._vector(role, text), texts, report)

    def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> Sequence[Vectors]:
        model = self._model("cross")
        return directory.one_by_one(lambda it: directory.score_pair(model, it), pairs, report)

    def _model(self, role: Role) -> Any:
        if role not in self._models:
            folder = self._folders[role][0]
            with directory.load_failures(folder):
                self._models[role] = _load(role, folder)
        return self._models[role]


def _load(role: Role, folder: Path) -> Any:
    """Return the model of one role from its folder, in eval mode, float32."""
    if role in ("sentence", "stance"):
        return directory.load_bi_encoder(folder)
    if role == "cross":
        return directory.load_cross_encoder(folder, LIMIT)
    import transformers

    name = "DPRQuestionEncoder" if role == "question" else "DPRContextEncoder"
    tokenizer = getattr(transformers, f"{name}Tokenizer").from_pretrained(folder)
    return tokenizer, getattr(transformers, name).from_pretrained(folder).eval()
