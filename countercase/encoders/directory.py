"""The models of `--models DIR`: any folder that the sentence-transformers library saved.

A bi-encoder serves `sentence`, `question` and `passage`; the embedded cross-encoder stays. A
cross-encoder serves `cross`; the embedded bi-encoders stay. Texts are computed one at a time, by
one thread, so a text's vector does not depend on the batch or the machine's load. No code of the
folder is ever run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from countercase.encoders.apart import ApartReader
from countercase.encoders.base import EncoderOptions, Role, Vectors
from countercase.encoders.cache import Report
from countercase.encoders.embedded.suite import EmbeddedEncoders, Projection
from countercase.errors import InputError, ModelError
from countercase.io import parse_json

Item = TypeVar("Item")

_PROMPTS: Final = {"question": ("query",), "passage": ("document", "passage")}
"""Names under which a bi-encoder may hold the prompt of a role."""


class DirectoryEncoders(EmbeddedEncoders):
    """The embedded models, with the one in `options.folder` in the place of some of them.

    ModelError where the folder holds neither a bi-encoder nor a cross-encoder.
    """

    def __init__(self, options: EncoderOptions) -> None:
        super().__init__(options)
        if options.folder is None:
            raise ModelError("give the path of a sentence-transformers folder as the models")
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
        names = _PROMPTS.get(role, ())
        return next((name for name in names if self._prompts.get(name)), None)

    @cached_property
    def _model(self) -> Any:
        if self._is_cross:
            return load_cross_encoder(self._folder, self._options.pair_pieces)
        return load_bi_encoder(self._folder)


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
            with path.open("rb") as stream:
                digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:16]


def load_bi_encoder(folder: Path) -> Any:
    """Return a bi-encoder on the CPU; ModelError where it cannot be loaded."""
    with load_failures(folder):
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(folder), device="cpu", trust_remote_code=False)


def load_cross_encoder(folder: Path, limit: int) -> Any:
    """Load a cross-encoder of one score, at most `limit` word pieces a pair.

    ModelError where it cannot be loaded, or gives more than one score.
    """
    with load_failures(folder):
        from sentence_transformers import CrossEncoder

        model = CrossEncoder(str(folder), device="cpu", trust_remote_code=False)
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
    """Return what `compute` gives for each item, by one thread.

    How torch splits a sum over threads would reach the last bits.
    """
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


def _json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        values = parse_json(path.read_text(encoding="utf-8"), str(path))
    except (InputError, UnicodeDecodeError) as error:
        raise ModelError(f"{error}; give the folder of a whole model") from error
    return values if isinstance(values, dict) else {}
