"""Authorities: precedents as counsel reads them, by the records of a casebook.

Which way a decision went for a side, what it turned on, and whether the case has the same are taken
from the typed fields of its record alone. What they do not tell is not known, and is said to be so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final, Literal
from urllib.parse import quote

from countercase.corpus.casebook.form import sheet_of_record
from countercase.corpus.casebook.records import RECORDS
from countercase.explanation.reasons import fact_label, nearest_first
from countercase.fact_types.base import telling_words
from countercase.fact_types.evidence.fitting import areas_of
from countercase.fact_types.roles import role_of
from countercase.facts.area_of_law import area_of_law, names_of, provisions, provisions_of
from countercase.facts.model import Fact, FactSheet, PartyValue, Side
from countercase.facts.vocabulary import SIDES
from countercase.io import read_table
from countercase.law.provisions import with_names
from countercase.reports.counsel.marks import Mark, mark_fact
from countercase.reports.wording import say, short_label
from countercase.text.dates import date_of_occurrence

Way = Literal["for", "against", "open"]
WAYS: Final[Mapping[Way, str]] = {
    "for": "For you", "against": "Against you", "open": "In part, or not known",
}  # fmt: skip
"""Which way a decision went, as the heading of its group."""
WINNERS: Final = {"allowed": "petitioner", "dismissed": "respondent"}
_STATES: Final = ("State", "Union of India")


@dataclass(frozen=True)
class Point:
    """A fact that a decision turned on, and whether the case has the same."""

    fact: Fact
    mark: Mark

    @property
    def label(self) -> str:
        """The fact in a few words."""
        return short_label(fact_label(self.fact))


@dataclass(frozen=True)
class Authority:
    """A decision with what its record says of it.

    Args:
        short: the name by which it is called: its party that is not the State, a person before a firm.
        citations: neutral and reported.
        turned_on: what it turned on with the reason, what is most like the case first.
        url: where the judgment is in the reader's own source; "" where none is set.
        is_afar: whether it is of another area of law than the case, and cites nothing that it cites.
    """

    case_id: str
    title: str
    short: str
    citations: tuple[str, ...] = ()
    way: Way = "open"
    turned_on: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()
    url: str = ""
    is_afar: bool = False

    @property
    def fact(self) -> str:
        """The first fact that it turned on, without the reason."""
        return self.turned_on[0].partition(": ")[0] if self.turned_on else ""

    @property
    def to_copy(self) -> str:
        """The title with the citations, as a pleading has them."""
        return ", ".join([self.title, *self.citations]) if self.citations else ""


class Records:
    """The records of a corpus, held against a case for one of its sides.

    A `corpus` is as in analysis.json; a foreign retriever has none, and no records. `titles` are by
    the ids of decisions, those without a record too, and `source` is the setting JUDGMENT_URL.
    """

    def __init__(
        self, corpus: Mapping[str, Any] | None, sheet: FactSheet, side: str = "",
        titles: Mapping[str, str] | None = None, source: str = "",
    ) -> None:  # fmt: skip
        self.sheet, self._titles, self._source = sheet, titles or {}, source
        self.side: Side = "respondent" if side == "respondent" else "petitioner"
        self._corpus = (corpus["name"], corpus["checksum"]) if corpus else ("", "")
        self._records = _records(*self._corpus)
        areas = {str(record.get("area", "")) for record in self._records.values()}
        self.areas = sorted(areas_of(sheet) & areas)
        cited = {name for it in provisions(sheet) for name in names_of(it) if "-" in name}
        self._cited = cited - provisions_of("procedure")

    @property
    def sides(self) -> list[tuple[str, str]]:
        """Return the sides that one may act for, each with who they are."""
        told = list[tuple[str, str]]()
        names = {value.side: value.name for _, value in self.sheet.valued(PartyValue)[::-1]}
        for side in SIDES:
            name, roles = names.get(side, ""), self.roles[side]
            named = f"{name} ({roles[0]})" if name and roles else name
            told.append((side, named or f"the {[*roles, side][0]}"))
        return told

    @property
    def guess(self) -> str:
        """What the side is taken for where a party of it was read, but not what it is; else ""."""
        own = [value for _, value in self.sheet.valued(PartyValue) if value.side == self.side]
        is_told = not own or any(role_of(self.sheet, value) for value in own)
        return "" if is_told else next(iter(self.roles[self.side]), "")

    @cached_property
    def roles(self) -> dict[Side, list[str]]:
        """The roles that each side has; where none was read of a side, the one that faces the other's.

        In a criminal matter of which no party was read, the petitioner is the accused. A role that
        both are said to have is the petitioner's: a text may call one person twice.
        """
        roles: dict[Side, list[str]] = {side: [] for side in SIDES}
        for _, party in self.sheet.valued(PartyValue):
            roles[party.side] += filter(None, [role_of(self.sheet, party)])
        if not any(roles.values()) and area_of_law(self.sheet) == "criminal":
            roles["petitioner"] = ["accused"]
        roles["respondent"] = [it for it in roles["respondent"] if it not in roles["petitioner"]]
        for side, other in zip(SIDES, SIDES[::-1], strict=True):
            roles[side] = roles[side] or [face for it in roles[other] for face in _faces_of(it)][:1]
        return roles

    def authority(self, case_id: str) -> Authority:
        """Return a decision with what its record says, held against the case."""
        title, record = self._titles.get(case_id, ""), self._records.get(case_id)
        if record is None:
            called = title or case_id
            return Authority(case_id, called, called, url=self._url(case_id, called, called))
        cited, parties = record.get("citation") or {}, record["parties"]
        named = [parties[at] for at in SIDES if parties[at]["type"] not in _STATES]
        named.sort(key=lambda it: it["type"] == "Corporation")
        name = named[0]["name"].partition(" (")[0] if named else record["title"]
        turned_on = [with_names(f"{it['fact']}: {it['why']}") for it in record["dispositive"]]
        citations = tuple(filter(None, [cited.get("neutral"), *cited.get("reported", ())]))
        winner, mine = WINNERS.get(record["outcome"]), self._place_in(parties)
        way: Way = "for" if winner == mine else "against"
        return Authority(
            case_id,
            title or record["title"],
            name.partition(" and another")[0].partition(" and others")[0],
            citations,
            way if winner and mine else "open",
            nearest_first(turned_on, self.sheet),
            self.points(case_id, self.sheet),
            self._url(case_id, record["title"], next(iter(citations), record["title"])),
            bool(self.areas)
            and record.get("area") not in self.areas
            and self._cited.isdisjoint(
                name for it in record.get("sections_cited", ()) for name in names_of(it)
            ),
        )

    def _url(self, case_id: str, title: str, citation: str) -> str:
        """Return the address of a judgment in the reader's own source, every value escaped."""
        url = self._source
        for name, value in (("title", title), ("citation", citation), ("case_id", case_id)):
            url = url.replace(f"{{{name}}}", quote(value, safe=""))
        return url

    def points(self, case_id: str, sheet: FactSheet) -> tuple[Point, ...]:
        """Return the facts that a decision turned on, held against a case; none without a record."""
        if case_id not in self._records:
            return ()
        decided, facts = _decided(*self._corpus, case_id)
        return tuple(Point(it, mark_fact(sheet, self.sheet, decided, it)) for it in facts)

    def uncited(self, case_ids: Sequence[str]) -> list[tuple[str, int]]:
        """Return what at least half of some decisions cite, and how many; none where the case cites one."""
        cited = [self._records.get(it, {}).get("sections_cited", ()) for it in case_ids]
        counts = Counter(name for names in cited for name in names)
        own = {name for it in provisions(self.sheet) for name in names_of(it)}
        common = [(name, n) for name, n in counts.most_common() if 2 * n >= len(case_ids)]
        return [] if any(own & {*names_of(name)} for name, _ in common) else common

    def stood(self, case_id: str, words: str) -> str:
        """Return the fact as it stood, of the point that shares most with `words`; "" under two."""
        told, found = telling_words(words), (1, "")
        for point in self._records.get(case_id, {}).get("dispositive", ()):
            if sides := [point[side] for side in ("held", "otherwise") if point.get(side)]:
                shared = len(told & telling_words(" ".join([point["fact"], *sides])))
                found = max(found, (shared, sides[0]), key=lambda it: it[0])
        return found[1]

    def _place_in(self, parties: Mapping[str, Mapping[str, str]]) -> str:
        """Return which party of a decision stood where the side stands in the case; "" for neither."""
        [other] = (side for side in SIDES if side != self.side)
        mine, theirs = {*self.roles[self.side]}, {*self.roles[other]}
        theirs |= {face for role in mine for face in _faces_of(role)}
        mine |= {face for role in theirs for face in _faces_of(role)}
        for at, other in zip(SIDES, SIDES[::-1], strict=True):
            role = parties[at].get("role", "")
            if role in mine or role in theirs:
                return at if role in mine else other
        types = {it.side: it.party_type for _, it in self.sheet.valued(PartyValue)}
        own = [at for at, kind in types.items() if kind in _STATES]
        state = [at for at in SIDES if parties[at]["type"] in _STATES]
        if len(state) != 1 or len(own) != 1 or any(parties[at].get("role") for at in SIDES):
            return ""
        return next(at for at in SIDES if (at in state) == (self.side in own))


