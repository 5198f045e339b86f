"""What a length of time lies between, and what is late or left undone for so long."""

from __future__ import annotations

import re
from typing import Final

from countercase.fact_types.measures import figure_words
from countercase.text.nearest_word import (
    Lexicon,
    Phrase,
    clause_of,
    nearest_in,
    noun_phrases,
    telling_words_for,
    window,
    words_for,
)
from countercase.text.patterns import pattern
from countercase.text.spans import Span

EARLIER: Final = 140


def called(kind: str, words: str, own: str = "") -> str:
    """The name of the table for what `words` say, else the words themselves."""
    at = Span(len(words), len(words))
    return (
        nearest_in(words, at, telling_words_for(kind), 0, len(words))
        or nearest_in(words, at, words_for(kind), 0, len(words))
        or own
    )


def opens_a_step(text: str, span: Span, left: int) -> bool:
    """Whether a clause begins `two days later` or `after a year`: no noun behind it lasted so long."""
    led = pattern("AFTER").search(text, max(left, span.start - 40), span.start)
    here = led.start() if led else span.start
    later = led or pattern("LATER").match(text, span.end)
    return bool(later) and not pattern("LASTING_WORD").search(text, left, here)


def since(text: str, span: Span, left: int) -> str:
    """The last event named before a length of time that is `back` or `ago`."""
    begun = pattern("AGO").match(text, span.end) and nearest_in(
        text, span, words_for("event"), left, span.start
    )
    return f"since {_the(begun)}" if begun else ""


def between(text: str, span: Span, clause: tuple[int, int], sentence: tuple[int, int]) -> str:
    """The events that a length of time lies between, `before to after`, or the delay of a step."""
    events = words_for("event")
    link = pattern("AFTER_EVENT").match(text, span.end)
    later = pattern("LATER").match(text, span.end)
    led = pattern("AFTER").search(text, max(sentence[0], span.start - 40), span.start)
    other, left_out = "", span.end
    if link:
        piece = text[link.end() : min(sentence[1], link.end() + 40)]
        piece = re.split(r"[,;(]|\s(?:and|but|when|so)\s", piece)[0]
        other = nearest_in(piece, Span(0, 0), events, 0, len(piece))
        if not other:
            link = None
        else:
            left_out = link.end() + len(piece)
    if led and pattern("GAP").match(led.group()):
        last = _events(text, max(0, span.start - 3 * EARLIER), span.start)
        return f"{last[-2]} to {last[-1]}" if len(last) > 1 else ""
    if not (link or later or led):
        if not pattern("WITHIN").search(text, max(sentence[0], span.start - 40), span.start):
            return ""
        step = nearest_in(text, span, events, clause[0], span.start)
        if step in figure_words("prompt"):
            return f"delay of {step}"
        return step if step in figure_words("end") else ""
    reach = clause_of(text, span, window(text, span, 0, EARLIER))[1] if later or led else clause[1]
    main = nearest_in(text, Span(span.start, span.start), events, clause[0], span.start) or (
        nearest_in(text, Span(left_out, left_out), events, left_out, reach)
    )
    if not main and (link or later):
        main = nearest_in(text, Span(span.start, span.start), events, sentence[0], span.start)
    if main == "release" and (link or led or later) and other in ("", "arrest", "FIR"):
        return "custody before release"
    if link and main and main != other:
        if link["way"].lower() in ("before", "prior to", "to"):
            return f"{main} to {other}" if link["way"].lower() != "to" else ""
        return f"delay of {main}" if main in figure_words("prompt") else f"{other} to {main}"
    if link:
        way = link["way"].lower()
        return f"{'before' if way in ('before', 'prior to') else 'since'} {_the(other)}"
    if not main:
        return ""
    if main in figure_words("prompt"):
        return f"delay of {main}"
    if later or led:
        other = _event_before(text, span, main, events)
        return f"{other} to {main}" if other else main
    return ""


