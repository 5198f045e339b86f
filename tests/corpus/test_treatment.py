"""Later treatment: what makes a decision bad law, for facts of which day, and what is shown."""

from __future__ import annotations

import json
from dataclasses import asdict
from types import SimpleNamespace
from typing import cast

import pytest

from countercase.corpus.documents import JSON, Document
from countercase.corpus.index.snapshot import Snapshot
from countercase.corpus.judgment.metadata import Metadata, read_metadata
from countercase.corpus.judgment.treatment import Treatment, marked, standing, treatments_in
from countercase.errors import InputError
from countercase.law.in_force import facts_period
from countercase.reports.wording import say
from countercase.retrieval.base import Filters

OVERRULED = Treatment(
    "overruled", "A v B", "2020-03-06", "the point", {"collection": "c", "id": "1"}
)
SUPERSEDED = Treatment(
    "superseded", "PCA-19(3)", "1988-09-09", "failure of justice", {"provision": "PCA-19(3)"}
)
DOUBTED = Treatment("doubted", "C v D", "2010", "another point", {"collection": "c", "id": "2"})


@pytest.mark.parametrize(
    ("treatments", "occurred_on", "expected"),
    [
        # What a court overrules was never the law; the date of the facts does not matter.
        ((OVERRULED,), "", "overruled"),
        ((OVERRULED,), "2019-12-31", "overruled"),
        ((OVERRULED,), "2021", "overruled"),
        # A statute changes the law from its day on.
        ((SUPERSEDED,), "", "superseded"),
        ((SUPERSEDED,), "1988-09-08", ""),
        ((SUPERSEDED,), "1988-09-09", "superseded"),
        ((SUPERSEDED,), "1988-08", ""),
        # Facts of 1988 may be of a day on which it stood.
        ((SUPERSEDED,), "1988", "superseded"),
        ((SUPERSEDED,), "1987", ""),
        ((DOUBTED,), "", ""),
        ((), "", ""),
        ((DOUBTED, SUPERSEDED, OVERRULED), "2000", "overruled"),
        ((DOUBTED, SUPERSEDED, OVERRULED), "1980", "overruled"),
    ],
)
def test_what_is_bad_law_on_which_day(
    treatments: tuple[Treatment, ...], occurred_on: str, expected: str
) -> None:
    when = facts_period(occurred_on)
    assert standing(treatments, when) == expected
    assert marked("X v Y", treatments, when) == (f"X v Y [{expected}]" if expected else "X v Y")


def test_a_line_says_what_and_by_whom_and_where_it_comes_too_late() -> None:
    assert OVERRULED.line(None) == "Overruled by A v B (2020): the point"
    assert DOUBTED.line(facts_period("1999")) == "Doubted by C v D (2010): another point"
    named = "Superseded by section 19(3) PC Act"
    assert SUPERSEDED.line(None) == f"{named} (1988): failure of justice"
    late = SUPERSEDED.line(facts_period("1980"))
    assert late == f"{named} (1988; after the facts of this case): failure of justice"


def test_a_corpus_states_it_in_its_metadata_and_what_cannot_be_read_is_passed_over() -> None:
    stated = [asdict(OVERRULED), {"kind": "liked"}, "overruled", {"kind": "doubted", "by": "E v F"}]
    document = Document("x", "X v Y", "Text.", {"treatment": cast("JSON", stated)})
    known = read_metadata(document).treatment
    assert known == (OVERRULED, Treatment("doubted", "E v F", "", ""))
    assert treatments_in(json.loads(json.dumps([asdict(item) for item in known]))) == known
    assert treatments_in("overruled") == treatments_in(None) == ()


def test_good_law_filters_as_of_the_facts() -> None:
    cases = {"over": (OVERRULED,), "late": (SUPERSEDED,), "doubt": (DOUBTED,), "plain": ()}
    about = [Metadata(title=name, treatment=treatment) for name, treatment in cases.items()]
    corpus = cast("Snapshot", SimpleNamespace(case_ids=tuple(cases), metadata=about, areas={}))

    def allowed(filters: Filters) -> list[str]:
        return [name for name, may in zip(cases, filters.allowed(corpus), strict=True) if may]

    assert allowed(Filters()) == list(cases)
    assert allowed(Filters(good_law=True)) == ["doubt", "plain"]
    assert allowed(Filters(good_law=True).of_facts("1980-01-01")) == ["late", "doubt", "plain"]
    assert allowed(Filters(good_law=True).of_facts("1990")) == ["doubt", "plain"]
    # Without the filter the date of the facts changes nothing, also not what is said of it.
    assert Filters().of_facts("1980") == Filters()
    bad = SimpleNamespace(case_ids=("over",), metadata=about[:1], areas={})
    with pytest.raises(InputError, match="leave no precedent"):
        Filters(good_law=True).allowed(cast("Snapshot", bad))


def test_the_filter_is_told() -> None:
    assert Filters().asked == {}
    asked = Filters(year_from=1970, good_law=True).of_facts("1980").asked
    assert asked == {"year_from": 1970, "good_law": True, "occurred_on": "1980"}
    assert say("only", asked) == "from 1970 on, that are good law for facts of 1980"
    assert say("only", Filters(good_law=True).asked) == "that are good law"
