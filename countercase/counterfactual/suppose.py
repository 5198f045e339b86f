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
from typing import Final

from countercase.errors import InputError
from countercase.fact_types.base import telling_words
from countercase.fact_types.catalogue import matter_of
from countercase.fact_types.consequences import of_figure, of_party, of_provision
from countercase.fact_types.lines import MONTH_DAYS
from countercase.fact_types.measures import measure_of
from countercase.fact_types.roles import owner_of, role_of
from countercase.fact_types.suppositions import suppose
from countercase.facts.edits import BY_HAND, STATED, Change, Edit
from countercase.facts.extraction import recognise
from countercase.facts.model import (
    EvidenceValue,
    Fact,
    FactSheet,
    NumericalValue,
    PartyValue,
    SectionValue,
)
from countercase.law.provisions import provision_name, with_names
from countercase.registry import FACT_TYPES
from countercase.text.dates import find_dates, read_date
from countercase.text.units import convert

_LISTED: Final = 12
_OPENING: Final = re.compile(r"(?i)\A\s*(?:suppose|what if|if|assume|imagine)\s+(?:that\s+)?")
_INSTEAD: Final = re.compile(r"(?i)\b(?:instead of|in place of|rather than|and not)\b")
_NOT_CHARGED: Final = re.compile(
    r"(?i)\b(?:not|never)\s+(?:been\s+)?(?:charged|framed|applied|cited|invoked)\b"
    r"|\b(?:dropped|left out|removed|deleted|without)\b"
)
_UNREAD: Final = "No fact was read in it; it is kept as a sentence of its own and measured as that."


@dataclass(frozen=True)
class Reading:
    """What was made of a user's suppositions.

    Attributes:
        edits: one for each that could be used, in order.
        problems: one line for each that could not.
    """

    edits: tuple[Edit, ...]
    problems: tuple[str, ...] = ()


def read_suppositions(
    sheet: FactSheet,
    suppositions: Sequence[str] = (),
    change: Sequence[str] = (),
    remove: Sequence[str] = (),
    add: Sequence[str] = (),
) -> Reading:
    """Read what a user supposes into typed edits.

    Args:
        suppositions: sentences (`the marriage had lasted 8 years`, `there was no dying declaration`,
            `section 103 were charged instead of 80`).
        change: `OLD = NEW`: words of a fact and what it becomes (`45 g = 300 g`).
        remove: words that name a fact, as its label or its mention has them.
        add: sentences that state a fact that the case does not have.
    """
    edits: list[Edit] = []
    problems: list[str] = []
    wishes = [
        *(("suppose", words) for words in suppositions), *(("change", words) for words in change),
        *(("remove", words) for words in remove), *(("add", words) for words in add),
    ]  # fmt: skip
    readers = {"suppose": _supposed, "change": _changed, "remove": _removed, "add": _added}
    for how, words in wishes:
        try:
            found = readers[how](sheet, " ".join(words.split()))
        except InputError as error:
            problems.append(f"{how} {words!r}: {error}")
            continue
        if any(edit.edit_id == found.edit_id for edit in edits):
            problems.append(f"{how} {words!r}: it says the same as one before it")
        else:
            edits.append(found)
    return Reading(tuple(edits), tuple(problems))


def suppose_value(sheet: FactSheet, fact: Fact, number: float) -> Edit:
    """Return the edit that gives a figure of the sheet another number.

    Raises:
        InputError: the fact is not a single figure.
    """
    value = fact.value
    if not isinstance(value, NumericalValue):
        raise InputError(f"{fact.fact_id} is not a figure")
    after = replace(value, value=number, upper=None)
    return _edit(sheet, Change(fact.fact_id, fact.fact_type, "replace", value, after), "")


def suppose_removed(sheet: FactSheet, fact: Fact) -> Edit:
    """Return the edit that leaves a fact out, with what follows from it."""
    return _edit(sheet, Change(fact.fact_id, fact.fact_type, "remove", fact.value, None), "")


def _edit(sheet: FactSheet, change: Change, clause: str, note: str = "") -> Edit:
    fact = Fact(change.fact_id, change.fact_type, change.before or change.after)
    following: tuple[Change, ...] = ()
    if isinstance(change.after, NumericalValue) and isinstance(change.before, NumericalValue):
        following = of_figure(sheet, fact, change.after)
    elif isinstance(change.before, SectionValue):
        following = of_provision(sheet, fact, str(change.after or ""))
    elif isinstance(change.before, PartyValue) and isinstance(change.after, PartyValue):
        following = of_party(sheet, fact, change.after)
    if not clause:
        clause = _clause(sheet, change, fact)
    return suppose(sheet, change, clause, BY_HAND, "", "", following, note)