def _events(text: str, left: int, right: int) -> list[str]:
    """The events named between two places, in order, none twice running."""
    events = words_for("event").find(text, left, right)
    found = sorted((place.start, name) for _, name, place in events)
    return [name for n, (_, name) in enumerate(found) if not n or found[n - 1][1] != name]


def _the(event: str) -> str:
    return f"the {event}" if event in ("incident", "accident", "raid") else event


def _event_before(text: str, span: Span, main: str, events: Lexicon) -> str:
    """The last event before the one of the clause that is another one."""
    others = events.without([main])
    left = max(0, span.start - EARLIER)
    return nearest_in(text, Span(span.start, span.start), others, left, span.start)


def undone(
    text: str, span: Span, kind: str, clause: tuple[int, int], sentence: tuple[int, int]
) -> str:
    """What is not paid, decided or given for so long."""
    for found in pattern("LASTING_STATE").finditer(text, *clause):
        state = found["state"].lower()
        if not found["un"] and state not in figure_words("open"):
            continue
        if found["un"] and state == "paid":
            state = "unpaid"
        elif found["un"]:
            state = f"not {state}"
        near = things_of(text, clause[0], found.start())
        far = things_of(text, max(sentence[0], span.start - EARLIER), found.start())
        if kind == "duration" and (near or far):
            what = near[-1].last(2) if near else far[0].first(2)
            return f"{called('amount', what, what)} {state}"
    return ""


def things_of(text: str, left: int, right: int) -> list[Phrase]:
    """The noun phrases between two places but those of persons."""
    return [p for p in noun_phrases(text, left, right) if not pattern("PERSON").match(p.words[-1])]


def period_of_law(text: str, span: Span) -> str:
    """What a length of time measures that only one provision knows.

    60, 90 or 180 days that are over, where bail by default is asked (section 167(2) of the Code of
    1973, section 187(3) of the Sanhita of 2023); 240 days of continuous service (section 25B of the
    Industrial Disputes Act, 1947); 15 days to pay after notice (section 138(c) of the Negotiable
    Instruments Act, 1881); 3, 12 or 30 years `time`, the terms of the Limitation Act, 1963. `44
    days in.` is said of custody.
    """
    stated = text[span.start : span.end]
    if pattern("CONTINUOUS").match(stated):
        return "continuous service"
    if (
        pattern("FIFTEEN").match(stated)
        and pattern("OVER").match(text, span.end)
        and pattern("CHEQUE").search(text)
    ):
        return "payment after notice"
    if pattern("IN").match(text, span.end):
        return "custody"
    if pattern("AT_MOST").search(text, max(0, span.start - 12), span.start):
        return "maximum punishment"
    given = pattern("GIVEN").search(text, max(0, span.start - 30), span.start)
    if (
        pattern("LASTING_LIMITATION").match(stated)
        and pattern("TIME").match(text, span.end)
        and not given
    ):
        return "limitation"
    ended = pattern("OVER").match(text, span.end) and pattern("DEFAULT_BAIL").search(text)
    return "default bail period" if ended and pattern("REMAND_DAYS").match(stated) else ""


def late_step(text: str, span: Span, clause: tuple[int, int], sentence: tuple[int, int]) -> str:
    steps = words_for("event")
    mark = pattern("LATE_IN").match(text, span.end)
    if (
        mark
        and (nouns := noun_phrases(text, mark.end(), clause[1]))
        and nouns[0].start == mark.end()
    ):
        return called("event", nouns[0].first(2), nouns[0].first(2))
    for within in (clause, sentence):
        if found := nearest_in(text, span, steps, *within, 20):
            return found
        nouns = [
            p for p in noun_phrases(text, *within) if not pattern("LASTING_LATE").match(p.words[0])
        ]
        behind = [p for p in nouns if p.end <= span.start]
        if behind:
            return _trim(behind[-1])
    return ""


def _trim(phrase: Phrase) -> str:
    words = phrase.last(2)
    return "" if pattern("LASTING_LATE").search(words) else words
