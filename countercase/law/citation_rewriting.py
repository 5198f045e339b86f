"""Put another section number in the place of one, in the same way of writing it."""

from __future__ import annotations

import re
from typing import Final

from countercase.errors import InputError
from countercase.law.citation_grammar import NUMBER, PART_FIRST
from countercase.law.provision_ids import citation, known_code, number_words, parse_id

_ORDER_ID: Final = re.compile(r"O(\d+)([A-Z]?)(?:R(\w+))?")
_CODE_FORM: Final = re.compile(r"(?P<code>[A-Za-z][A-Za-z0-9.]*)(?P<gap>\s*[-:\s]\s*)(?=\d|O\d)")
_SECTION_WORD: Final = re.compile(r"[Ss]ections?\s*$|SECTIONS?\s*$")
_SECTION_SIGN: Final = re.compile(r"(?:[Uu]/\s?)?[Ss](?:ecs?|s)?\.?\s*$|§§?\s*$")


def replace_citation(words: str, old: str, new: str) -> str:
    """The words of a citation with another provision in them.

    `Section 302` becomes `Section 304 Part II`, a list's `302` becomes `304 Part II`, `IPC-302`
    becomes `IPC-304 Part II`. Where the Act changes, the words of the number are not enough and
    the whole citation is given, in the manner of the old one (`Section 103(1) of the Bharatiya
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
    return short if not mark and short.startswith("s. ") else long[0].upper() + long[1:]


def _order(words: str, old: str, new: str) -> str:
    before, after = (_ORDER_ID.fullmatch(parse_id(each).number) for each in (old, new))
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
