"""Find the provisions that a text cites, each with the words that cite it.

The Act of a number is the one named with it. Where none is, in this order: an Act named with the
same number elsewhere in the text, the nearest Act in the sentence, the Act last named before,
and for the number of an offence the Indian Penal Code; such citations are marked `inferred`. A
section of an Act that is not in the table, or of `the Act` where the text does not say which it
means, is left out rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from countercase.errors import InputError
from countercase.law.acts import Act, act, acts, find_acts, namesakes
from countercase.law.citation_context import TELLING_NUMBER, Context, Named
from countercase.law.citation_lists import find_lists
from countercase.law.number_lists import (
    CONNECTOR,
    NUMBER,
    PART_FIRST,
    SEPARATOR,
    Member,
    NumberList,
)
from countercase.law.provision_ids import (
    Form,
    citation,
    is_schedule_article,
    known_code,
    number_words,
    parse_id,
    read_number,
    within_bound,
)
from countercase.text.runs import bounded_runs
from countercase.text.spans import Span

_ORDER_ID: Final = re.compile(r"O(\d+)([A-Z]?)(?:R(\w+))?")
_CODE_FORM: Final = re.compile(r"(?P<code>[A-Za-z][A-Za-z0-9.]*)(?P<gap>\s*[-:\s]\s*)(?=\d|O\d)")
_SECTION_WORD: Final = re.compile(r"[Ss]ections?\s*$|SECTIONS?\s*$")
_SECTION_SIGN: Final = re.compile(r"(?:[Uu]/\s?)?[Ss](?:ecs?|s)?\.?\s*$|§§?\s*$")

_NOT_THE_CONSTITUTION: Final = re.compile(
    r"\s*(?:of|to|in|under)\s+(?:the\s+|this\s+|its\s+|said\s+)*(?:\w+\s+){0,4}?(?:Schedule|Charter|Articles"
    r"|Memorandum|Covenant|Convention|Treaty|Declaration|Agreement|Statute|Regulations?|Rules|Protocol)\b"
)
"""What follows `Article 12` where it is not an Article of the Constitution."""
_LIMITATION: Final = re.compile(r"\b(?:limitation|limn|lim\.|time[\s-]barred)", re.IGNORECASE)


@dataclass(frozen=True)
class Citation:
    """One provision cited once.

    Args:
        provision: in normal form.
        span: exactly the words of this provision: the mark and the number (`Section 302`), or
            the number alone for the later members of a list.
        act_span: the name of the Act, which all members of a list share; it lies inside `span`
            for `IPC-302`, and is None where no Act is named (inferred, Articles, Orders).
        text: the words of `span`.
        inferred: whether the Act is not named with the number.
    """

    provision: str
    span: Span
    act_span: Span | None
    text: str
    inferred: bool = False


def find_citations(text: str, year: int | None = None) -> list[Citation]:
    """Every provision cited in `text`, in order of place.

    Args:
        text: a narrative or a judgment.
        year: the year of the decision, which settles Acts of one name (Motor Vehicles Act).
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
    named = [
        replace(stated, code=context.code_meant(numbers))
        if stated is not None and stated.the_code
        else stated
        for numbers, stated in zip(lists, named, strict=True)
    ]
    return tuple(
        cited
        for numbers, stated in zip(lists, named, strict=True)
        for cited in _cited(text, numbers, stated, context)
    )


def provisions_in(text: str, year: int | None = None) -> tuple[str, ...]:
    """The distinct provisions that `text` cites, in normal form, in order of first mention."""
    return tuple(dict.fromkeys(cited.provision for cited in find_citations(text, year)))


def rewrite(text: str, span: Span, new: str) -> tuple[tuple[Span, str], ...]:
    """What to write in `text` so that the citation at `span` cites `new` and no other changes.

    Within one Act that is the number alone. Where the Act changes, the Act's name goes with it,
    and a list that shared the name keeps it: 34 to BNS-3(5) makes `ss. 302/34 IPC` into
    `ss. 302 IPC/s. 3(5) BNS`.

    Args:
        text: the narrative.
        span: the span of one of its citations.
        new: a provision in normal form.

    Returns:
        Replacements in the coordinates of `text`, in order; an empty span is an insertion.

    Raises:
        InputError: `new` is not in normal form, or no citation of `text` has this span.
    """
    cited = find_citations(text)
    index = next((i for i, c in enumerate(cited) if c.span == span), None)
    if index is None:
        raise InputError(f"no citation of the narrative lies at {span.start} to {span.end}")
    old = cited[index]
    words, act = replace_citation(old.text, old.provision, new), old.act_span
    act = act if act and CONNECTOR.fullmatch(text, span.end, act.start) else None
    if parse_id(old.provision).code == parse_id(new).code:
        if old.act_span is None and old.text[0].isdigit():
            changed = text[: span.start] + words + text[span.end :]
            if new not in provisions_in(changed):
                words = citation(new, "short")  # `65` says less by itself than `65B` did
        elif act and words.casefold().endswith(citation(new, "long").casefold()):
            span = Span(span.start, act.end)  # the Act is named in `words`
        return ((span, words),)
    changes = [(span, words)]
    if act:
        changes = [(Span(span.start, act.end), words)]
    previous = cited[index - 1] if index else None
    if previous and _one_list(text, previous, old) and not _coded(previous, cited):
        at = previous.span.end
        changes.insert(0, (Span(at, at), _act_words(text, old, cited)))
    following = cited[index + 1] if index + 1 < len(cited) else None
    if following and _one_list(text, old, following) and not _act_follows(following):
        at = following.span.start
        changes.append((Span(at, at), f"{parse_id(following.provision).code} "))
    return tuple(changes)


