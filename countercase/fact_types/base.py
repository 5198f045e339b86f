"""What a fact type is, and what the shipped ones share.

A fact type takes its facts all the way from the text to the report: it recognises them, says where
a narrative states them, writes them as sentences and labels, and proposes the edits that change
them. Everything else asks the registry (`countercase.registry.FACT_TYPES`) for all fact types, so a
new one needs one class and one name:

    class Forum(FactType): ...

    countercase.register("fact_types", "Forum", Forum())
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Protocol

from countercase.facts.edits import Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactTypeName, FactValue
from countercase.io import read_table
from countercase.registry import FACT_TYPES
from countercase.text.clauses import VERB
from countercase.text.numbers import NUMBER, SCALE
from countercase.text.spans import Span
from countercase.text.units import WRITTEN_QUANTITIES


class FactType(Protocol):
    """One kind of fact. Subclass it to inherit what is written here; only two methods must be.

    Attributes:
        name: under which it is registered; the `fact_type` of its facts and edits.
        heading: what tables and sentences call one such fact, in lower case.
        after: the fact types whose facts `recognise` looks at; None: all that are asked before.
    """

    name: FactTypeName
    heading: str
    after: tuple[FactTypeName, ...] | None = None

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """The facts that the text states, in order, with all their mentions.

        Ids are unique on the sheet and depend on the narrative alone: `forum:1`.
        """
        ...

    def edits(self, sheet: FactSheet) -> list[Edit]:
        """The changes of its facts that mean something in law, the most telling first."""
        ...

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """The facts of values that a case file states, with the mentions that state them."""
        return numbered(
            self.name, [(self.name.lower(), v, spans_of(narrative.text, str(v))) for v in values]
        )

    def render(self, fact: Fact) -> str:
        """The fact as one short sentence, for a case whose narrative does not state it."""
        return f"The {self.heading} is {fact.value}."

    def label(self, fact: Fact) -> str:
        """The fact in a few words, as a lawyer would name it."""
        return str(fact.value)

    def like(self, fact: Fact, other: Fact) -> bool:
        """Whether a fact read out of a judgment is of what makes `fact` itself."""
        return fact.value == other.value

    def value_label(self, value: str) -> str:
        """A value of an edit as a lawyer would write it; empty stays empty."""
        return value

    def edit_label(self, edit: Edit) -> str:
        """The edit in a few words, without its consequences: `section 302 IPC → section 325 IPC`."""
        old, new = map(self.value_label, (edit.original_value, edit.perturbed_value))
        if not old:
            return f"{new} added"
        return f"{old} → {new}" if new else f"{old} taken away"

    def change_label(self, edit: Edit, fact: Fact | None) -> str:
        """The edit in a few words, the fact that it changes named as its label names it.

        Args:
            fact: as the case has it; None where the edit adds it.
        """
        return self.edit_label(edit)

    def objection(self, sheet: FactSheet, edit: Edit) -> str:
        """What the rest of the narrative says against one of its edits, in a few words, or ""."""
        return ""

    def null_edits(self, sheet: FactSheet) -> list[Edit]:
        """Changes of words that change no law, in sheet order; what they move is noise."""
        return []

    def reason(self, edit: Edit) -> str:
        """The law behind one of its edits in a sentence, or empty."""
        return ""

    def features(self, fact: Fact, sheet: FactSheet | None = None) -> tuple[str, ...]:
        """The fact as typed tokens for retrieval (`provision:IPC-302`); may be empty.

        Args:
            sheet: the case of the fact, for tokens that the fact alone does not tell.
        """
        return ()


def tokens(fact: Fact, sheet: FactSheet | None = None) -> tuple[str, ...]:
    """The fact as its type names it for retrieval; see `FactType.features`."""
    fact_type: FactType = FACT_TYPES.get(fact.fact_type)
    return fact_type.features(fact, sheet)


def numbered(
    fact_type: FactTypeName, facts: Iterable[tuple[str, FactValue, Sequence[Span]]]
) -> list[Fact]:
    """Facts with ids `<prefix>:<n>`, numbered per prefix in the order given.

    Args:
        facts: (prefix, value, mentions) of each fact.
    """
    counts = Counter[str]()
    numbered_facts = []
    for prefix, value, spans in facts:
        counts[prefix] += 1
        numbered_facts.append(Fact(f"{prefix}:{counts[prefix]}", fact_type, value, tuple(spans)))
    return numbered_facts


def spans_of(text: str, words: str) -> tuple[Span, ...]:
    """Every place of `text` that holds `words` as whole words, in whatever case and spacing."""
    if not words.strip():
        return ()
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    return tuple(Span(*m.span()) for m in re.finditer(rf"(?i)(?<!\w){pattern}(?!\w)", text))


@dataclass(frozen=True)
class NamedPattern:
    """A pattern that code asks for by name, or that stands in others as `{NAME}`."""

    name: str
    pattern: str


_NAME: Final = re.compile(r"\{([A-Z][A-Z_]+)\}")


@cache
def expanded(words: str) -> str:
    """A pattern of a table with the patterns it names (`{VIOLENCE}`, `{NUMBER}`) put in."""
    table = read_table("fact_types/patterns", NamedPattern)
    units = "|".join(f"(?P<u{n}>{w.pattern})" for n, w in enumerate(WRITTEN_QUANTITIES))
    parts = {"NUMBER": NUMBER, "SCALE": SCALE, "VERB": VERB, "QUANTITY_UNIT": units}
    parts |= {row.name: row.pattern for row in table}
    while _NAME.search(words):
        words = _NAME.sub(lambda match: parts[match[1]], words)
    return words


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The pattern `name` of `data/patterns.jsonl`, compiled."""
    return re.compile(expanded(f"{{{name}}}"))


_WORD: Final = re.compile(r"[a-z]{3,}|\d+")
_COMMON: Final = frozenset(
    """
    the and that this with from for was were had has have his her their its not but who which they
    she him them said been are into about after before upon under over also did does one two three
    would could case court
    """.split()  # noqa: SIM905
)


@lru_cache(maxsize=4096)
def telling_words(text: str) -> frozenset[str]:
    """The words of `text` that tell it from others, each cut to its first six letters."""
    return frozenset(word[:6] for word in _WORD.findall(text.lower()) if word not in _COMMON)


def share_of_words(description: str, words: frozenset[str]) -> float:
    """The share of the telling words of `description` among `words`; 0 where it has none."""
    own = telling_words(description)
    return len(own & words) / len(own) if own else 0.0
