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
    """One judgment of a corpus.

    Args:
        doc_id: unique in the corpus; the id that rankings and judgements (qrels) use.
        title: the name of the case, or empty where the source gives none.
        text: the whole text, never empty.
        metadata: what the source says of the judgment, by its own names (`court`, `date`, ...).
        pages: offsets into `text` at which pages begin, in order; empty where unknown.
    """

    doc_id: str
    title: str
    text: str
    metadata: Mapping[str, JSON] = field(default_factory=dict)
    pages: tuple[int, ...] = ()
