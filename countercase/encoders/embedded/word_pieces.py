"""Word pieces: text to ids, without padding, and counting them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

Ids = NDArray[np.int64]


class WordPieces:
    """The base model's tokenizer, one text at a time, neither padded nor silently cut.

    Args:
        path: a `tokenizer.json`.
        limit: the most word pieces, special ones included, that the model reads.
    """

    def __init__(self, path: Path, limit: int = 512) -> None:
        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.limit = limit
        self.count = lru_cache(maxsize=65_536)(self._count)

    def _count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def counts(self, texts: list[str]) -> list[int]:
        """Word pieces of each text, special ones not counted."""
        encoded = self._tokenizer.encode_batch(texts, add_special_tokens=False)
        return [len(item.ids) for item in encoded]

    def single(self, text: str, limit: int | None = None) -> tuple[Ids, Ids]:
        """Ids and token types of one text, each of shape (1, n); cut at `limit` and the model's."""
        most = min(self.limit, limit or self.limit)
        ids = self._tokenizer.encode(text).ids
        if len(ids) > most:
            ids = [*ids[: most - 1], ids[-1]]
        array = np.asarray([ids], dtype=np.int64)
        return array, np.zeros_like(array)

    def pair(self, first: str, second: str, limit: int) -> tuple[Ids, Ids]:
        """Ids and token types of `[CLS] first [SEP] [CLS] second [SEP]`, each of shape (1, n).

        Each text has its own marks, as it would have alone. `second` is cut where the pair would
        pass `limit`; `first` is never cut below half of it.
        """
        a = self._tokenizer.encode(first, add_special_tokens=False).ids
        b = self._tokenizer.encode(second, add_special_tokens=False).ids
        room = min(limit, self.limit) - 4
        a = a[: max(room // 2, room - len(b))]
        b = b[: room - len(a)]
        cls, sep = self._special
        ids = np.asarray([[cls, *a, sep, cls, *b, sep]], dtype=np.int64)
        types = np.zeros_like(ids)
        types[0, len(a) + 2 :] = 1
        return ids, types

    @cached_property
    def _special(self) -> tuple[int, int]:
        vocabulary = self._tokenizer.get_vocab()
        return vocabulary["[CLS]"], vocabulary["[SEP]"]
