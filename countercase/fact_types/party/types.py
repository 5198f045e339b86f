"""What a party is in law, from the words that name it.

Public servants follow section 21 of the Indian Penal Code, the State Article 12 of the Constitution:
a State's departments and local authorities are `State`, as in the vocabulary. The words are in
`data/party_patterns.jsonl`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, TypeAlias

from countercase.io import read_table
from countercase.text.patterns import expanded, pattern

Source: TypeAlias = Literal["name", "initials", "text"]


@dataclass(frozen=True)
class PartyWords:
    """How a party type is written.

    Args:
        noun: what a supposition calls such a party (`private company`).
        phrase: the type in a sentence (`a public servant`, `the State`).
    """

    party_type: str
    noun: str
    phrase: str


def words_for(party_type: str) -> PartyWords:
    """Return how `party_type` is written."""
    rows = read_table("fact_types/party_words", PartyWords)
    return next(row for row in rows if row.party_type == party_type)


@dataclass(frozen=True)
class PartyPattern:
    """Words that say what a party is; of several that match, the first in the table counts.

    Args:
        source: `name` for words in the name of a party, `initials` for those of a public body in it,
            `text` for a noun beside the party.
    """

    source: Source
    party_type: str
    pattern: str


@cache
def patterns(source: Source) -> dict[str, str]:
    """The pattern of each party type, in the order in which they count."""
    rows = read_table("fact_types/party_patterns", PartyPattern)
    return {row.party_type: expanded(row.pattern) for row in rows if row.source == source}


def party_type_of(name: str) -> str:
    """The party type that a name suggests: `Union of India`, `State`, `Corporation`, `Minor`.

    A name that suggests none of these is a natural person's: `Individual`. So is that of one who
    owns a business or holds a place in it (`Asha, prop. of Asha Traders`; `Director, Asha Ltd`), for
    neither is the business; a body sued through its manager stays what it is.
    """
    if _person().match(name):
        return "Individual"
    for source, flags in (("initials", 0), ("name", re.IGNORECASE)):
        for kind, words in patterns(source).items():
            if re.search(words, name, flags):
                return kind
    return "Individual"


def type_of_words(words: str) -> str:
    """The party type of a phrase of a note (`the bank`, `head clerk`, `his uncle`)."""
    if _person().match(words):
        return "Individual"
    kind = party_type_of(words)
    return "State" if kind == "Individual" and pattern("DEPARTMENT").search(words) else kind


@cache
def _person() -> re.Pattern[str]:
    return re.compile(expanded("{A_PERSON}"), re.IGNORECASE)


def without_cited_cases(text: str) -> str:
    """`text` with blanks for the precedents that it cites (`relying on X v. State of Y`).

    And for the mark `(i)` of a list and the `O. I` of an order, which are nobody's `I`.
    """
    plain = re.sub(
        r"\(i\)|\bO(?:rder|\.)? ?I\b(?= ?,? ?(?:R|r)\w*\.? ?\d)", lambda m: " " * len(m[0]), text
    )
    return pattern("CITED_CASES").sub(
        lambda m: m[0][: -len(m["cases"])] + " " * len(m["cases"]), plain
    )


_LONGEST_NAME: Final = 40


def short_name(name: str) -> str:
    """A name without what is said after it, cut between words."""
    first = name.split(",")[0].split(" through ")[0].strip()
    return first if len(first) <= _LONGEST_NAME else first[:_LONGEST_NAME].rsplit(" ", 1)[0] + " …"


def is_sole(name: str) -> bool:
    """Return whether a short name is that of one party, whole: no `A and others`, nothing cut."""
    words = {word.strip(".()").casefold() for word in short_name(name).split()}
    return (
        not words & {"and", "&", "…", "ors", "others", "another", "anr", "etc"} and "(" not in name
    )
