"""Put edits into citations: another provision, none, or the same in another style.

All replacements are in the coordinates of the root narrative, and none touches the words of another
fact.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from countercase.fact_types.rewriting import (
    cut_sentence,
    foreign_spans,
    mentions,
    put,
    sentences_around,
    starts_sentence,
    touches_any,
)
from countercase.facts.area_of_law import names_of
from countercase.facts.edits import Replacement
from countercase.facts.model import Fact, FactSheet
from countercase.io import read_table
from countercase.law.citations import Citation, find_citations, rewrite
from countercase.law.provision_ids import citation
from countercase.text.spans import Span

_CONNECTED: Final = re.compile(r"(?i)\s*(?:\([^)]*\)\s*)?(?:(?:of|under|in)\s+)?(?:the\s+)?")
_LONG: Final = re.compile(r"(?i)\b(?:section|article|order|rule)\b.*\bof\b")


def cite_instead(sheet: FactSheet, fact: Fact, new: str) -> list[Replacement]:
    """Every mention of the fact with the provision `new` in place of the one it cites.

    Within one Act the number changes; otherwise the Act's name goes with it, and a list that
    shared the name keeps it (`countercase.law.citations.rewrite`).

    Raises:
        InputError: `new` is not in normal form.
    """
    narrative = sheet.narrative
    cited = {citation.span for citation in find_citations(narrative)}
    replacements: list[Replacement] = []
    for span in mentions(fact):
        if span not in cited:
            replacements.append(put(sheet, fact, span, citation(new)))
            continue
        for place, words in rewrite(narrative, span, new):
            inserted = place.start == place.end
            plain_words = Replacement(place.start, place.end, words)
            replacements.append(plain_words if inserted else put(sheet, fact, place, words))
    return replacements


@dataclass(frozen=True)
class OffenceName:
    """What an offence is called in a sentence: `murder` under section 302."""

    provision: str
    name: str


_CITED_AS: Final = r"(?:[\s,]|\b(?:punishable|under|u/s|section|sec|s)\b\.?)*\Z"
_ITS_NAME: Final = (
    r"(?:\b(?:convict(?:ed|ion)|guilty|accused|charged?|tried|verdict|finding|sentenced?|years|life"
    r"|custody|jail) (?:of|for|with) (?:the offence of )?(?P<after>{0})\b(?! of\b)"
    r"|\b(?P<before>{0}) (?:appeal|case|charge|trial|conviction|verdict|matter)\b)"
)


def renamed_offence(sheet: FactSheet, fact: Fact, new: str) -> list[Replacement] | None:
    """The name of the offence, as the neighbour `new` is called.

    `The charge is murder under section 302` is not one of murder under section 304, nor is a
    `dowry death appeal` one under section 306. None where the offence is named beside a citation
    and `new` has no name; a name elsewhere, that is no more than mentioned, stays.
    """
    old_name, new_name = (_offence_name(names_of(p)) for p in (str(fact.value), new))
    if not old_name or new_name == old_name:
        return []
    name, places = re.escape(old_name), []
    for span in mentions(fact):
        match = re.compile(rf"(?i)\b({name})\b{_CITED_AS}").search(
            sheet.narrative, max(0, span.start - 60), span.start
        ) or re.compile(rf"(?i)[^.;,()]{{0,30}}\(({name})\)").match(sheet.narrative, span.end)
        if match is not None:
            places.append(Span(*match.span(1)))
    if places and not new_name:
        return None
    for match in re.finditer(_ITS_NAME.format(name), sheet.narrative, re.IGNORECASE):
        places.append(Span(*match.span("after" if match["after"] else "before")))
    others = foreign_spans(sheet, fact.fact_id)
    apart = sorted(place for place in set(places) if not touches_any(place, others))
    return [put(sheet, fact, place, new_name) for place in apart] if new_name else []


def said_otherwise(
    sheet: FactSheet, fact: Fact, said: Sequence[tuple[str, str]]
) -> list[Replacement]:
    """What sentences that cite the fact say of it, in other words: (pattern, words) in `said`."""
    others = (*foreign_spans(sheet, fact.fact_id), *fact.spans)
    return [
        Replacement(*match.span(), words)
        for pattern, words in said
        for place in sentences_around(sheet.narrative, fact.spans)
        for match in re.compile(pattern, re.IGNORECASE).finditer(
            sheet.narrative, place.start, place.end
        )
        if not touches_any(Span(*match.span()), others)
    ]


def _offence_name(names: Sequence[str]) -> str:
    rows = {row.provision: row.name for row in read_table("fact_types/offence_names", OffenceName)}
    return next((rows[name] for name in names if name in rows), "")


_JOINT: Final = (
    r"(?:\s*,\s*(?:and\s+)?|\s*[/&+]\s*|\s+(?:and|plus|aur)\s+|\s*,?\s*(?:r/w|read\s+with)\s+)"
)
_JOINED_AFTER: Final = re.compile(rf"(?i){_JOINT}(?=\d)")
_JOINED_BEFORE: Final = re.compile(rf"(?i)(?<=[\dA-Za-z)]){_JOINT}\Z")
_BROUGHT_IN: Final = re.compile(
    r"(?i)\s*,?\s*\b(?:under|u/s\.?|in terms of|by virtue of|within the meaning of|as per"
    r"|with the (?:help|aid) of|with|of)\s*\Z"
)
_WITH: Final = re.compile(r"\W*(?:and )?(?:read |along |together )?with\b")
_OF_THAT_ACT: Final = re.compile(
    r"\s+of (?:that|the same|the said) (?:Act|Code|Sanhita|Adhiniyam)\b"
)
_WHAT_FOR: Final = re.compile(r"\s+(?:for|on account of|in respect of)\b")
_JOINED: Final = re.compile(rf"(?i){_JOINT}")
_USED: Final = re.compile(r"(?i)\b(?:used|applied|invoked|drew (?:up)?on)\s+\Z")
_GOES_ON: Final = re.compile(r"\s+and\s+(?=(?:convicted|held|found|acquitted|dismissed)\b)")
_OPENING: Final = re.compile(
    r"(?:Using|Invoking|Applying|Acting under|Relying (?:up)?on|With the (?:help|aid) of)\s+\Z"
)
_CLAUSE: Final = re.compile(
    r"(?i)(?:;\s+(?:and\s+)?|,?\s+and\s+(?=(?:that|we|he|she|they|it|the|drew|raised|applied|used)\b)"
    r"|,\s+so\s+(?=that\b))"
)
_NEEDED: Final = re.compile(r"(?i)\b(?:gone|go|goes|went|lies?|falls?|follows?|fell)\Z")
_PLURAL: Final = re.compile(r"(?i)\b(?:section|article|sec|art|u/s|s)s(?=\.?\s+\d)")
_JOINS: Final = re.compile(r"[,/&+]|\band\b")
REFERS_BACK: Final = re.compile(
    r"\s*(?:It|This|That|These|Those|Such|They|(?:\w+ ){1,3}that (?:it|this|these|those|they))\b"
)


def uncite(
    sheet: FactSheet, fact: Fact, with_clause: bool = False, spared: Sequence[Span] = ()
) -> list[Replacement] | None:
    """Every mention of the fact cut out: from its list, or with the preposition that brings it in.

    `sections 302, 83 and 34 IPC` loses `, 83`, `an inquiry under section 15 of the Act` its end;
    with `with_clause` the last clause of the sentence may go, or all of it. None where nothing of
    that can be done, or the words of another fact would go too.
    """
    narrative, others = sheet.narrative, foreign_spans(sheet, fact.fact_id)
    citations = find_citations(narrative)
    replacements = []
    for span in mentions(fact):
        if span in spared:
            continue
        cited = next((c for c in citations if c.span == span), None)
        opened = _cut_opening(narrative, cited, citations, others) if cited else None
        if opened is not None:
            replacements.append(opened)
            continue
        cut = _cut_citation(narrative, cited, citations, others) if cited else None
        if cut is None and cited and with_clause:
            cut = _cut_clause(narrative, cited, others)
        cut = _with_what_follows(narrative, cut) if cut else None
        if cut is None or touches_any(cut, others):
            return None
        replacements.append(Replacement(cut.start, cut.end, ""))
        replacements += _in_the_singular(narrative, span, citations)
    return replacements


def _with_what_follows(narrative: str, cut: Span) -> Span | None:
    """`, with section 34 of that Code`; None where words on what it is for would be left alone."""
    if not _WITH.match(narrative, cut.start, cut.end):
        return cut
    same = _OF_THAT_ACT.match(narrative, cut.end)
    whole = Span(cut.start, same.end() if same else cut.end)
    return None if _WHAT_FOR.match(narrative, whole.end) else whole


def alone_in_its_list(sheet: FactSheet, fact: Fact) -> list[Replacement]:
    """`sections 304B and 498A IPC` where one of the two goes to another Act: `section`."""
    citations = find_citations(sheet.narrative)
    return [
        each
        for span in mentions(fact)
        for each in _in_the_singular(sheet.narrative, span, citations)
        if not each.span.overlaps(span)
    ]


def _in_the_singular(
    narrative: str, gone: Span, citations: Sequence[Citation]
) -> list[Replacement]:
    """`sections 304B and 498A` without one of the two is `section 498A`."""
    for at, cited in enumerate(citations):
        listed = _PLURAL.search(narrative, max(0, cited.span.start - 10), cited.span.end)
        members = [cited]
        for following in citations[at + 1 :]:
            if not _JOINED.fullmatch(narrative, members[-1].span.end, following.span.start):
                break
            members.append(following)
        first = listed and not _JOINS.search(narrative, listed.end(), cited.span.end)
        if listed and first and len(members) == 2 and gone in [c.span for c in members]:
            return [Replacement(listed.end() - 1, listed.end(), "")]
    return []


def _cut_citation(
    narrative: str, cited: Citation, citations: Sequence[Citation], others: Sequence[Span]
) -> Span | None:
    starts = {c.span.start for c in citations}
    ends = {end: c for c in citations for end in (c.span.end, end_of_act(narrative, c))}
    whole = _with_its_act(narrative, cited, citations, others)
    joint = _JOINED_BEFORE.search(narrative, max(0, cited.span.start - 20), cited.span.start)
    if joint is not None and joint.start() in ends:
        shared = ends[joint.start()].act_span == cited.act_span
        if shared or whole is not None:
            return Span(joint.start(), cited.span.end if shared or not whole else whole.end)
    following = _JOINED_AFTER.match(narrative, cited.span.end)
    figure = re.search(r"\d", narrative[cited.span.start : cited.span.end])
    if following is not None and following.end() in starts and figure is not None:
        return Span(cited.span.start + figure.start(), following.end())
    used = _USED.search(narrative, max(0, cited.span.start - 30), cited.span.start)
    if used and whole and (going_on := _GOES_ON.match(narrative, whole.end)):
        return Span(used.start(), going_on.end())
    opening = _BROUGHT_IN.search(narrative, max(0, cited.span.start - 30), cited.span.start)
    act = cited.act_span
    if whole is None and opening and opening[0].split()[-1:] == ["with"]:
        shared = act is None or any(c is not cited and c.act_span == act for c in citations)
        whole = cited.span if shared or (act and act.end <= cited.span.start) else None
    beside = _JOINED.match(narrative, whole.end) if whole else None
    if beside is not None and beside.end() in starts and figure is not None:
        bare = narrative[beside.end()].isdigit()
        return Span(cited.span.start + (figure.start() if bare else 0), beside.end())
    if opening and whole and not _NEEDED.search(narrative, 0, opening.start()):
        return Span(opening.start(), whole.end)
    return None


def _cut_opening(
    narrative: str, cited: Citation, citations: Sequence[Citation], others: Sequence[Span]
) -> Replacement | None:
    """`Using section 11A of the Act, it held` without its opening: `It held`."""
    whole = _with_its_act(narrative, cited, citations, others)
    opening = _OPENING.search(narrative, max(0, cited.span.start - 30), cited.span.start)
    if whole is None or opening is None or not starts_sentence(narrative, opening.start()):
        return None
    first = re.compile(r"\s*,?\s*(\w)").match(narrative, whole.end)
    return Replacement(opening.start(), first.end(), first[1].upper()) if first else None


def end_of_act(narrative: str, cited: Citation) -> int:
    """Where the citation ends with the Act that is named after its number."""
    act = cited.act_span
    if act is None or act.start < cited.span.end:
        return cited.span.end
    joined = _CONNECTED.fullmatch(narrative[cited.span.end : act.start])
    return act.end if joined else cited.span.end


def _cut_clause(narrative: str, cited: Citation, others: Sequence[Span]) -> Span | None:
    """The last clause of its sentence, or the sentence, where it says nothing of another fact."""
    sentence, *more = sentences_around(narrative, [cited.span])
    if more:
        return None
    joints = list(_CLAUSE.finditer(narrative, sentence.start, cited.span.start))
    end = sentence.end - (narrative[sentence.end - 1] in ".!?")
    if joints and not touches_any(clause := Span(joints[-1].start(), end), others):
        return clause
    if sentence.start == 0 or REFERS_BACK.match(narrative, sentence.end):
        return None
    return cut_sentence(narrative, sentence).span


def restyle(sheet: FactSheet, fact: Fact, provision: str) -> list[Replacement]:
    """The mentions that have the Act's name for themselves, in long form for short and back."""
    citations = find_citations(sheet.narrative)
    others = foreign_spans(sheet, fact.fact_id)
    replacements: list[Replacement] = []
    for span in mentions(fact):
        cited = next((c for c in citations if c.span == span), None)
        whole = _with_its_act(sheet.narrative, cited, citations, others) if cited else None
        if whole is not None:
            words = sheet.narrative[whole.start : whole.end]
            style = citation(provision, "short" if _LONG.search(words) else "long")
            if style.casefold() != words.casefold():
                replacements.append(put(sheet, fact, whole, style))
    return replacements


def _with_its_act(
    narrative: str, cited: Citation, citations: Sequence[Citation], others: Sequence[Span]
) -> Span | None:
    """The citation with the name of its Act; None where the Act serves other citations too."""
    act = cited.act_span
    if act is None or any(c is not cited and c.act_span == act for c in citations):
        return None
    whole = Span(cited.span.start, max(cited.span.end, act.end))
    between = narrative[cited.span.end : max(cited.span.end, act.start)]
    if act.start < cited.span.start or not _CONNECTED.fullmatch(between):
        return None
    return None if touches_any(whole, others) else whole
