"""A judgment's own words give its date, docket, bench and outcome; stated metadata wins."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from labelled_rows import labelled

from countercase.corpus.documents import Document
from countercase.corpus.judgment import metadata as metadata_module
from countercase.corpus.judgment.metadata import Metadata, iso_date, read_metadata

WEB = """Mohan Lal Verma and Others v State of Bihar
Supreme Court of India

7  May  1974
CRIMINAL APPELLATE JURISDICTION: Criminal Appeal No. 12 of 1971. Appeal by special leave from the \
judgment dated 3 April 1970 of the Patna High Court
The Judgment was delivered by : R. K. DUBEY, J.
1. The appellants were tried under Section 302 read with Section 34 of the Indian Penal Code.
2. The appeal is dismissed.
Appeal dismissed.
"""
REPORT = """AIR 1961 SC 9001; 1961 (9) SCR 77 (8 February 1961)
08/02/1961 DUBEY, R.K.
DUBEY, R.K.
MENON, P. GOPALA SETHNA, J.N. (CJ)
CITATION: 1961 AIR 9001 1961 SCR (9) 77
A lease that names no term ends with the month.
In the result the petition fails and is dismissed with costs.
"""
COPY = """IN THE SUPREME COURT OF INDIA CIVIL APPELLATE JURISDICTION CIVIL APPEAL NO. 77 OF 2009 \
(Arising out of SLP (C) No. 5 of 2008) Star Mills & Anr. ... Appellants Versus Union of India \
...Respondent
R. K. Dubey, J.
1. The judgment dated 9.1.2007 of the Delhi High Court is under appeal.
2. We allow the appeal.
.......................J.
[R.K. Dubey]
.......................J.
[P.G. Menon]
New Delhi;
March 5, 2009.
"""


def metadata(text: str, **stated: object) -> Metadata:
    return read_metadata(Document("x", "", text, stated))  # type: ignore[arg-type]


class TestWholeJudgments:
    def test_the_layout_of_the_reports_on_the_web(self) -> None:
        assert metadata(WEB) == Metadata(
            title="Mohan Lal Verma and Others v State of Bihar",
            court="Supreme Court of India",
            date="1974-05-07",
            year=1974,
            docket="Criminal Appeal No. 12 of 1971",
            bench=("R. K. Dubey",),
            provisions=("IPC-302", "IPC-34"),
            outcome="dismissed",
        )

    def test_the_layout_of_the_printed_reports(self) -> None:
        assert metadata(REPORT) == Metadata(
            court="Supreme Court of India",
            date="1961-02-08",
            year=1961,
            bench=("R. K. Dubey", "P. Gopala Menon", "J. N. Sethna"),
            outcome="dismissed",
        )

    def test_a_certified_copy_is_dated_by_its_signatures_not_by_the_order_below(self) -> None:
        assert metadata(COPY) == Metadata(
            title="Star Mills & Anr v. Union of India",
            court="Supreme Court of India",
            date="2009-03-05",
            year=2009,
            docket="CIVIL APPEAL NO. 77 OF 2009 (Arising out of SLP (C) No. 5 of 2008)",
            bench=("R. K. Dubey", "P. G. Menon"),
            outcome="allowed",
        )

    def test_a_bare_narrative_says_nothing_of_itself(self) -> None:
        text = "The tenant left on 3 May 1990. The landlord sued for the rent of the last year."
        assert metadata(text) == Metadata()


class TestStatedMetadata:
    def test_it_wins_over_the_text_field_by_field(self) -> None:
        same = {"title": "Verma v Bihar", "court": "Patna High Court", "docket": "Appeal 3"}
        read = {"bench": ["S. Rao, J.", "T. Iyer"], "provisions": ["IPC-304"]}
        found = metadata(WEB, date="1 June 1975", outcome="Allowed", **same, **read)
        assert found == Metadata(
            **same,
            date="1975-06-01",
            year=1975,
            bench=("S. Rao", "T. Iyer"),
            provisions=("IPC-304",),
            outcome="allowed",
        )

    def test_a_year_may_be_stated_without_a_date_and_lists_in_one_string(self) -> None:
        assert metadata("No date here.", year=1988) == Metadata(year=1988)
        assert metadata("No date here.", year="1988").year == 1988
        found = metadata("Text.", bench="S. Rao; T. Iyer", provisions="IPC-34; IPC-302;")
        assert found.bench == ("S. Rao", "T. Iyer")
        assert found.provisions == ("IPC-34", "IPC-302")

    def test_areas_of_law_are_stated_and_never_read_from_the_text(self) -> None:
        stated = metadata("A murder.", area="Sexual  Offences; land")
        assert stated.areas == ("sexual_offences", "land")
        assert metadata("Area: homicide.").areas == ()

    def test_what_cannot_be_read_is_passed_over(self) -> None:
        found = metadata(WEB, date="spring", year=True, bench=[3], outcome="unknown", court=None)
        assert found == metadata(WEB)


@labelled("parts_of_judgments")
def test_a_part_of_a_judgment_is_read_from_its_words(
    part: str, text: str, value: str | list[str]
) -> None:
    found = getattr(metadata_module, part)(text)
    assert (list(found) if isinstance(found, tuple) else found) == value


class TestDates:
    @given(st.dates(date(1850, 1, 1), date(2049, 12, 31)))
    def test_every_day_in_words_and_figures(self, day: date) -> None:
        assert iso_date(f"{day.day} {day:%B} {day.year}") == day.isoformat()
        assert iso_date(f"{day:%B} {day.day}, {day.year}") == day.isoformat()
        assert iso_date(day.isoformat()) == day.isoformat()
        assert iso_date(f"{day.day}.{day.month}.{day.year}") == day.isoformat()