def _clause(sheet: FactSheet, change: Change, fact: Fact) -> str:
    kind = FACT_TYPES.get(change.fact_type)
    if change.after is None:
        return f"{kind.noun(fact)} were left out"
    after = Fact(change.fact_id, change.fact_type, change.after)
    clause: str = kind.becomes(sheet, fact if change.before else None, after)
    return clause.replace(" would be ", " were ")


def _read(sheet: FactSheet, words: str) -> list[Fact]:
    """The facts read in a sentence, with mentions in it; those of the title are left out."""
    return [fact for fact in recognise(words, sheet.title) if fact.spans]


def _supposed(sheet: FactSheet, words: str) -> Edit:
    clause = _OPENING.sub("", words).rstrip(" .?!")
    if not clause:
        raise InputError("it supposes nothing")
    if moved := _date_moved(sheet, clause):
        return moved
    read = _read(sheet, clause)
    sections = [fact for fact in read if isinstance(fact.value, SectionValue)]
    if sections:
        return _charged(sheet, clause, sections)
    for wanted in (PartyValue, NumericalValue, EvidenceValue):
        for fact in (fact for fact in read if isinstance(fact.value, wanted)):
            if edit := _of_fact(sheet, clause, fact):
                return edit
    return _kept(clause)


def _kept(clause: str) -> Edit:
    """A supposition that no reader knows, as a statement of its own."""
    said = clause[:1].upper() + clause[1:] + "."
    fact_id = f"statement:{'-'.join(clause.lower().split()[:8])}"
    return Edit(fact_id, STATED, "add", None, said, "", BY_HAND, f"Suppose {clause}.", note=_UNREAD)


def _charged(sheet: FactSheet, clause: str, read: Sequence[Fact]) -> Edit:
    """`section 103 were charged instead of 80`, `section 80 were not charged`, `... charged too`."""
    own = {str(value): fact for fact, value in sheet.valued(SectionValue)}
    kind = FACT_TYPES.get("Section")
    cited = [
        next((f for f in own.values() if kind.like(f, fact) or kind.like(fact, f)), None)
        for fact in read
    ]
    instead = _INSTEAD.search(clause)
    if instead and len(read) == 1 and cited[0] is None:
        cited.append(_numbered(sheet, clause[instead.end() :]))
    old = next((fact for fact in cited if fact is not None), None)
    new = next((f for f, known in zip(read, cited, strict=False) if known is None), None)
    if instead and old is not None and new is not None:
        change = Change(old.fact_id, "Section", "replace", old.value, new.value)
        return _edit(sheet, change, clause)
    if old is not None and (_NOT_CHARGED.search(clause) or new is None):
        return _edit(sheet, Change(old.fact_id, "Section", "remove", old.value, None), clause)
    assert new is not None
    added = Change(f"section:{new.value}:{BY_HAND}", "Section", "add", None, new.value)
    return _edit(sheet, added, clause)


def _numbered(sheet: FactSheet, words: str) -> Fact | None:
    """The provision of the sheet whose bare number stands in `words`: `instead of 80`."""
    numbers = re.findall(r"\d+[A-Z]{0,2}(?:\(\w+\))*", words)
    for fact, value in sheet.valued(SectionValue):
        if value.provision.partition("-")[2] in numbers:
            return fact
    return next(
        (
            fact
            for fact, value in sheet.valued(SectionValue)
            if re.split(r"[(-]", value.provision.partition("-")[2])[0] in numbers
        ),
        None,
    )


def _of_fact(sheet: FactSheet, clause: str, read: Fact) -> Edit | None:
    """The edit that a fact read in a supposition makes of the sheet; None where it fits nothing."""
    value = read.value
    if isinstance(value, NumericalValue):
        own = _figure_meant(sheet, value, clause)
        if own is not None:
            before = own.value
            assert isinstance(before, NumericalValue)
            after = replace(value, context=before.context)
            if convert(after.value, after.unit, before.unit) is None:
                return None
            return _edit(sheet, Change(own.fact_id, "Numerical", "replace", before, after), clause)
        added = Change(f"{read.fact_id}:{BY_HAND}", "Numerical", "add", None, value)
        return _edit(sheet, added, clause)
    if isinstance(value, EvidenceValue):
        return _evidence(sheet, clause, read, value)
    if isinstance(value, PartyValue):
        return _party(sheet, clause, value)
    return None


