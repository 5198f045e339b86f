"""A small corpus and a retriever that is none of ours, for tests of the public API."""

from __future__ import annotations

from collections.abc import Sequence

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics.pairwise import linear_kernel

from countercase.retrieval.base import Query

DOCUMENTS = {
    "murder-1": "Convicted under section 302 IPC of murder with a knife; the dying declaration was believed.",
    "murder-2": "The accused stabbed the deceased. Murder under section 302 IPC; life imprisonment.",
    "culpable": "A sudden fight without premeditation: culpable homicide under section 304 Part I IPC.",
    "negligent": "Death by a rash and negligent act, section 304A IPC; the driver was fined.",
    "dowry": "Dowry death within seven years of marriage, section 304B IPC; the husband was convicted.",
    "cheque": "A cheque for Rs. 5,00,000 was dishonoured; notice was late; section 138 NIA.",
    "juvenile": "The accused was 16 years old, a juvenile, and was sent to the juvenile board.",
    "charas": "Recovery of 2 kilograms of charas, commercial quantity, section 20 NDPS Act.",
    "bribe": "A public servant took a bribe of Rs. 2,000 in a trap; phenolphthalein test.",
    "hurt": "Grievous hurt with a lathi, section 325 IPC; the eyewitness turned hostile.",
    "alibi": "No eyewitness, no dying declaration; circumstantial evidence; acquitted of murder.",
    "land": "Compensation for land acquired for a railway siding, Rs. 50,000 an acre.",
}
TEXT = (
    "The accused, aged 19 years, was tried under section 302 IPC for the death of Ramesh. "
    "An eyewitness saw him strike the deceased with a knife. The deceased made a dying "
    "declaration to the magistrate. The accused had borrowed Rs. 5,000 from the deceased."
)


_IDS = list(DOCUMENTS)
_VECTORIZER = TfidfVectorizer(ngram_range=(1, 2)).fit(DOCUMENTS.values())
_MATRIX = _VECTORIZER.transform(DOCUMENTS.values())


def by_tfidf(queries: Sequence[Query]) -> list[list[str]]:
    """Rank the documents by the cosine of their TF-IDF vectors."""
    scores = linear_kernel(_VECTORIZER.transform([query.text for query in queries]), _MATRIX)
    return [[_IDS[at] for at in (-row).argsort(kind="stable")] for row in scores]
