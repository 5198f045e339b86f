"""The tagger's weights: written at half precision, checked, and read back the same each time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.errors import ModelError

if TYPE_CHECKING:
    from spacy.language import Language

WEIGHTS: Final = "tagger.safetensors"
CHECKSUMS: Final = "checksums.json"


def folder() -> Path:
    """Where the package keeps the weights and their checksums."""
    return Path(str(resources.files("countercase.facts").joinpath("tagger")))


def named_nodes(nlp: Language) -> Iterator[tuple[str, Any, str]]:
    """Every parameter of the recogniser as (name, node, parameter), in a fixed order.

    The order is that of a walk through the network, so it is the same in every process.
    """
    for place, node in enumerate(nlp.get_pipe("ner").model.walk()):
        for name in sorted(node.param_names):
            if node.has_param(name):
                yield f"{place:03d}.{node.name}.{name}", node, name


def put_arrays(nlp: Language, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Set the parameters of the recogniser, in place.

    Raises:
        ModelError: a parameter is missing, has another shape, or has no place in the network.
    """
    rest = set(arrays)
    for key, node, name in named_nodes(nlp):
        if key not in arrays or arrays[key].shape != node.get_param(name).shape:
            raise ModelError(f"the fact tagger's weights do not fit its network at {key}")
        node.set_param(name, node.ops.asarray(arrays[key].astype(np.float32)))
        rest.discard(key)
    if rest:
        raise ModelError(
            f"the fact tagger's weights hold what its network lacks: {sorted(rest)[0]}"
        )


def checksums(of: Path | None = None) -> dict[str, str]:
    """The sha256 of every file of the tagger, by name.

    Raises:
        ModelError: the list is missing or damaged.
    """
    path = (of or folder()) / CHECKSUMS
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: unreadable ({error}); install countercase again") from error
    return {str(name): str(digest) for name, digest in listed.items()}


def verified(name: str, of: Path | None = None) -> bytes:
    """The content of the file `name`, if it has the sha256 that is listed.

    Raises:
        ModelError: the file is missing or differs.
    """
    path = (of or folder()) / name
    if not path.is_file():
        raise ModelError(
            f"{path}: missing; install countercase again, or set FACT_TAGGER = False in settings.py"
        )
    content = path.read_bytes()
    expected = checksums(of).get(name, "")
    actual = hashlib.sha256(content).hexdigest()
    if actual != expected:
        raise ModelError(
            f"{path}: damaged or replaced (sha256 {actual[:12]}…, expected {expected[:12]}…); "
            "install countercase again"
        )
    return content


def read(of: Path | None = None) -> dict[str, NDArray[Any]]:
    """The verified parameters, at half precision.

    Raises:
        ModelError: the file is missing, differs, or is no safetensors file.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        arrays: dict[str, NDArray[Any]] = load(verified(WEIGHTS, of))
    except SafetensorError as error:
        raise ModelError(f"{(of or folder()) / WEIGHTS}: no safetensors file ({error})") from error
    return arrays
