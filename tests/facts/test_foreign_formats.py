"""PDF and Word files made to harm: one clear line each, and the next file is read as before."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from made_files import word, word_document

from countercase.corpus.readers.detect import read_corpus
from countercase.errors import InputError
from countercase.facts import documents
from countercase.facts.documents import read_document


def pdf(pages: str, objects: dict[int, bytes], trailer: str = "") -> bytes:
    """A PDF of these page references and objects, with a right cross-reference table."""
    body = {1: b"<< /Type /Catalog /Pages 2 0 R >>"} | objects
    count = pages.count("R")
    body[2] = f"<< /Type /Pages /Kids [{pages}] /Count {count} >>".encode()
    out, places = b"%PDF-1.7\n", {}
    for number in sorted(body):
        places[number] = len(out)
        out += b"%d 0 obj\n" % number + body[number] + b"\nendobj\n"
    start, size = len(out), max(body) + 1
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in sorted(places.items()):
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    end = f"trailer << /Size {size} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF"
    return out + end.encode()


def stream(content: bytes, how: str = "") -> bytes:
    return f"<< /Length {len(content)} {how} >>\nstream\n".encode() + content + b"\nendstream"


PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R "
    b"/Resources << /Font << /F 5 0 R >> >> >>"
)
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
WORDS = stream(b"BT /F 9 Tf (Tried under Section 302 IPC.) Tj ET")
ENCRYPTED = (
    "/ID [<00> <00>] /Encrypt << /Filter /{} /V {} /R {} /Length 256 /P -4 /O <{}> /U <{}> >>"
)


LAUGHS = b"<!DOCTYPE d [<!ENTITY a0 'ha'>%s]>" % b"".join(
    b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10)
)
OUTSIDE = b"<!DOCTYPE d [<!ENTITY e SYSTEM 'file:///etc/hostname'>]>"


def paragraph(text: bytes, entities: bytes = b"") -> bytes:
    return word_document(b"<w:p><w:r><w:t>%s</w:t></w:r></w:p>" % text, entities)


def encrypted(how: str, version: int, revision: int, key: str) -> bytes:
    words = ENCRYPTED.format(how, version, revision, key, key)
    return pdf("3 0 R", {3: PAGE, 4: WORDS, 5: FONT}, words)


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "unknown encryption": ("a.pdf", lambda: encrypted("Own", 9, 9, "00" * 32)),
    "AES encryption": ("a.pdf", lambda: encrypted("Standard", 5, 6, "00" * 48)),
    "unsupported filter": (
        "a.pdf", lambda: pdf("3 0 R", {3: PAGE, 4: stream(b"x", "/Filter /NoSuchDecode"), 5: FONT})
    ),
    "jbig2": ("a.pdf", lambda: pdf("3 0 R", {3: PAGE, 4: stream(b"x", "/Filter /JBIG2Decode"), 5: FONT})),
    "deep content": ("a.pdf", lambda: pdf("3 0 R", {3: PAGE, 4: stream(b"[" * 200_000), 5: FONT})),
    "deep page tree": ("a.pdf", lambda: pdf("2 0 R", {})),
    "100,000 references to one page": (
        "a.pdf", lambda: pdf("3 0 R " * 100_000, {3: PAGE, 4: WORDS, 5: FONT})
    ),
    "entities": ("a.docx", lambda: word(paragraph(b"&a9;", LAUGHS))),
    "a file outside": ("a.docx", lambda: word(paragraph(b"&e;", OUTSIDE))),
    "zip bomb": ("a.docx", lambda: word(paragraph(b"x"), filler=bytes(70_000_000))),
}  # fmt: skip


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_file_is_one_line_that_names_it(kind: str, tmp_path: Path) -> None:
    name, make = HOSTILE[kind]
    path = tmp_path / name
    path.write_bytes(make())
    with pytest.raises(InputError) as caught:
        read_document(path)
    told = str(caught.value)
    assert told.startswith(str(path)) and "\n" not in told and ";" in told
    assert kind != "zip bomb" or "unpacks to more than 60,000,000 bytes" in told
    good = tmp_path / "good.pdf"
    good.write_bytes(pdf("3 0 R", {3: PAGE, 4: WORDS, 5: FONT}))
    assert read_document(good).text == "Tried under Section 302 IPC."


def test_memory_and_time_are_limited() -> None:
    many = pdf("3 0 R", {3: PAGE, 4: stream(b"BT /F 9 Tf (a) Tj ET " * 400_000), 5: FONT})
    with pytest.raises(InputError, match=r"a\.pdf takes more memory than a document may"):
        documents.read_foreign(many, Path("a.pdf"), memory=1)
    with pytest.raises(InputError, match=r"a\.pdf takes more than 0.01 seconds"):
        documents.read_foreign(many, Path("a.pdf"), seconds=0.01)


def test_pipes_in_a_folder_are_skipped_with_a_line(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts, tables = tmp_path / "texts", tmp_path / "tables"
    for pipe in (texts / "pipe.txt", texts / "pipe.pdf", tables / "a.parquet"):
        pipe.parent.mkdir(exist_ok=True)
        os.mkfifo(pipe)
    (texts / "good.txt").write_text("The appeal was heard.")
    pq.write_table(pa.table({"_id": ["good"], "text": ["Heard."]}), tables / "b.parquet")
    skipped: dict[str, str] = {}
    for folder in (texts, tables):
        read = read_corpus(folder, lambda path, error: skipped.update({path.name: str(error)}))
        assert [document.doc_id for document in read] == ["good"]
    assert sorted(skipped) == ["a.parquet", "pipe.pdf", "pipe.txt"]
    assert all("no file" in line for line in skipped.values())
    with pytest.raises(InputError, match="is a pipe or a device"):
        read_document(texts / "pipe.txt")
