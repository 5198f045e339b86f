"""The normal form of a provision: how it is taken apart and how it is written out as a citation.

`IPC-376(2)(g)` is an Act's code, a hyphen, and the section with its sub-sections. Two things
need more: the Parts of a section (`IPC-304-I`, `IPC-304-II`) and the Orders of the Code of Civil
Procedure (`CPC-O7R11` is Order VII Rule 11).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from countercase.errors import InputError
from countercase.law.acts import WRITTEN_CODES, act, acts

CitationStyle: TypeAlias = Literal["long", "short", "code"]

_ID: Final = re.compile(
    r"(?P<code>[A-Za-z][A-Za-z0-9]*)-(?P<number>O\d{1,2}A?(?:R\d{1,3}[A-Z]?)?|\d{1,3}(?:[A-Z]{1,6}\d{0,3})?|[A-Z]{2,6}\d{1,3})"
    r"(?P<subs>(?:\([0-9A-Za-z]{1,6}\))*)(?:-(?P<part>I|II))?",
    re.ASCII,
)
_ORDER: Final = re.compile(r"O(\d{1,2}A?)(?:R(\d{1,3}[A-Z]?))?")
_ORDER_ID: Final = re.compile(r"([Oo]\d{1,2}[Aa]?(?:[Rr]\d{1,3}[A-Za-z]?)?)((?:\([A-Za-z0-9]+\))*)")
_RAW: Final = re.compile(
    r"(?P<digits>\d{1,3})(?:(?P<glued>(?=[A-Za-z]))|\s*-?\s*)(?P<letters>[A-Za-z]{1,4}(?![A-Za-z]))?"
    r"(?P<subs>(?:\s*\(\s*[A-Za-z0-9-]{1,6}\s*\))*)"
    r"(?:[\s,-]*\(?\s*(?:[Pp]art|PART|[Pp]t\b\.?)[\s-]*\(?(?P<part>II|I|[12])\)?\s*\)?)?"
)
_LAST_PART: Final = re.compile(r"-I{1,2}\Z|\([^()]*\)\Z")
_BRACKETED_LETTER: Final = re.compile(r"\A(\d{2,3})\s?\(([A-H])\)")
"""`354(D)`, which is how some write 354D."""
_BARE_SUB: Final = re.compile(r"(?<=\))([A-Za-z]{1,2})\Z")
"""`13(1)d`, which is how some write 13(1)(d)."""
_WITH_PARTS: Final = frozenset({("IPC", "304"), ("IPC", "506"), ("BNS", "105"), ("BNS", "351")})
"""Sections whose Parts are cited as offences of their own."""

_UNLETTERED: Final = frozenset({"BNS", "BNSS", "BSA"})
"""Codes too new to have sections put in between (`65B`)."""

_ROMAN: Final = tuple(
    tens + ones
    for tens in ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC")
    for ones in ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
)


@dataclass(frozen=True)
class Form:
    """A provision taken apart: Act, `304A` or `O7R11`, sub-sections (`(2)(g)`), Part (`II`)."""

    code: str
    number: str
    subs: str = ""
    part: str = ""

    @property
    def id(self) -> str:
        """The normal form."""
        return f"{self.code}-{self.number}{self.subs}{'-' + self.part if self.part else ''}"

    @property
    def base(self) -> int:
        """The number without its letters: 304 of `304A`; 0 where there is none (`O7R11`)."""
        digits = re.match(r"\d+", self.number)
        return int(digits.group()) if digits else 0

    def has_zero(self) -> bool:
        """Whether the section, Order, Rule or a sub-section begins with 0, as none does."""
        numbers = (*self.number.lstrip("O").split("R"), *self.subs.split("("))
        return any(number.startswith("0") for number in numbers)


def widened(provision: str) -> tuple[str, ...]:
    """Return a provision, what it is part of, and its Act, from the narrowest to the widest."""
    names = [provision]
    while (shorter := _LAST_PART.sub("", names[-1])) != names[-1]:
        names.append(shorter)
    return (*names, provision.partition("-")[0])


def parse_id(provision: str) -> Form:
    """Take a normal form apart; an `InputError` tells how to write one where it is none."""
    match = _ID.fullmatch(provision)
    if match is None:
        raise InputError(
            f"{provision!r} is not a provision in normal form; write it like IPC-302, "
            "IPC-376(2)(g), IPC-304-II, CONST-226 or CPC-O7R11"
        )
    return Form(match["code"], match["number"], match["subs"], match["part"] or "")


def read_number(code: str, raw: str) -> Form | None:
    """The provision that the words of a section number stand for, or None.

    Reads `304-B`, `354(D)`, `120b`, `304 Part II`, `304(II)`, `376 (2) (g)`, `9(2-A)`, `O39R1`,
    and Devanagari digits. Letters after a hyphen belong to the number, but for the Indian Penal
    Code `-I` and `-II` are Parts.
    """
    plain = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in raw.strip())
    if order := _ORDER_ID.fullmatch(plain.replace(" ", "")):
        return Form(code, order[1].upper(), order[2])
    plain = _BARE_SUB.sub(r"(\1)", plain)
    match = _RAW.fullmatch(_BRACKETED_LETTER.sub(r"\1\2", plain))
    if match is None:
        return None
    letters = (match["letters"] or "").upper()
    part = {"1": "I", "2": "II"}.get(match["part"] or "", match["part"] or "")
    subs = "".join(
        f"({group.replace('-', '')})" for group in re.findall(r"\(\s*([\w-]+)\s*\)", match["subs"])
    )
    if (code, match["digits"]) not in _WITH_PARTS:
        return Form(code, match["digits"] + letters, subs)
    if letters in ("I", "II") and match["glued"] is None:
        letters, part = "", letters
    if subs in ("(I)", "(II)"):
        subs, part = "", subs.strip("()")
    return Form(code, match["digits"] + letters, subs, part)


def is_normal_form(text: str) -> bool:
    """Whether `text` is written as a normal form, of whatever Act."""
    return _ID.fullmatch(text) is not None


def within_bound(form: Form) -> bool:
    """Whether the Act can have a section of this number, as far as the table knows."""
    entry = act(form.code)
    unlettered = form.code in _UNLETTERED and not form.number.isdecimal()
    if unlettered or form.has_zero():
        return False
    return entry is None or entry.bound is None or form.base <= entry.bound


def has_provision(form: Form) -> bool:
    """Whether the Act can have a section or an Article of its Schedule of this number."""
    return within_bound(form) or is_schedule_article(form)


def is_schedule_article(form: Form) -> bool:
    """Whether the number is that of an Article of the Act's Schedule, and of no section."""
    entry = act(form.code)
    if entry is None or entry.schedule is None or entry.bound is None or form.has_zero():
        return False
    return entry.bound < form.base <= entry.schedule


