"""What a fact type is, and what the shipped ones share.

A fact type takes its facts all the way from the text to the report: it recognises them, says where
a narrative states them, states them in sentences and labels, and knows the what-ifs that change
them. Everything else asks the registry (`countercase.registry.FACT_TYPES`) for all fact types, so a
new one needs one class and one name:

    class Forum(FactType): ...

    countercase.register("fact_types", "Forum", Forum())
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Protocol

from countercase.facts.edits import Edit
from countercase.facts.extraction import Narrative
from countercase.facts.model import Fact, FactSheet, FactTypeName, FactValue
from countercase.io import read_table
from countercase.registry import FACT_TYPES
from countercase.text.spans import Span
from countercase.text.words import RoleWords, read_words


class FactType(Protocol):
    """One kind of fact. Subclass it; only `recognise` must be written."""

    name: FactTypeName  # under which it is registered; the `fact_type` of its facts and edits
    heading: str  # what tables and sentences call one such fact, in lower case
    # the fact types whose facts `recognise` looks at; None for all that are asked before
    after: tuple[FactTypeName, ...] | None = None

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Return the facts that the text states, in order, with all their mentions.

        Ids are unique on the sheet and depend on the narrative alone: `forum:1`.
        """
        ...

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """Return the facts of values that a case file states, with the mentions that state them."""
        return numbered(
            self.name, [(self.name.lower(), v, spans_of(narrative.text, str(v))) for v in values]
        )

    def settle(self, sheet: FactSheet, fact: Fact) -> Fact:
        """Return a fact that was recognised as it stands in the whole matter; by default as it is."""
        return fact

    def extent(self, sheet: FactSheet, fact: Fact) -> tuple[Span, ...]:
        """Return the words of the narrative that state the fact; by default its mentions."""
        return fact.spans

    def state(self, sheet: FactSheet, fact: Fact, template: int = 0) -> str:
        """Return the fact as one plain sentence, in the case in which it stands or stood.

        Template 0 is the usual wording, and every number gives one.
        """
        return capital(template_of("fact", template).format(what=self.heading, value=fact.value))

    def restatements(self, sheet: FactSheet, fact: Fact) -> tuple[int, ...]:
        """Return the templates that say the fact in other words than template 0, at least four."""
        first = {self.state(sheet, fact, n): n for n in reversed(range(MOST_TEMPLATES))}
        return tuple(sorted(template for template in first.values() if template))

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        """Return the edits of a fact, the most telling first; by default that it is not known."""
        said = f"Suppose nothing were known of {self.noun(fact)}."
        why = "What is not known cannot be turned on."
        return [Edit(fact.fact_id, self.name, "remove", fact.value, None, "", "remove", said, why)]

    def additions(self, sheet: FactSheet) -> list[Edit]:
        """Return the edits that add a fact of this type which the case does not have."""
        return []

    def label(self, fact: Fact) -> str:
        """Return the fact in a few words, as a lawyer would name it."""
        return str(fact.value)

    def noun(self, fact: Fact) -> str:
        """Return what a supposition calls the fact: `the dying declaration`, `the age of 17 years`."""
        return f"the {self.heading} ({self.label(fact)})"

    def becomes(self, sheet: FactSheet, before: Fact | None, after: Fact | None) -> str:
        """Return what becomes of a fact as a clause: `section 304B IPC no longer applies`.

        `before` or `after` is None where there is no such fact.
        """
        if before is None:
            assert after is not None
            return f"there is {self.noun(after)}"
        return f"{self.noun(before)} falls" if after is None else f"it would be {self.label(after)}"

    def like(self, fact: Fact, other: Fact) -> bool:
        """Return whether a fact read out of a judgment is of what makes `fact` itself."""
        return fact.value == other.value

    def features(self, fact: Fact) -> tuple[str, ...]:
        """Return the fact as typed tokens (`provision:IPC-302`); may be empty."""
        return ()


MOST_TEMPLATES: Final = 9
"""Wordings of a fact that are looked at for its restatements."""


def templates_of(role: str) -> tuple[str, ...]:
    """Return the sentences that state the facts of one role: `charge`, `party`, `age`."""
    rows = read_table("fact_types/templates", RoleWords)
    return next(row.words for row in rows if row.role == role)


def template_of(role: str, template: int) -> str:
    """Return one sentence that states the facts of a role; every number gives one."""
    ways = templates_of(role)
    return ways[template % len(ways)]


def capital(sentence: str) -> str:
    """Return the sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def tokens(fact: Fact) -> tuple[str, ...]:
    """Return the fact as its type names it for retrieval; see `FactType.features`."""
    return tuple(FACT_TYPES.get(fact.fact_type).features(fact))


def numbered(
    fact_type: FactTypeName, facts: Iterable[tuple[str, FactValue, Sequence[Span]]]
) -> list[Fact]:
    """Return the facts of (prefix, value, mentions) with ids `<prefix>:<n>`, in the order given."""
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


_WORD: Final = re.compile(r"[a-z]{3,}|\d+")
_COMMON: Final = read_words("fact_types/common_words")


@lru_cache(maxsize=8192)
def telling_words(text: str) -> frozenset[str]:
    """The words of `text` that tell it from others, each cut to its first six letters."""
    return frozenset(word[:6] for word in _WORD.findall(text.lower()) if word not in _COMMON)


def share_of_words(description: str, words: frozenset[str]) -> float:
    """The share of the telling words of `description` among `words`; 0 where it has none."""
    own = telling_words(description)
    return len(own & words) / len(own) if own else 0.0
