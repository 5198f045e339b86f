"""The tagger's weights: written at half precision, checked, and read back the same each time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.errors import ModelError

if TYPE_CHECKING:
    from spacy.language import Language

WEIGHTS: Final = "tagger.safetensors"


def named_nodes(nlp: Language) -> Iterator[tuple[str, Any, str]]:
    """Yield each parameter as (name, node, parameter), in an order that is always the same."""
    for place, node in enumerate(nlp.get_pipe("ner").model.walk()):
        for name in sorted(node.param_names):
            if node.has_param(name):
                yield f"{place:03d}.{node.name}.{name}", node, name


def put_arrays(nlp: Language, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Set the parameters of the recogniser, in place; a `ModelError` names what does not fit."""
    rest = set(arrays)
    for key, node, name in named_nodes(nlp):
        if key not in arrays or arrays[key].shape != node.get_param(name).shape:
            raise ModelError(f"the fact tagger's weights do not fit its network at {key}")
        node.set_param(name, node.ops.asarray(arrays[key].astype(np.float32)))
        rest.discard(key)
    if rest:
        raise ModelError(f"the fact tagger's weights hold what its network lacks: {min(rest)}")


def read(file: Path | None = None) -> dict[str, NDArray[Any]]:
    """Return the parameters at half precision, those of the package or of another file.

    Weights of the package that are missing or changed are a `ModelError`.
    """
    from safetensors.numpy import load_file

    from countercase.encoders.embedded.weights import own_file

    try:
        arrays: dict[str, NDArray[Any]] = load_file(file or own_file(WEIGHTS))
    except ModelError as error:
        raise ModelError(f"{error}; or set FACT_TAGGER = False in settings.py") from error
    return arrays
