"""Of what a number is, derived from the grammar of its clause.

The cues are tried in order, the tightest first:

1. a heading before a colon or a dash (`Custody: 14 months`, `Qty - 45 g`);
2. what the number is joined to by a small word or by none (`notice of 15 days`, `20 days in ICU`, `7 yrs
   RI`, `Rs 5 lakh as earnest`, `phone worth 18k`);
3. the two events that a length of time lies between (`last seen to body found`);
4. what is unpaid, pending or stopped (`salary unpaid`);
5. the nearest word of the table of measured things in the clause;
6. the noun of the clause with its verb (`shop let`), then the table for the whole sentence.

A thing has its name in `text/data/measured.jsonl`, else the words of the text.
"""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.measures import figure_words
from countercase.fact_types.numerical.lasting import (
    EARLIER,
    between,
    called,
    late_step,
    opens_a_step,
    period_of_law,
    since,
    things_of,
    undone,
)
from countercase.text.nearest_word import (
    NO_NOUNS,
    clause_of,
    nearest_in,
    noun_phrases,
    telling_words_for,
    window,
    words_for,
)
from countercase.text.patterns import pattern
from countercase.text.spans import Span

_TIGHT_BEFORE: Final = ("of", "worth", "amounting to", "at")
_TIGHT_AFTER: Final = {
    "amount": ("of", "as", "for", "towards", "toward", "by way of", "on account of"),
    "duration": ("of", "in", "as"),
    "quantity": ("of",),
}

_DEMANDED: Final = ("bribe", "ransom", "dowry")
"""What is demanded in a matter of this kind."""

_NEAR: Final = 30
_MARRIED: Final = "since marriage"


def owner(text: str, span: Span, kind: str, before: int, after: int, lean: int = 0) -> str:
    """What the number at `span` measures, in at most four words, or ""."""
    sentence = window(text, span, before, after)
    clause = clause_of(text, span, sentence)
    table = words_for(kind)
    if kind == "age":
        return (
            nearest_in(text, span, telling_words_for(kind), *clause, lean)
            or nearest_in(text, span, table, *clause, lean)
            or nearest_in(text, span, table, *sentence, lean)
        )
    if kind.startswith("count"):
        name = nearest_in(text, span, table, *clause, lean) or nearest_in(
            text, span, table, *sentence, lean
        )
        return _told_apart(text, span, name, clause) if kind in figure_words("told apart") else name
    if kind == "duration" and (period := period_of_law(text, span)):
        return period
    telling = telling_words_for(kind)
    if kind == "duration" and pattern("SHORT").match(text[span.start : span.end]):
        telling, table = (words.without([_MARRIED]) for words in (telling, table))
    joined, own = _joined(text, span, kind, sentence)
    parted = kind == "duration" and opens_a_step(text, span, clause[0])
    near = max(clause[0], span.start - _NEAR), min(clause[1], span.end + _NEAR)
    headed, heading = _heading(text, span, kind)
    unit = pattern("PER_MEASURE").match(text, span.end) if kind == "amount" else None
    name = (
        (f"rate per {unit['unit'].lower()}" if unit else "")
        or headed
        or joined
        or heading
        or (between(text, span, clause, sentence) if kind == "duration" else "")
        or undone(text, span, kind, clause, sentence)
        or (own and _with(own, nearest_in(text, span, telling, *near, lean)))
        or nearest_in(text, span, telling, *clause, lean)
        or nearest_in(text, span, table, *clause, lean)
        or (_income(text, span) if kind == "amount" else "")
        or ("" if parted else _clause_topic(text, span, clause, sentence))
        or (since(text, span, sentence[0]) if kind == "duration" else "")
        or nearest_in(text, span, table, *sentence, lean)
        or ("" if parted else _guessed(text, span, clause, sentence))
    )
    return _completed(text, span, name, clause, sentence)


def _income(text: str, span: Span) -> str:
    """Return the income that an amount for each month or year is; "" for none."""
    if pattern("MONTHLY").match(text, span.end):
        return "monthly income"
    return "annual income" if pattern("YEARLY").match(text, span.end) else ""


def _told_apart(text: str, span: Span, name: str, clause: tuple[int, int]) -> str:
    """Those counted with what tells them from others: `accused convicted`, `workers idle`."""
    if name == "accused" and pattern("COMPANION").search(text, max(0, span.start - 20), span.start):
        return "other accused"
    if state := pattern("STATE_OF_SOME").match(text, span.end) or pattern("STATE_OF_SOME").search(
        text, span.start, span.end
    ):
        return name if state[1].lower() in name else f"{name} {state[1].lower()}"
    return name


def _with(own: str, name: str) -> str:
    """What the number is joined to, with the thing of the table beside it: `compensation for pain`."""
    small, _, words = own.partition(" ")
    if small not in ("of", "as", "for", "in", "towards", "toward"):
        return f"{own} {name}".strip() if name not in own else own
    if not name or small == "as":
        return name or words
    return f"{name} {small} {words}" if words not in name else name


