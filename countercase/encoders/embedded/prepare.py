"""Prepare the embedded models: weights and adapters to one OpenVINO file per role, once.

The files lie in the cache under the fingerprint of what they were made of, written beside and
moved into place, so that a stopped preparation leaves nothing half done.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from countercase.encoders.base import Role
from countercase.encoders.embedded import weights
from countercase.errors import ModelError, StoreError
from countercase.io import Progress, cache_root, make_folder


def prepared_file(recipe: weights.Recipe) -> Path:
    """Where the prepared model of a recipe lies, whether or not it is there yet."""
    return cache_root() / "models" / weights.model_fingerprint(recipe, "f32") / "model.xml"


def is_prepared(recipe: weights.Recipe) -> bool:
    """Whether the prepared model of a recipe is in the cache."""
    path = prepared_file(recipe)
    return path.is_file() and path.with_suffix(".bin").is_file()


def prepare(roles: Iterable[Role], progress: Progress | None = None) -> dict[str, Path]:
    """Prepare what is missing among `roles`; returns the file of each, of `cross` that of pairs.

    Raises:
        ModelError: weights or adapters are missing or damaged.
        StoreError: the cache cannot be written.
    """
    listed = weights.recipes()
    files: dict[str, Path] = {}
    for role in roles:
        first, *_ = (prepare_one(part, progress) for part in weights.parts(listed[role]))
        files[role] = first
    return files


def prepare_one(recipe: weights.Recipe, progress: Progress | None = None) -> Path:
    """Prepare one model if it is missing; returns its file. Errors as of `prepare`."""
    if not is_prepared(recipe):
        if progress is not None:
            progress(f"preparing the {recipe.role} model", 0, 0)
        _convert(recipe, prepared_file(recipe))
    return prepared_file(recipe)


def _convert(recipe: weights.Recipe, target: Path) -> None:
    import warnings

    import openvino as ov
    import torch

    from countercase.encoders.embedded import graphs

    module = graphs.build(recipe)
    example = torch.ones(1, 16, dtype=torch.long)
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")  # tracer warnings on shapes that are checked below
        model = ov.convert_model(
            module,
            example_input=(example, torch.zeros_like(example)),
            input=[ov.PartialShape([1, -1]), ov.PartialShape([1, -1])],
        )
    _compare(model, module)
    make_folder(target.parent.parent)
    staging = Path(tempfile.mkdtemp(dir=target.parent.parent, prefix=".preparing-"))
    try:
        ov.save_model(model, staging / target.name, compress_to_fp16=False)
        if target.parent.exists():
            shutil.rmtree(target.parent)
        staging.replace(target.parent)
    except OSError as error:
        raise StoreError(f"{target.parent}: cannot be written ({error.strerror})") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _compare(model: object, module: object) -> None:
    """Refuse a conversion that does not compute what torch computes, at another length."""
    import numpy as np
    import openvino as ov
    import torch

    ids = torch.arange(1000, 1037).unsqueeze(0)
    types = (ids > 1020).long()
    with torch.no_grad():
        expected = module(ids, types).numpy()  # type: ignore[operator]
    compiled = ov.Core().compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    actual = compiled([ids.numpy(), types.numpy()])[0]
    difference = float(np.max(np.abs(actual - expected)))
    if not difference < 1e-3:
        raise ModelError(f"the converted model differs from torch by {difference:.1e}")
