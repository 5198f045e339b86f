"""Text out of files, and what is said about files that hold none."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from made_files import pdf, word, word_document

from countercase.errors import InputError
from countercase.facts.documents import read_document


def _docx(paragraphs: list[str], rows: list[list[str]] | None = None) -> bytes:
    """A Word file with these paragraphs and one table."""
    from docx import Document as WordDocument

    made = WordDocument()
    for words in paragraphs:
        made.add_paragraph(words)
    if rows:
        table = made.add_table(rows=0, cols=len(rows[0]))
        for row in rows:
            for cell, words in zip(table.add_row().cells, row, strict=True):
                cell.text = words
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def _file(tmp_path: Path, name: str, content: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def test_text_is_read_with_and_without_a_byte_order_mark(tmp_path: Path) -> None:
    for content in ("Rs. 5 – paid\r\nback".encode(), "Rs. 5 – paid\nback".encode("utf-8-sig")):
        document = read_document(_file(tmp_path, "a.txt", content))
        assert document.text == "Rs. 5 – paid\nback"
        assert document.pages == (0,)


def test_characters_that_nobody_sees_are_not_read(tmp_path: Path) -> None:
    words = "under\u200b section\ufeff 302\u2060 I\u00adPC"
    assert read_document(_file(tmp_path, "a.txt", words.encode())).text == "under section 302 IPC"


@pytest.mark.parametrize(
    ("marked", "read"),
    [
        ("<w:p><w:ins>{a}</w:ins><w:del>{b}</w:del><w:moveFrom>{b}</w:moveFrom></w:p>", "a"),
        ("<w:sdt><w:sdtContent><w:p>{a}</w:p></w:sdtContent></w:sdt>", "a"),
        ("<w:p><w:sdt><w:sdtContent>{a}</w:sdtContent></w:sdt>{b}</w:p>", "ab"),
        ("<w:p><w:smartTag><w:smartTag>{a}</w:smartTag></w:smartTag></w:p>", "a"),
        ("<w:tbl><w:tr>{cell}{cell}</w:tr></w:tbl>", "a | a"),
        ("<w:tbl><w:tr><w:tc><w:tbl><w:tr>{cell}</w:tr></w:tbl></w:tc></w:tr></w:tbl>", "a"),
    ],
)
def test_no_text_of_a_word_file_is_lost_but_what_was_deleted(
    tmp_path: Path, marked: str, read: str
) -> None:
    parts = {it: f"<w:r><w:t>{it}</w:t></w:r>" for it in "ab"}
    body = marked.format(**parts, cell=f"<w:tc><w:p>{parts['a']}</w:p></w:tc>").encode()
    path = _file(tmp_path, "a.docx", word(word_document(body)))
    assert read_document(path).text == read


def test_a_pdf_gives_its_text_and_where_its_pages_begin(tmp_path: Path) -> None:
    path = _file(tmp_path, "a.pdf", pdf("Tried under Section 302 IPC.", "Aged 16 years."))
    document = read_document(path)
    assert document.text == "Tried under Section 302 IPC.\n\nAged 16 years."
    assert [document.text[start:][:5] for start in document.pages] == ["Tried", "Aged "]


def test_a_word_file_gives_its_paragraphs_and_tables_in_order(tmp_path: Path) -> None:
    content = _docx(["Tried u/s 302 IPC.", "Aged 16 years."], [["Exhibit", "Knife"]])
    document = read_document(_file(tmp_path, "a.docx", content))
    assert document.text == "Tried u/s 302 IPC.\nAged 16 years.\nExhibit | Knife"
    assert document.pages == (0,)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.txt", b"  \n", "is empty"),
        ("a.txt", "Rs. 5 – paid".encode("utf-16"), "UTF-16; save it as UTF-8"),
        ("a.txt", b"line one\ncaf\xe9", "not in UTF-8 .byte 12, line 2.; save it as UTF-8"),
        ("a.txt", b"a\x00b", "binary file"),
        ("a.txt", b"%PDF-1.4 ...", "rename it to end in .pdf"),
        ("a.odt", b"PK", "ends in .odt; give a .txt, .pdf or .docx"),
        ("a.docx", b"PK", "damaged or encrypted Word file"),
        ("a.docx", b"\xd0\xcf\x11\xe0 old", "damaged or encrypted Word file"),
        ("a.docx", _docx([]), "holds no text"),
        ("a", b"x", "ends in nothing"),
        ("a.pdf", b"not a pdf", "damaged PDF"),
        ("a.pdf", pdf("Some words on a page.")[:200], "damaged PDF"),
        ("a.pdf", pdf(""), "no text layer"),
        ("a.pdf", pdf("Secret.", password="open"), "encrypted; save a copy without a password"),
    ],
)
def test_a_file_without_readable_text_is_refused_with_advice(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = _file(tmp_path, name, content)
    with pytest.raises(InputError, match=says) as raised:
        read_document(path)
    assert str(path) in str(raised.value)


def test_a_missing_file_a_folder_and_a_large_file_are_refused(tmp_path: Path) -> None:
    (tmp_path / "folder.txt").mkdir()
    _file(tmp_path, "big.txt", b"x" * 101)
    for name, says in (
        ("gone.txt", "no such file"),
        ("folder.txt", "is a folder"),
        ("big.txt", r"101 bytes, more than the 100 allowed"),
    ):
        with pytest.raises(InputError, match=says):
            read_document(tmp_path / name, max_bytes=100)


def test_a_word_that_a_line_parts_is_joined_where_it_stands_whole_elsewhere(tmp_path: Path) -> None:
    text = (
        "A dying declara-\ntion's words, declara-\ntion\nof his. The declaration. Declara-\ntion-based. "
        "A sub-\n  inspector\u00ad\n ate; sub-inspector Dubey."
    )
    read = read_document(_file(tmp_path, "a.txt", text.encode())).text
    assert read == (
        "A dying declaration's\nwords, declaration\nof his. The declaration. Declara-\ntion-based. "
        "A sub-\n  inspectorate; sub-inspector Dubey."
    )
