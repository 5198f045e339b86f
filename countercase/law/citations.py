"""Find the provisions that a text cites, each with the words that cite it.

The Act of a number is the one named with it. Where none is, in this order: an Act named with the
same number elsewhere in the text, the nearest Act in the sentence, the Act last named before,
and for the number of an offence the Indian Penal Code; such citations are marked `inferred`. A
section of an Act that is not in the table, or of `the Act` where the text does not say which it
means, is left out rather than guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from countercase.law.acts import Act, ActMention, act, acts, find_acts, namesakes
from countercase.law.bare_numbers import unmarked_lists
from countercase.law.citation_context import TELLING_NUMBER, Context, Named
from countercase.law.number_lists import Member, NumberList, marked_lists
from countercase.law.provision_ids import Form, is_schedule_article, read_number, within_bound
from countercase.text.patterns import pattern
from countercase.text.sentences import bounded_runs
from countercase.text.spans import Span


@dataclass(frozen=True)
class Citation:
    """One provision cited once."""

    provision: str  # in normal form
    # exactly the words of this provision: the mark and the number (`Section 302`), or the number
    # alone for the later members of a list
    span: Span
    # the name of the Act, which all members of a list share; it lies inside `span` for `IPC-302`,
    # and is None where no Act is named (inferred, Articles, Orders)
    act_span: Span | None
    text: str  # the words of `span`
    inferred: bool = False  # whether the Act is not named with the number


def find_citations(text: str, year: int | None = None) -> list[Citation]:
    """Return every provision cited in `text`, in order of place.

    The `year` of the decision settles Acts of one name (Motor Vehicles Act).
    """
    return list(_citations(text, year))


@lru_cache(maxsize=16)
def _citations(text: str, year: int | None) -> tuple[Citation, ...]:
    text = bounded_runs(text)
    mentions = find_acts(text, year)
    lists = find_lists(text, mentions)
    context = Context(text, mentions)
    named = [context.named_with(numbers) for numbers in lists]
    for numbers, stated in zip(lists, named, strict=True):
        if stated is not None and stated.code is not None and numbers.kind == "section":
            own = numbers.members[_others(text, numbers, stated.code) :]
            context.remember(replace(numbers, members=own), stated.code)
    cited: list[Citation] = []
    for numbers, stated in zip(lists, named, strict=True):
        if stated is not None and stated.the_code:
            stated = replace(stated, code=context.code_meant(numbers))
        cited += _cited(text, numbers, stated, context)
    return tuple(cited)


def find_lists(text: str, mentions: Sequence[ActMention]) -> list[NumberList]:
    """Return every list of provision numbers in `text`, in order, none overlapping another."""
    marked = marked_lists(text, mentions)
    return sorted(
        [*marked, *unmarked_lists(text, mentions, marked)], key=lambda numbers: numbers.start
    )


def provisions_in(text: str, year: int | None = None) -> tuple[str, ...]:
    """The distinct provisions that `text` cites, in normal form, in order of first mention."""
    return tuple(dict.fromkeys(cited.provision for cited in find_citations(text, year)))


def _cited(
    text: str, numbers: NumberList, named: Named | None, context: Context
) -> Iterator[Citation]:
    if numbers.kind == "article":
        if named is not None and (known := act(named.code or "")) and known.schedule:
            yield from _of_schedule(text, numbers, named, known)
            return
        if named is not None and named.code != "CONST":
            if named.code and len(numbers.members) > 1:  # Art. 21, 122 Evidence Act
                last = replace(numbers, kind="section", members=numbers.members[-1:])
                first = replace(numbers, members=numbers.members[:-1])
                yield from _cited(text, first, None, context)
                yield from _cited(text, last, named, context)
            return
        if named is None and pattern("NOT_THE_CONSTITUTION").match(text, numbers.end):
            return
        if named is None and (schedule := _of_limitation(text, numbers)):
            yield from schedule
            return
        named = named or Named("CONST")
    elif numbers.kind == "order":
        if named is not None and named.code != "CPC":
            return
        if named is None and all("R" not in member.raw for member in numbers.members):
            return
        named = named or Named("CPC")
    elif named is None:
        named = Named(context.infer(numbers), inferred=True)
    if named.code is None or (named.inferred and acts()[named.code].unit == "rule"):
        return
    cut = _others(text, numbers, named.code) if numbers.kind == "section" else 0
    if cut:
        others = replace(numbers, members=numbers.members[:cut])
        yield from _cited(text, others, Named(context.infer(others), inferred=True), context)
    for member in numbers.members[cut:]:
        codes = (named.code, *namesakes(named.code))
        told = context.claimed(replace(numbers, members=(member,)), named)
        forms = (_form(code, member) for code in ((told, *codes) if told else codes))
        words = text[member.span.start : member.span.end]
        if form := next(filter(None, forms), None):
            yield Citation(form.id, member.span, named.span, words, named.inferred)
            continue
        fitting = any(_form(named.code, other) for other in numbers.members)
        alone = replace(numbers, members=(member,)) if fitting else numbers
        form = _form(context.infer(alone) or "", member) if numbers.kind == "section" else None
        if form is not None and form.base >= TELLING_NUMBER:
            yield Citation(form.id, member.span, None, words, inferred=True)


def _others(text: str, numbers: NumberList, code: str) -> int:
    """How many first members cannot be of the Act named last: the 392/34 of `392/34, 25 Arms`."""
    fits = [_form(code, member) is not None for member in numbers.members]
    cut = len(fits) - fits[::-1].index(False) if False in fits else 0
    while 0 < cut < len(fits):
        between = text[numbers.members[cut - 1].span.end : numbers.members[cut].span.start]
        if between.strip() != "/":
            return cut
        cut += 1
    return 0


def _of_schedule(text: str, numbers: NumberList, named: Named, known: Act) -> Iterator[Citation]:
    """Articles of an Act's Schedule, where no section has their number (`Article 54`)."""
    for member in numbers.members:
        form = read_number(known.code, member.raw)
        if form is not None and is_schedule_article(form):
            words = text[member.span.start : member.span.end]
            yield Citation(form.id, member.span, named.span, words, named.inferred)


def _of_limitation(text: str, numbers: NumberList) -> list[Citation]:
    """Articles of the Schedule to the Limitation Act, 1963, where the text speaks of limitation."""
    known, speaks = act("LIM"), pattern("LIMITATION").search(text)
    own = {"72", "129", "136"} & {member.raw for member in numbers.members}  # of the Constitution
    if known is None or not speaks or own:
        return []
    read = list(_of_schedule(text, numbers, Named("LIM", inferred=True), known))
    return read if len(read) == len(numbers.members) else []


def _form(code: str, member: Member) -> Form | None:
    form = read_number(code, member.raw) if code else None
    return form if form is not None and within_bound(form) else None
