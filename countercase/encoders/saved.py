"""Models in torch that others saved, on the CPU: those of `--models DIR` and of `--models hub`.

*A folder* is one that the sentence-transformers library saved. A bi-encoder in it serves all roles but
`cross`, a cross-encoder serves that; for the others the embedded models stay.

*The hub*: four public models are fetched by the Hugging Face client, at revisions that are pinned here, or
at first use: the commit that was fetched is written to a lock file, and every later run takes that one.

Texts are computed one at a time, by one thread, so a text's vector does not depend on the batch or the
machine's load. No code of a folder or a repository is ever run.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from countercase.encoders.apart import ApartReader
from countercase.encoders.base import ROLES, CachedEncoders, EncoderOptions, Role, Vectors
from countercase.encoders.cache import Item, Report
from countercase.encoders.embedded.suite import EmbeddedEncoders, Projection
from countercase.encoders.embedded.weights import sha256_of
from countercase.errors import InputError, ModelError
from countercase.io import cache_root, parse_json, write_files

_PROMPTS: Final = {"question": ("query",), "passage": ("document", "passage")}
"""Names under which a bi-encoder may hold the prompt of a role."""


class DirectoryEncoders(EmbeddedEncoders):
    """The embedded models, with that in `options.folder` in the place of some; ModelError if none is."""

    def __init__(self, options: EncoderOptions) -> None:
        super().__init__(options)
        assert options.folder is not None  # as `open_encoders` gives it
        self._folder = options.folder
        self._is_cross = is_cross_encoder(self._folder)
        self._digest = folder_digest(self._folder)
        config = _json(self._folder / "config_sentence_transformers.json")
        self._prompts: dict[str, str] = config.get("prompts") or {}

    def _own(self, role: Role) -> bool:
        return (role == "cross") == self._is_cross

    def fingerprint(self, role: Role) -> str:
        if not self._own(role):
            return super().fingerprint(role)
        prompt = self._prompt_name(role)
        return f"directory:{self._digest}" + (f":{prompt}" if prompt else "")

    def width(self, role: Role) -> int:
        if role == "cross" or not self._own(role):
            return super().width(role)
        return int(self._model.get_embedding_dimension())

    def count(self, text: str) -> int:
        return super().count(text) if self._is_cross else self.counts([text])[0]

    def counts(self, texts: list[str]) -> list[int]:
        return super().counts(texts) if self._is_cross else count_pieces(self._model, texts)

    @cached_property
    def apart(self) -> ApartReader | None:
        return None if self._is_cross else super().apart

    def _cache_name(self, role: Role) -> str:
        if role != "cross" and self._own(role):
            return self.fingerprint(role)
        return super()._cache_name(role)

    def _projection(self, role: Role) -> Projection | None:
        return None if self._own(role) else super()._projection(role)

    def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> Sequence[Vectors]:
        if not self._own(role):
            return super()._vectors(role, texts, report)
        prompt = self._prompt_name(role)
        return one_by_one(lambda text: embed(self._model, text, prompt), texts, report)

    def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> Sequence[Vectors]:
        if not self._is_cross:
            return super()._scores(pairs, report)
        return one_by_one(lambda pair: score_pair(self._model, pair), pairs, report)

    def _prompt_name(self, role: Role) -> str | None:
        return next((name for name in _PROMPTS.get(role, ()) if self._prompts.get(name)), None)

    @cached_property
    def _model(self) -> Any:
        return load_model(self._folder, self._is_cross, self._options.pair_pieces)


def is_cross_encoder(folder: Path) -> bool:
    """Return whether a folder holds a cross-encoder, else a bi-encoder; ModelError if neither."""
    kind = _json(folder / "config_sentence_transformers.json").get("model_type")
    architectures = _json(folder / "config.json").get("architectures") or [""]
    if kind == "CrossEncoder" or architectures[0].endswith("ForSequenceClassification"):
        return True
    if (folder / "modules.json").is_file() and kind in (None, "SentenceTransformer"):
        return False
    raise ModelError(
        f"{folder}: not a bi-encoder or cross-encoder that sentence-transformers saved; "
        "it needs modules.json, or a config.json with a sequence classification model"
    )


def folder_digest(folder: Path) -> str:
    """16 hex digits of sha256 over the names and contents of a model's files."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in (".json", ".txt", ".safetensors", ".bin", ".model"):
            digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
            digest.update(bytes.fromhex(sha256_of(path)))
    return digest.hexdigest()[:16]


def load_model(folder: Path, is_cross: bool, limit: int) -> Any:
    """Load a bi-encoder, or a cross-encoder of one score and `limit` word pieces; ModelError if it fails."""
    with load_failures(folder):
        from sentence_transformers import CrossEncoder, SentenceTransformer

        kind = CrossEncoder if is_cross else SentenceTransformer
        model: Any = kind(str(folder), device="cpu", trust_remote_code=False)
    if is_cross:
        model.max_seq_length = min(limit, model.max_seq_length or limit)
        if model.num_labels != 1:
            raise ModelError(
                f"{folder}: the cross-encoder gives {model.num_labels} scores a pair, not one"
            )
    return model


