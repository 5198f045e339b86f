"""Neighbouring provisions, and the circumstances that leave room for them.

The neighbours and what decides between them are in `law/data/neighbours.jsonl`, for the codes of
1860, 1872 and 1973 and the special Acts. For the codes of 2023 they are derived through the
correspondences. What a narrative says of the circumstances is read by `data/circumstances.jsonl`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from countercase.fact_types.rewriting import sentences_around
from countercase.fact_types.roles import owner_of
from countercase.facts.area_of_law import widened
from countercase.facts.model import Fact, FactSheet, NumericalValue
from countercase.io import read_table
from countercase.law.provisions import predecessors, successors
from countercase.text.numbers import read_number

NEW_ACTS: Final = {"IPC": "BNS", "CrPC": "BNSS", "IEA": "BSA"}
_NEAR: Final = 12
"""Characters before a citation in which `Exc.` may have been taken for the end of a sentence."""
_ACCUSED: Final = re.compile(
    r"(?i)\b(?P<number>\d{1,2}|[a-z]+)\s+(?:other |named |armed |unknown )*"
    r"(?:accused|persons|men|assailants|appellants|petitioners|robbers|culprits|others)\b"
)
_BELOW: Final = re.compile(r"(?i)\b(?:below|under|less than) (?:the age of )?(?P<age>\w+)")
"""A victim `below twelve` need not be of any age that is read."""
_ASSEMBLY: Final = re.compile(r"(?i)unlawful assembly|\bmob\b|\bdacoit|\brioters")


@dataclass(frozen=True)
class Neighbour:
    """A provision that courts weigh against another, and what decides between the two.

    Args:
        needs: pattern that the narrative must match for the neighbour to be possible; "" for none.
        unless: pattern of a narrative that rules it out.
        given, not_given: circumstances that it must state, or may not (`circumstances.jsonl`).
        persons: how many accused it takes; they must be stated.
        from_age: how old the victim must be; a stated age below rules it out.
        until: the last day on which the two were weighed; "" for no limit.
        own_words: pattern of what is said of this provision alone (`the fourth exception in
            section 300`); a sentence that cites it so would be false of the neighbour.
        barred: provisions beside which the change makes no sense, if they are cited.
        takes: what follows for other provisions cited: (cited, what it becomes or ""). Where the
            neighbour itself is cited as what a party asks for, it moves on to what stands here.
        said: (pattern, words) for what is said of this provision, where it can be said otherwise
            of the neighbour: `the fourth exception in section 300` is a clause in section 299.

    An empty `neighbour` is a case that does without the provision.
    """

    provision: str
    neighbour: str
    reason: str
    needs: str = ""
    unless: str = ""
    given: tuple[str, ...] = ()
    not_given: tuple[str, ...] = ()
    persons: int = 0
    from_age: float = 0
    until: str = ""
    own_words: str = ""
    barred: tuple[str, ...] = ()
    takes: tuple[tuple[str, str], ...] = ()
    said: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Circumstance:
    """Something that a narrative may state.

    Args:
        words: pattern of its words.
        denied: pattern of words that say the contrary; they are left out of account.
    """

    name: str
    words: str
    denied: str = ""


def states(text: str, name: str) -> bool:
    """Whether a narrative states the circumstance of this name in `circumstances.jsonl`.

    Raises:
        KeyError: the table has no such circumstance.
    """
    row = {row.name: row for row in read_table("fact_types/circumstances", Circumstance)}[name]
    left = re.sub(row.denied, " ", text, flags=re.IGNORECASE) if row.denied else text
    return re.search(row.words, left, re.IGNORECASE) is not None


def neighbours(provision: str, new_law: bool = False) -> tuple[Neighbour, ...]:
    """The neighbours of a provision, the most telling first.

    A sub-section without neighbours of its own has those of its section.

    Args:
        provision: in normal form.
        new_law: whether neighbours from the codes replaced in 2024 are given as what replaced
            them; always so for a provision of the new codes.
    """
    renewed = new_law or act_of(provision) in NEW_ACTS.values()
    by_name: dict[str, Neighbour] = {}
    for row in _rows(provision):
        replaced = renewed and act_of(row.neighbour) in NEW_ACTS
        for name in successors(row.neighbour)[:1] if replaced else (row.neighbour,):
            if name != provision:
                by_name.setdefault(name, replace(row, provision=provision, neighbour=name))
    return tuple(by_name.values())


def _rows(provision: str) -> Iterator[Neighbour]:
    """Rows of the narrowest name that has any, for the provision and for what it replaced."""
    table = read_table("law/neighbours", Neighbour)
    for name in (provision, *predecessors(provision)):
        by_name = ([row for row in table if row.provision == wider] for wider in widened(name))
        yield from next((rows for rows in by_name if rows), [])


def act_of(provision: str) -> str:
    """`IPC` of `IPC-302`."""
    return provision.partition("-")[0]


def possible(sheet: FactSheet, row: Neighbour) -> bool:
    """Whether the narrative leaves room for the neighbour; what it is silent on is open."""
    text = sheet.narrative
    if text.strip() and not re.search(row.needs, text, re.IGNORECASE):
        return False
    if row.unless and re.search(row.unless, text, re.IGNORECASE):
        return False
    if text.strip() and not all(states(text, name) for name in row.given):
        return False
    if any(states(text, name) for name in row.not_given):
        return False
    figures = [value for _, value in sheet.valued(NumericalValue)]
    if any(
        v.kind == "age" and v.value < row.from_age and owner_of(sheet, v) == "victim"
        for v in figures
    ):
        return False
    if any(0 < (read_number(m["age"]) or 0) <= row.from_age for m in _BELOW.finditer(text)):
        return False
    if not row.persons or not text.strip():
        return True
    counted = [v.upper or v.value for v in figures if (v.kind, v.unit) == ("count", "accused")]
    counted += [float(read_number(match["number"]) or 0) for match in _ACCUSED.finditer(text)]
    return max(counted, default=0) >= row.persons or bool(_ASSEMBLY.search(text))


def says_more(sheet: FactSheet, fact: Fact, row: Neighbour) -> bool:
    """Whether a sentence that cites the provision says of it what is untrue of the neighbour."""
    sentences = sentences_around(sheet.narrative, fact.spans) if row.own_words else ()
    starts = [
        min([s.start, *(f.start - _NEAR for f in fact.spans if f.overlaps(s))]) for s in sentences
    ]
    texts = [
        sheet.narrative[max(0, start) : s.end] for start, s in zip(starts, sentences, strict=True)
    ]
    for said, _ in row.said:
        texts = [re.sub(said, "", text, flags=re.IGNORECASE) for text in texts]
    return any(re.search(row.own_words, text, re.IGNORECASE) for text in texts)
