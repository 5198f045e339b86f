"""Provisions that an explanation cites and its passage does not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from countercase.law.act_mentions import find_acts
from countercase.law.citation_lists import find_lists
from countercase.law.citations import find_citations
from countercase.law.provision_ids import Form, parse_id, read_number
from countercase.text.spans import Span

_NUMBER: Final = r"(?:\d+[A-Z]{0,2}(?:-[A-Z]{1,2})?|[IVX]+)(?:\s?\(\w{1,4}\))*|\(\w{1,4}\)"
_OTHER: Final = re.compile(
    r"\b(?P<kind>[Ee]xception|[Rr]ule|[Ee]ntr(?:y|ies)|[Ss]chedule|[Cc]lause|[Ii]llustration"
    r"|[Cc]hapter|[Rr]egulation|[Ff]orm|[Pp]art|[Ss]ection|[Aa]rticle|[Oo]rder)s?\s+"
    rf"(?P<list>(?:{_NUMBER})(?:(?:\s*,\s*|\s+(?:and|or|to)\s+|\s*/\s*)(?:{_NUMBER}))*)(?!\w)"
)
_ONE: Final = re.compile(_NUMBER)


@dataclass(frozen=True)
class Mention:
    """A provision where a text cites it.

    Args:
        kind: section, article, order, exception, rule, ...
        code: the Act's code, or "" where the text does not name the Act with the number.
    """

    words: str
    span: Span
    kind: str
    code: str
    form: Form

    def stands_in(self, others: tuple[Mention, ...]) -> bool:
        """Whether one of the others cites the same provision, or a part of it.

        A passage on section 13(1)(d) bears out `section 13`, not the other way round. The Acts
        are compared where both texts name them.
        """
        return any(self._is(other) for other in others)

    def _is(self, other: Mention) -> bool:
        if self.kind == "part" and other.form.part:
            return self.form.number == other.form.part
        if self.kind != other.kind or (self.code and other.code and self.code != other.code):
            return False
        mine, theirs = self.form, other.form
        if mine.number != theirs.number or (mine.part and mine.part != theirs.part):
            return False
        return theirs.subs.lower().startswith(mine.subs.lower())


def missing_provisions(text: str, passage: str) -> list[str]:
    """The provisions of `text` that `passage` does not cite, as written."""
    there = provisions_cited(passage)
    words = " ".join(passage.lower().split())
    return [
        one.words
        for one in provisions_cited(text)
        if not one.stands_in(there) and not (one.form.code == "" and one.words.lower() in words)
    ]


def provision_spans(text: str) -> tuple[Span, ...]:
    """Where `text` cites provisions and names Acts, so that their figures are no facts."""
    cited = [one.span for one in provisions_cited(text)]
    return tuple(sorted([*cited, *(act.span for act in find_acts(text) if not act.bare)]))


@lru_cache(maxsize=256)
def provisions_cited(text: str) -> tuple[Mention, ...]:
    """Every provision that `text` cites, of a known Act or not, in order."""
    acts = {one.span: parse_id(one.provision) for one in find_citations(text) if not one.inferred}
    found = []
    for listed in find_lists(text, find_acts(text)):
        for member in listed.members:
            form = acts.get(member.span) or read_number("IPC", member.raw)
            if form is not None:
                code = form.code if member.span in acts else ""
                words = text[member.span.start : member.span.end]
                found.append(Mention(words, member.span, listed.kind, code, form))
    for match in _OTHER.finditer(text):
        kind = match["kind"].lower()
        for number in _ONE.finditer(text, match.start("list"), match.end("list")):
            span = Span(*number.span())
            if any(span.overlaps(one.span) for one in found):
                continue
            raw = re.sub(r"\s", "", number.group())
            bare, bracket, subs = raw.partition("(")
            form = Form("", bare.replace("-", "") or "()", bracket + subs)
            words = f"{kind} {number.group()}"
            found.append(Mention(words, span, "entry" if kind == "entrie" else kind, "", form))
    return tuple(sorted(found, key=lambda one: one.span))
