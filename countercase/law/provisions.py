"""The table of provisions: what each one is called, and what took its place in 2023.

Headings are those of the statutes, as short descriptions for people and not as law. The three codes of
2023 are reached from the provisions that they replaced, for those correspondences that could be checked.
Where a provision is asked for in normal form, any other text is an `InputError`, but for
`provision_name` and the tiers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Final

from countercase.errors import InputError
from countercase.io import read_table, shown
from countercase.law.acts import act
from countercase.law.citations import find_citations
from countercase.law.in_force import NEW_CODES, Period, correspondences, in_force
from countercase.law.offences import same_terms
from countercase.law.provision_ids import (
    Form,
    citation,
    has_provision,
    is_normal_form,
    known_code,
    parse_id,
    read_number,
    widened,
)
from countercase.text.patterns import pattern
from countercase.text.spans import Span

_MARKS: Final = {"s.": "section", "r.": "rule", "Art.": "Article"}
_OFTEN_MISSPELT: Final = ("IPC", "CRPC", "CPC", "CONST", "BNSS", "NDPS", "POCSO")


@dataclass(frozen=True)
class Provision:
    """One provision of the table: its normal form and its heading."""

    id: str
    title: str


@cache
def _table() -> dict[str, Provision]:
    return {entry.id: entry for entry in read_table("law/provisions", Provision)}


def normal_form(text: str) -> str:
    """Return the normal form of `IPC-302`, `ipc 302`, `Section 302 IPC`, `Order VII Rule 11 CPC`.

    An Act that is not in the table is taken as given, in exact normal form only. What cannot be
    read as one provision is an `InputError` that names the nearest known one.
    """
    stripped = " ".join(text.split())
    provision = _from_code(stripped) or _from_citation(stripped)
    if provision is None:
        raise InputError(f"{shown(text)} cannot be read as one provision{_nearest(stripped)}")
    return provision


def _from_code(text: str) -> str | None:
    match = pattern("CODE_FIRST").fullmatch(text)
    if match is None:
        return None
    code = known_code(match[1])
    if code is None:
        near = get_close_matches(match[1].upper(), _OFTEN_MISSPELT, 1, 0.6)
        return None if near or not match[1].isupper() else _exact(text)
    form = read_number(code, match[2])
    if form is None:
        return _exact(f"{code}-{match[2]}")
    return form.id if has_provision(form) else None


def _from_citation(text: str) -> str | None:
    """`Section 302 of the Indian Penal Code`: one citation, and nothing else beside it."""
    cited = find_citations(text)
    if len({citation.provision for citation in cited}) != 1:
        return None
    covered = [span for c in cited for span in (c.span, c.act_span) if span is not None]
    rest = "".join(text[it.start : it.end] for it in Span(0, len(text)).without(covered))
    return cited[0].provision if pattern("BESIDE_CITATION").fullmatch(rest) else None


def _exact(text: str) -> str | None:
    form = parse_id(text) if is_normal_form(text) else None
    return form.id if form is not None and has_provision(form) else None


def _nearest(text: str) -> str:
    match = pattern("CODE_FIRST").fullmatch(text)
    spelled = f"{match[1]}-{match[2]}" if match else text
    by_upper = {provision.upper(): provision for provision in _table()}
    near = get_close_matches(spelled.upper().replace(" ", "-"), by_upper, 1, 0.6)
    hint = f"; the nearest known form is {by_upper[near[0]]}" if near else ""
    return f"{hint}; write it like IPC-302 or CPC-O7R11"


def lookup(provision: str) -> Provision | None:
    """Return the table's entry for `provision`, or for the section that it is part of, or None."""
    form = parse_id(provision)
    return next((_table()[id_] for id_ in widened(form.id)[:-1] if id_ in _table()), None)


def successors(provision: str) -> tuple[str, ...]:
    """Return what took the place of an old provision (IPC to BNS, CrPC to BNSS, IEA to BSA).

    A sub-section without an entry of its own answers for its section.
    """
    form = parse_id(provision)
    for id_ in widened(form.id)[:-1]:
        if new := tuple(pair.new for pair in correspondences() if pair.old == id_):
            return new
    return ()


