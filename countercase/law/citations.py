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

from countercase.errors import InputError
from countercase.law.act_mentions import find_acts
from countercase.law.acts import namesakes
from countercase.law.citation_context import TELLING_NUMBER, Context, Named
from countercase.law.citation_grammar import CONNECTOR, NOT_THE_CONSTITUTION, SEPARATOR
from countercase.law.citation_lists import Member, NumberList, find_lists
from countercase.law.citation_rewriting import replace_citation
from countercase.law.provision_ids import Form, parse_id, read_number, within_bound
from countercase.text.spans import Span

__all__ = ["Citation", "find_citations", "provisions_in", "replace_citation", "rewrite"]


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
    mentions = find_acts(text, year)
    lists = find_lists(text, mentions)
    context = Context(text, mentions)
    named = [context.named_with(found) for found in lists]
    for found, act in zip(lists, named, strict=True):
        if act is not None and act.code is not None and found.kind == "section":
            context.remember(found, act.code)
    named = [
        replace(act, code=context.code_meant(found)) if act is not None and act.the_code else act
        for found, act in zip(lists, named, strict=True)
    ]
    return [
        citation
        for found, act in zip(lists, named, strict=True)
        for citation in _cited(text, found, act, context)
    ]


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
    index = next((i for i, each in enumerate(cited) if each.span == span), None)
    if index is None:
        raise InputError(f"no citation of the narrative lies at {span.start} to {span.end}")
    old = cited[index]
    words = replace_citation(old.text, old.provision, new)
    if parse_id(old.provision).code == parse_id(new).code:
        return ((span, words),)
    changes = [(span, words)]
    if old.act_span and CONNECTOR.fullmatch(text, span.end, old.act_span.start):
        changes = [(Span(span.start, old.act_span.end), words)]
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
    """Whether the list of `member` begins with its code (`IPC 302/34`) and so keeps its Act."""
    return any(
        each.span.start == each.act_span.start
        for each in cited
        if each.act_span is not None and each.act_span == member.act_span
    )


def _act_words(text: str, old: Citation, cited: Sequence[Citation]) -> str:
    """What names the Act after a number, as the text does it where it does (` IPC`)."""
    if not _act_follows(old) or old.act_span is None:
        return f" {parse_id(old.provision).code}"
    last = [each for each in cited if each.act_span == old.act_span][-1]
    return text[last.span.end : old.act_span.end]


def _cited(
    text: str, found: NumberList, named: Named | None, context: Context
) -> Iterator[Citation]:
    if found.kind == "article":
        if named is not None and named.code != "CONST":
            return
        if named is None and NOT_THE_CONSTITUTION.match(text, found.end):
            return
        named = named or Named("CONST")
    elif found.kind == "order":
        if named is not None and named.code not in ("CPC", None):
            return
        if named is None and all("R" not in member.raw for member in found.members):
            return
        if named is not None and named.code is None:
            return
        named = named or Named("CPC")
    elif named is None:
        named = Named(context.infer(found), inferred=True)
    if named.code is None:
        return
    for member in found.members:
        forms = (_form(code, member) for code in (named.code, *namesakes(named.code)))
        form = next((form for form in forms if form is not None), None)
        if form is not None:
            yield Citation(form.id, member.span, named.span, _words(text, member), named.inferred)
            continue
        alone = replace(found, members=(member,))
        form = _form(context.infer(alone) or "", member) if found.kind == "section" else None
        if form is not None and form.base >= TELLING_NUMBER:
            yield Citation(form.id, member.span, None, _words(text, member), inferred=True)


def _form(code: str, member: Member) -> Form | None:
    form = read_number(code, member.raw) if code else None
    return form if form is not None and within_bound(form) else None


def _words(text: str, member: Member) -> str:
    return text[member.span.start : member.span.end]
