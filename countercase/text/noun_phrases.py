"""Runs of nouns in a text, found without a grammar model.

A word is taken for a noun unless it is an English function word, a verb that notes often use, a word
for a number or a unit, or a particle of romanised Hindi.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from countercase.text.clauses import VERB
from countercase.text.nearest_word import words_for
from countercase.text.words import STOP_WORDS

_TOKEN: Final = re.compile(r"[^\W\d_][\w'’]*(?:[-/][^\W\d_]+)*")
_JOIN: Final = re.compile(
    r"\s+(?P<of>of\s+)?(?:(?:the|a|an|his|her|my|our|their)\s+)?\Z", re.IGNORECASE
)
_EMPTY: Final = frozenset(
    """
    about abt within only after before since for past last next first now then sum amount rupees amt
    total years year yrs yr months month mths mth days day dys hours hour hrs hr weeks week wks rate
    minutes minute mins lakh lakhs lac lacs crore crores thousand hundred aged case till ago back
    later earlier almost nearly around approx approximately roughly full whole long entire further
    over already still yet just even though although per than via thru through prior beyond gap time
    another every rest remaining one two three four five six seven eight nine ten today daily inr
    also however hence thus pls please sir madam yes never ever total odd second third half late
    rs cr act ipc bnss bns crpc bsa nia sec section art rule mr mrs smt shri sri therefore instead
    aggregate iv iii ii upar jis usne isne unke uske iske humare hamare jo so
    wapas bhi kiya kiye diya diye yeh woh wo ye
    ie eg dt dtd reqd totalling betwn itself himself herself myself themselves etc part qty quantity
    january february march april may june july august september october november december monday
    nobody anything something everybody everyone nothing somebody end place eleven twelve fifteen
    twenty thirty forty fifty sixty seventy eighty ninety
    ne pe da nu vich naal kita si sirf hi bolta bani log logo gms gm kgs kms mtrs sq yds
    ka ki kii ke ko se mein hai hain tha thi par aur bhi abhi tak nahi hua hue baad pehle wala pm pa
    """.split()  # noqa: SIM905
)
NO_NOUNS: Final = STOP_WORDS | _EMPTY
_VERBAL: Final = re.compile(
    rf"(?i)(?:{VERB}|wants?|asks?|pays?|earns?|gets?|got|gives?|given|comes?|says?|saying|takes?"
    r"|taken|go|goes|going|gone|needs?|lets?|lost|sits?|sat|stands|stays?|lives?|lays?|lies|lay"
    r"|runs?|makes?|keeps?|becomes?|starts?|ends|begins?|uses?|sends?|stops?|tells?|told|rejects"
    r"|knows?|thinks?|seems?|appears?|argues|admits?|drove|drives|wrote|written|begun|broke|hid|hit"
    r"|having|doing|getting|giving|taking|making|asking|paying|using|sitting|standing|refuses?"
    r"|coming|leaving|staying|telling|showing|running|demanding|claiming|not|goes|gave|let|got|dont"
    r"|demands|owes?|agrees?|allows?|seeks?|sought|praying|prays?|plus|have|has|having|kept|hide"
    r"|including|rec['’]?d|rcvd|drew|draws?|drawn|keeps?|includes?|covers?|means?|leaves|says|puts?|weighing|remains?|lapse|exceeds?)\Z"
)


@dataclass(frozen=True)
class Phrase:
    """A run of nouns, `of` between them included (`loss of estate`), with its place."""

    words: tuple[str, ...]
    start: int
    end: int

    def first(self, most: int) -> str:
        """Its first words, up to a number of content words."""
        return " ".join(_cut(self.words, most))

    def last(self, most: int) -> str:
        """Its last words, up to a number of them."""
        return " ".join(_cut(self.words[::-1], most)[::-1])


def _cut(words: tuple[str, ...], most: int) -> tuple[str, ...]:
    kept = words[:most]
    return kept[:-1] if kept and kept[-1] == "of" else kept


def noun_phrases(text: str, left: int, right: int) -> list[Phrase]:
    """The runs of nouns of `text` between two places, in order."""
    found: list[Phrase] = []
    for match in _TOKEN.finditer(text, left, right):
        word = match.group().strip("'’-/")
        cut = text[match.start() - 1 : match.start()].isalnum() or (
            text[match.end() : match.end() + 1].isalpha()
        )
        if cut or not is_noun(word):
            continue
        word = _in_full(word)
        join = _JOIN.match(text, found[-1].end, match.start()) if found else None
        if found and join and join.end() == match.start():
            link = ("of",) if join["of"] else ()
            found[-1] = Phrase((*found[-1].words, *link, word), found[-1].start, match.end())
        else:
            found.append(Phrase((word,), match.start(), match.end()))
    return found


def is_noun(word: str) -> bool:
    """Whether a word may name a thing or a person."""
    low = word.lower()
    return len(low) > 1 and low not in NO_NOUNS and not _VERBAL.match(low)


def _in_full(word: str) -> str:
    return next((name for name, words in words_for("abbreviation") if words.match(word)), word)
