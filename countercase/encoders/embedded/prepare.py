"""Prepare the embedded models: weights and adapters to one OpenVINO file per role, once.

The files lie in the cache under the fingerprint of what they were made of, with their sizes and
checksums, written beside and moved into place: a stopped preparation leaves nothing half done, and
a damaged model is prepared anew.
"""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from countercase.encoders.base import Role
from countercase.encoders.embedded import weights
from countercase.errors import StoreError
from countercase.integrity import Checked, DamageWarning, damage, seal, sums_of, unsealed
from countercase.io import Progress, cache_root, make_folder
from countercase.locks import locked

SUMS: Final = "files.json"
"""Size and checksum of the other files of a prepared model, and of itself."""


def prepared_file(recipe: weights.Recipe) -> Path:
    """Where the prepared model of a recipe lies, whether or not it is there yet."""
    return cache_root() / "models" / weights.model_fingerprint(recipe, "f32") / "model.xml"


def is_prepared(recipe: weights.Recipe) -> bool:
    """Whether the prepared model of a recipe is in the cache; see `problem_of`."""
    return prepared_file(recipe).with_name(SUMS).is_file()


def problem_of(recipe: weights.Recipe, checked: Checked | None = None) -> str:
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

    Of `cross` it is that of pairs. A `DamageWarning` names what was damaged. ModelError where
    weights are missing or damaged; StoreError where the cache cannot be written.
    """
    listed = weights.recipes()
    files: dict[str, Path] = {}
    for role in roles:
        first, *_ = (
            prepare_one(part, progress, again and prepared_file(part) not in files.values())
            for part in weights.parts(listed[role])
        )
        files[role] = first
    return files


def prepare_one(
    recipe: weights.Recipe, progress: Progress | None = None, again: bool = False
) -> Path:
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


def _convert(recipe: weights.Recipe, target: Path) -> None:
    import openvino as ov
    import torch

    from countercase.encoders.embedded import graphs

    example = torch.ones(1, 16, dtype=torch.long)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # of shapes; the known answers check them
        model = ov.convert_model(
            graphs.build(recipe),
            example_input=(example, torch.zeros_like(example)),
            input=[ov.PartialShape([1, -1]), ov.PartialShape([1, -1])],
        )
    folder = make_folder(target.parent.parent)
    staging = folder / ".preparing"
    shutil.rmtree(staging, ignore_errors=True)  # of a run that was killed; one prepares at a time
    try:
        staging.mkdir()
        ov.save_model(model, staging / target.name, compress_to_fp16=False)
        sums = seal(sums_of(staging))
        (staging / SUMS).write_text(json.dumps(sums, indent=1), encoding="utf-8")
        shutil.rmtree(target.parent, ignore_errors=True)
        staging.replace(target.parent)
    except (OSError, RuntimeError) as error:  # OpenVINO raises a RuntimeError of many lines
        why = getattr(error, "strerror", None) or " ".join(str(error).split())[:160]
        raise StoreError(
            f"{target.parent}: cannot be written ({why}); free some space, or "
            "set COUNTERCASE_HOME to a folder with room"
        ) from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