def known_code(code: str) -> str | None:
    """The code as the table writes it, whatever its case; None for one that is not there."""
    return {known.lower(): known for known in acts()}.get(code.lower())


def order_number(numeral: str) -> int | None:
    """The number of an Order, given in digits or as I to XCIX; None for anything else."""
    if numeral.isdecimal():
        return int(numeral) or None
    known = numeral.upper()
    return _ROMAN.index(known) if known in _ROMAN[1:] else None


def citation(provision: str, style: CitationStyle = "long") -> str:
    """Return a provision as a lawyer writes it; one in no normal form is an `InputError`.

    `long` is section 302 of the Indian Penal Code, `short` s. 302 IPC, `code` IPC 302.
    """
    form = parse_id(provision)
    known = act(form.code)
    number = f"{form.number}{form.subs}{' Part ' if form.part else ''}{form.part}"
    if style == "code":
        return f"{form.code}{' ' if form.code in WRITTEN_CODES else '-'}{number}"
    title, unit = (known.title, known.unit) if known else (form.code, "section")
    if order := _ORDER.fullmatch(form.number):
        letters = order[1].lstrip("0123456789")
        numeral = _ROMAN[int(order[1].removesuffix(letters))] + letters
        rule = f"{order[2]}{form.subs}" if order[2] else ""
        if style == "long":
            return f"Order {numeral}{' Rule ' if rule else ''}{rule} of the {title}"
        return f"O. {numeral}{' R. ' if rule else ''}{rule} {form.code}"
    is_article = unit == "article" or is_schedule_article(form)
    if style == "long":
        return f"{'Article' if is_article else unit} {number} of the {title}"
    if is_article:
        return f"Art. {number}{'' if unit == 'article' else f' {title}'}"
    return f"{unit[0]}. {number} {known.short if known else form.code}"
