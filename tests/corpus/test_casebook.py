"""The shipped records hang together, make documents, and are looked up."""

from __future__ import annotations

import pytest

from countercase.config import load_settings
from countercase.corpus.casebook.form import AREAS
from countercase.corpus.casebook.records import casebook_records, load_casebook, search_records
from countercase.corpus.index.kept import MOST_READINGS
from countercase.corpus.index.preparation import chunk_text
from countercase.corpus.judgment.metadata import read_metadata
from countercase.corpus.judgment.sections import label_sections
from countercase.corpus.judgment.treatment import standing
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.text.sentences import sentence_spans

RECORDS = casebook_records()


def test_the_records_are_of_every_area_and_cite_one_another() -> None:
    assert {item["area"] for item in RECORDS} == set(AREAS)
    ids = {item["case_id"] for item in RECORDS}
    assert {cited for item in RECORDS for cited in item["cites"]} <= ids


def test_a_document_says_what_its_record_states() -> None:
    for document, item in zip(load_casebook(), RECORDS, strict=True):
        found = read_metadata(document)
        spaced = tuple(" ".join(name.replace(".", ". ").split()) for name in item["bench"])
        assert (document.doc_id, document.title) == (item["case_id"], item["title"])
        assert (found.date, found.year) == (item["date"], int(item["date"][:4]))
        assert (found.docket, found.outcome) == (item["docket"], item["outcome"])
        assert (found.bench, found.provisions) == (spaced, tuple(item["sections_cited"]))


def test_the_sections_of_every_document_are_its_facts_its_holding_and_a_head() -> None:
    for document in load_casebook():
        spans = sentence_spans(document.text)
        holding = document.text.index("\n\nHolding\n\n")
        head = document.text.index("\n\nCatchwords\n\n")
        expected = [
            "facts" if start < holding else "holding" if start < head else "header"
            for start, _ in spans
        ]
        assert label_sections(document.text, spans) == expected, document.doc_id


def test_the_index_keeps_what_the_cross_encoder_makes_of_them(encoders: EmbeddedEncoders) -> None:
    pieces, counts = load_settings().CHUNK_PIECES, encoders.counts
    chunks = sum(len(chunk_text(one.text, counts, pieces)) for one in load_casebook())
    assert chunks <= MOST_READINGS


def test_decisions_that_are_no_longer_good_law_say_so() -> None:
    read = {document.doc_id: read_metadata(document) for document in load_casebook()}
    bad = {name: standing(about.treatment, None) for name, about in read.items()}
    assert {name: kind for name, kind in bad.items() if kind} == {
        "delhi-development-authority-v-islamuddin-2016": "overruled",
        "commissioner-of-wealth-tax-v-suresh-seth-1981": "overruled",
        "mohd-iqbal-ahmed-v-state-of-andhra-pradesh-1979": "superseded",
        "tomaso-bruno-v-state-of-uttar-pradesh-2015": "overruled",
    }
    doubted = read["krishna-janardhan-bhat-v-dattatraya-g-hegde-2008"].treatment[0]
    assert doubted.line(None).startswith("Doubted by Rangappa v Sri Mohan (2010): section 139")


def test_a_section_finds_its_parts_and_a_part_only_itself() -> None:
    whole = search_records(provision="s. 304 IPC")
    part = search_records(provision="IPC-304-II")
    assert {record["case_id"] for record in part} < {record["case_id"] for record in whole}
    for record in whole:
        assert any(
            one == "IPC-304" or one.startswith("IPC-304-") for one in record["sections_cited"]
        )
    # 304A and 304B are other sections.
    assert not any(set(record["sections_cited"]) <= {"IPC-304A", "IPC-304B"} for record in whole)


def test_conditions_are_joined_and_years_are_inclusive() -> None:
    found = search_records(("dying", "declaration"), year_from=1995, year_to=2005)
    assert found
    for record in found:
        text = " ".join((record["title"], record["facts"], record["holding"])).casefold()
        assert "dying" in text and "declaration" in text
        assert 1995 <= int(record["date"][:4]) <= 2005
    one = found[0]
    year = int(one["date"][:4])
    assert one in search_records(year_from=year, year_to=year, outcome=one["outcome"])
    assert one not in search_records(year_from=year + 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"outcome": "won"}, "known: allowed"),
        ({"area": "space law"}, "no such area"),
        ({"year_from": 2000, "year_to": 1990}, "swap them"),
        ({"provision": "the whole Act"}, "the whole Act"),
    ],
)
def test_conditions_that_make_no_sense_say_so(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        search_records(**options)  # type: ignore[arg-type]