def _one_list(text: str, left: Citation, right: Citation) -> bool:
    separator = SEPARATOR.match(text, left.span.end)
    start = separator and (separator.start("mark") if separator["mark"] else separator.end())
    return left.act_span == right.act_span and start == right.span.start


def _act_follows(cited: Citation) -> bool:
    return cited.act_span is not None and cited.act_span.start >= cited.span.end


def _coded(member: Citation, cited: Sequence[Citation]) -> bool:
    """Whether the list of `member` begins with its Act (`IPC 302/34`) and so keeps it."""
    return any(
        other.span.start >= other.act_span.start
        for other in cited
        if other.act_span is not None and other.act_span == member.act_span
    )


def _act_words(text: str, old: Citation, cited: Sequence[Citation]) -> str:
    """What names the Act after a number, as the text does it where it does (` IPC`)."""
    if not _act_follows(old) or old.act_span is None:
        return f" {parse_id(old.provision).code}"
    last = [other for other in cited if other.act_span == old.act_span][-1]
    return text[last.span.end : old.act_span.end]


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
        if named is None and _NOT_THE_CONSTITUTION.match(text, numbers.end):
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
    """Articles of the Schedule to the Limitation Act, 1963, beside the word (`limitation, Art 65`)."""
    known = act("LIM")
    near = _LIMITATION.search(text, max(0, numbers.start - 50), numbers.end + 25)
    if known is None or not near or any(member.raw == "136" for member in numbers.members):
        return []
    read = list(_of_schedule(text, numbers, Named("LIM", inferred=True), known))
    return read if len(read) == len(numbers.members) else []


def _form(code: str, member: Member) -> Form | None:
    form = read_number(code, member.raw) if code else None
    return form if form is not None and within_bound(form) else None


def replace_citation(words: str, old: str, new: str) -> str:
    """The words of a citation with another provision in them.

    `Section 302` becomes `Section 304 Part II`, a list's `302` becomes `304 Part II`, `IPC-302`
    becomes `IPC-304 Part II`. Where the Act changes, the words of the number are not enough and
    the whole citation is given, in the style of the old one (`Section 103(1) of the Bharatiya
    Nyaya Sanhita`).

    Args:
        words: exactly the words of the old citation (`Citation.text`).
        old, new: the provisions, in normal form.

    Raises:
        InputError: a provision is not in normal form, or `words` holds no number.
    """
    part_first = PART_FIRST.match(words)
    if part_first:
        rest = words[part_first.end() :]
        opens = words[0].isupper() and not words.startswith("Part")
        words = rest[0].upper() + rest[1:] if opens else rest
    before, after = parse_id(old), parse_id(new)
    if before.code != after.code:
        return _whole(words, new)
    if before.number.startswith("O") or after.number.startswith("O"):
        return _order(words, old, new)
    number = NUMBER.search(words)
    if number is None and words.startswith("("):  # `articles 19(1)(a), (g)`
        return number_words(after)
    if number is None:
        raise InputError(f"{words!r} holds no section number to put {new} in")
    return words[: number.start()] + number_words(after) + words[number.end() :]


def _whole(words: str, new: str) -> str:
    """The citation of a provision of another Act, as much like `words` as it can be."""
    form = parse_id(new)
    coded = _CODE_FORM.match(words)
    if coded and known_code(re.sub(r"\W", "", coded["code"])):
        return f"{form.code}{coded['gap']}{number_words(form)}"
    number = NUMBER.search(words)
    mark = words[: number.start()] if number else ""
    long, short = citation(new, "long"), citation(new, "short")
    if _SECTION_WORD.search(mark) and long.startswith("section "):
        return mark + long.removeprefix("section ")
    if _SECTION_SIGN.search(mark) and short.startswith("s. "):
        return mark + short.removeprefix("s. ")
    if re.match(r"(?i)u/s", mark):
        return f"under {long}"
    return short if not mark and short.startswith("s. ") else long[0].upper() + long[1:]


def _order(words: str, old: str, new: str) -> str:
    before, after = (_ORDER_ID.fullmatch(parse_id(form).number) for form in (old, new))
    if before is None or after is None:
        return _whole(words, new)
    subs = parse_id(new).subs
    if not re.search(r"[Oo]rder|ORDER|O\.|Or\.|O\d", words):
        # A later member of a list of Rules: the Order stands with the first one.
        return f"{after[3]}{subs}" if before[1] == after[1] and after[3] else citation(new, "short")
    coded = _CODE_FORM.match(words)
    if coded and known_code(coded["code"]):
        return f"{coded['code']}{coded['gap']}{parse_id(new).number}{subs}"
    long = citation(new, "long").partition(" of the ")[0]
    return citation(new, "short").rpartition(" ")[0] if re.match(r"O\.|Or\.", words) else long
