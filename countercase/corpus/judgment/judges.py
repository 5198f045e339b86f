"""The judges that a judgment names, as author, in its header or by their signatures."""

from __future__ import annotations

import re
from typing import Final

from countercase.corpus.documents import HEAD, TAIL

_J: Final = r"(?:C\.?\s?J\.?(?:\s?I\.?)?|J\.?\s?J\.?|J\.?)"
_DELIVERED: Final = re.compile(
    r"\b(?:judge?ments?|orders?)\s+(?:of the court\s+)?(?:was|were|wag)\s+(?:made|delivered)"
    r"\s+by\s*[:-]*\s*(?P<names>[^\n]{2,160})",
    re.IGNORECASE,
)
_AUTHOR_LINE: Final = re.compile(
    rf"^(?:[^\n]*\bJUDGE?MENT\W+)?(?P<names>[A-Z][A-Za-z. ]{{2,40}}?)\s*,\s*{_J}\s*[:.-]*\s*$",
    re.MULTILINE,
)
_REPORTED: Final = re.compile(r"\A[^\n]*\n(?P<names>(?:[^\n]*\n){1,8}?)CITATION:")
_SIGNATURE: Final = re.compile(
    r"\.{4,}[\s|.]*(?:C\.?)?J?[\s|.]*[\[(]\s*(?P<name>[A-Z][A-Za-z. ]{3,40}?)\s*[\])]"
)
_BETWEEN: Final = re.compile(
    rf"\s*,\s*{_J}(?=[\s,:;&.-]|$)[\s,:;&.-]*(?:and\b)?|\s+{_J}\s*$|\s+(?:and|&)\s+|;"
)
_OFFICE: Final = re.compile(
    r"^(?:(?:the|hon'?ble|mr|mrs|ms|dr|shri|smt|justice|chief|per|and)\b\.?\s*)+", re.IGNORECASE
)
_NAME: Final = re.compile(r"[A-Z][A-Za-z'-]*\.?(?: [A-Za-z'-]+\.?){0,5}")
_LEADING_DATE: Final = re.compile(r"^\d{2}/\d{2}/\d{4}\s+")
_INITIALS_END: Final = re.compile(r"(?<=[A-Z]\.) (?=[A-Z]{2,},)")
_SURNAME_FIRST: Final = re.compile(r"([A-Z]{3,})\s+((?:[A-Z]\.\s?)+)")


def bench_of(text: str) -> tuple[str, ...]:
    """Names of the judges, without titles of office, in the order of the text.

    A report's own list of the bench is taken first, then the signatures, then the author of the
    judgment; () where none of them is there.
    """
    head = text[:HEAD]
    if reported := _REPORTED.search(head):
        return reported_names(reported["names"])
    signed = [match["name"] for match in _SIGNATURE.finditer(text[-TAIL:])]
    if signed:
        return judge_names("; ".join(signed))
    for pattern in (_DELIVERED, _AUTHOR_LINE):
        author = pattern.search(head)
        if author and (names := judge_names(author["names"])):
            return names
    return ()


def judge_names(text: str) -> tuple[str, ...]:
    """Names in a line such as `A. Alagiriswami, J. and K. K. Mathew, J.`."""
    return _names(_BETWEEN.split(text))


def reported_names(lines: str) -> tuple[str, ...]:
    """Names in a law report's list, surname first: `MITTER, G.K. SIKRI, S.M. (CJ)`."""
    parts: list[str] = []
    for part in re.split(r"\n|\((?:CJ|J)\)", _LEADING_DATE.sub("", lines)):
        for item in _INITIALS_END.split(part.strip()):
            many = item.count(",") > 1
            parts += re.split(r"(?<=\S) (?=[A-Z]{2,},)", item) if many else [item]
    turned = []
    for part in parts:
        surname, comma, given = part.partition(",")
        if not comma and (plain := _SURNAME_FIRST.fullmatch(part.strip())):
            surname, given = plain.groups()
        turned.append(f"{given.strip()} {surname.strip()}")
    return _names(turned)


def _names(parts: list[str]) -> tuple[str, ...]:
    names = []
    for part in parts:
        spaced = re.sub(r"\.(?=[A-Za-z])", ". ", part.strip(" ,.:;-|\t"))
        name = _OFFICE.sub("", " ".join(spaced.split()))
        if len(name) > 2 and _NAME.fullmatch(name):
            names.append(re.sub(r"\b[A-Z]{3,}\b", lambda word: word[0].capitalize(), name))
    return tuple(dict.fromkeys(names))