def _figure_meant(sheet: FactSheet, value: NumericalValue, clause: str) -> Fact | None:
    """The figure of the sheet that a supposed one replaces: of its kind, and of like measure."""
    words, best = telling_words(clause), list[tuple[float, Fact]]()
    measure, owner = measure_of(value, matter_of(sheet).cited), owner_of(sheet, value)
    for fact, own in sheet.valued(NumericalValue):
        if own.kind != value.kind:
            continue
        same = measure is not None and measure_of(own, matter_of(sheet).cited) == measure
        owned = bool(owner) and owner_of(sheet, own) == owner
        shared = len(words & telling_words(own.context))
        score = 2.0 * same + 2.0 * owned + shared
        if own.kind == "quantity" and convert(own.value, own.unit, value.unit) is not None:
            score += 0.5
        if score:
            best.append((score, fact))
    alone = [f for f, own in sheet.valued(NumericalValue) if own.kind == value.kind]
    if best:
        return max(best, key=lambda it: it[0])[1]
    return alone[0] if len(alone) == 1 else None


def _evidence(sheet: FactSheet, clause: str, read: Fact, value: EvidenceValue) -> Edit:
    own = [
        (len(telling_words(clause) & telling_words(v.description)), f, v)
        for f, v in sheet.valued(EvidenceValue)
        if v.evidence_type == value.evidence_type
    ]
    if not own:
        added = Change(f"{read.fact_id}:{BY_HAND}", "Evidence", "add", None, value)
        return _edit(sheet, added, clause)
    _, fact, before = max(own, key=lambda it: it[0])
    if value.strength == "absent" and before.strength != "absent":
        after = replace(before, strength="absent", description="", doubt="")
        return _edit(sheet, Change(fact.fact_id, "Evidence", "deny", before, after), clause)
    if value.strength == "weakened" and before.strength == "full":
        after = replace(before, strength="weakened", doubt=clause)
        return _edit(sheet, Change(fact.fact_id, "Evidence", "discredit", before, after), clause)
    operation = "supply" if before.strength == "absent" else "replace"
    after = replace(value, description=clause)
    return _edit(sheet, Change(fact.fact_id, "Evidence", operation, before, after), clause)  # type: ignore[arg-type]


def _party(sheet: FactSheet, clause: str, value: PartyValue) -> Edit | None:
    words = clause.lower()
    for fact, own in sheet.valued(PartyValue):
        named = own.name and own.name.split()[0].lower() in words
        roles = filter(None, (own.role, role_of(sheet, own), own.side, "appellant"))
        if (named or any(role in words for role in roles)) and own.party_type != value.party_type:
            after = replace(own, party_type=value.party_type)
            return _edit(sheet, Change(fact.fact_id, "PartyType", "replace", own, after), clause)
    return None


def _date_moved(sheet: FactSheet, clause: str) -> Edit | None:
    """A date that is supposed moves the length of time that ends or begins with its event.

    The day of the occurrence is what it is counted from, and must be known to the day.
    """
    dates = [read_date(clause[s.start : s.end]) for s in find_dates(clause)]
    full = [text for text in dates if len(text) == len("2024-08-12")]
    if not full or len(sheet.occurred_on) != len("2024-08-12"):
        return None
    from datetime import date

    days = abs((date.fromisoformat(full[0]) - date.fromisoformat(sheet.occurred_on)).days)
    words = telling_words(clause)
    fitting = [
        (len(words & telling_words(own.context)), fact, own)
        for fact, own in sheet.valued(NumericalValue)
        if own.kind == "duration"
    ]
    shared, fact, own = max(fitting, key=lambda it: it[0], default=(0, None, None))
    if not shared or fact is None or own is None:
        return None
    scale = {"days": 1.0, "weeks": 7.0, "months": MONTH_DAYS, "years": 12 * MONTH_DAYS}
    if own.unit not in scale:
        return None
    after = replace(own, value=round(days / scale[own.unit], 2), upper=None)
    return _edit(sheet, Change(fact.fact_id, "Numerical", "replace", own, after), clause)


