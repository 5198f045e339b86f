"""A corpus is read in a fixed order, streamed, and refuses what it cannot use by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_files import pdf

from countercase.corpus.documents import Document
from countercase.corpus.readers.beir import read_qrels, read_queries
from countercase.corpus.readers.detect import read_corpus, reader_of
from countercase.errors import InputError

TEXT = "The tenant kept the shop shut for a year."


def write_lines(path: Path, *rows: Any) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


class TestBeir:
    def test_a_folder_with_corpus_jsonl_gives_its_documents_in_file_order(
        self, tmp_path: Path
    ) -> None:
        write_lines(
            tmp_path / "corpus.jsonl",
            {"_id": "b", "title": "A v B", "text": TEXT, "metadata": {"court": "High Court"}},
            {"_id": 7, "text": TEXT, "year": 1990},
        )
        assert list(read_corpus(tmp_path)) == [
            Document("b", "A v B", TEXT, {"court": "High Court"}),
            Document("7", "", TEXT, {"year": 1990}),  # a whole number is an id
        ]

    def test_blank_lines_and_a_byte_order_mark_are_no_documents(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.jsonl"
        row = json.dumps({"_id": "a", "text": TEXT})
        path.write_bytes(b"\xef\xbb\xbf" + row.encode() + b"\r\n\n  \n")
        assert [document.doc_id for document in read_corpus(path)] == ["a"]
        assert reader_of(path).count(path) == 1

    def test_metadata_that_cannot_be_read_is_named_once_for_each_field(
        self, tmp_path: Path
    ) -> None:
        bad = {"date": "2024-02-30", "year": "abc", "treatment": "x", "court": "High Court"}
        good = {"date": "8.5.1952", "year": "1952", "treatment": []}
        rows = [
            {"_id": str(n), "text": TEXT, "metadata": it} for n, it in enumerate((good, bad, bad))
        ]
        with pytest.warns(UserWarning, match="cannot be read") as told:
            assert len(list(read_corpus(write_lines(tmp_path / "c.jsonl", *rows)))) == 3
        assert sorted(str(it.message).partition("; ")[0] for it in told) == [
            f"{tmp_path / 'c.jsonl'}, line 2: field {field}: {bad[field]!r} cannot be read, "
            "and is passed over"
            for field in ("date", "treatment", "year")
        ]

    @pytest.mark.parametrize(
        ("second", "words"),
        [
            ('{"_id": "b", "text": "cut o', ["line 2", "column", "not valid JSON"]),
            ('["b", "text"]', ["line 2", "must be an object", "a list"]),
            ({"text": TEXT}, ["line 2", "field _id", "missing"]),
            ({"_id": "  ", "text": TEXT}, ["line 2", "field _id", "empty"]),
            ({"_id": "b\n", "text": TEXT}, ["line 2", "field _id", "control characters"]),
            ({"_id": True, "text": TEXT}, ["line 2", "field _id", "true or false"]),
            ({"_id": "b"}, ["line 2", "field text", "missing"]),
            ({"_id": "b", "text": " \n"}, ["line 2", "field text", "empty"]),
            ({"_id": "b", "text": ["x"]}, ["line 2", "field text", "a list"]),
            ({"_id": "b", "text": TEXT, "title": 3}, ["line 2", "field title", "a number"]),
            ({"_id": "b", "text": TEXT, "metadata": "x"}, ["line 2", "field metadata"]),
            ('{"_id": "b", "text": "half \\ud83d"}', ["line 2", "field text", "surrogate"]),
            ('{"_id": "b", "text": "x", "n": NaN}', ["line 2", "NaN"]),
            ('{"_id": "b", "text": "x", "n": ' + "9" * 5000 + "}", ["line 2"]),
            ("[" * 100_000, ["line 2"]),
            ({"_id": "a", "text": TEXT}, ["field _id", "'a'", "document 1", "document 2"]),
        ],
    )
    def test_a_bad_line_is_named(self, tmp_path: Path, second: Any, words: list[str]) -> None:
        write_lines(tmp_path / "corpus.jsonl", {"_id": "a", "text": TEXT}, second)
        with pytest.raises(InputError) as caught:
            list(read_corpus(tmp_path))
        assert all(word in str(caught.value) for word in [str(tmp_path), *words])

    @given(
        st.lists(
            st.tuples(
                st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=8),
                st.text(st.characters(exclude_categories=["Cs"])).map("a".__add__),
            ),
            min_size=1,
            max_size=6,
            unique_by=lambda row: row[0],
        )
    )
    def test_what_is_written_is_what_is_read(
        self, tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]
    ) -> None:
        folder = tmp_path_factory.mktemp("corpus")
        write_lines(folder / "corpus.jsonl", *({"_id": i, "text": t} for i, t in rows))
        assert [(d.doc_id, d.text) for d in read_corpus(folder)] == rows
        assert reader_of(folder).count(folder) == len(rows)


class TestFolders:
    def test_ids_are_relative_paths_without_suffix_in_sorted_order(self, tmp_path: Path) -> None:
        (tmp_path / "1990").mkdir()
        (tmp_path / ".hidden").mkdir()
        for name in ("b.txt", "a.TXT", "1990/a.b.txt", ".hidden/c.txt", "._d.txt", "notes.md"):
            (tmp_path / name).write_text(TEXT, encoding="utf-8")
        assert [d.doc_id for d in read_corpus(tmp_path)] == ["1990/a.b", "a", "b"]
        assert reader_of(tmp_path).count(tmp_path) == 3

    def test_the_pages_of_a_pdf_begin_where_their_words_stand(self, tmp_path: Path) -> None:
        (tmp_path / "order.pdf").write_bytes(pdf("First page words", "Second page words"))
        (document,) = read_corpus(tmp_path)
        assert len(document.pages) == 2
        assert document.text[document.pages[0] :].startswith("First page")
        assert document.text[document.pages[1] :].startswith("Second page")


class TestParquet:
    def write(self, path: Path, columns: dict[str, list[Any]]) -> Path:
        pq.write_table(pa.table(columns), path)
        return path

    def test_other_columns_and_the_metadata_column_join_the_metadata(self, tmp_path: Path) -> None:
        path = self.write(
            tmp_path / "c.parquet",
            {
                "id": ["a", "b"],
                "text": [TEXT, TEXT],
                "title": ["A v B", None],
                "year": [1990, None],
                "metadata": ['{"court": "High Court"}', None],
            },
        )
        assert list(read_corpus(path)) == [
            Document("a", "A v B", TEXT, {"year": 1990, "court": "High Court"}),
            Document("b", "", TEXT, {}),
        ]
        assert reader_of(path).count(path) == 2

    def test_text_that_is_no_utf8_is_one_line(self, tmp_path: Path) -> None:
        offsets, data = pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xd5")
        broken = pa.StringArray.from_buffers(1, offsets, data)
        path = self.write(tmp_path / "c.parquet", {"_id": ["a"], "text": broken})
        with pytest.raises(InputError, match="damaged Parquet"):
            list(read_corpus(path))

    def test_a_folder_is_read_file_by_file_and_batch_by_batch(self, tmp_path: Path) -> None:
        for part in range(2):
            ids = [f"{part}-{row:03}" for row in range(150)]
            self.write(tmp_path / f"part-{part}.parquet", {"_id": ids, "text": [TEXT] * 150})
        ids = [document.doc_id for document in read_corpus(tmp_path)]
        assert ids == sorted(ids)
        assert len(ids) == reader_of(tmp_path).count(tmp_path) == 300

    @pytest.mark.parametrize(
        ("columns", "words"),
        [
            ({"text": [TEXT]}, ["column _id or id is missing"]),
            ({"_id": ["a"]}, ["column text is missing"]),
            ({"_id": ["a", None], "text": [TEXT, TEXT]}, ["row 2", "field _id"]),
            ({"_id": ["a", "b"], "text": [TEXT, " "]}, ["row 2", "field text", "empty"]),
            ({"_id": ["a"], "text": [TEXT], "metadata": ["{"]}, ["row 1", "metadata", "JSON"]),
        ],
    )
    def test_a_bad_table_is_named(
        self, tmp_path: Path, columns: dict[str, list[Any]], words: list[str]
    ) -> None:
        path = self.write(tmp_path / "c.parquet", columns)
        with pytest.raises(InputError) as caught:
            list(read_corpus(path))
        assert all(word in str(caught.value) for word in [str(path), *words])


@pytest.mark.parametrize(
    ("files", "asked", "says"),
    [
        ({}, "", "no document found"),
        ({"corpus.jsonl": "\n"}, "", "holds no document"),
        ({}, "nowhere", "no such file or folder"),
        ({"a.docx": "PK"}, "a.docx", "not a corpus"),
        ({"c.jsonl": '{"_id": "a", "text": "x"}\n\udcff'}, "c.jsonl", "line 2: not UTF-8"),
        ({"c.parquet": "PAR1 but no more"}, "", r"c\.parquet: not readable as Parquet"),
        ({"a.txt": TEXT, "b.parquet": ""}, "", "holds both"),
        ({"docs.sgml": "<DOC><DOCNO>1</DOCNO></DOC>"}, "docs.sgml", "1: field TEXT is empty"),
        (
            {"a.sgml": "<DOC><DOCNO>t1</DOCNO><TEXT>a</TEXT></DOC><DOC><DOCNO>t2</DOCNO><TEXT>b"},
            "a.sgml",
            r"document 2 \(t2\): its <DOC> is not closed; is the file cut off\?",
        ),
        ({"a.sgml": "<doc><TEXT>b"}, "a.sgml", "document 1: its <DOC> is not closed"),
        (
            {"a.sgml": "<DOC><TEXT>b <DOC><DOCNO>t2</DOCNO><TEXT>a</TEXT></DOC>"},
            "a.sgml",
            "document 1.*: its <DOC> is not closed",
        ),
        (
            {"docs.sgml": "<DOC><DOCNO>1</DOCNO><TEXT>a</TEXT></DOC>" * 2},
            "docs.sgml",
            "'1' is the id of document 1 and of document 2",
        ),
    ],
)
def test_what_is_no_corpus_is_named(
    tmp_path: Path, files: dict[str, str], asked: str, says: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=says):
        list(read_corpus(tmp_path / asked))


class TestQueriesAndQrels:
    def test_queries_by_id(self, tmp_path: Path) -> None:
        write_lines(
            tmp_path / "queries.jsonl", {"_id": "q2", "text": "b"}, {"_id": "q1", "text": "a"}
        )
        assert list(read_queries(tmp_path).items()) == [("q2", "b"), ("q1", "a")]
        row = {"_id": "q1", "text": "a"}
        for rows, words in (([row, row], "line 2: field _id: 'q1'"), ([], "no query")):
            with pytest.raises(InputError, match=words):
                read_queries(write_lines(tmp_path / "q.jsonl", *rows))

    @pytest.mark.parametrize(
        "text",
        [
            "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n",
            "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 1\n",
            "q1\t0\td1\t2\n\nq1\t0\td2\t0\nq2\t0\td1\t1",
        ],
        ids=["beir", "trec", "trec with tabs"],
    )
    def test_both_layouts_give_the_same_judgements(self, tmp_path: Path, text: str) -> None:
        path = tmp_path / "qrels.tsv"
        path.write_text(text, encoding="utf-8")
        assert read_qrels(path) == {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("q1\td1\t1\n", "line 1: 3 columns"),
            ("query-id\tcorpus-id\tscore\nq1\td1\n", "line 2: 2 columns"),
            ("q1 0 d1 high\n", "line 1: field score: 'high'"),
            ("q1 0 d1 1\nq1 0 d1 2\n", "line 2: q1 and d1 were judged before"),
            ("query-id\tcorpus-id\tscore\n", "no judgement"),
        ],
    )
    def test_bad_judgements_are_named(self, tmp_path: Path, text: str, words: str) -> None:
        path = tmp_path / "qrels.tsv"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=words):
            read_qrels(path)
