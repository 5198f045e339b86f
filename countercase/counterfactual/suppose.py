"""What-ifs by hand: suppositions that a user words, read into typed edits.

They are read by the same readers as a case. They are measured like the proposed ones and stand apart
in the tree (`by_hand`): they count in no sensitivity. A sentence in which no fact is read is kept as a
statement of its own, measured, and says so; one that cannot be used at all says why, and the others
are measured all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from countercase.counterfactual.proposals import add_fact, keep_sentence, make_edit
from countercase.counterfactual.sentence_reading import read_facts, read_sentence
from countercase.errors import InputError, check_type
from countercase.facts.documents import check_characters
from countercase.facts.edits import Edit
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.law.provisions import normal_form
from countercase.registry import FACT_TYPES
from countercase.text.numbers import read_number
from countercase.text.units import convert

_OPENING: Final = re.compile(r"(?i)\A\s*(?:suppose|what if|if|assume|imagine)\b(?:\s+that\b)?")


@dataclass(frozen=True)
class Reading:
    """What was made of suppositions: an edit for each that could be used, a line for the others."""

    edits: tuple[Edit, ...]
    problems: tuple[str, ...] = ()


def read_suppositions(
    sheet: FactSheet,
    suppositions: Sequence[str] = (),
    change: Sequence[str] = (),
    remove: Sequence[str] = (),
    add: Sequence[str] = (),
) -> Reading:
    """Read what a user supposes into typed edits; a text that is no list is an InputError.

    Suppositions are sentences (`section 103 were charged instead of 80`), a change is `45 g = 300 g`:
    words of a fact and what it becomes. `remove` has words that name a fact, as its label or its
    mention has them, and `add` sentences that state a fact that the case does not have.
    """
    edits, problems = list[Edit](), list[str]()
    readers = {
        "suppose": (read_sentence, suppositions), "change": (_change, change),
        "remove": (lambda sheet, words: make_edit(sheet, _named(sheet, words), "remove", None), remove),
        "add": (_add, add),
    }  # fmt: skip
    for how, (read, wishes) in readers.items():
        check_type("analyze", how, wishes, [str])
        for words in wishes:
            try:
                found = read(sheet, _clause(words))
            except InputError as error:
                problems.append(f"{how} {words!r}: {error}")
                continue
            if any(edit.edit_id == found.edit_id for edit in edits):
                problems.append(f"{how} {words!r}: it says the same as one before it")
            else:
                edits.append(found)
    return Reading(tuple(edits), tuple(problems))


def _clause(wish: str) -> str:
    """What is supposed, without its opening and its full stop; no figure of it is below zero."""
    clause = _OPENING.sub("", " ".join(check_characters(wish, "it").split())).strip(" .?!")
    fault = "it is longer than 1,000 characters" if clause[1000:] else "it supposes nothing"
    if clause[1000:] or not clause.strip('"“” .?!'):
        raise InputError(fault)
    for sign, figure in pairwise(["", *clause.split()]):
        below = figure[1:] if figure[:1] in "-−" else figure if sign.lower() == "minus" else ""
        if read_number(below) is not None:
            raise InputError("no figure of a case is below zero")
    return clause


def _change(sheet: FactSheet, wish: str) -> Edit:
    old, equals, new = (part.strip() for part in wish.partition("="))
    if not (old and equals and new):
        raise InputError('write the words of a fact, "=", and what it becomes')
    fact = _named(sheet, old)
    value = fact.value
    if isinstance(value, EvidenceValue):
        after = replace(value, description=new, strength="full", doubt="")
        return make_edit(sheet, fact, "replace", after, f"it were so: {new}")
    if isinstance(value, SectionValue | NumericalValue):
        return make_edit(sheet, fact, "replace", _read_value(sheet, value, new))
    edit = read_sentence(sheet, f"{old} were {new}")
    if edit.fact_id != fact.fact_id:
        raise InputError(f"{new!r} is not read as a {FACT_TYPES.get(fact.fact_type).heading}")
    return edit


def _read_value(
    sheet: FactSheet, value: SectionValue | NumericalValue, words: str
) -> SectionValue | NumericalValue:
    """The value that words give a fact; a bare number is of its Act, or in its unit."""
    if isinstance(value, SectionValue):
        named = f"section {words}" if words[:1].isdigit() else words
        read = [f.value for f in read_facts(sheet, named) if isinstance(f.value, SectionValue)]
        bare = value.provision.partition("-")[0] + f"-{words}" if words[:1].isdigit() else words
        if len({*read}) > 1:
            raise InputError(f"{words!r} names several provisions; write one")
        return read[0] if read else SectionValue(normal_form(bare))
    told = read_facts(sheet, f"{value.context or value.kind} {words}")
    for own in (f.value for f in told if isinstance(f.value, NumericalValue)):
        if own.kind == value.kind or convert(own.value, own.unit, value.unit) is not None:
            return replace(own, kind=value.kind, context=value.context, owner=value.owner)
    number = read_number(words.replace(",", ""))
    if number is None or not 0 <= number <= 1e15:
        raise InputError(f"{words!r} is not read as a number")
    return replace(value, value=float(number), upper=None)


def _add(sheet: FactSheet, clause: str) -> Edit:
    read = [f for f in read_facts(sheet, clause) if not isinstance(f.value, PartyValue)]
    if not read:
        return keep_sentence(clause)
    return add_fact(sheet, read[0], "" if read[0].fact_type == "Section" else clause)


def _named(sheet: FactSheet, words: str) -> Fact:
    """The one fact that `words` name, by its mention, its label or its id; of several the first."""
    wanted = " ".join(words.lower().split())

    def names(fact: Fact) -> list[str]:
        mentions = (sheet.narrative[span.start : span.end] for span in fact.spans)
        own = (*mentions, labels[fact.fact_id], fact.fact_id.replace("_", " "))
        return [" ".join(it.lower().split()) for it in own]

    labels = {f.fact_id: FACT_TYPES.get(f.fact_type).label(f) for f in sheet.facts}
    exact = [fact for fact in sheet.facts if wanted in names(fact)]
    named = exact or [fact for fact in sheet.facts if any(wanted in it for it in names(fact))]
    if not named:
        raise InputError(f"it names no fact of the case; facts: {_list([*labels.values()])}")
    if len(named) > 1 and not exact:
        several = _list([labels[fact.fact_id] for fact in named])
        raise InputError(f"it names more than one fact: {several}")
    return named[0]


def _list(labels: Sequence[str]) -> str:
    return "; ".join(labels[:12]) + ("; ..." if len(labels) > 12 else "")