def _heading(text: str, span: Span, kind: str) -> tuple[str, str]:
    """What stands before a colon or a dash: (name of the table, own words)."""
    mark = pattern("HEADING").search(text, max(0, span.start - 25), span.start)
    if mark is None:
        return "", ""
    begins = [
        m.end()
        for m in pattern("HEAD_BEGINS").finditer(text, max(0, mark.start() - 60), mark.start())
    ]
    left = begins[-1] if begins else max(0, mark.start() - 60)
    nouns, words = noun_phrases(text, left, mark.start()), text[left : mark.start()]
    if not nouns or re.search(r"\d{4}", words):
        return "", ""
    return called(kind, words), nouns[0].first(3) if len(words.split()) <= 5 else ""


def _joined(text: str, span: Span, kind: str, sentence: tuple[int, int]) -> tuple[str, str]:
    """What stands right before or right behind the number: (name of the table, own words)."""
    link = pattern("LINK_BEFORE").search(text, max(sentence[0], span.start - 40), span.start)
    assert link is not None, "may be empty"
    led, small = (link["link"] or "").lower(), ""
    nouns = noun_phrases(text, sentence[0], link.start())
    near = nouns[-1] if nouns and nouns[-1].end == link.start() else None
    if near and pattern("LASTING_LATE").match(near.words[-1]):
        near = None
    behind = pattern("BEHIND").match(text, span.end)
    assert behind is not None, "may be empty"
    recurring = bool(behind["recurring"])
    found = noun_phrases(text, behind.end(), min(sentence[1], behind.end() + 45))
    first = found[0] if found and found[0].start == behind.end() else None
    if first:
        small = " ".join((behind["link"] or "").lower().split())
    tight = first and small in _TIGHT_AFTER.get(kind, ()) and not recurring
    if led == "worth" and (near or nouns):
        return "", f"value of {(near or nouns[-1]).last(2)}"
    before = called(kind, near.last(2)) if near else ""
    if before in figure_words("says little") and first and not small:
        return "", f"{first.first(1)} {before}"
    if before and led in _TIGHT_BEFORE:
        return before, ""
    after = called(kind, first.first(2)) if first else ""
    if after and (tight or not (small or recurring)):
        return after, ""
    if before:
        return before, ""
    if near and led in _TIGHT_BEFORE:
        return "", near.last(2)
    if first and tight and not (small == "of" and kind == "duration"):
        return "", f"{small} {first.first(2)}"
    if first and not small and pattern("SINGULAR").search(text[span.start : span.end]):
        return "", first.first(2)
    if near and kind in ("amount", "quantity") and not pattern("PERSON").match(near.words[-1]):
        return "", near.last(2)
    return "", ""


def _clause_topic(text: str, span: Span, clause: tuple[int, int], sentence: tuple[int, int]) -> str:
    """Return the noun before the number, or the subject, with the participle behind it: `shop let`."""
    things = things_of(text, clause[0], span.start)
    chosen = things[-1] if things else None
    verb = pattern("PARTICIPLE").search(text, chosen.end if chosen else clause[0], span.start)
    if chosen is None and (verb or pattern("OWNERS_VERB").search(text, clause[0], span.start)):
        left = max(sentence[0], span.start - EARLIER)
        if subjects := things_of(text, left, verb.start() if verb else clause[0]):
            subject = subjects[0].first(2)
            return f"{subject} {verb[1].lower()}" if verb else subject
    if chosen is None:
        return ""
    if verb and pattern("PASSIVE").search(text, chosen.end, verb.start()):
        return f"{things[0].first(2)} {verb[1].lower()}"
    words = chosen.last(3).split()
    if len(words) == 1 and len(things) > 1:
        words = [*things[-2].last(2).split(), *words]
    return " ".join((*words, verb[1].lower()) if verb and verb[1].lower() not in words else words)


def _guessed(text: str, span: Span, clause: tuple[int, int], sentence: tuple[int, int]) -> str:
    """The noun behind the number, one of its sentence, or the verb before it (`hid for 8 days`)."""
    nouns = things_of(text, span.end, clause[1])
    if topic := nouns[0].first(2) if nouns else _clause_topic(text, span, sentence, sentence):
        return topic
    said = [
        m.group().lower() for m in pattern("OWNERS_SAID").finditer(text, sentence[0], span.start)
    ]
    return next(
        (w for w in reversed(said) if w not in NO_NOUNS and not pattern("PERSON").match(w)), ""
    )


def _completed(
    text: str, span: Span, name: str, clause: tuple[int, int], sentence: tuple[int, int]
) -> str:
    """`delay` with what is late, `paid` with what for."""
    if name == "delay":
        return f"delay of {topic}" if (topic := late_step(text, span, clause, sentence)) else name
    if name == "demand":
        for what in _DEMANDED:
            if pattern(f"DEMANDED_{what.upper()}").search(text):
                return f"{what} demand"
    if name in figure_words("says little"):
        beside = pattern("BESIDE").match(text, span.end)
        nouns = noun_phrases(text, beside.end(), clause[1])[:1] if beside else []
        if beside and nouns and nouns[0].start == beside.end():
            return f"{name} {beside['way']} {nouns[0].first(2)}"
        left = max(0, span.start - EARLIER) if name in ("payment", "unpaid") else sentence[0]
        if topic := nearest_in(text, span, telling_words_for("amount"), left, span.start):
            return f"{topic} {name}"
        things = things_of(text, clause[0], span.start)
        words = things[-1].last(2) if things else ""
        if not words and (way := pattern("WAY").match(text, span.end)):
            return f"{name} by {way[1]}"
        return f"{words} {name}" if words and name not in words.lower() else name
    return name
