"""The pattern tables: every pattern compiles with its parts, and is passed over only where it may be."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import countercase
from countercase.io import read_table
from countercase.text.patterns import (
    TABLES,
    NamedPattern,
    Needed,
    Pattern,
    expanded,
    find_alternatives,
    of_words,
    pattern,
)
from tools.needed_words import NeededWords, needed_words, rows, table_patterns

PACKAGE = Path(countercase.__file__).parent
PATTERNS = list(table_patterns())
STORED = {row.key: row.words for row in read_table("text/needed_words", NeededWords)}
TEXTS = [
    json.loads(line)["text"]
    for path in sorted(Path("training/matters").glob("*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()[:1]
]


def test_every_pattern_compiles_with_its_parts_put_in() -> None:
    for each in PATTERNS:
        assert not re.search(r"\{[A-Z][A-Z_]", each.words), each.words
        assert each.compiled.flags & re.IGNORECASE or not each.flags


def test_names_are_unique_over_all_tables_and_each_is_used() -> None:
    table = [row for name in TABLES for row in read_table(name, NamedPattern)]
    names = {row.name for row in table}
    assert len(names) == len(table)
    folders = [PACKAGE / name for name in ("text", "law", "facts", "fact_types", "evaluation")]
    code = "".join(p.read_text(encoding="utf-8") for f in folders for p in f.rglob("*.py"))
    data = "".join(p.read_text(encoding="utf-8") for f in folders for p in f.rglob("*.jsonl"))
    named = {
        *re.findall(r"\{([A-Z][A-Z_]+)\}", code + data),
        *re.findall(r"[\"']([A-Z][A-Z_]+)[\"']", code),
        *(
            f"{place}_{side}"
            for place in ("BEFORE", "AFTER")
            for side in ("PETITIONER", "RESPONDENT")
        ),
        *(f"{time}_{place}" for time in ("OLD", "NEW") for place in ("WORD", "AFTER", "NEXT")),
        *(row.name for row in table if row.finds),
    }
    assert names <= named, names - named


def test_an_unknown_part_is_an_error() -> None:
    with pytest.raises(KeyError, match="NO_SUCH_PART"):
        expanded("a{NO_SUCH_PART}b")


def test_the_table_of_needed_words_is_that_of_the_tables() -> None:
    assert {row["key"]: row["words"] for row in rows(PATTERNS)} == STORED, (
        "run `python -m tools.needed_words`"
    )


def test_no_text_that_a_pattern_matches_is_passed_over() -> None:
    for each in PATTERNS:
        for text in TEXTS:
            assert each.may_match(text) or each.compiled.search(text) is None, each.words


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (r"\bkni(?:fe|ves)\b", (("|knife|", "|knives|"),)),
        ("(?i)Lathi", (("lathi",),)),
        (r"no\s+(?:sign|mark)s?\b", (("no| |marks|", "no| |mark|", "no| |signs|", "no| |sign|"),)),
        (r"seen(?=.*(?:dead|alive))", (("seen",), ("alive", "dead"))),
        (r"\d kg|seized\W+\w+\W+sealed", ((" |kg", (("sealed",), ("seized",))),)),
        (r"(?<=of\s)India", (("india",), ("of| ",))),
        ("a|knife", ()),
        (r"(?<!no )axe", (("axe",),)),
        ("(?:axe)*", ()),
        (r"(?<![\w.])axe(?![\w-])", (("|axe|",),)),
        (r"\b(?:an?\s+)?axe", (("|axe",),)),
    ],
)
def test_the_words_that_a_match_needs(words: str, needed: Needed) -> None:
    assert needed_words(words) == needed


def test_words_are_needed_in_any_case_and_with_any_space() -> None:
    witness = of_words(r"\bno\s+eye[\s-]?witness(?:es)?\b")
    assert witness.may_match("NO \n eyewitness") and witness.search("NO \n eyewitness")


def test_a_text_of_other_things_is_passed_over_by_nearly_all_patterns() -> None:
    known = [each for each in PATTERNS if each.key in STORED]
    tried = [each for each in known if each.may_match("It rained until the evening of the fair.")]
    assert len(known) > 1_000
    assert len(tried) < len(known) / 20


WORDS = st.lists(
    st.sampled_from(["knife", "axe", "No", "a", "  ", "12", "KNIVES", "."]), max_size=9
)


@given(WORDS.map(" ".join), st.integers(0, 12))
def test_a_pattern_answers_as_re_does(text: str, at: int) -> None:
    for name in ("LATE", "PERSON", "DATE"):
        lazy, plain = pattern(name), re.compile(pattern(name).words)
        assert [m.span() for m in lazy.finditer(text, at)] == [
            m.span() for m in plain.finditer(text, at)
        ]
        for ask in ("search", "match", "fullmatch"):
            ours, theirs = getattr(lazy, ask)(text, at), getattr(plain, ask)(text, at)
            assert (ours is None) == (theirs is None)
            assert ours is None or ours.span() == theirs.span()
        assert lazy.sub(lambda m: "·", text) == plain.sub("·", text)


def test_a_pattern_that_the_table_does_not_know_is_always_tried() -> None:
    assert Pattern("zzz").may_match("nothing of the kind")


@given(st.text("abc ", max_size=40), st.integers(0, 5))
def test_alternatives_match_as_one_pattern_of_them_all(text: str, at: int) -> None:
    words = ("ab", "a|ca", r"\bb+", "c c")
    whole = re.compile("|".join(words), re.IGNORECASE)
    found = find_alternatives([Pattern(each, re.IGNORECASE) for each in words], text, at)
    assert [match.span() for match in found] == [match.span() for match in whole.finditer(text, at)]
