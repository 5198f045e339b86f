"""Read one sentence that a user supposes into a typed edit of the sheet.

The readers of cases read it. What they find is held against the sheet in this order: a date, a charge,
a figure, a party, an item of evidence that the case has; then a question of the catalogue in the same
words; then a fact that the case does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from typing import Final

from countercase.counterfactual.proposals import propose
from countercase.errors import InputError
from countercase.fact_types.base import telling_words
from countercase.fact_types.catalogue import matter_of, rows_that_add
from countercase.fact_types.evidence import ask
from countercase.fact_types.lines import MONTH_DAYS
from countercase.fact_types.measures import figure_words, measure_of
from countercase.fact_types.numerical.dated_events import find_days
from countercase.fact_types.party.recognise import words_for
from countercase.fact_types.roles import owner_of, role_of
from countercase.fact_types.suppositions import suppose
from countercase.facts.area_of_law import provisions
from countercase.facts.edits import BY_HAND, STATED, Change, Edit, Operation
from countercase.facts.extraction import recognise
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    FactValue,
    NumericalValue,
    PartyValue,
)
from countercase.facts.vocabulary import PARTY_TYPES
from countercase.law.provision_ids import citation
from countercase.registry import FACT_TYPES
from countercase.text.units import convert

UNREAD: Final = "No fact was read in it; it is kept as a sentence of its own and measured as that."
ONE_OF_SEVERAL: Final = "Only one of the facts in it was supposed; suppose each of them by itself."
NO_CHANGE: Final = "the case says so already"
_INSTEAD: Final = (" instead of ", " in place of ", " rather than ", " and not ")
_GONE: Final = frozenset(
    {"no", "not", "never", "without", "dropped", "removed", "deleted", "withdrawn", "quashed"}
)
_CHARGED: Final = frozenset(
    {"charge", "charged", "framed", "apply", "applies", "applied", "invoked", "dropped", "quashed"}
)
_BEINGS: Final = (" was ", " were ", " is ", " had been ")
_ARTICLES: Final = frozenset({"a", "an", "the", "not", "no", "longer", "in", "law"})
_PRONOUNS: Final = ("he", "she", "it", "they")
_LEAST_SAID: Final = 0.4
"""Share of the words of a question that a clause says, at least: the rest asks something else."""
_GREATER: Final = {"months": (12, "years"), "g": (1000, "kg")}
_ENDS: Final = (" to ", " and the ", " until ")
"""Between the two ends of a length of time, in what it measures."""
_DAYS: Final = {"days": 1.0, "weeks": 7.0, "months": MONTH_DAYS, "years": 12 * MONTH_DAYS}


def make_edit(
    sheet: FactSheet, fact: Fact, operation: Operation, after: FactValue | None, clause: str = ""
) -> Edit:
    """Return the edit of a fact that a user wants, with what the law draws from it.

    Args:
        fact: as the case has it; of one that is added, as it is then.
        after: its value then; None where it is left out. InputError where that changes nothing.
        clause: what is supposed, as worded; by default as the fact type says it.
    """
    before = None if operation == "add" else fact
    if before and fact.value == after:
        raise InputError(NO_CHANGE)
    if not clause:
        kind = FACT_TYPES.get(fact.fact_type)
        new = kind.becomes(sheet, before, replace(fact, value=after)) if after else ""
        clause = new.replace(" would be ", " were ") or f"{kind.noun(fact)} were left out"
    value = before and fact.value
    change = Change(fact.fact_id, fact.fact_type, operation, value, after)
    return suppose(sheet, change, clause, BY_HAND)


def read_facts(sheet: FactSheet, clause: str) -> list[Fact]:
    """Return the facts that a clause states, a bare section number as one of an Act of the matter."""
    words = clause.replace(" were ", " was ").replace(" had been ", " was ").split()
    for at, (first, second) in enumerate(pairwise(tuple(words))):
        if f"{first.lower()}s" in _DAYS and second.isdecimal():  # `day 45`
            words[at : at + 2] = second, f"{first}s"
    plain = " ".join(words).replace(" - ", " to ")
    acts = "".join(f"{citation(name, 'long')} applies. " for name in provisions(sheet))
    cited = [
        replace(fact, spans=places)
        for fact in recognise(acts + plain, types=("Section",))
        if (places := tuple(span for span in fact.spans if span.start >= len(acts)))
    ]
    others = [f for f in recognise(plain) if f.spans and f.fact_type != "Section"]
    others = [replace(f, value=_in_greater_unit(f.value)) for f in others]
    return [*sorted(cited, key=lambda it: it.spans[0].start), *others]


def _in_greater_unit(value: FactValue) -> FactValue:
    """Return `96 months` as 8 years, so that both are one supposition, and `2000 g` as 2 kg."""
    if isinstance(value, NumericalValue) and value.kind != "age" and value.upper is None:
        many, greater = _GREATER.get(value.unit, (0, ""))
        if many and value.value and value.value % many == 0:
            return replace(value, value=value.value / many, unit=greater)
    return value


def read_sentence(sheet: FactSheet, clause: str) -> Edit:
    """Return the edit that a clause supposes; where no fact is read in it, it is kept as it is.

    InputError where the case says so already.
    """
    if moved := _move_date(sheet, clause):
        return moved
    instead = next((words for words in _INSTEAD if words in f" {clause}"), "")
    head, _, tail = f" {clause}".partition(instead or "\n")
    read = read_facts(sheet, f"{head}{instead}section {tail}" if tail[:1].isdecimal() else clause)
    sections = [fact for fact in read if fact.fact_type == "Section"]
    proof = [fact.value for fact in read if isinstance(fact.value, EvidenceValue)]
    figures = [fact.value for fact in read if isinstance(fact.value, NumericalValue)]
    stated = {(it.kind, it.value, it.unit) for _, it in sheet.valued(NumericalValue)}
    figures.sort(key=lambda it: (it.kind, it.value, it.unit) in stated)  # `45 g had been 45 kg`
    charge = None
    if sections and (instead or not (proof or figures)):
        charge = _charge(sheet, clause, sections, read_facts(sheet, f"section {tail}")[:1])
    own = (
        charge
        or next((edit for value in figures if (edit := _figure(sheet, clause, value))), None)
        or _party(sheet, clause, [f.value for f in read if isinstance(f.value, PartyValue)])
        or next((edit for value in proof if (edit := _evidence(sheet, clause, value, proof))), None)
        or _asked(sheet, clause)
    )
    telling = (f for f in reversed(read) if isinstance(f.value, EvidenceValue | NumericalValue))
    if own is None and (fact := next(telling, None)):
        own = add_fact(sheet, fact, clause)
    if own is None:
        return keep_sentence(clause)
    new = [it for it in figures if (it.kind, it.value, it.unit) not in stated]
    several = _holds_several(sheet, clause, read) or len(new) > len({it.kind for it in new})
    return replace(own, note=ONE_OF_SEVERAL if several else own.note)


def _holds_several(sheet: FactSheet, clause: str, read: Sequence[Fact]) -> bool:
    """Whether two parts of a clause state a fact: `he were 17 and there was no eyewitness`."""
    if sum(fact.fact_type != "PartyType" for fact in read) < 2:
        return False
    parts = clause.replace(" and ", ";").replace(", ", ";").split(";")
    return sum(any(it.fact_type != "PartyType" for it in read_facts(sheet, p)) for p in parts) > 1


def keep_sentence(clause: str) -> Edit:
    """Return a supposition in which no fact is read, as a statement of its own."""
    said = clause[:1].upper() + clause[1:] + "."
    fact_id = f"statement:{'-'.join(clause.lower().split()[:8])}"
    return Edit(fact_id, STATED, "add", None, said, "", BY_HAND, f"Suppose {clause}.", note=UNREAD)


def add_fact(sheet: FactSheet, fact: Fact, clause: str) -> Edit:
    """Return the edit that adds a fact which the case does not have."""
    name = str(fact.value) if fact.fact_type == "Section" else "1"
    stem = fact.fact_id.rpartition(":")[0]
    added = replace(fact, fact_id=f"{stem}:{name}:{BY_HAND}")
    return make_edit(sheet, added, "add", fact.value, clause)


def _charge(
    sheet: FactSheet, clause: str, read: Sequence[Fact], replaced: Sequence[Fact]
) -> Edit | None:
    """`section 103 were charged instead of 80`, `section 80 were dropped`, `... charged too`."""
    words = {*clause.lower().split()}
    gone = {fact.value for fact in replaced}
    held = [(fact, _find_section(sheet, fact)) for fact in read]
    old = next((own for fact, own in held if own and (fact.value in gone or not gone)), None)
    new = next((fact for fact, own in held if not own and fact.value not in gone), None)
    if gone and old is None:
        raise InputError(f"the case does not cite {FACT_TYPES.get('Section').label(replaced[0])}")
    if old and new and gone:
        return make_edit(sheet, old, "replace", new.value, clause)
    twice = bool(gone) and any(len(fact.spans) > 1 for fact in read)  # `420 instead of 420`
    if old and not twice and (gone or (_is_denied(clause) and words & _CHARGED)):
        return make_edit(sheet, old, "remove", None, clause)
    if new and not _is_denied(clause):
        return add_fact(sheet, new, clause)
    if words & _CHARGED or twice:
        raise InputError(NO_CHANGE)
    return None


def _find_section(sheet: FactSheet, cited: Fact) -> Fact | None:
    """The fact of the sheet that is a provision cited, else a part of it, in either code."""
    kind, own = FACT_TYPES.get("Section"), sheet.of_type("Section")
    like = (fact for fact in own if kind.like(fact, cited) or kind.like(cited, fact))
    return next((fact for fact in own if fact.value == cited.value), next(like, None))


def _figure(sheet: FactSheet, clause: str, value: NumericalValue) -> Edit | None:
    """The edit of the figure of the sheet that a supposed one replaces: of its kind and measure."""
    cited, matter = matter_of(sheet).cited, sheet.valued(NumericalValue)
    measure, owner = measure_of(value, cited), owner_of(sheet, value)
    words, said = telling_words(clause), telling_words(value.context)
    own = [
        (f, v)
        for f, v in matter
        if v.kind == value.kind
        and (v.kind == "duration" or convert(v.value, v.unit, value.unit) is not None)
        and (measure is None or measure_of(v, cited) in (None, measure))  # custody is no marriage
    ]
    scored = []
    for fact, stood in own:
        context = telling_words(stood.context)
        score = 2.0 * (measure is not None and measure_of(stood, cited) == measure)
        score += 2.0 * (bool(owner) and owner_of(sheet, stood) == owner)
        score += len(words & context) + len(said & context)
        if value.kind == "age" and not owner:
            score += _fits_pronoun(sheet, clause, stood)
        if score > 0 or (measure is None and value.kind != "duration" and len(own) == 1):
            scored.append((score, stood.value != value.value, fact, stood))
    if not scored:
        return None
    *_, fact, stood = max(scored, key=lambda it: it[:2])
    after = replace(value, context=stood.context, owner=stood.owner)
    return make_edit(sheet, fact, "replace", after, clause)


def _fits_pronoun(sheet: FactSheet, clause: str, age: NumericalValue) -> float:
    """How well `he` or `she` stands for the person of an age: the accused first, no man for `she`."""
    owner, words = owner_of(sheet, age), {*age.context.lower().split()}
    woman = bool(words & figure_words("women")) or owner == "victim"
    if clause.lower().split()[0] == "she" or owner == "relative":
        return 2.0 if woman and owner != "relative" else 0.0
    return 0.0 if woman else 2.0 if owner == "accused" else 1.0


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
        named = own.name and own.name.lower().split()[0] in subject
        if named or subject in _PRONOUNS or any(noun and noun in subject for noun in nouns):
            kind = "Individual" if denied and kinds[0] == own.party_type else kinds[0]
            if denied and kind != "Individual":
                return None
            return make_edit(sheet, fact, "replace", replace(own, party_type=kind), clause)
    return None


def _evidence(
    sheet: FactSheet, clause: str, value: EvidenceValue, read: Sequence[EvidenceValue]
) -> Edit | None:
    """The edit of an item of the sheet that is of the kind read; of a wide kind, in like words."""
    words, kind = telling_words(clause), FACT_TYPES.get("Evidence")
    told = Fact("", "Evidence", replace(value, description=clause))
    types = {it.evidence_type for it in read}
    hostile = "hostile_witness" in types
    own = [
        (len(shared), fact, stood)
        for fact, stood in sheet.valued(EvidenceValue)
        for shared in [words & telling_words(stood.description)]
        if (not hostile and kind.like(fact, told))
        or (hostile and stood.strength == "full" and (shared or stood.evidence_type in types))
    ]
    if not own:
        return None
    _, fact, stood = max(own, key=lambda it: it[0])
    operation: Operation = "replace"
    after = replace(value, description=clause)
    if value.strength == "absent":
        after, operation = replace(stood, strength="absent", description="", doubt=""), "deny"
    elif (hostile or value.strength == "weakened") and stood.strength == "full":
        after, operation = replace(stood, strength="weakened", doubt=clause), "discredit"
    elif stood.strength == "absent":
        operation = "supply"
    if after.strength == stood.strength == "absent":
        raise InputError(NO_CHANGE)
    return make_edit(sheet, fact, operation, after, clause)


def _asked(sheet: FactSheet, clause: str) -> Edit | None:
    """The question of the catalogue that says every telling word of a clause, and denies no more."""
    words = telling_words(clause)
    asked: list[tuple[float, Edit]] = []
    if len(words) < 2:
        return None
    rows = (row for row in rows_that_add(sheet, "Evidence") if words <= telling_words(row.suppose))
    for edit in (*propose(sheet), *ask(sheet, rows)):
        question = edit.supposed.removeprefix("Suppose ")
        question = question.partition("“")[0]  # the narrative's own words ask nothing
        if words <= telling_words(question) and _is_denied(clause) == _is_denied(question):
            asked.append((len(words) / len(telling_words(question)), edit))
    share, best = max(asked, key=lambda it: it[0], default=(0.0, None))
    if best is None or share < _LEAST_SAID:
        return None
    return suppose(sheet, best, clause, BY_HAND, best.provision, best.reason)


def _is_denied(clause: str) -> bool:
    return bool(_GONE & {*clause.lower().split()})


def _move_date(sheet: FactSheet, clause: str) -> Edit | None:
    supposed, told, known = (
        [day for day, _ in find_days(text)] for text in (clause, sheet.occurred_on, sheet.narrative)
    )
    words = telling_words(clause)
    fitting = [
        (len(words & telling_words(own.context)), fact, own)
        for fact, own in sheet.valued(NumericalValue)
        if own.kind == "duration" and own.unit in _DAYS
    ]
    shared, fact, own = max(fitting, key=lambda it: it[0], default=(0, None, None))
    if not supposed or not shared or fact is None or own is None:
        return None
    day, known = next(iter(told), None), sorted({*known, *told})
    length, scale = own.value * _DAYS[own.unit], _DAYS[own.unit]
    apart = [(abs((b - a).days - length), a, b) for a, b in combinations(known, 2)]
    off, first, last = min(apart, default=(scale, None, None))
    if off > scale / 2:
        first = last = day
    before, end = next(
        ((a, b) for by in _ENDS for a, x, b in [own.context.partition(by)] if x), ("", own.context)
    )
    ends = bool(before) and bool(words & telling_words(end)) and not words & telling_words(before)
    begun, ended = (first, supposed[0]) if ends else (supposed[0], last)
    if begun is None or ended is None or not (days := abs((ended - begun).days)):
        return None
    after = replace(own, value=round(days / scale, 2), upper=None)
    return make_edit(sheet, fact, "replace", after, clause)
