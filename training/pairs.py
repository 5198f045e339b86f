"""Training pairs: a query, the passage that answers it, and passages that only look as if.

Four kinds, all from judgments of the corpus and the casebook:

- `cites`: what a judgment says where it cites another -> the nearest passage of the cited one;
- `facts`: a fact sentence of a judgment -> the nearest passage of a judgment that it cites, which
  is what the trained models are used for;
- `cloze`: a fact sentence -> the nearest passage in the last part of the same judgment (the
  inverse cloze task of Lee, Chang and Toutanova 2019), rare names taken out;
- `matters`: a segment of a matter that was made up for a casebook entry -> its nearest passage
  (`training/asked.jsonl`: two for each, in the words of a client and of a junior).

A seeded share of the judgments is development: no training pair asks, is answered by or is set
against a passage of one of them.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from countercase.config import load_settings
from countercase.corpus.casebook.records import casebook_records, load_casebook
from countercase.corpus.index.preparation import Counts, chunk_text
from countercase.errors import InputError
from countercase.facts.residue import root_ranges
from countercase.text.sentences import sentence_spans
from training.citations import Citation, Judgment, find_citations, party_words, without_names

Kind = Literal["cites", "facts", "cloze", "matters"]
KINDS: Final[tuple[Kind, ...]] = ("cites", "facts", "cloze", "matters")

ASKED: Final = Path(__file__).with_name("asked.jsonl")

DEVELOPMENT_SHARE: Final = 0.1
CITED_MOST: Final = 1500
_CHUNKS_EACH: Final = 20
_WORDS: Final = (12, 60)
_FACTS_READ: Final = 4
_CLOZE_EACH: Final = 4
_RARE: Final = 0.02
_NUMBER: Final = re.compile(r"^\d{1,3}\\?[.)]\s*")
_CAPITALISED: Final = re.compile(r"(?<=[a-z0-9,] )[A-Z][A-Za-z.]+\b")


@dataclass(frozen=True)
class Passage:
    """A chunk of a judgment or of a casebook entry."""

    case_id: str
    text: str


@dataclass(frozen=True)
class Question:
    """A query and where its answer may lie: rows of the passages, the nearest one to be taken.

    Args:
        case_id: the judgment that asks.
        answers: rows of the passages of one judgment.
    """

    kind: Kind
    case_id: str
    text: str
    answers: tuple[int, ...]


@dataclass(frozen=True)
class Material:
    """Passages and questions before anything is encoded.

    Args:
        related: for each judgment those that it cites or that cite it: never its negatives.
        development: the judgments left out of training.
    """

    passages: list[Passage]
    questions: list[Question]
    related: dict[str, frozenset[str]]
    development: frozenset[str]


def read_judgments(data: Path) -> list[Judgment]:
    """The judgments of FIRE 2019 AILA (CC BY 4.0) and, where they are there, of 2019 to 2026.

    Raises:
        InputError: AILA's file is missing.
    """
    path = data / "aila2019" / "corpus.jsonl"
    if not path.is_file():
        raise InputError(f"{path}: missing; --data takes the folder that holds aila2019/")
    recent = (data / "recent_judgments" / name for name in ("corpus.jsonl", "rest.jsonl"))
    rows: list[dict[str, str]] = []
    for file in (path, *filter(Path.is_file, recent)):
        with file.open(encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines]
    return [Judgment(row["_id"], row["title"], row["text"]) for row in rows]


def development_cases(cases: Iterable[str], seed: int) -> frozenset[str]:
    """A seeded tenth of the cases."""
    ordered = sorted(cases)
    return frozenset(
        random.Random(f"development:{seed}").sample(
            ordered, round(DEVELOPMENT_SHARE * len(ordered))
        )
    )


def make_material(
    judgments: Sequence[Judgment], counts: Counts, seed: int, most: int = CITED_MOST
) -> Material:
    """Passages of the `most` judgments that are cited oftenest, and questions that they answer."""
    citations = find_citations(judgments)
    times = Counter(citation.cited for citation in citations)
    bank = set(sorted(times, key=lambda case: (-times[case], case))[:most])
    citations = [citation for citation in citations if citation.cited in bank]
    texts = {judgment.case_id: judgment for judgment in judgments}

    passages: list[Passage] = []
    rows: dict[str, tuple[int, ...]] = {}
    for case in (judgment.case_id for judgment in judgments if judgment.case_id in bank):
        first = len(passages)
        passages += [Passage(case, text) for text in _spread(texts[case].text, counts)]
        rows[case] = tuple(range(first, len(passages)))

    questions = cited_questions(texts, citations, rows)
    questions += fact_questions(texts, citations, rows, seed)
    questions += cloze_questions([texts[case] for case in rows], passages, rows, seed)
    asked, told = matter_questions(len(passages), counts)
    passages, questions = passages + told, questions + asked
    related: dict[str, set[str]] = {}
    for citation in citations:
        related.setdefault(citation.citing, set()).add(citation.cited)
        related.setdefault(citation.cited, set()).add(citation.citing)
    cases = {passage.case_id for passage in passages} | {q.case_id for q in questions}
    return Material(
        passages,
        questions,
        {case: frozenset(others) for case, others in related.items()},
        development_cases(cases, seed),
    )


def _spread(text: str, counts: Counts) -> list[str]:
    """The chunks of a text; of a long one, as many as are kept, evenly spaced."""
    chunks = [chunk.text for chunk in chunk_text(text, counts)]
    step = max(1.0, len(chunks) / _CHUNKS_EACH)
    return [chunks[int(at * step)] for at in range(min(len(chunks), _CHUNKS_EACH))]


def cited_questions(
    texts: dict[str, Judgment], citations: Sequence[Citation], rows: dict[str, tuple[int, ...]]
) -> list[Question]:
    """What is said around each citation, the names taken out; once per citing and cited case."""
    questions: list[Question] = []
    seen: set[tuple[str, str]] = set()
    spans: dict[str, list[tuple[int, int]]] = {}
    for citation in citations:
        text = texts[citation.citing].text
        if citation.citing not in spans:
            spans[citation.citing] = sentence_spans(text)
        own = spans[citation.citing]
        at = next((i for i, (_, end) in enumerate(own) if end > citation.start), None)
        if at is None or (citation.citing, citation.cited) in seen:
            continue
        around = text[own[at][0] : own[min(at + 1, len(own) - 1)][1]]
        said = _NUMBER.sub("", without_names(around, texts[citation.cited].title))
        if _WORDS[0] <= len(said.split()):
            seen.add((citation.citing, citation.cited))
            said = " ".join(said.split()[: 2 * _WORDS[1]])
            questions.append(Question("cites", citation.citing, said, rows[citation.cited]))
    return questions


def fact_sentences(judgment: Judgment) -> list[str]:
    """Sentences of 12 to 60 words in the first third of a judgment, its head and names left out."""
    body = judgment.text.find("\n1.")
    start = body if 0 <= body < len(judgment.text) // 3 else min(300, len(judgment.text) // 6)
    end = start + (len(judgment.text) - start) // 3
    own = {word for word in party_words(judgment.title) if len(word) > 3}
    found = []
    for left, right in sentence_spans(judgment.text[start:end]):
        sentence = _NUMBER.sub("", judgment.text[start + left : start + right])
        words = sentence.split()
        if _WORDS[0] <= len(words) <= _WORDS[1] and not own & set(party_words(sentence)):
            found.append(" ".join(words))
    return found


def fact_questions(
    texts: dict[str, Judgment],
    citations: Sequence[Citation],
    rows: dict[str, tuple[int, ...]],
    seed: int,
) -> list[Question]:
    """Fact sentences of a citing judgment, each for one of the judgments that it cites."""
    questions: list[Question] = []
    for citing, cited in sorted({(c.citing, c.cited) for c in citations}):
        sentences = fact_sentences(texts[citing])
        source = random.Random(f"facts:{seed}:{citing}:{cited}")
        for sentence in source.sample(sentences, min(_FACTS_READ, len(sentences))):
            questions.append(Question("facts", citing, sentence, rows[cited]))
    return questions


def cloze_questions(
    judgments: Sequence[Judgment],
    passages: Sequence[Passage],
    rows: dict[str, tuple[int, ...]],
    seed: int,
) -> list[Question]:
    """Fact sentences, rare capitalised words taken out, for the last part of their judgment."""
    named = Counter(
        word for j in judgments for word in {m.group() for m in _CAPITALISED.finditer(j.text)}
    )
    rare = {word for word, count in named.items() if count < _RARE * len(judgments)}
    questions: list[Question] = []
    for judgment in judgments:
        case = judgment.case_id
        own = rows[case]
        sentences = fact_sentences(judgment)
        source = random.Random(f"cloze:{seed}:{case}")
        for sentence in source.sample(sentences, min(_CLOZE_EACH, len(sentences))):
            last = [
                row
                for row in own[(2 * len(own)) // 3 :]
                if sentence not in " ".join(passages[row].text.split())
            ]
            text = _CAPITALISED.sub(lambda m: "X" if m.group() in rare else m.group(), sentence)
            if last:
                questions.append(Question("cloze", case, text, tuple(last)))
    return questions


def matter_questions(first_row: int, counts: Counts) -> tuple[list[Question], list[Passage]]:
    """Segments of the matters, each for the passages of the entry that it was made up for."""
    cases = {record["case_id"]: record["source"]["id"] for record in casebook_records()}
    passages: list[Passage] = []
    rows: dict[str, tuple[int, ...]] = {}
    for document in load_casebook():
        first = first_row + len(passages)
        case = cases[document.doc_id]
        passages += [Passage(case, chunk.text) for chunk in chunk_text(document.text, counts)]
        rows[document.doc_id] = tuple(range(first, first_row + len(passages)))
    questions: list[Question] = []
    limit = load_settings().SEGMENT_PIECES
    for line in ASKED.read_text(encoding="utf-8").splitlines():
        matter = json.loads(line)
        name, text = matter["case_id"], matter["text"]
        for span in root_ranges(text, lambda part: counts([part])[0], limit):
            segment = text[span.start : span.end]
            if len(segment.split()) >= _WORDS[0] // 2:
                questions.append(Question("matters", cases[name], segment, rows[name]))
    return questions, passages
