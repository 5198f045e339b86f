"""A corpus reader: `.ledger` files, which keep many judgments one after another.

== SC-1 | State v. Ram
The appellant was convicted ...
== SC-2 | ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from countercase.corpus.documents import Document
from countercase.corpus.readers.base import OnDamaged

HEAD = re.compile(r"^== (?P<id>\S+) \| (?P<title>.*)$", re.MULTILINE)


class LedgerReader:
    """Reads a `.ledger` file."""

    name = "ledger"

    def reads(self, path: Path) -> bool:
        """Whether the file is a ledger, by its name."""
        return path.suffix == ".ledger"

    def count(self, path: Path) -> int | None:
        """Judgments in the file."""
        return len(HEAD.findall(path.read_text(encoding="utf-8")))

    def documents(self, path: Path, on_damaged: OnDamaged | None = None) -> Iterator[Document]:
        """The judgments in file order."""
        text = path.read_text(encoding="utf-8")
        heads = list(HEAD.finditer(text))
        ends = [head.start() for head in heads[1:]] + [len(text)]
        for head, end in zip(heads, ends, strict=True):
            yield Document(head["id"], head["title"], text[head.end() : end].strip())


READER = LedgerReader()
