"""A document of a corpus: one judgment as every reader hands it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

HEAD: Final = 3000
"""Characters from the start of a judgment in which its header is looked for."""
TAIL: Final = 600
"""Characters at its end in which signatures and their date are looked for."""


@dataclass(frozen=True)
class Document:
    """One judgment of a corpus, with the id that rankings and qrels use, and its text, never empty.

    The title is empty where the source gives none; `metadata` is what it says of the judgment by its
    own names (`court`, `date`, ...); `pages` are offsets at which pages begin, empty where unknown.
    """

    doc_id: str
    title: str
    text: str
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    pages: tuple[int, ...] = ()