def same_law(old: str, new: str) -> bool:
    """Whether a provision of 2023 says what the old one said under another number."""
    pair = next((pair for pair in correspondences() if (pair.old, pair.new) == (old, new)), None)
    return pair is not None and not pair.changed and same_terms(old, new) is not False


@cache
def predecessors(provision: str) -> tuple[str, ...]:
    """Return what a provision of 2023 took the place of; the reverse of `successors`.

    `BNS-103` answers for `BNS-103(1)` as well as the other way round: the table cites the
    sub-section, pleadings often do not.
    """
    form = parse_id(provision)
    for id_ in widened(form.id)[:-1]:
        old = [pair.old for pair in correspondences() if pair.new == id_]
        old = old or [p.old for p in correspondences() if p.new.startswith(f"{id_}(")]
        if old:
            return tuple(dict.fromkeys(old))
    return ()


def other_number(provision: str) -> str:
    """Return a provision as the other code numbers it, where that is the same law; else itself."""
    for new in successors(provision)[:1]:
        if provision in predecessors(new) and same_law(provision, new):
            return new
    for old in predecessors(provision)[:1]:
        if same_law(old, provision) and successors(old)[:1] == (provision,):
            return old
    return provision


def twins(provision: str) -> tuple[str, ...]:
    """Return what a provision took the place of, then what took its place; mostly there is one."""
    return (*predecessors(provision), *successors(provision))


def in_code_of(when: Period, provision: str) -> str:
    """Return a provision as the code of some days numbers it, where one section is known for it."""
    code, others = provision.partition("-")[0], twins(provision)
    stands = in_force(code, when, ()) or code not in {*NEW_CODES, *NEW_CODES.values()}
    one_section = len({parse_id(name).number for name in others}) == 1
    return provision if stands or not one_section else others[0]


def provision_name(provision: str) -> str:
    """Return a provision as lawyers write it (`section 304 Part II IPC`), other words as given."""
    return _named(parse_id(provision)) if is_normal_form(provision) else provision


def with_names(text: str) -> str:
    """A text with each normal form of an Act that is known written as a lawyer writes it.

    >>> with_names("NDPS-50: search of a vehicle")
    'section 50 NDPS Act: search of a vehicle'
    """

    def named(match: re.Match[str]) -> str:
        return provision_name(match[0]) if act(match[1]) else match[0]

    return pattern("WRITTEN_IDS").sub(named, text)


def describe(provision: str) -> str:
    """Return a provision with its heading: `section 302 IPC (punishment for murder)`."""
    entry = lookup(provision)
    name = _named(parse_id(provision))
    if entry is None:  # a provision of 2023 has the heading of what it took the place of
        entry = next(filter(None, map(lookup, predecessors(provision))), None)
    if entry is None:
        return name
    first, _, rest = entry.title.partition(" ")
    capital = pattern("NAMES_KEPT").fullmatch(first) is not None or not first[1:].islower()
    title = entry.title if capital else " ".join(filter(None, [first.lower(), rest]))
    return f"{name} ({title})"


def _named(form: Form) -> str:
    mark, _, rest = citation(form.id, "short").partition(" ")
    return f"{_MARKS.get(mark, mark)} {rest}"


def tier_of(provision: str) -> str | None:
    """The quantity that a clause of the NDPS Act is for; None for a provision without tiers."""
    return {row["provision"]: row["tier"] for row in read_table("law/ndps_tiers", dict)}.get(
        provision
    )


def clause_for(provision: str, tier: str) -> str | None:
    """The clause of the same section that is for another quantity; None where there is none."""
    rows = read_table("law/ndps_tiers", dict)
    section = next((row["section"] for row in rows if row["provision"] == provision), None)
    clauses = {(row["section"], row["tier"]): row["provision"] for row in reversed(rows)}
    return clauses.get((section, tier))
