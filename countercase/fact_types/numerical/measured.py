"""What numbers measure (`charas`, `prosecutrix`, `compensation`), from `data/measured.jsonl`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from countercase.io import read_table
from countercase.text.nearest_word import Lexicon, lexicon


@dataclass(frozen=True)
class Measured:
    """What a number of one kind may measure.

    Args:
        kind: a numerical kind, or `duration order` for words that only say when.
        name: the context that the fact sheet gives.
        words: pattern of the words that stand for it in a text.
    """

    kind: str
    name: str
    words: str


@cache
def words_for(kind: str) -> Lexicon:
    """The words for what numbers of one kind measure."""
    rows = read_table("fact_types/measured", Measured)
    return lexicon(*((row.name, row.words) for row in rows if row.kind == kind))
