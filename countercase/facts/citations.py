"""Find the provisions that a text cites, each with the words that cite it.

The Act of a number is the one named with it. Where none is, in this order: the Act that governs
the list before it, an Act named with the same number elsewhere in the text, the nearest Act in
the sentence, the Act last named before, and for the number of an offence the Indian Penal Code.
Such citations are marked `inferred`. A section of an Act that is not in the table, or of `the
Act` where the text does not say which it means, is left out rather than guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from countercase.facts import citation_grammar as grammar
from countercase.facts.acts import ActMention, acts, find_acts
from countercase.facts.citation_context import Context
from countercase.facts.citation_words import replace_citation
from countercase.facts.model import Span
from countercase.facts.provision_form import Form, from_roman, known_code, read_number

__all__ = ["Citation", "find_citations", "provisions_in", "replace_citation"]


@dataclass(frozen=True)
class Citation:
    """One provision cited once.

    Args:
        provision: in normal form.
        span: exactly the words of this provision: the mark and the number (`Section 302`), or
            the number alone for the later members of a list.
        act_span: the name of the Act, which all members of a list share; inside `span` for
            `IPC-302`; None where the Act is inferred or needs no name (Articles, Orders).
        text: the words of `span`.
        inferred: whether the Act is not named with the number.
    """

    provision: str
    span: Span
    act_span: Span | None
    text: str
    inferred: bool = False


@dataclass(frozen=True)
class _Member:
    """One number of a list, before its Act is known."""

    start: int
    end: int
    raw: str


@dataclass(frozen=True)
class _Run:
    """A list of numbers under one mark."""

    kind: str
    start: int
    members: tuple[_Member, ...]
    order: str = ""
    code: str | None = None
    code_span: Span | None = None

    @property
    def end(self) -> int:
        return self.members[-1].end


def find_citations(text: str, year: int | None = None) -> list[Citation]:
    """Every provision cited in `text`, in order; nothing is raised and nothing is guessed.

    Args:
        text: a narrative or a judgment.
        year: the year of the decision, which settles Acts of one name (Motor Vehicles Act).
    """
    mentions = find_acts(text, year)
    resolved: list[Citation] = []
    pending: list[tuple[_Run, Span | None]] = []
    taken: set[int] = set()
    for run in _runs(text, mentions):
        named = run.code_span is None and _act_after(text, run, mentions)
        ...
    return resolved
