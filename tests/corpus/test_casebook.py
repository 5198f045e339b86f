"""The shipped records hang together and make documents."""

from __future__ import annotations

from countercase.config import load_settings
from countercase.corpus.casebook.form import AREAS
from countercase.corpus.casebook.records import casebook_records, load_casebook
from countercase.corpus.index.kept import MOST_READINGS
from countercase.corpus.index.preparation import chunk_text
from countercase.corpus.judgment.metadata import read_metadata
from countercase.corpus.judgment.sections import label_sections
from countercase.corpus.judgment.treatment import standing
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.text.sentences import sentence_spans

RECORDS = casebook_records()


class TestShippedRecords:
    def test_every_area_is_there(self) -> None:
        assert {item["area"] for item in RECORDS} == set(AREAS)

    def test_citations_within_the_casebook_lead_to_a_record(self) -> None:
        ids = {item["case_id"] for item in RECORDS}
        assert {cited for item in RECORDS for cited in item["cites"]} <= ids


class TestDocuments:
    def test_one_document_a_record_with_its_id_and_title(self) -> None:
        documents = load_casebook()
        assert [d.doc_id for d in documents] == [item["case_id"] for item in RECORDS]
        assert all(d.title == item["title"] for d, item in zip(documents, RECORDS, strict=True))

    def test_the_sections_of_every_document_are_its_facts_its_holding_and_a_head(self) -> None:
        for document in load_casebook():
            spans = sentence_spans(document.text)
            holding = document.text.index("\n\nHolding\n\n")
            head = document.text.index("\n\nCatchwords\n\n")
            expected = [
                "facts" if start < holding else "holding" if start < head else "header"
                for start, _ in spans
            ]
            assert label_sections(document.text, spans) == expected, document.doc_id

    def test_the_index_keeps_what_the_cross_encoder_makes_of_them(
        self, encoders: EmbeddedEncoders
    ) -> None:
        pieces, counts = load_settings().CHUNK_PIECES, encoders.counts
        chunks = sum(len(chunk_text(one.text, counts, pieces)) for one in load_casebook())
        assert chunks <= MOST_READINGS

    def test_the_metadata_is_what_the_record_states(self) -> None:
        for document, item in zip(load_casebook(), RECORDS, strict=True):
            found = read_metadata(document)
            assert found.date == item["date"]
            assert found.year == int(item["date"][:4])
            assert found.docket == item["docket"]
            spaced = [" ".join(name.replace(".", ". ").split()) for name in item["bench"]]
            assert found.bench == tuple(spaced)
            assert found.provisions == tuple(item["sections_cited"])
            assert found.outcome == item["outcome"]


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
