"""Name an item of evidence by its own words: `PMR says one incised wound`, `khurpi`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from countercase.fact_types.evidence.nouns import document_spans, names_document
from countercase.fact_types.evidence.recognise import CIRCUMSTANCE, evidence_items
from countercase.fact_types.evidence.triggers import kinds_that_are
from countercase.facts.model import EvidenceValue
from countercase.io import read_table
from countercase.text.patterns import pattern
from countercase.text.sentences import clause_around
from countercase.text.spans import Span, one_line

MOST_WORDS: Final = 10
_LEAD: Final = 4  # words before the mention that a long clause keeps
_INITIALS: Final = 4  # letters of the longest initials; more in capitals are a heading
_OWNERS: Final = ("own", "me", "us", "him", "her", "them", "my", "our", "his", "their", "its")
_POSSESSIVE: Final = ("'s", "’s")


@dataclass(frozen=True)
class EvidenceWords:
    """How one kind of evidence is said."""

    evidence_type: str
    # a, noun: the kind with its article, and without
    a: str
    noun: str
    # supply, deny: what is supposed where it is there after all, and where it is not
    supply: str
    deny: str
    label: str = ""  # what a label calls it; the noun where empty
    # full, absent, weakened: the openings of the sentences that state it; the usual ones where
    # empty
    full: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    weakened: tuple[str, ...] = ()

    def openings(self, strength: str) -> tuple[str, ...]:
        """Return its own openings for evidence that is `full`, `absent` or `weakened`."""
        return {"full": self.full, "absent": self.absent, "weakened": self.weakened}[strength]


@cache
def words_of(evidence_type: str) -> EvidenceWords:
    """Return how a kind of evidence is said."""
    rows = read_table("fact_types/evidence_statements", EvidenceWords)
    return next(row for row in rows if row.evidence_type == evidence_type)


@dataclass(frozen=True)
class ItemName:
    """What an item of a wide kind is called, by words that begin a word of its description."""

    evidence_type: str
    noun: str
    words: tuple[str, ...]


@cache
def is_wide(evidence_type: str) -> bool:
    """Return whether items of a kind are so unlike that its noun names none of them."""
    rows = read_table("fact_types/evidence_names", ItemName)
    return evidence_type in {"documentary", *(row.evidence_type for row in rows)}


def name_item(value: EvidenceValue) -> str:
    """Return the noun by which its own words name an item of a wide kind; "" where none does.

    A document that is missing goes by any noun: it has no other.
    """
    text = one_line(value.description)
    if value.evidence_type == "documentary":
        text += " ."  # a noun that ends the text is no part of another
        found, absent = document_spans(text, Span(0, len(text))), value.strength == "absent"
        first, _ = min(found, key=lambda pair: pair[1] != absent, default=(Span(0, 0), absent))
        name = text[first.start : first.end]
        name = _lower(name) if " " in name or not first.start else name
        rest = name.split()[1:]  # a sale deed has a name; bare papers have none, nor has a firm's
        heading = any(word.istitle() or (word.isupper() and len(word) > _INITIALS) for word in rest)
        is_named = bool(name) and (value.strength == "absent" or names_document(name))
        return _without_owner(name) if is_named and not heading else ""
    said = f" {text.lower()}"
    places = [
        (said.find(f" {word}"), row.noun)
        for row in read_table("fact_types/evidence_names", ItemName)
        for word in row.words
        if row.evidence_type == value.evidence_type and f" {word}" in said
    ]
    return min(places, default=(0, ""))[1]


def _without_owner(name: str) -> str:
    """A document without whose it is, to whom it was given or how many before it: `21 receipts`."""
    first, _, rest = name.partition(" ")
    counted = first.isdecimal() and rest.endswith("s")
    is_owner = first in _OWNERS or first.endswith(_POSSESSIVE) or counted
    return _without_owner(rest) if rest and is_owner else name


def _lower(words: str) -> str:
    first, _, rest = words.partition(" ")  # `MoU` stays, and `Executive Officer's letter`
    is_plain = first[1:].islower() and not rest[:1].isupper()
    return words[:1].lower() + words[1:] if is_plain else words


@lru_cache(maxsize=4096)
def evidence_label(value: EvidenceValue) -> str:
    """The item in at most ten of its own words, after its kind where they do not show it.

    An item that is missing, or that an edit weakened, says so: `sanction, absent: order by SDM`.
    """
    kind = words_of(value.evidence_type)
    noun = kind.label or kind.noun
    words, recognised = own_words(value)
    said = value.strength == "absent" and pattern("DENIED").search(words) is not None
    state = "" if value.strength == "full" or said else f", {value.strength}"
    if not words:
        return noun + state
    if value.evidence_type == CIRCUMSTANCE and not state:
        return f"“{words}”"
    named = recognised and value.evidence_type in kinds_that_are("named by words")
    if named or said or noun in words.lower():
        return f"{words} ({value.strength})" if state else words
    return f"{noun}{state}: {words}"


def own_words(value: EvidenceValue) -> tuple[str, bool]:
    """Return the words that name the item, and whether they are recognised as its type."""
    text = one_line(value.description).strip(" .;,")
    items = [i for i in evidence_items(text) if i.value.evidence_type == value.evidence_type]
    items.sort(key=lambda i: (i.value.strength == "absent") != (value.strength == "absent"))
    mention = items[0].spans[0] if items else None
    if mention is not None and value.evidence_type == "weapon":
        return text[mention.start : mention.end], True
    if len(text.split()) <= MOST_WORDS or mention is None:
        return cut_words(text), mention is not None
    clause = clause_around(text, Span(0, len(text)), mention)
    head = text[clause.start : mention.start].split()
    return cut_words(text[clause.start : clause.end], max(0, len(head) - _LEAD)), True


def cut_words(text: str, first: int = 0) -> str:
    """Return at most ten words of a text, with `…` where some are left out."""
    words = text.split()
    kept = " ".join(words[first : first + MOST_WORDS]).strip(" .;,")
    return ("… " if first else "") + kept + (" …" if len(words) > first + MOST_WORDS else "")
