"""The tagger's spaCy pipeline: its tokens, its layout attributes and its network.

Hash embeddings of nine attributes, a convolution over four layers and spaCy's transition-based
entity recogniser (Honnibal and Montani, spaCy 3; Lample et al. 2016 for the transitions). Nothing
of it is read from a configuration file: code and weights are the whole model.

A convolution sees a few words on either side; the word that makes a name a petitioner's may stand lines
away. So every token carries the nearest role words, its side of `versus` and its place in its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import compile_infix_regex
from thinc.api import use_ops

from countercase.facts.entities import ENTITY_TYPES, rule_entities
from countercase.text.patterns import pattern

_SIDES: Final = "prv"
_NUMBERED: Final = re.compile(r"[\s(\[]*\d{1,3}\s*[.)\]]")
_DIGIT: Final = re.compile(r"\d")
_SPACE: Final = re.compile(r"[^\n]+")


class Layout(NamedTuple):
    """The layout words of a token: the mark before it, the mark behind it, side and line."""

    before: str
    behind: str
    place: str


def layout_of(text: str, starts: Sequence[int]) -> list[Layout]:
    """The layout words of the tokens of `text` that start at `starts`, in order."""
    marks = [(m.start(), m.end(), m.lastgroup or "") for m in pattern("LAYOUT_MARK").finditer(text)]
    heads = [mark[0] for mark in marks]
    sides = [mark for mark in marks if mark[2] in _SIDES]
    side_heads = [mark[0] for mark in sides]
    versus = [mark[0] for mark in marks if mark[2] == "v"]
    layouts = []
    for start in starts:
        at = bisect_right(heads, start)
        inside = at > 0 and marks[at - 1][1] > start
        last = at - 2 if inside else at - 1
        before = marks[last][2] + _distance(start - marks[last][1]) if last >= 0 else "-"
        behind = marks[at][2] + _distance(marks[at][0] - start) if at < len(marks) else "-"
        next_side = bisect_right(side_heads, start)
        side = sides[next_side][2] if next_side < len(sides) else "-"
        passed = sides[next_side - 1][2] if next_side > 0 else "-"
        half = "-" if not versus else "l" if start < versus[0] else "r"
        kind = marks[at - 1][2] if inside else "-"
        layouts.append(Layout(before, behind, f"{kind}{passed}{side}{half}{_in_line(text, start)}"))
    return layouts


def norm_of(word: str) -> str:
    """The word in lower case, its digits alike; white space as its line breaks, at most two."""
    if word.isspace():
        return _SPACE.sub("", word)[:2] or " "
    return _DIGIT.sub("0", word.lower())


def _distance(characters: int) -> str:
    return str(bisect_left((3, 15, 60, 250), characters))


def _in_line(text: str, start: int) -> str:
    """Where in its line a token is: first, first after a number, later; `-` without lines."""
    line = text.rfind("\n", 0, start)
    if line < 0 and text.find("\n", start) < 0:
        return "-"
    before = text[line + 1 : start]
    if not before.strip():
        return "f"
    return "n" if len(before) < 30 and _NUMBERED.fullmatch(before.rstrip()) else "x"


WIDTH: Final = 128
DEPTH: Final = 4
HIDDEN: Final = 64
COLUMNS: Final = (
    ("NORM", 6000), ("PREFIX", 500), ("SUFFIX", 2500), ("SHAPE", 1500),
    ("TAG", 200), ("LEMMA", 200), ("DEP", 500), ("ENT_KB_ID", 20), ("SPACY", 10),
)  # fmt: skip
"""The attributes that are embedded, with the rows of their hash tables."""

_INFIXES: Final = (
    r"(?<=\d)\.(?=[A-Za-z])",
    r"(?<=[A-Za-z])[(\[:](?=[A-Za-z0-9])",
    r"(?<=[)\].]),(?=[A-Za-z])",
    r"(?<=[Dd]t)\.(?=\d)",
    r"(?<=M/[sS])\.(?=[A-Z])",
    r"(?<=\))-(?=[A-Za-z])",
)
_LONGEST: Final = 50_000_000


def blank_tagger() -> Language:
    """A pipeline with tokens and an untrained, unsized recogniser."""
    nlp = spacy.blank("en")
    nlp.max_length = _LONGEST
    nlp.tokenizer.infix_finditer = compile_infix_regex((*nlp.Defaults.infixes, *_INFIXES)).finditer
    # numpy's matrix products are three times as fast as those of blis, thinc's default here.
    with use_ops("numpy", use_blis=False):
        nlp.add_pipe("ner", config={"model": _architecture(), "update_with_oracle_cut_size": 100})
    return nlp


def size(nlp: Language, seed: int = 0) -> Language:
    """Give the recogniser its labels and random weights, in place."""
    spacy.util.fix_random_seed(seed)
    words = ["A", "v.", "B"]
    doc = with_attributes(Doc(nlp.vocab, words))
    empty: Mapping[str, Any] = {"words": words, "entities": ["O"] * 3}
    ner = nlp.get_pipe("ner")
    for label in ENTITY_TYPES:
        ner.add_label(label)
    nlp.initialize(lambda: [Example.from_dict(doc, dict(empty))])
    return nlp


def with_attributes(doc: Doc) -> Doc:
    """Write what layout and rules say of every token into the attributes that the network embeds."""
    strings = doc.vocab.strings
    places = layout_of(doc.text, [token.idx for token in doc])
    for token, place in zip(doc, places, strict=True):
        token.norm_ = norm_of(token.text)
        token.tag = strings.add(place.before)
        token.lemma = strings.add(place.behind)
        token.dep = strings.add(place.place)
    for entity in rule_entities(doc.text):
        span = doc.char_span(entity.span.start, entity.span.end, alignment_mode="expand")
        for token in span if span is not None else ():
            end = "E" if token.i == span.end - 1 else "I"
            part = "B" if token.i == span.start else end
            token.ent_kb_id = strings.add(f"{part}-{entity.label}")
    return doc


def _architecture() -> dict[str, Any]:
    return {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "ner",
        "extra_state_tokens": True,
        "hidden_width": HIDDEN,
        "maxout_pieces": 2,
        "use_upper": True,
        "nO": None,
        "tok2vec": {
            "@architectures": "spacy.Tok2Vec.v2",
            "embed": {
                "@architectures": "spacy.MultiHashEmbed.v2",
                "width": WIDTH,
                "attrs": [name for name, _ in COLUMNS],
                "rows": [rows for _, rows in COLUMNS],
                "include_static_vectors": False,
            },
            "encode": {
                "@architectures": "spacy.MaxoutWindowEncoder.v2",
                "width": WIDTH,
                "window_size": 1,
                "maxout_pieces": 3,
                "depth": DEPTH,
            },
        },
    }
