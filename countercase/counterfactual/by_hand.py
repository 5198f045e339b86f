"""What-ifs by hand: changes that a user words himself.

They are measured like the proposed ones, but stand apart in the tree (`by_hand`): no rule of law
vouches for them, they count in no sensitivity, and they are measured even where the validator
finds the case that they make implausible, which is then said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from countercase.counterfactual.proposals import candidates
from countercase.errors import InputError
from countercase.fact_types.base import spans_of
from countercase.fact_types.rewriting import (
    add_sentence,
    cut_sentence,
    in_order,
    restate,
    sentences_around,
)
from countercase.facts.edits import Edit, Replacement, apply_edits
from countercase.facts.extraction import recognise
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.registry import FACT_TYPES
from countercase.text.spans import Span

RULE: Final = "by_hand"
"""What the names of their rules begin with."""
_LISTED: Final = 12


def edits_by_hand(
    sheet: FactSheet,
    change: Sequence[str] = (),
    remove: Sequence[str] = (),
    add: Sequence[str] = (),
) -> list[Edit]:
    """One edit for each wish, in the order change, remove, add.

    Args:
        change: `OLD = NEW`, words of the narrative and what to put in their place (`45 g = 300 g`).
        remove: words that name one fact, as its label or its mention has them (`dying declaration`).
        add: sentences that state a fact (`The report was lodged after nine days.`).

    Raises:
        InputError: words that the narrative does not have, that state no fact or more than one.
    """
    return [
        *(_changed(sheet, wish) for wish in change),
        *removals(sheet, [_named(sheet, words) for words in remove]),
        *(_added(sheet, sentence) for sentence in add),
    ]


def is_by_hand(edit: Edit) -> bool:
    """Whether a user worded the edit."""
    return edit.rule.startswith(RULE)


def _changed(sheet: FactSheet, wish: str) -> Edit:
    old, equals, new = (part.strip() for part in wish.partition("="))
    if not (old and equals and new):
        raise InputError(f'change {wish!r}: write the words, "=", and what to put in their place')
    places = spans_of(sheet.narrative, old)
    if not places:
        raise InputError(f"change {wish!r}: the narrative does not say {old!r}")
    stating = [f for f in sheet.facts if any(s.overlaps(p) for s in f.spans for p in places)]
    if not stating:
        raise InputError(f"change {wish!r}: {old!r} states no fact of the case; {_known(sheet)}")
    fact = min(stating, key=lambda fact: min(span.end - span.start for span in fact.spans))
    own = [p for p in places if any(span.overlaps(p) for span in fact.spans)]
    replacements = tuple(Replacement(place.start, place.end, new) for place in own)
    narrative = sheet.narrative
    for r in reversed(replacements):
        narrative = narrative[: r.start] + r.text + narrative[r.end :]
    at = Span(replacements[0].start, replacements[0].start + len(new))
    read = [
        other
        for other in recognise(narrative, sheet.title)
        if other.fact_type == fact.fact_type and any(span.overlaps(at) for span in other.spans)
    ]
    if not read:
        raise InputError(f"change {wish!r}: {new!r} is not read as a {_heading(fact)} there")
    value = read[0].value
    return _edit(fact, "change", str(value), value, replacements)


def figure_moved(sheet: FactSheet, fact: Fact, number: float) -> Edit:
    """The edit that gives a figure another number, in the style of each of its mentions.

    Raises:
        InputError: the fact is no single figure, or its mentions collide.
    """
    value = fact.value
    if not isinstance(value, NumericalValue) or value.upper is not None:
        raise InputError(f"{fact.fact_id}: only a single figure can be moved")
    after = replace(value, value=number)
    replacements = in_order(restate(sheet, fact, value, after))
    if not replacements:
        raise InputError(f"{fact.fact_id}: the narrative does not state it so that it can be moved")
    return _edit(fact, "change", str(after), after, replacements)


def removals(sheet: FactSheet, facts: Sequence[Fact]) -> list[Edit]:
    """For each of the facts the edit that takes it away: as its type would, or its sentences."""
    proposed = candidates(sheet, list(dict.fromkeys(fact.fact_type for fact in facts)))
    return [_removal(sheet, fact, proposed) for fact in facts]


def _removal(sheet: FactSheet, fact: Fact, proposed: Sequence[Edit]) -> Edit:
    for edit in proposed:
        if edit.fact_id == fact.fact_id and edit.new_value is None and edit.replacements:
            return _edit(fact, "remove", "", None, edit.replacements)
    sentences = sentences_around(sheet.narrative, fact.spans)
    cuts = tuple(cut_sentence(sheet.narrative, sentence) for sentence in sentences)
    return _edit(fact, "remove", "", None, cuts)


def _added(sheet: FactSheet, sentence: str) -> Edit:
    words = " ".join(sentence.split())
    words = words if words.endswith((".", "!", "?")) else f"{words}."
    facts = [fact for fact in recognise(words, sheet.title) if fact.spans]  # not of the title
    if not facts:
        raise InputError(f"add {sentence!r}: no fact is read in it")
    end = len(sheet.narrative.rstrip())
    fact = Fact(f"{facts[0].fact_id}:{RULE}", facts[0].fact_type, facts[0].value)
    edit = _edit(
        fact, "add", str(fact.value), fact.value, (add_sentence(sheet.narrative, end, words),)
    )
    apply_edits(sheet, [edit])
    return edit


def _edit(
    fact: Fact, kind: str, new: str, value: object, replacements: tuple[Replacement, ...]
) -> Edit:
    old = "" if kind == "add" else str(fact.value)
    return Edit(fact.fact_id, fact.fact_type, old, new, f"{RULE}.{kind}", "", value, replacements)


def _named(sheet: FactSheet, words: str) -> Fact:
    """The one fact that `words` name."""
    wanted = " ".join(words.lower().split())
    named = [
        fact
        for fact in sheet.facts
        if wanted in FACT_TYPES.get(fact.fact_type).label(fact).lower()
        or wanted in fact.fact_id
        or any(
            wanted in " ".join(sheet.narrative[s.start : s.end].lower().split()) for s in fact.spans
        )
    ]
    if len(named) != 1:
        what = "names no fact of the case" if not named else "names more than one fact"
        raise InputError(f"remove {words!r}: {what}; {_known(sheet, named)}")
    return named[0]


def _known(sheet: FactSheet, facts: Sequence[Fact] = ()) -> str:
    listed = facts or sheet.facts
    labels = [FACT_TYPES.get(fact.fact_type).label(fact) for fact in listed[:_LISTED]]
    more = "; ..." if len(listed) > _LISTED else ""
    return f"facts: {'; '.join(labels)}{more}"


def _heading(fact: Fact) -> str:
    heading: str = FACT_TYPES.get(fact.fact_type).heading
    return heading
