"""Windows: runs of words of a document, half of each in the next, as passages to be retrieved."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from countercase.corpus.documents import Document
from countercase.errors import InputError

WINDOW_WORDS: Final = 500
STRIDE_WORDS: Final = 250

_WORD: Final = re.compile(r"\S+")
_FILE_MARKS: Final = re.compile(r"[_\-]+")


@dataclass(frozen=True)
class Window:
    """A run of words of one document.

    Args:
        document: position of its document in the corpus.
        start, end: the range in the document's text from its first word to its last.
        text: its words with one blank between them; line ends are not kept.
    """

    document: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class WindowedCorpus:
    """Documents cut into windows; windows stand in the order of the documents.

    Args:
        names: title of each document, or what its file is called.
    """

    names: tuple[str, ...]
    texts: tuple[str, ...]
    windows: tuple[Window, ...]

    @property
    def owners(self) -> NDArray[np.int64]:
        """The document of each window, shape (windows,)."""
        return np.asarray([window.document for window in self.windows], dtype=np.int64)


def cut_windows(
    documents: Iterable[Document], size: int = WINDOW_WORDS, stride: int = STRIDE_WORDS
) -> WindowedCorpus:
    """The documents in windows of `size` words, each beginning `stride` words after the last.

    The last window of a document is the first one that reaches its end; it may be shorter.

    Raises:
        InputError: a size or stride below 1, or a stride that would leave words out.
    """
    if size < 1 or not 1 <= stride <= size:
        raise InputError(
            f"windows of {size} words every {stride}: both must be at least 1, and the stride no "
            "longer than the window"
        )
    names, texts, windows = [], [], []
    for position, document in enumerate(documents):
        names.append(document.title or _name_of(document.doc_id))
        texts.append(document.text)
        spans = [match.span() for match in _WORD.finditer(document.text)]
        for first in range(0, max(len(spans) - size + stride, 1), stride):
            part = spans[first : first + size]
            words = [document.text[start:end] for start, end in part]
            windows.append(Window(position, part[0][0], part[-1][1], " ".join(words)))
    return WindowedCorpus(tuple(names), tuple(texts), tuple(windows))


def readable_name(name: str) -> str:
    """A title as it stands; a file's name with blanks in place of its hyphens and underscores."""
    return name if " " in name.strip() else _FILE_MARKS.sub(" ", name).strip()


def _name_of(doc_id: str) -> str:
    return doc_id.rstrip("/").rsplit("/", 1)[-1]