def _changed(sheet: FactSheet, wish: str) -> Edit:
    old, equals, new = (part.strip() for part in wish.partition("="))
    if not (old and equals and new):
        raise InputError('write the words of a fact, "=", and what it becomes')
    fact = _named(sheet, old)
    value = fact.value
    if isinstance(value, SectionValue):
        read = [f for f in _read(sheet, new) if f.fact_type == "Section"]
        after = read[0].value if read else _same_act(value, new)
        return _edit(sheet, Change(fact.fact_id, "Section", "replace", value, after), "")
    if isinstance(value, NumericalValue):
        number = _number_in(sheet, value, new)
        return _edit(sheet, Change(fact.fact_id, "Numerical", "replace", value, number), "")
    if isinstance(value, EvidenceValue):
        after = replace(value, description=new, strength="full", doubt="")
        clause = f"it were so: {new}"
        return _edit(sheet, Change(fact.fact_id, "Evidence", "replace", value, after), clause)
    read = [f for f in _read(sheet, f"the {old} is {new}") if f.fact_type == fact.fact_type]
    if not read:
        raise InputError(f"{new!r} is not read as a {FACT_TYPES.get(fact.fact_type).heading}")
    edit = _of_fact(sheet, f"{old} were {new}", read[0])
    if edit is None:
        raise InputError(f"{new!r} changes nothing of {FACT_TYPES.get(fact.fact_type).label(fact)}")
    return edit


def _same_act(value: SectionValue, number: str) -> SectionValue:
    """A bare number as a provision of the Act of the one that it replaces."""
    from countercase.law.provisions import normal_form

    act = value.provision.partition("-")[0]
    return SectionValue(normal_form(f"{act}-{number}" if number[:1].isdigit() else number))


def _number_in(sheet: FactSheet, value: NumericalValue, words: str) -> NumericalValue:
    read = [
        f.value
        for f in _read(sheet, f"{value.context or value.kind} {words}")
        if isinstance(f.value, NumericalValue)
    ]
    if read:
        first = read[0]
        if convert(first.value, first.unit, value.unit) is None and first.kind != value.kind:
            raise InputError(f"{words!r} is not read as a {value.kind}")
        return replace(first, kind=value.kind, context=value.context)
    try:
        return replace(value, value=float(words.replace(",", "")), upper=None)
    except ValueError:
        raise InputError(f"{words!r} is not read as a {value.kind}") from None


def _removed(sheet: FactSheet, words: str) -> Edit:
    return suppose_removed(sheet, _named(sheet, words))


def _added(sheet: FactSheet, sentence: str) -> Edit:
    clause = sentence.rstrip(" .?!")
    read = _read(sheet, f"{clause}.")
    known = [fact for fact in read if not isinstance(fact.value, PartyValue)]
    if not known:
        return _kept(clause)
    fact = known[0]
    value = fact.value
    if isinstance(value, SectionValue):
        value = SectionValue(matter_of(sheet).on_the_day(value.provision))
        clause = f"{provision_name(value.provision)} were charged too"
    change = Change(f"{fact.fact_id}:{BY_HAND}", fact.fact_type, "add", None, value)
    return _edit(sheet, change, f"it were added: {with_names(clause)}")


def _named(sheet: FactSheet, words: str) -> Fact:
    """The one fact that `words` name, by its label, its id or its mention; of several the first."""
    wanted = " ".join(words.lower().split())
    narrative = sheet.narrative
    exact = [
        fact
        for fact in sheet.facts
        if any(wanted == " ".join(narrative[s.start : s.end].lower().split()) for s in fact.spans)
    ]
    named = exact or [
        fact
        for fact in sheet.facts
        if wanted in FACT_TYPES.get(fact.fact_type).label(fact).lower()
        or wanted in fact.fact_id
        or any(wanted in " ".join(narrative[s.start : s.end].lower().split()) for s in fact.spans)
    ]
    if not named:
        named = [
            fact
            for fact, value in sheet.valued(EvidenceValue)
            if wanted.replace(" ", "_") == value.evidence_type
        ]
    labels = [FACT_TYPES.get(fact.fact_type).label(fact) for fact in named or sheet.facts]
    if not named:
        raise InputError(f"it names no fact of the case; facts: {_list(labels)}")
    if len({fact.fact_id for fact in named}) > 1 and not exact:
        raise InputError(f"it names more than one fact: {_list(labels)}")
    return named[0]


def _list(labels: Sequence[str]) -> str:
    return "; ".join(labels[:_LISTED]) + ("; ..." if len(labels) > _LISTED else "")
