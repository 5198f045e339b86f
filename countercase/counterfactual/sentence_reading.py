"""Read one sentence that a user supposes into a typed edit of the sheet.

The readers of cases read it. What they find is held against the sheet in order: a date, a charge, a
figure, a party, the item that it is surely about; else it is a fact that the case does not have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Literal

from countercase.counterfactual import supposed_figures
from countercase.counterfactual.proposals import (
    SAYS_MORE,
    NoChangeError,
    add_fact,
    keep_sentence,
    make_edit,
)
from countercase.counterfactual.supposed_fact import weigh_facts
from countercase.errors import InputError
from countercase.fact_types.base import telling_words
from countercase.fact_types.evidence.recognise import CIRCUMSTANCE
from countercase.fact_types.evidence.triggers import kinds_that_are
from countercase.fact_types.lines import lines_of
from countercase.fact_types.party.recognise import words_for
from countercase.fact_types.roles import role_of
from countercase.fact_types.suppositions import statements_of
from countercase.facts.area_of_law import provisions
from countercase.facts.edits import Edit, Operation
from countercase.facts.extraction import recognise
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactValue,
    NumericalValue,
    PartyValue,
)
from countercase.facts.reader import class_scores
from countercase.facts.vocabulary import PARTY_TYPES
from countercase.law.provision_ids import citation
from countercase.registry import FACT_TYPES
from countercase.text.numbers import read_number
from countercase.text.spans import Span

BECOMES: Final = "supposed.becomes"
_INSTEAD: Final = (" instead of ", " in place of ", " rather than ", " and not ")
_BEINGS: Final = (" was ", " were ", " is ", " had been ")
_GREATER: Final = {"months": (12, "years"), "g": (1000, "kg")}
_ARTICLES: Final = frozenset({"a", "an", "the", "not", "no", "longer", "in", "law"})
SURE: Final = 0.6
"""How likely an item or a circumstance, or those of its kind together, must be to be taken."""
_MORE: Final = 3
"""Telling words from which on a clause says more than what it was put to."""
_STRENGTHS: Final[dict[str, Literal["full", "weakened", "absent"]]] = {
    "none": "absent", "doubted": "weakened", "there": "full", "otherwise": "full"
}  # fmt: skip


def read_facts(sheet: FactSheet, clause: str) -> list[Fact]:
    """Return the facts that a clause states, a bare section number as one of an Act of the matter."""
    plain = _plain(clause)
    acts = "".join(f"{citation(name, 'long')} applies. " for name in provisions(sheet))
    own = len(acts)
    cited = [
        replace(fact, spans=tuple(places))
        for fact in recognise(acts + plain, types=("Section",))
        if (places := [Span(s.start - own, s.end - own) for s in fact.spans if s.start >= own])
    ]
    others = [f for f in recognise(plain) if f.spans and f.fact_type != "Section"]
    others = [replace(f, value=_in_greater_unit(f.value)) for f in others]
    return [*sorted(cited, key=lambda it: it.spans[0].start), *others]


def _plain(clause: str) -> str:
    """Return a clause as a case would tell it, whose places the facts read in it have."""
    words = clause.replace(" were ", " was ").replace(" had been ", " was ").split()
    for at, (first, second) in enumerate(pairwise(tuple(words))):
        if f"{first.lower()}s" in supposed_figures.UNITS and second.isdecimal():  # `day 45`
            words[at : at + 2] = second, f"{first}s"
    return " ".join(words).replace(" - ", " to ")


def _in_greater_unit(value: FactValue) -> FactValue:
    """Return `96 months` as 8 years, so that both are one supposition, and `2000 g` as 2 kg."""
    if isinstance(value, NumericalValue) and value.kind != "age" and value.upper is None:
        many, greater = _GREATER.get(value.unit, (0, ""))
        if many and value.value >= many and (value.unit == "g" or value.value % many == 0):
            return replace(value, value=value.value / many, unit=greater)
    return value


def read_sentence(sheet: FactSheet, clause: str) -> Edit:
    """Return the edit that a clause supposes; what it says beyond its fact is kept as it is.

    A clause in quotation marks is kept whole. InputError where the case says so already.
    """
    if len(clause) > 2 and clause[0] in '"“”' and clause[-1] in '"“”':
        return keep_sentence(clause[1:-1].strip(" .?!"))
    try:
        edit, several = _read_typed(sheet, clause)
    except NoChangeError:
        facts = (FACT_TYPES.get(fact.fact_type).state(sheet, fact) for fact in sheet.facts)
        if _more(clause, sheet.narrative, *facts) < _MORE:
            raise
        return keep_sentence(clause)
    more = 0 if edit.occurred_on else _more(clause, edit.follows, *statements_of(sheet, edit))
    if edit.note or not (several or more >= _MORE):
        return edit
    return replace(edit, consequences=(*edit.consequences, keep_sentence(clause)), note=SAYS_MORE)


def _more(clause: str, *told: str) -> int:
    """How many telling words a clause has beyond some texts together, its figures aside."""
    more = telling_words(clause) - telling_words(" ".join(told))
    return sum(read_number(word) is None for word in more)


def _read_typed(sheet: FactSheet, clause: str) -> tuple[Edit, bool]:
    """Return the edit of one fact in a clause, and whether the clause has several."""
    parts = clause.replace(" and ", ";").replace(", ", ";").split(";")
    if dated := supposed_figures.move_date(sheet, clause):
        return dated, bool(dated.occurred_on) and len(parts) > 1
    instead = next((words for words in _INSTEAD if words in f" {clause}"), "")
    head, _, tail = f" {clause}".partition(instead or "\n")
    bare, gone = tail[:1].isdecimal() and read_facts(sheet, head)[:1], f"section {tail}"
    replaced = [it for it in read_facts(sheet, gone)[:1] if "," not in gone[: it.spans[0].start]]
    if bare and bare[0].fact_type == "Section":  # `section 80 and not 85`
        tail = gone
    if head[1:2].isdecimal() and any(_find_section(sheet, it) for it in replaced):
        head = f" section{head}"
    named = f"{head}{instead}{tail}"
    read = [_as_supposed(_plain(named), fact) for fact in read_facts(sheet, named)]
    sections = [fact for fact in read if fact.fact_type == "Section"]
    proof = [fact for fact in read if isinstance(fact.value, EvidenceValue)]
    figures = [fact for fact in read if isinstance(fact.value, NumericalValue)]
    stated = {(it.kind, it.value, it.unit) for _, it in sheet.valued(NumericalValue)}
    figures.sort(key=lambda fact: _measured(fact) in stated)  # `45 g had been 45 kg`
    charge, chances = None, weigh_facts(sheet, clause, read)
    items = (fact for fact, _ in sheet.valued(EvidenceValue))
    told = next((fact for fact in items if chances[fact.fact_id] >= SURE), None)
    if sections and (instead or not (proof or figures or told)):
        charge = _charge(sheet, clause, sections, replaced)
    moved = (supposed_figures.replace_figure(sheet, clause, fact, chances) for fact in figures)
    proved = (_evidence(sheet, clause, fact, proof, chances) for fact in proof)
    own = (
        charge
        or next(filter(None, moved), None)
        or _party(sheet, clause, [f.value for f in read if isinstance(f.value, PartyValue)])
        or next(filter(None, proved), None)
        or (told and make_edit(sheet, told, "replace", EvidenceValue(CIRCUMSTANCE, clause), clause))
    )
    telling = [it for it in (*proof, *figures) if _stands_alone(sheet, clause, it)]
    own = own or (add_fact(sheet, telling[-1], clause) if telling else keep_sentence(clause))
    new = [f.value_as(NumericalValue).kind for f in figures if _measured(f) not in stated]
    charged = {f.value for f in sections if _find_section(sheet, f) is None}
    told_in = [p for p in parts if any(it.fact_type != "PartyType" for it in read_facts(sheet, p))]
    return own, len(charged) > 1 or len(new) > len({*new}) or len(told_in) > 1


def _measured(fact: Fact) -> tuple[str, float, str]:
    value = fact.value_as(NumericalValue)
    return value.kind, value.value, value.unit


def _as_supposed(plain: str, fact: Fact) -> Fact:
    """Return a fact read in a clause as the words of the clause make it."""
    value = fact.value
    if isinstance(value, EvidenceValue):
        return replace(fact, value=replace(value, strength=_STRENGTHS[_becomes(plain, fact)]))
    if isinstance(value, NumericalValue):
        return replace(fact, value=supposed_figures.read_bound(plain, value, fact.spans[0]))
    return fact


def _becomes(plain: str, named: Fact) -> str:
    """Return what a clause makes of an item or a charge: `none`, `doubted`, `there`, `otherwise`."""
    words = supposed_figures.words_around(plain, named.spans[0])
    said = supposed_figures.score_features("becomes", words)
    read = class_scores(BECOMES, plain, [named.spans[0]], [Span(0, len(plain))])
    odds = {name: math.exp(read[name] + said[name]) for name in read}
    likeliest = max(odds, key=lambda name: odds[name])
    return likeliest if 2 * odds[likeliest] > math.fsum(odds.values()) else "otherwise"


def _charge(
    sheet: FactSheet, clause: str, read: Sequence[Fact], replaced: Sequence[Fact]
) -> Edit | None:
    """`section 103 were charged instead of 80`, `section 80 were dropped`, `... charged too`."""
    plain, gone = _plain(clause), {fact.value for fact in replaced}
    fates = ["none" if gone else _becomes(plain, fact) for fact in read]
    held = [(fact, _find_section(sheet, fact), it) for fact, it in zip(read, fates, strict=True)]
    lost = [own for it, own, fate in held if own and (it.value in gone if gone else fate == "none")]
    new = next((fact for fact, own, _ in held if not own and fact.value not in gone), None)
    if gone and not lost:
        raise InputError(f"the case does not cite {FACT_TYPES.get('Section').label(replaced[0])}")
    if lost and new:
        return make_edit(sheet, lost[0], "replace", new.value, clause)
    if gone and all(fact.value in gone for fact in read):  # `420 instead of 420`
        raise InputError("no other provision is read in its place")
    if lost:
        return make_edit(sheet, lost[0], "remove", None, clause)
    fate = fates[0]
    stated = [FACT_TYPES.get("Section").state(sheet, own) for _, own, _ in held if own]
    if new is None and (fate in ("otherwise", "doubted") or _more(clause, *stated) >= _MORE):
        return None
    if new is None or fate == "none":
        raise NoChangeError
    around = supposed_figures.words_around(plain, new.spans[0])
    joins = supposed_figures.score_features("joins", around)
    kind, own = FACT_TYPES.get("Section"), sheet.of_type("Section")
    becomes_it = (f for f in own if any(e.after == new.value for e in kind.what_ifs(sheet, f)))
    old, instead = next(becomes_it, None), joins["instead"] - joins["beside"]
    if old and instead > -1:  # the law asks that of the two
        return make_edit(sheet, old, "replace", new.value, clause)
    sure = instead < (-2 if fate == "otherwise" else 0)
    return add_fact(sheet, new, clause) if sure else None


def _find_section(sheet: FactSheet, cited: Fact) -> Fact | None:
    """The fact of the sheet that is a provision cited, else a part of it, in either code."""
    kind, own = FACT_TYPES.get("Section"), sheet.of_type("Section")
    like = (fact for fact in own if kind.like(fact, cited) or kind.like(cited, fact))
    return next((fact for fact in own if fact.value == cited.value), next(like, None))


def _party(sheet: FactSheet, clause: str, read: Sequence[PartyValue]) -> Edit | None:
    """`the accused were a minor`, `he was not a public servant`, `the complainant were a company`."""
    being = next((words for words in _BEINGS if words in f"{clause} "), "")
    subject, _, said = (f"{clause} ".lower()).partition(being or "\n")
    words = {*said.split()}
    kinds = [value.party_type for value in read if value.party_type != "Individual"]
    for kind in PARTY_TYPES if words - _ARTICLES else ():
        names = {*f"{words_for(kind).noun} {words_for(kind).phrase}".lower().split()}
        if words - _ARTICLES <= names and words & names - _ARTICLES - {"private"}:
            kinds.insert(0, kind)
    if not kinds or not being:
        return None
    denied = bool(words & {"not", "no", "never"})
    for fact, own in sheet.valued(PartyValue):
        nouns = (own.role, role_of(sheet, own), own.side, words_for(own.party_type).noun)
        called = filter(None, (*own.name.lower().split()[:1], *nouns))
        if subject in ("he", "she", "it", "they") or any(name in subject for name in called):
            kind = "Individual" if denied and kinds[0] == own.party_type else kinds[0]
            if denied and kind != "Individual":
                return None
            return make_edit(sheet, fact, "replace", replace(own, party_type=kind), clause)
    return None


def _evidence(
    sheet: FactSheet, clause: str, read: Fact, proof: Sequence[Fact], chances: Mapping[str, float]
) -> Edit | None:
    """The edit of the likeliest item of the sheet that is of the kind read."""
    kind, value = FACT_TYPES.get("Evidence"), read.value_as(EvidenceValue)
    told = replace(read, value=replace(value, description=clause))
    items = (fact.value_as(EvidenceValue) for fact in proof)
    hostile = any(it.evidence_type == "hostile_witness" and it.strength != "absent" for it in items)
    own = [
        (chances[fact.fact_id], fact, stood)
        for fact, stood in sheet.valued(EvidenceValue)
        if (kind.like(fact, told) and not hostile) or (hostile and stood.strength == "full")
    ]
    if math.fsum(chance for chance, *_ in own) < SURE:
        return None
    _, fact, stood = max(own, key=lambda it: it[0])
    operation: Operation = "replace"
    after = EvidenceValue(CIRCUMSTANCE, clause)
    if hostile or (value.strength == "weakened" and stood.strength == "full"):
        after, operation = replace(stood, strength="weakened", doubt=clause), "discredit"
    elif value.strength == "absent":
        after, operation = replace(stood, strength="absent", description=clause, doubt=""), "deny"
    elif stood.strength == "absent":
        after, operation = replace(value, description=clause), "supply"
    if after.strength == stood.strength == "absent":
        raise NoChangeError
    return make_edit(sheet, fact, operation, after, clause)


def _stands_alone(sheet: FactSheet, clause: str, read: Fact) -> bool:
    """Whether a figure that the law draws a line through, or an item of a new kind, is to be added."""
    if isinstance(read.value, NumericalValue):
        return bool(lines_of(sheet, read.value))
    item, kind = read.value_as(EvidenceValue), FACT_TYPES.get("Evidence")
    told = replace(read, value=replace(item, description=clause))
    vague = item.strength == "weakened" or item.evidence_type in kinds_that_are("of many kinds")
    if item.strength == "absent":
        vague = _more(clause, *(_plain(clause)[it.start : it.end] for it in read.spans)) >= _MORE
    return not vague and not any(kind.like(fact, told) for fact in sheet.of_type("Evidence"))