class Brief:
    """The authorities of analysis.json for one side: grouped, and summed up as a senior would.

    Attributes:
        groups: the authorities by which way they went, each group in the order of the list, but for
            those of another area of law, which come last.
        headline: who is for the side, who against, and on what.
        note: what must be known of which way decisions went for the side, and of a provision that most
            of them rest on and the case does not cite, and of their areas of law; "" for nothing.
        measured: how many facts of the case were measured.
        unmeasured: the facts that were not.
    """

    def __init__(self, analysis: Mapping[str, Any], records: Records) -> None:
        self.facts = [fact for fact in analysis["facts"] if not fact["added"]]
        self.side, self.guess, self.rows = records.side, records.guess, []
        for row in analysis["precedents"]:
            held = records.authority(row["case_id"])
            turned_on = held.turned_on or tuple(row["turned_on"])
            self.rows.append((row, replace(held, turned_on=turned_on)))
        nearest = sorted(self.rows, key=lambda row: row[1].is_afar)
        by_way = {way: [row for row in nearest if row[1].way == way] for way in WAYS}
        self.groups = [(way, WAYS[way], rows) for way, rows in by_way.items() if rows]
        self.ways = {way: [it for _, it in rows] for way, rows in by_way.items()}
        self.uncited = records.uncited([held.case_id for _, held in self.rows])
        self.areas = records.areas
        self.headline, self.measured = say("brief", self), say("measured_of", self.facts)
        self.note = say("ways_note", self)
        self.unmeasured = [it["label"] for it in self.facts if it["sensitivity"] is None]


def _faces_of(role: str) -> list[str]:
    """Return the roles that stand against a role, the usual one first."""
    faces = {row["role"]: row["faces"] for row in read_table("reports/counterparts", dict)}
    return [*faces.get(role, ())] or [name for name, own in faces.items() if role in own]


@lru_cache(maxsize=4)
def _records(name: str, checksum: str) -> dict[str, Mapping[str, Any]]:
    """Return the records of a corpus by id; of another checksum they are read again."""
    return {record["case_id"]: record for record in RECORDS.get(name, tuple)()}


@lru_cache(maxsize=2048)
def _decided(name: str, checksum: str, case_id: str) -> tuple[FactSheet, tuple[Fact, ...]]:
    """Return a decision's sheet, and the facts it turned on; its text is read only where roles lack."""
    record = _records(name, checksum)[case_id]
    told = all(party.get("role") for party in record["parties"].values())
    sheet = sheet_of_record({**record, "facts": ""} if told else record)
    sheet = replace(sheet, occurred_on=date_of_occurrence(record["facts"]))
    return sheet, tuple(it for it in sheet.facts if it.fact_id in record.get("turned_on", ()))
