"""Evidence: items of the kinds that courts weigh by rules of their own.

Counsel take an item away, deny it, take weight from it, supply what is missing, and add what courts
look for. The rules of proof are in `data/evidence_rules.jsonl`, the questions of each kind in
`law/data/what_ifs.jsonl`, the sentences in `data/evidence_statements.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.base import FactType, capital, numbered, telling_words, templates_of
from countercase.fact_types.catalogue import Scope, WhatIf, matter_of, rows_for, rows_that_add
from countercase.fact_types.evidence.circumstances import weigh_items
from countercase.fact_types.evidence.fitting import questions_that_fit
from countercase.fact_types.evidence.naming import (
    evidence_label,
    is_wide,
    name_item,
    own_words,
    words_of,
)
from countercase.fact_types.evidence.recognise import CIRCUMSTANCE, evidence_items, locate_evidence
from countercase.fact_types.evidence.triggers import kinds_that_are
from countercase.fact_types.measures import has_word
from countercase.fact_types.suppositions import suppose, suppose_added
from countercase.facts.edits import Change, Edit, Operation
from countercase.facts.extraction import Narrative
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactValue,
    NumericalValue,
    SectionValue,
)
from countercase.io import read_table
from countercase.text.sentences import clauses_of
from countercase.text.spans import Span, joined, one_line

_STOPS: Final = " .;:,!?"
_EDGES: Final = f"{_STOPS}…"
_DONE: Final = {"remove": "left out", "deny": "denied", "supply": "supplied"}


@dataclass(frozen=True)
class EvidenceRule(Scope):
    """Why one kind of evidence counts; of several rules of a kind the first that fits does.

    Args:
        words: of which one must begin a word of the description.
    """

    evidence_type: str
    provision: str
    reason: str
    words: tuple[str, ...] = ()


class Evidence(FactType):
    """One item of evidence: its type, what it shows, and whether it is weakened."""

    name = "Evidence"
    heading = "evidence"
    after = ()

    def recognise(self, narrative: Narrative) -> Sequence[Fact]:
        """Return the items of evidence, by first mention."""
        items = evidence_items(narrative.text, narrative.learnt)
        if narrative.learnt:
            items = weigh_items(narrative.text, items)
        return _numbered((item.value, item.spans) for item in items)

    def locate(self, narrative: Narrative, values: Sequence[FactValue]) -> Sequence[Fact]:
        """Return the stated items with the mentions that are theirs, in the order given."""
        stated = [value for value in values if isinstance(value, EvidenceValue)]
        places = locate_evidence(narrative.text, stated)
        return _numbered(zip(stated, places, strict=True))

    def extent(self, sheet: FactSheet, fact: Fact) -> tuple[Span, ...]:
        """Return the clauses that state the item, less the mentions of other facts."""
        others = [s for f in sheet.facts if f.fact_id != fact.fact_id for s in f.spans]
        rest = [part for span in _clauses(sheet, fact) for part in span.without(others)]
        return tuple(sorted({*rest, *fact.spans}))

    def state(self, sheet: FactSheet, fact: Fact, template: int = 0) -> str:
        """Return `There is a dying declaration: she named her brother-in-law.`"""
        value = fact.value_as(EvidenceValue)
        words = words_of(value.evidence_type)
        openings = words.openings(value.strength) or templates_of(value.strength)
        opening = openings[template % len(openings)].format(a=words.a, noun=words.noun)
        shown = _shown(sheet, fact) if value.description else ""
        told = telling_words(f"{opening}, there is no {words.noun}")
        if value.strength == "absent" and telling_words(shown) <= told:
            shown = ""  # `there was no dying declaration` says no more than the opening
        parts = "; ".join(filter(None, (value.doubt, shown.removeprefix("that "))))
        return capital(": ".join(filter(None, (opening, parts)))) + "."

    def what_ifs(self, sheet: FactSheet, fact: Fact) -> list[Edit]:
        """Return the item taken away, weakened as its kind can be, denied; where absent, supplied.

        An item of a wide kind that nothing names is not denied: `a document` is no item. Nor is one
        of several of its kind, documents aside.
        """
        value, rows = fact.value_as(EvidenceValue), rows_for(sheet, fact)
        matter, words = matter_of(sheet), words_of(value.evidence_type)
        said = value.description.lower()
        rule = next(
            rule
            for rule in read_table("fact_types/evidence_rules", EvidenceRule)
            if rule.evidence_type == value.evidence_type
            and matter.admits(rule)
            and matter.when.meets(rule.since, rule.until)
            and (not rule.words or has_word(said, rule.words))
        )
        is_absent, own = value.strength == "absent", name_item(value)
        name = own if is_wide(value.evidence_type) else words.noun
        asked = {row.operation: row for row in reversed(rows)}
        law = matter.on_the_day(rule.provision)
        mark = _mark(sheet, fact, own or words.noun)

        def edit(
            operation: Operation,
            after: EvidenceValue | None,
            clause: str,
            row: WhatIf | None = None,
        ) -> Edit:
            change = Change(fact.fact_id, self.name, operation, value, after)
            if row := row or asked.get(operation):
                said, by = row.suppose.format(what=own or words.noun) + mark, row.provision
                return suppose(sheet, change, said, row.name, matter.on_the_day(by), row.reason)
            return suppose(sheet, change, clause, f"evidence {_DONE[operation]}", law, rule.reason)

        told = f"“{value.description.strip(_STOPS).removeprefix('that ')}”"
        unsaid = f"this were left out of account: {told}"
        if value.evidence_type == CIRCUMSTANCE:
            if is_absent:
                proved = replace(value, strength="full")
                return [edit("supply", proved, f"it were so: {told}")]
            return [edit("remove", None, unsaid)]
        if is_absent:
            there = replace(value, strength="full", description=own)
            supply = f"the {own}{mark} were before the court" if own else words.supply
            supply += "" if own else mark
            unsaid = f"nothing were said of {f'the {own}' if own else words.a}{mark}"
            return [edit("supply", there, supply), edit("remove", None, unsaid)]
        edits = [edit("remove", None, f"the {own or words.noun}{mark} were left out of account")]
        unweighed = kinds_that_are("unweighed")
        if value.strength == "weakened" and name and value.evidence_type not in unweighed:
            sound = replace(value, strength="full", doubt="")
            edits.insert(0, edit("supply", sound, f"the {name}{mark} carried full weight"))
        for row in rows if value.strength == "full" else ():
            if row.operation == "discredit" and (name or "{what}" not in row.suppose):
                doubted = replace(value, strength="weakened", doubt=row.says)
                edits.append(edit("discredit", doubted, "", row))
        kinds = [v.evidence_type for _, v in sheet.valued(EvidenceValue) if v.strength != "absent"]
        single = kinds.count(value.evidence_type) == 1 or value.evidence_type == "documentary"
        if name and single:  # the others of its kind would still tell it
            clause = f"there were no {own}{mark}" if own else f"{words.deny}{mark}"
            thing = next(iter(asked["deny"].words), own) if "deny" in asked else own
            denied = replace(value, strength="absent", description=thing, doubt="")
            edits.append(edit("deny", denied, clause))
        return edits

    def additions(self, sheet: FactSheet) -> list[Edit]:
        """Return what counsel would ask in such a matter, as far as it fits."""
        return ask(sheet, questions_that_fit(sheet, rows_that_add(sheet, self.name)))

    def label(self, fact: Fact) -> str:
        """Return `PMR says one incised wound on neck`, `khurpi`, `motive: enmity over a ridge`."""
        return evidence_label(fact.value_as(EvidenceValue))

    def noun(self, fact: Fact) -> str:
        """Return `the dying declaration`; of a document, with the words that tell which."""
        value = fact.value_as(EvidenceValue)
        words = words_of(value.evidence_type)
        if value.strength == "absent":
            return f"the want of {f'the {own}' if (own := name_item(value)) else words.a}"
        plain = own_words(value)[0]
        return f"the {words.noun} (“{plain}”)" if plain else f"the {words.noun}"

    def like(self, fact: Fact, other: Fact) -> bool:
        """Return whether both are evidence of one type; two documents must share a word as well."""
        own, read = fact.value_as(EvidenceValue), other.value_as(EvidenceValue)
        wide = own.evidence_type in kinds_that_are("of many kinds")
        shared = telling_words(own.description) & telling_words(read.description)
        return own.evidence_type == read.evidence_type and (bool(shared) or not wide)

    def features(self, fact: Fact) -> tuple[str, ...]:
        """Return `evidence:medical`, and `evidence:medical:absent` where it is missing."""
        value = fact.value_as(EvidenceValue)
        state = "" if value.strength == "full" else f":{value.strength}"
        # The labelled matters, from which salience is learnt, call a circumstance documentary.
        kind = "documentary" if value.evidence_type == CIRCUMSTANCE else value.evidence_type
        return (f"evidence:{kind}{state}",)


def ask(sheet: FactSheet, rows: Iterable[WhatIf]) -> list[Edit]:
    """Return the edits that add evidence, each of the kind and the words that its row says."""
    told = ((row, EvidenceValue(row.of[0], row.says, row.strength)) for row in rows)  # type: ignore[arg-type]
    return [suppose_added(sheet, row, value.evidence_type, value) for row, value in told]


def _clauses(sheet: FactSheet, fact: Fact) -> tuple[Span, ...]:
    """The clauses of the narrative that mention the item, those that touch as one."""
    clauses = (Span(clause.start, clause.end) for clause in clauses_of(sheet.narrative))
    stating = (c for c in clauses if any(c.overlaps(span) for span in fact.spans))
    return joined([*stating, *fact.spans])


def _mark(sheet: FactSheet, fact: Fact, name: str) -> str:
    """What tells the item from others of its name, behind it: ` (“a lathi”)`; "" for the only one."""
    value = fact.value_as(EvidenceValue)
    called = name_item(value)
    like = {
        f.fact_id: v
        for f, v in sheet.valued(EvidenceValue)
        if v.evidence_type == value.evidence_type and (not called or name_item(v) == called)
    }
    known = called and (value.strength != "absent" or " " in called)
    if len(like) < 2 and (known or not is_wide(value.evidence_type)):
        return ""
    quotes = [own_words(v)[0] for v in like.values()]
    own, place = own_words(value)[0], list(like).index(fact.fact_id) + 1
    said = f"“{own}”" if own and own.lower() != name.lower() else ""
    number = f"no. {place} of {len(like)}" if not said or quotes.count(own) > 1 else ""
    told = ": ".join(filter(None, (number, said)))
    return f" ({told})" if len(like) > 1 or said else ""


def _shown(sheet: FactSheet, fact: Fact) -> str:
    """Return what the item shows: its clauses less the facts of others, or the words of an edit.

    Clauses that tell its absence do not tell what is there once it is supplied, nor the other way.
    """
    value = fact.value_as(EvidenceValue)
    own = next((v for f, v in sheet.valued(EvidenceValue) if f.fact_id == fact.fact_id), None)
    if own is None or value.description != own.description or value.evidence_type == CIRCUMSTANCE:
        return one_line(value.description).strip(_EDGES)
    if (value.strength == "absent") != (own.strength == "absent"):
        return name_item(value)
    others = [
        span
        for other in sheet.facts
        if isinstance(other.value, NumericalValue | SectionValue)
        for span in other.spans
    ]
    parts = [
        one_line(" … ".join(sheet.narrative[s.start : s.end] for s in clause.without(others)))
        for clause in _clauses(sheet, fact)
    ]
    clear = (part.strip(_EDGES) for part in parts)
    words = "; ".join(dict.fromkeys(part for part in clear if part))
    return words or one_line(value.description).strip(_EDGES)


def _numbered(items: Iterable[tuple[EvidenceValue, Sequence[Span]]]) -> list[Fact]:
    return numbered("Evidence", [(f"evidence:{v.evidence_type}", v, spans) for v, spans in items])


FACT_TYPE = Evidence()
