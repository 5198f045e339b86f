"""What a figure measures, by the words of its context: `law/data/measures.jsonl`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

from countercase.facts.model import NumericalKind, NumericalValue
from countercase.io import read_table
from countercase.text.words import words_of_role

figure_words: Final = partial(words_of_role, "fact_types/figure_words")
"""The words that play a part in reading figures, each told in the table: `women`, `spent`."""


@dataclass(frozen=True)
class Measure:
    """What a figure may measure, and how that is said."""

    kind: NumericalKind
    name: str
    # of which one must begin a word of the figure's context; with a space behind it, be one
    words: tuple[str, ...]
    says: tuple[str, ...]  # clauses with `{figure}`, the usual one first
    suppose: str  # a clause in the subjunctive with `{figure}`
    # within, beyond: the two sides of a line as clauses with `{line}`; "" where a side is said
    # beside the clause
    within: str = ""
    beyond: str = ""
    cited: tuple[str, ...] = ()  # provisions or Acts of which the case must cite one
    narrow: bool = False  # whether they drop what a longer label says (`sum claimed`)

    def says_all(self, context: str) -> bool:
        """Return whether its clauses say all that the label of a figure says."""
        label = " ".join(w for w in context.lower().partition(" (")[0].split() if w != "the")
        return not self.narrow or label == self.name or label in self.suppose


@cache
def _measures(kind: NumericalKind) -> tuple[Measure, ...]:
    return tuple(row for row in read_table("law/measures", Measure) if row.kind == kind)


def has_word(text: str, words: Iterable[str]) -> bool:
    """Return whether one of the words begins a word of the text."""
    return any(f" {word}" in f" {text}" for word in words)


def measure_of(value: NumericalValue, cited: frozenset[str]) -> Measure | None:
    """Return what a figure measures, as the table knows it; None where no row fits.

    The head of the label tells: `cost of a truckload under the awards` is no award. An aside does
    not. `cited` is every name that a provision cited answers to.
    """
    words, leads_on = value.context.lower().split(",")[0].split(), figure_words("leads on")
    until = next((n for n, word in enumerate(words) if n and word in leads_on), len(words))
    is_interval = value.kind == "duration" and words[until : until + 1] == ["to"]
    whole, head = (f" {' '.join(it)} " for it in (words, () if is_interval else words[:until]))
    fitting = (
        (whole.find(f" {word}"), row)
        for row in _measures(value.kind)
        if not row.cited or cited & {*row.cited}
        for word in row.words
        if f" {word}" in (whole if leads_on & {*word.split()[1:]} else head)
    )
    return min(fitting, key=lambda pair: pair[0], default=(0, None))[1]
