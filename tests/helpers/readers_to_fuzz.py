"""Every reader of the project with texts to try it on, half of them nearly right."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hypothesis import strategies as st
from labelled_rows import read_rows

from countercase.config import load_settings
from countercase.corpus.readers.beir import read_qrels
from countercase.corpus.readers.detect import read_corpus
from countercase.corpus.readers.formats import read_parquet
from countercase.evaluation.likert.sheets import read_sheet
from countercase.evaluation.retrieval.collection_files import read_run, read_topics
from countercase.evaluation.sets import read_text
from countercase.fact_types.numerical.recognise import find_figures
from countercase.facts.case_file import read_case
from countercase.facts.documents import read_document
from countercase.law.citations import find_citations
from countercase.text.dates import reserved_spans
from countercase.text.sentences import sentence_spans

PIECES = tuple(row["piece"] for row in read_rows("pieces"))
"""Words that the readers look for, among which hostile texts lie."""

TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=40).map("".join)
"""Texts without lone surrogates."""

_CASE = {
    "case_id": "a", "text": "He was charged under section 302 IPC.", "sections_cited": ["IPC-302"],
    "parties": {"petitioner": "Individual", "respondent": "State"}, "evidence_items": [],
    "numerical_facts": {"ages": [{"value": 16, "descriptor": "boy"}]},
}  # fmt: skip
_ROWS = "".join(f'{{"_id": "D{n}", "text": "The appeal was heard.", "n": {n}}}\n' for n in range(3))
_SHEET = (
    "case_id,chunk_id,explanation_text,source_chunk_text,clarity_1_to_5,legal_accuracy_1_to_5,"
    "usefulness_1_to_5,annotator_id,notes\na,b,c,d,1,2,3,R1,\n"
)


@dataclass(frozen=True)
class Reader:
    """A reader of files: the name of the file, right contents to start from, and the call."""

    name: str
    right: bytes
    read: Callable[[Path], object]
    texts: bool = True


def _word() -> bytes:
    from docx import Document

    made = io.BytesIO()
    document = Document()
    document.add_paragraph("He was charged under section 302 IPC.")
    document.save(made)
    with zipfile.ZipFile(made) as parts:  # the same bytes on every day
        fixed = io.BytesIO()
        with zipfile.ZipFile(fixed, "w") as again:
            for part in parts.infolist():
                again.writestr(zipfile.ZipInfo(part.filename), parts.read(part))
    return fixed.getvalue()


def _pdf() -> bytes:
    from pypdf import PdfWriter

    writer, made = PdfWriter(), io.BytesIO()
    writer.add_blank_page(99, 99)
    writer.write(made)
    return made.getvalue()


def _parquet() -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    made = io.BytesIO()
    pq.write_table(
        pa.table({"_id": ["a", "b"], "text": ["x", "y"], "metadata": ["{}", "{}"]}), made
    )
    return made.getvalue()


def _of_text(read: Callable[[str], object]) -> Callable[[Path], object]:
    return lambda path: read(read_text(path))


READERS = (
    Reader("case.json", json.dumps(_CASE).encode(), lambda path: read_case(path, tagger=False)),
    Reader("case.txt", b"He was charged under section 302 IPC.", lambda p: read_case(p, tagger=False)),
    Reader("case.pdf", _pdf(), read_document, texts=False),
    Reader("case.docx", _word(), read_document, texts=False),
    Reader("corpus.jsonl", _ROWS.encode(), lambda path: list(read_corpus(path))),
    Reader("corpus.parquet", _parquet(), lambda path: list(read_parquet(path)), texts=False),
    Reader("corpus.trec", b"<DOC><DOCNO>1</DOCNO><TEXT>Heard.</TEXT></DOC>", lambda p: list(read_corpus(p))),
    Reader("topics.xml", b"<top><num>1<title>murder</top>", read_topics),
    Reader("qrels.txt", b"q 0 d 1\n", read_qrels),
    Reader("run.txt", b"q Q0 d 1 0.5 r\n", read_run),
    Reader("settings.py", b"TOP_K = 5\n", lambda path: load_settings(path.parent, {})),
    Reader("sheet.csv", _SHEET.encode(), read_sheet),
    Reader("citations.txt", b"u/s 302/34 IPC", _of_text(find_citations)),
    Reader("sentences.txt", b"He left. She came.", _of_text(sentence_spans)),
    Reader("dates.txt", b"on 12.3.1998", _of_text(reserved_spans)),
    Reader("figures.txt", b"Rs. 5 lakh on 12.3.1998", _of_text(find_figures)),
)  # fmt: skip


def contents(reader: Reader) -> st.SearchStrategy[bytes]:
    """Contents for a reader: texts of pieces, the right ones with pieces put in, flipped bytes."""
    right = reader.right

    def put_in(piece: str, at: int, over: int) -> bytes:
        place = at % (len(right) + 1)
        return right[:place] + piece.encode() + right[place + over :]

    def flipped(seed: int, times: int) -> bytes:
        chosen, damaged = random.Random(seed), bytearray(right)
        for _ in range(times):
            damaged[chosen.randrange(len(damaged))] = chosen.randrange(256)
        return bytes(damaged)

    places = st.integers(0, 1 << 20)
    mixed = st.builds(put_in, TEXTS, places, st.integers(0, 20))
    damaged = st.builds(flipped, places, st.integers(1, 30))
    cut = places.map(lambda at: right[: at % (len(right) + 1)])
    if not reader.texts:
        return damaged | cut | mixed
    return TEXTS.map(str.encode) | mixed | damaged | cut | st.binary(max_size=200)
