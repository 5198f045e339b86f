"""Judgments made up, one a subject, each on a section of the Penal Code of its own."""

from __future__ import annotations

from collections.abc import Sequence

from countercase.corpus.documents import Document


def judgment(number: int, subject: str, paragraphs: int = 4) -> Document:
    """A judgment of a sentence a paragraph, of 1980 and so many years."""
    text = "\n".join(
        f"{paragraph}. In matter {number} the court considered {subject} under section "
        f"{300 + number} of the Indian Penal Code and heard it for {paragraph} days."
        for paragraph in range(1, paragraphs + 1)
    )
    return Document(f"J{number}", f"Party {number} v State", text, {"year": 1980 + number})


def judgments(subjects: Sequence[str], paragraphs: Sequence[int] = (4,)) -> list[Document]:
    """A judgment of each subject, of these numbers of paragraphs in turn."""
    return [
        judgment(number, subject, paragraphs[number % len(paragraphs)])
        for number, subject in enumerate(subjects)
    ]