@contextmanager
def load_failures(folder: Path) -> Iterator[None]:
    """Raise what goes wrong while a model is loaded as a `ModelError` that names its folder."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        yield
    except (OSError, ValueError, RuntimeError, KeyError, ImportError) as error:
        raise ModelError(
            f"{folder}: the model cannot be loaded ({type(error).__name__}: {error}); "
            "save or fetch it again"
        ) from error


def embed(model: Any, text: str, prompt: str | None = None) -> Vectors:
    """Return the unit vector of one text by a bi-encoder, shape (width,)."""
    rows = model.encode(
        [text], prompt_name=prompt, normalize_embeddings=True, show_progress_bar=False
    )
    return np.asarray(rows[0], dtype=np.float32)


def score_pair(model: Any, pair: tuple[str, str]) -> Vectors:
    """Return the score of one pair by a cross-encoder, before any activation, shape (1,)."""
    import torch

    score = model.predict([pair], activation_fn=torch.nn.Identity(), show_progress_bar=False)
    return np.asarray(score, dtype=np.float32).reshape(1)


def count_pieces(model: Any, texts: list[str]) -> list[int]:
    """Return the number of word pieces of each text by a model's tokenizer, special ones not counted."""
    tokenizer = model.tokenizer
    if hasattr(tokenizer, "encode_batch"):  # of a model without a transformer
        return [len(item.ids) for item in tokenizer.encode_batch(texts, add_special_tokens=False)]
    return [len(ids) for ids in tokenizer(texts, add_special_tokens=False, verbose=False).input_ids]


def one_by_one(
    compute: Callable[[Item], Vectors], items: Sequence[Item], report: Report
) -> list[Vectors]:
    """Compute each item by one thread: how torch splits a sum over threads would reach the last bits."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        rows = []
        for number, item in enumerate(items, start=1):
            rows.append(compute(item))
            report(number)
        return rows
    finally:
        torch.set_num_threads(before)


def _json(path: Path, advice: str = "give the folder of a whole model") -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        return dict(parse_json(path.read_text(encoding="utf-8"), path.name))
    except (InputError, UnicodeDecodeError, TypeError) as error:
        raise ModelError(f"{path}: damaged ({error}); {advice}") from error


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
    return _json(lock_file(), "delete it, and the newest revisions are pinned")


def fetch(role: Role) -> tuple[Path, str]:
    """Return the folder and revision of a role's model, fetched if need be; ModelError if it cannot be."""
    from huggingface_hub import snapshot_download

    name, revision = HUB_MODELS[role][0], pinned(role)
    try:
        folder = Path(snapshot_download(name, revision=revision, allow_patterns=_FETCHED))
    except (OSError, ValueError) as error:  # those of the hub are OSErrors or ValueErrors
        raise ModelError(
            f"{name}: not in the local hub cache and the hub cannot be reached "
            f"({type(error).__name__}); go online once, or use --models embedded"
        ) from error
    if revision is None:
        _pin(name, folder.name)
    return folder, folder.name


def _pin(name: str, revision: str) -> None:
    path = lock_file()
    known = json.dumps(_pinned_here() | {name: revision}, indent=1, sort_keys=True)
    write_files(path.parent, {path.name: f"{known}\n"})


class HubEncoders(CachedEncoders):
    """The public models, fetched when they are opened; ModelError where one cannot be."""

    def __init__(self, options: EncoderOptions | None = None) -> None:
        super().__init__(options)
        self._folders = {role: fetch(role) for role in ROLES}
        self._models: dict[Role, Any] = {}

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
        return count_pieces(self._model("sentence"), texts)

    def _vector(self, role: Role, text: str) -> Vectors:
        if role in ("sentence", "stance"):
            return embed(self._model(role), text)
        import torch

        tokenizer, encoder = self._model(role)
        inputs = tokenizer(text, return_tensors="pt", truncation=True, max_length=LIMIT)
        with torch.no_grad():
            output = encoder(**inputs).pooler_output
        return np.asarray(output[0].numpy(), dtype=np.float32)

    def _vectors(self, role: Role, texts: Sequence[str], report: Report) -> Sequence[Vectors]:
        return one_by_one(lambda text: self._vector(role, text), texts, report)

    def _scores(self, pairs: Sequence[tuple[str, str]], report: Report) -> Sequence[Vectors]:
        model = self._model("cross")
        return one_by_one(lambda it: score_pair(model, it), pairs, report)

    def _model(self, role: Role) -> Any:
        """Return the model of one role; of a tower it is the tokenizer and the encoder."""
        if role not in self._models:
            folder = self._folders[role][0]
            if role in ("question", "passage"):
                with load_failures(folder):
                    import transformers

                    name = "DPRQuestionEncoder" if role == "question" else "DPRContextEncoder"
                    tokenizer = getattr(transformers, f"{name}Tokenizer").from_pretrained(folder)
                    encoder = getattr(transformers, name).from_pretrained(folder).eval()
                self._models[role] = tokenizer, encoder
            else:
                self._models[role] = load_model(folder, role == "cross", LIMIT)
        return self._models[role]
