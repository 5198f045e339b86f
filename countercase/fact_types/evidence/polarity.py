"""Whether a sentence says of what it names that it is there, or that it is denied or missing.

The words of the clause are read one by one, before the mention from right to left and after it from
left to right, until a word settles it: a negator (`no`, `never`, `without`), a word for what is gone
(`missing`, `awaited`), or a word beyond which nothing is said of the mention any more. The words are
in `data/evidence_polarity.jsonl`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Final

from countercase.text.patterns import pattern
from countercase.text.spans import Span
from countercase.text.words import words_of_role

_BEFORE: Final = 8
_AFTER: Final = 12  # words that may lie between a mention and the word that denies it
_STOPS: Final = frozenset("();!.")
_MARKS: Final = frozenset(":-–—=?")
_LOOK_AHEAD: Final = 3
_VERBAL: Final = ("ed", "en", "wn", "ught", "und", "id", "aya", "ayi", "aye")
"""How `tested` and `drawn` end; in Hindi the verb follows or stands before `nahi`."""

_words: Final = partial(words_of_role, "fact_types/evidence_polarity")


@cache
def _stem(word: str) -> str:
    """A verb without its ending: `recovered`, `recovering` and `recovers` are one."""
    for ending in ("ing", "ied", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word.removesuffix(ending)
    return word


def _is(word: str, *roles: str) -> bool:
    return any(word in _words(role) for role in roles)


@cache
def _done(word: str) -> bool:
    """Whether the word is a verb of what is done to evidence, in any form."""
    return word in _words("do") or _stem(word) in {_stem(verb) for verb in _words("do")}


def is_absent(text: str, sentence: Span, mention: Span) -> bool:
    """Whether the sentence says that what `mention` names is denied, missing or not done.

    What a report finds (`ballistic report: not in working order`) is not its absence.
    """
    tokens = list(pattern("POLARITY_TOKEN").finditer(text, sentence.start, sentence.end))
    before = [it[0].lower() for it in tokens if it.end() <= mention.start]
    within = [
        it[0].lower() for it in tokens if it.start() < mention.end and it.end() > mention.start
    ]
    after = [it[0].lower() for it in tokens if it.start() >= mention.end]
    ahead = zip(within, [*within[1:], *after[:1], ""], strict=False)
    return (
        any(_is(it, "no", "not", "nobody") and not _is_idiom(it, then) for it, then in ahead)
        or _denied_before(before[: -_BEFORE - 1 : -1], [*within, *after])
        or _denied_after(after[:_AFTER])
    )


def _is_idiom(word: str, following: str) -> bool:
    """`No. 4`, `no 7`, `no objection`, `not only`."""
    return _is(following, "idiom") or (word == "no" and following.isdigit())


def _denied_before(backwards: Sequence[str], ahead: Sequence[str]) -> bool:
    """Whether a word before the mention denies it; `backwards` begins with the nearest."""
    passed: list[str] = []
    for at, word in enumerate(backwards):
        following = passed[-1] if passed else next(iter(ahead), "")
        if _is(word, "no") and not _is_idiom(word, following):
            return not any(_is(w, "says") for w in passed)
        if _is(word, "not", "nobody"):
            return not _is_idiom(word, following) and _not_done(passed[::-1])
        if word == "to" and _is(next(iter(backwards[at + 1 :]), ""), "fails"):
            return _not_done(passed[::-1])
        if _is(word, "gone_before"):
            if _is(next(iter(backwards[at + 1 :]), ""), "not"):
                return False
            return all(not _is(w, "ends", "be") for w in passed) or all(
                _is(w, "be", "adverb") for w in passed
            )
        if word == "," or word in _STOPS | _MARKS:
            return False
        if _is(word, "ends") and not _is(next(iter(backwards[at + 1 :]), ""), "into"):
            return False
        passed.append(word)
    return False


def _not_done(between: Sequence[str]) -> bool:
    """Whether `not` and these words say that something was not done to what follows."""
    verbs = [word for word in between if not _is(word, "adverb", "be")]
    return not verbs or any(_done(word) for word in verbs[:_LOOK_AHEAD])


def _denied_after(after: Sequence[str]) -> bool:
    finite = False
    for at, word in enumerate(after):
        following = after[at + 1 :]
        mark = after[at - 1] if at else ""
        if _is(word, "not") or word in ("neither", "nor"):
            return _verb_denied(following)
        if word in ("no", "nil") or _is(word, "nobody"):
            direct = at == 0 or mark in {*_MARKS, ",", "("} or mark == "by" or finite
            done = _is(word, "nobody") and _verb_denied(following)
            return direct and (mark in ("?", "by") or done or _ends_here(following))
        if _is(word, "gone"):
            return True
        if word == "yet" and _is_yet(following):
            return True
        if finite and _is(word, "gone_after_be"):
            return True
        if _is(word, "be"):
            finite = True
            continue
        if word == ",":
            if not _is(next(iter(following), ""), "not", "gone") and following[:1] != ["nobody"]:
                return False
            continue
        if word in _STOPS - {"(", ")"} or _is(word, "clause") or (_is(word, "says") and not finite):
            return False
        if finite and not _is(word, "adverb"):
            return False
    return False


def _ends_here(following: Iterable[str]) -> bool:
    word = next(iter(following), ".")
    return not word[0].isalnum() or _is(word, "clause", "be", "ends", "adverb")


def _is_yet(following: Sequence[str]) -> bool:
    """`yet to come`, `yet to be made`."""
    rest = [w for w in following[:_LOOK_AHEAD] if w not in ("to", "be", "get")]
    return following[:1] == ["to"] and bool(rest) and (_done(rest[0]) or rest[0] == "come")


def _verb_denied(following: Sequence[str]) -> bool:
    """Whether the words after `not` say that it is missing rather than what it is not."""
    rest = [word for word in following if not _is(word, "adverb", "be")]
    if not rest or not rest[0][0].isalnum():
        return True
    if _is(rest[0], "ends"):
        return bool(_words("file") & {*rest[1:_LOOK_AHEAD]})
    return not _is(rest[0], "kept") and (_done(rest[0]) or rest[0].endswith(_VERBAL))
