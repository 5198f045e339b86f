"""Find the provisions that a text cites, each with the words that cite it.

The Act of a number is the one named with it. Where none is, in this order: an Act named with the
same number elsewhere in the text, the nearest Act in the sentence, the Act last named before,
and for the number of an offence the Indian Penal Code; such citations are marked `inferred`. A
section of an Act that is not in the table, or of `the Act` where the text does not say which it
means, is left out rather than guessed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from countercase.law.acts import Act, ActMention, act, acts, find_acts, namesakes
from countercase.law.bare_numbers import Claims, claimants, unmarked_lists
from countercase.law.in_force import NEW_CODES
from countercase.law.number_lists import Member, NumberList, marked_lists
from countercase.law.provision_ids import Form, is_schedule_article, read_number, within_bound
from countercase.text.patterns import pattern
from countercase.text.sentences import bounded_runs, sentence_spans
from countercase.text.spans import Span

TELLING_NUMBER: Final = 100
"""From here up a section number says much about its Act: few Acts are that long."""

_CODES: Final = frozenset({"IPC", "CrPC", "CrPC98", "CPC", "BNS", "BNSS"})
_OFFENCE_CODES: Final = ("IPC", "BNS")
_PROCEDURE_CODES: Final = ("CrPC", "BNSS", "CrPC98", "CPC", "IPC", "BNS")
_PROCEDURE: Final = frozenset({"CrPC", "CrPC98", "CPC", "IEA", "BNSS", "BSA"})
_OLD_CODES: Final = {new: old for old, new in NEW_CODES.items()}
_SMALL_ACT: Final = 120
_OFFENCES: Final = range(107, 512)
_DEFINITIONS: Final = frozenset(range(1, 53)) - {21, 34, 35, 37, 38, 52}
"""Sections of the Penal Code that define its words; nobody cites them without the Code."""
_AROUND: Final = 500


@dataclass(frozen=True)
class Named:
    """The Act found for a list: its code, None where it cannot be known, and its words.

    It is `inferred` where the text leaves it to be understood; the words may be a bare `the Code`.
    """

    code: str | None
    span: Span | None = None
    inferred: bool = False
    the_code: bool = False


class Context:
    """The Acts that a text names, and which of them each of its lists of numbers belongs to."""

    def __init__(self, text: str, mentions: Sequence[ActMention]) -> None:
        self._text = text
        self._mentions = _pointed(text, mentions)
        self._starts = [mention.span.start for mention in self._mentions]
        self._ends = [mention.span.end for mention in self._mentions]
        self._named: dict[str, str] = {}
        self._claims = Claims(text, mentions)

    def named_with(self, numbers: NumberList) -> Named | None:
        """The Act that the text names with this list; None where it names none there."""
        if numbers.code_span is not None:
            return Named(numbers.code, numbers.code_span)
        index = bisect_left(self._starts, numbers.end)
        if index < len(self._mentions):
            after = self._mentions[index]
            if after.span.start - numbers.end < 90 and pattern("CONNECTOR").fullmatch(
                self._text, numbers.end, after.span.start
            ):
                the_code = after.words == "code" and after.code is None
                claimed = None if after.code else act(self._claimed(numbers) or "")
                dated = claimed is not None and after.words == f"{claimed.year} act"
                code = claimed.code if claimed and dated else after.code
                return Named(code, after.span, the_code, the_code)
        index = bisect_right(self._ends, numbers.start) - 1
        if index >= 0 and numbers.kind == "section":
            before = self._mentions[index]
            if (
                not before.bare
                and pattern("LEADING_ACT").fullmatch(self._text, before.span.end, numbers.start)
                and self._claimed(numbers) in (None, before.code)
            ):
                return Named(before.code, before.span, inferred=True)
        return None

    def _claimed(self, numbers: NumberList, famous: bool = False) -> str | None:
        if numbers.marked and pattern("OTHER_ACT").match(self._text, numbers.end):
            return None
        raws = [member.raw for member in numbers.members]
        return self._claims.code(raws, numbers.start, numbers.end, famous or not numbers.marked)

    def claimed(self, numbers: NumberList, named: Named) -> str | None:
        """Which Act of one name a number tells (`66C IT Act`); None where a year tells or none can."""
        sharing = {named.code, *namesakes(named.code or "")} & claimants()
        dated = named.span and self._text[named.span.start : named.span.end][-1:].isdecimal()
        raws = [] if dated or len(sharing) < 2 else [member.raw for member in numbers.members]
        code = self._claims.code(raws, numbers.start, numbers.end, not numbers.marked)
        return code if code in sharing else None

    def remember(self, numbers: NumberList, code: str) -> None:
        """Note that the text itself names `code` with the numbers of this list."""
        for form in filter(None, (_form(code, member) for member in numbers.members)):
            self._named.setdefault(form.number, code)

    def code_meant(self, numbers: NumberList) -> str | None:
        """Which Code `the Code` is: the only one named, or the likeliest of several."""
        named = {mention.code for mention in self._mentions if mention.code in _CODES}
        if len(named) < 2:
            return next(iter(named), None)
        forms = [form for member in numbers.members if (form := read_number("", member.raw))]
        if (known := self._named_elsewhere(forms)) in named:
            return known
        likeliest = _OFFENCE_CODES if self._offence_before(numbers) else _PROCEDURE_CODES
        return next((code for code in likeliest if code in named), None)

    def infer(self, numbers: NumberList) -> str | None:
        """The Act of a list that stands without one, in the order that the head of this file gives."""
        forms = [form for member in numbers.members if (form := read_number("", member.raw))]
        if not forms:
            return None
        largest = max(forms, key=lambda form: form.base)
        if renamed := self._of_other_time(numbers, largest):
            return renamed
        known = self._named_elsewhere(forms)
        if known and (largest.base >= TELLING_NUMBER or not largest.number.isdecimal()):
            return known
        offence = self._claims.sole([m.raw for m in numbers.members]) in _OFFENCE_CODES
        claimed = self._claimed(numbers)
        if claimed and not (offence and claimed in _PROCEDURE):
            return claimed
        substantive = offence or self._offence_before(numbers)
        if near := self._nearest(numbers, largest, substantive):
            return near.code
        if known:
            return known
        before = bisect_right(self._ends, numbers.start)
        soon = bisect_right(self._starts, numbers.end + _AROUND)
        for mention in (*reversed(self._mentions[:before]), *self._mentions[before:soon]):
            if self._fits(mention, largest, substantive):
                return mention.code
        if (famous := self._claimed(numbers, famous=True)) and famous != "CONST":
            return famous
        return "IPC" if largest.base in _OFFENCES else None

    def _of_other_time(self, numbers: NumberList, form: Form) -> str | None:
        """The Act of `(old 302/34)` or `now 103(1)`: what the nearest Code replaced, or what did."""
        text, first = self._text, numbers.members[0]
        left = text[max(0, numbers.start - 30) : first.span.end].removesuffix(first.raw)
        old, new = (
            pattern(f"{time}_WORD").search(left)
            or pattern(f"{time}_AFTER").match(text, numbers.end)
            or pattern(f"{time}_NEXT").match(text, numbers.end)
            for time in ("OLD", "NEW")
        )
        if not old and not new:
            return None
        replaced = _OLD_CODES if old else NEW_CODES
        there = (m for m in self._mentions if m.code)
        near = min(there, key=lambda m: m.span.gap(numbers.span), default=None)
        if near is None or near.span.gap(numbers.span) > _AROUND:
            return None
        claimed = self._claimed(numbers)
        code = claimed if claimed in replaced.values() else replaced.get(near.code or "")
        return code if code and within_bound(replace(form, code=code)) else None

    def _nearest(self, numbers: NumberList, form: Form, substantive: bool) -> ActMention | None:
        begin = max(0, numbers.start - _AROUND)
        spans = sentence_spans(self._text[begin : numbers.end + _AROUND])
        around = ((begin + start, begin + end) for start, end in spans)
        own = next((it for it in around if it[1] > numbers.start), (numbers.start, numbers.end))
        first, last = (bisect_left(self._starts, place) for place in own)
        fitting = [m for m in self._mentions[first:last] if self._fits(m, form, substantive)]
        return min(fitting, key=lambda m: m.span.gap(numbers.span), default=None)

    def _fits(self, mention: ActMention, form: Form, substantive: bool) -> bool:
        if mention.code is None:
            return not mention.bare and form.base <= _SMALL_ACT
        if mention.code == "CONST" or (substantive and mention.code in _PROCEDURE):
            return False
        defined = mention.code == "IPC" and form.base in _DEFINITIONS
        return not defined and within_bound(replace(form, code=mention.code))

    def _named_elsewhere(self, forms: Sequence[Form]) -> str | None:
        codes = (self._named[form.number] for form in forms if form.number in self._named)
        return next(codes, None)

    def _offence_before(self, numbers: NumberList) -> bool:
        before = self._text[max(0, numbers.start - 60) : numbers.start]
        return pattern("OFFENCE_WORDS").search(before) is not None


def _pointed(text: str, mentions: Sequence[ActMention]) -> list[ActMention]:
    """The mentions, with `the Act` and `the Code` read as the text defines them."""
    pointed: list[ActMention] = []
    meaning: dict[str, str | None] = {}
    for mention in mentions:
        if mention.bare:
            mention = replace(mention, code=meaning.get(mention.words))
        elif defined := pattern("DEFINED").match(text, mention.span.end):
            meaning[(defined["word"] or defined["plain"]).lower()] = mention.code
        pointed.append(mention)
    return pointed


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
    return sorted([*marked, *unmarked_lists(text, mentions, marked)], key=lambda it: it.start)


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
