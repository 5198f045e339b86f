"""Charges and grounds that stand beside others in one list, and can be left out of it.

`Sections 420, 468 and 471 IPC` is one charge fewer without section 468, and the rest stands or falls
by itself. Which provisions are laid so, and what presupposes them, is in `law/data/cumulative.jsonl`;
an offence whose punishment is known is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from countercase.fact_types.argued import point_left_out
from countercase.fact_types.citation_rewriting import REFERS_BACK, end_of_act, uncite
from countercase.fact_types.lines import reading_date
from countercase.fact_types.rewriting import (
    cut_sentence,
    foreign_spans,
    in_order,
    mentions,
    sentences_around,
    touches_any,
)
from countercase.facts.area_of_law import cites, names_of, widened
from countercase.facts.edits import Edit, Replacement, apply_edits
from countercase.facts.model import Fact, FactSheet, SectionValue
from countercase.io import read_table
from countercase.law.citations import Citation, find_citations
from countercase.law.offences import offence
from countercase.law.provision_ids import citation
from countercase.law.provisions import predecessors

REASON: Final = "What is charged or pleaded beside others is proved, and fails, by itself."
_BESIDE: Final = re.compile(
    r"(?i)\s*(?:,|/|&|\+|,?\s*(?:and|plus|aur)\b)\s*(?:(?:under|u/s|ss?\.|secs?\.?|sections?|arts?\.?|articles?)\s*)?"
)
_ADDED: Final = re.compile(r"(?i)\balso\b|\bas well\b|\bin the alternative\b")
_LEANING: Final = ("IPC-34", "IPC-107", "IPC-109", "IPC-114", "IPC-149", "IPC-511")
_WITH: Final = re.compile(
    r"(?i)\s*,?\s*(?:/|r/w|read with|with)\s*(?:sections?|ss?\.|secs?\.?)?\s*"
)
_COUNTED: Final = re.compile(
    r"(?i)\b(?:respectively|concurrent(?:ly)?)\b|\b(?:both|two|three|four|five|each|either|second|third)\s+"
    r"(?:of (?:the|these) )?(?:charges?|counts?|sections?|offences?|provisions?|articles?|grounds?|heads?)\b"
    r"|\bon each\b|\bunder both\b|\ball (?:three|four|five) proved\b"
    r"|\bthe offences? under [^.;]*\bthemselves\b"
)
_NOTED: Final = re.compile(r"\s*\((?:pre|post|as|since|before|after|un|old|new)[\s-]")
"""What is said in brackets of the provision that goes would be said of the one before it."""
_GONE_BEFORE: Final = re.compile(
    r"(?i)\b(?:dropped|deleted|removed|discharged)\b|\bnot (?:been )?(?:added|applied|invoked)\b"
    r"|\d\w*\)?(?: [A-Z]\w+)* (?:\w+ ){0,2}quashed\b|\bquashed (?:the )?(?:charge|count|section)"
)
_TERM: Final = re.compile(
    r"(?i)\b(?:[\w.]+ (?:years?|months?)|life|death sentence)\b(?! (?:old|ago|earlier))"
)
"""Two terms in one sentence are passed for one charge each: `one year, ten years and life`."""
_OLD_NUMBERS: Final = re.compile(
    r"(?i)\b(?:old|erstwhile|former(?:ly)?|corresponding|equivalents?|earlier)\b[^.;]{0,20}\d"
)
_TRIED_BY: Final = re.compile(
    r"(?i)\bspecial (?:judge|court|public prosecutor)|\bspl\.? (?:judge|ct|court)"
)
_BOTH: Final = re.compile(r"(?i)\s*and\s*(?:sections?|articles?)?\s*")
_VERB: Final = re.compile(r"\s*\b(were|are|have)\b")
_SINGULAR: Final = {"were": "was", "are": "is", "have": "has"}
_SPECIAL: Final = ("POCSO", "SCST", "NDPS", "PCA", "UAPA", "MCOCA")


@dataclass(frozen=True)
class Cumulative:
    """A provision that is laid beside others.

    Args:
        presupposed_by: provisions that make no sense without it.
        group: what happened, that one of the provisions of this group must answer for.
        answers: groups of others that it answers for as well.
        goes, stays: whether it can be left out, and whether it can be all that is left.
        unless: pattern of a narrative in which it stays.
    """

    provision: str
    presupposed_by: tuple[str, ...] = ()
    group: str = ""
    answers: tuple[str, ...] = ()
    goes: bool = True
    stays: bool = True
    unless: str = ""


def left_out(sheet: FactSheet, fact: Fact) -> Edit | None:
    """The case without this charge or ground; None where it has no like beside it in its lists.

    Nor where something else presupposes it, where the list is counted (`both charges`), where
    nothing left answers for what happened, or where its Act is still named without it.
    """
    provision = str(fact.value)
    row = _row(sheet, provision)
    if not fact.spans or _COUNTED.search(sheet.narrative):
        return None
    sentences = sentences_around(sheet.narrative, fact.spans)
    if any(_GONE_BEFORE.search(sheet.narrative, s.start, s.end) for s in sentences):
        return None
    if any(len(_TERM.findall(sheet.narrative, s.start, s.end)) > 1 for s in sentences):
        return None
    others = [v.provision for f, v in sheet.valued(SectionValue) if f is not fact]
    renumbered = provision.startswith("BN") and _OLD_NUMBERS.search(sheet.narrative)
    if renumbered or any(_same(provision, other) for other in others):
        return None
    if row is not None and cites(sheet, _left_alone(sheet, row, provision, others)):
        return None
    citations = sorted(find_citations(sheet.narrative), key=lambda each: each.span.start)
    words = _with_its_sentence(sheet, fact, citations) or _from_its_lists(
        sheet, fact, row, citations
    )
    removed = in_order(words or ())
    cited = [each for each in citations if each.span in fact.spans]
    if not removed or any(
        _NOTED.match(sheet.narrative, end_of_act(sheet.narrative, c)) for c in cited
    ):
        return None
    edit = Edit(fact.fact_id, "Section", provision, "", "section.without", provision, None, removed)
    return None if _act_still_named(sheet, edit, provision, others) else edit


def _left_alone(
    sheet: FactSheet, row: Cumulative, provision: str, others: Sequence[str]
) -> list[str]:
    """What presupposes the provision, and no other that is cited: `section 201` has its 302."""
    rows = [r for o in others if not _same(provision, o) and (r := _row(sheet, o)) is not None]
    return [p for p in row.presupposed_by if all(p not in r.presupposed_by for r in rows)]


def _with_its_sentence(
    sheet: FactSheet, fact: Fact, citations: Sequence[Citation]
) -> list[Replacement] | None:
    """`A charge under section 506 was also framed.` goes as a whole."""
    sentences = sentences_around(sheet.narrative, fact.spans)
    narrative, sentence = sheet.narrative, sentences[0]
    cited = [c for c in citations if sentence.overlaps(c.span)]
    if len(sentences) > 1 or len(cited) != 1 or not sentence.start:
        return None
    if not _ADDED.search(narrative, sentence.start, sentence.end):
        return None
    opening = narrative[sentence.start : cited[0].span.start]
    more = re.compile(r";|\bbut\b").search(narrative, sentence.start, sentence.end)
    if more or "," in opening or REFERS_BACK.match(narrative, sentence.end):
        return None
    if touches_any(sentence, foreign_spans(sheet, fact.fact_id)):
        return None
    return [cut_sentence(narrative, sentence)]


def _from_its_lists(
    sheet: FactSheet, fact: Fact, row: Cumulative | None, citations: Sequence[Citation]
) -> list[Replacement] | None:
    """`sections 420 and 468` is one of both; None where nothing like it would be left."""
    if row is None or not row.goes:
        return None
    if row.unless and re.search(row.unless, sheet.narrative, re.IGNORECASE):
        return None
    others = [v.provision for f, v in sheet.valued(SectionValue) if f is not fact]
    rows = [r for o in others if (r := _row(sheet, o)) is not None]
    if row.group and not any(row.group in (r.group, *r.answers) for r in rows):
        return None
    starts = [each.span for each in citations]
    places = [starts.index(span) if span in starts else -1 for span in mentions(fact)]
    listed = [at for at in places if _has_its_like(sheet, citations, at)]
    points = {
        span: point_left_out(sheet, fact.fact_id, span)
        for at, span in zip(places, mentions(fact), strict=True)
        if at not in listed
    }
    if not listed or None in points.values():
        return None
    words = list(uncite(sheet, fact, spared=tuple(points)) or ())
    words += [point for point in points.values() if point is not None and words]
    words += _bare_clauses(sheet.narrative, str(fact.value)) if words else ()
    for at in listed if words else ():
        words += _last_two_joined(sheet.narrative, citations, at)
        words += _verb_of_one(sheet.narrative, citations, at)
    return words


def _bare_clauses(narrative: str, provision: str) -> Iterator[Replacement]:
    """`The ingredients of (r) and (s) are both missing` are of (s) alone without (r)."""
    clause = re.search(r"\([a-z]\)\Z", provision)
    own = re.escape(clause[0]) if clause else r"\A\b\B"
    pair = rf"(?<=\s)(?:{own} and (?P<next>\([a-z]\))|(?P<last>\([a-z]\)) and {own})(?=\s)"
    for match in re.finditer(pair, narrative):
        yield Replacement(*match.span(), match["next"] or match["last"])
        if both := re.compile(r" (?:are|were)( both)\b").match(narrative, match.end()):
            yield Replacement(*both.span(1), "")


def _last_two_joined(
    narrative: str, citations: Sequence[Citation], at: int
) -> Iterator[Replacement]:
    """`325, 323 and 504` without its last is `325 and 323`."""
    if at > 1:
        start, end = citations[at - 2].span.end, citations[at - 1].span.start
        last = narrative[citations[at - 1].span.end : citations[at].span.start].strip()
        if narrative[start:end].strip() == "," and last in ("and", "&"):
            yield Replacement(start, end, f" {last} ")


def _verb_of_one(narrative: str, citations: Sequence[Citation], at: int) -> Iterator[Replacement]:
    """`Sections 304B and 498A IPC were applied` is of one without the other."""
    for first in (at - 1, at):
        pair = citations[max(first, 0) : first + 2]
        if len(pair) == 2 and _joined(narrative, pair[0], pair[1], _BOTH):
            verb = _VERB.match(narrative, end_of_act(narrative, pair[1]))
            if verb is not None:
                yield Replacement(*verb.span(1), _SINGULAR[verb[1]])


def _row(sheet: FactSheet, provision: str) -> Cumulative | None:
    """The row of the narrowest name; one without conditions for an offence of known punishment."""
    table = {row.provision: row for row in read_table("law/cumulative", Cumulative)}
    wider = (part for name in names_of(provision) for part in widened(name))
    found = next((table[name] for name in wider if name in table), None)
    known = found is None and offence(provision, reading_date(sheet)) is not None
    return Cumulative(provision) if known else found


def _has_its_like(sheet: FactSheet, citations: Sequence[Citation], at: int) -> bool:
    """Whether the list has another that can stay, on the side where nothing leans on this one."""
    if at < 0:
        return False
    narrative, before, after = sheet.narrative, [], []
    for place in range(at, 0, -1):
        pair = citations[place - 1], citations[place]
        reads = place == at or bool({*_LEANING} & {*names_of(pair[1].provision)})
        if not _joined(narrative, *pair, _BESIDE) and not (
            reads and _joined(narrative, *pair, _WITH)
        ):
            break
        before.append(citations[place - 1].provision)
    for place in range(at, len(citations) - 1):
        if not _joined(narrative, citations[place], citations[place + 1], _BESIDE):
            break
        after.append(citations[place + 1].provision)
    following = citations[at + 1] if at + 1 < len(citations) else None
    leaning = following is not None and (
        _joined(narrative, citations[at], following, _WITH)
        and bool({*_LEANING} & {*names_of(following.provision)})
    )
    if leaning and before and {*_LEANING} & {*names_of(before[0])}:
        return False
    rest = before if leaning or _is_read_with(narrative, citations, at) else [*before, *after]
    own = citations[at].provision
    return any(
        row is not None and row.stays and not _same(own, provision)
        for provision in rest
        for row in [_row(sheet, provision)]
    )


def _same(own: str, other: str) -> bool:
    """Whether both are one provision, in either code, or one is a part of the other."""
    pairs = ((own, other), (other, own))
    return any(name in names_of(two) for one, two in pairs for name in (one, *predecessors(one)))


def _is_read_with(narrative: str, citations: Sequence[Citation], at: int) -> bool:
    """Whether the next citation is read with this one: `13(1)(d) r/w 13(2)`."""
    return at + 1 < len(citations) and (
        _joined(narrative, citations[at], citations[at + 1], _WITH)
        and not _joined(narrative, citations[at], citations[at + 1], _BESIDE)
    )


def _joined(narrative: str, first: Citation, second: Citation, joint: re.Pattern[str]) -> bool:
    """Whether nothing but a joint, and the name of the first one's Act, stands between the two."""
    end = first.span.end
    if first.act_span is not None and end <= first.act_span.start < second.span.start:
        between = narrative[end : first.act_span.start]
        if not re.fullmatch(r"(?i)\s*(?:of|under)?\s*(?:the)?\s*", between):
            return False
        end = first.act_span.end
    start = second.span.start
    if second.act_span is not None and end <= second.act_span.start < start:
        start = second.act_span.start
    return joint.fullmatch(narrative[end:start]) is not None


def _act_still_named(sheet: FactSheet, edit: Edit, provision: str, others: Sequence[str]) -> bool:
    act = provision.partition("-")[0]
    if any(other.partition("-")[0] == act for other in others):
        return False
    special = act in _SPECIAL and not any(o.partition("-")[0] in _SPECIAL for o in others)
    if special and _TRIED_BY.search(sheet.narrative):
        return True
    names = {citation(provision, style).split(" ", 2)[-1] for style in ("short", "long")}
    words = {re.sub(r"^of the |, \d{4}$|\s+Act$", "", name) for name in names}
    text = apply_edits(sheet, [edit]).narrative.casefold()
    return any(word.casefold() in text for word in words)
