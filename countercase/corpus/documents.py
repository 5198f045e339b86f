"""A document of a corpus: one judgment as every reader hands it on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

JSON: TypeAlias = "None | bool | int | float | str | list[JSON] | dict[str, JSON]"


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
