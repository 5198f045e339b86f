"""Questions, predictions and documents of grounded question answering, as files.

Keys beside those named here are ignored: such files carry their makers' own notes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from countercase.errors import InputError
from countercase.evaluation.sets import Row, parse, read_json, read_rows, read_text

_Text = Annotated[str, Field(min_length=1)]


class Rubric(Row):
    """What an answer needs for each of the scores 1 to 5."""

    description: str = ""
    scale: Annotated[dict[Literal["1", "2", "3", "4", "5"], str], Field(min_length=5)]


class Question(Row):
    """A question with its answer and the sentences of one document that support it.

    Without a name it is q001, q002, ... in the order of the file; without a rubric it is not judged.
    """

    question_id: str = ""
    doc_id: _Text
    question: _Text
    answer: str
    evidence_sentences: list[str] = Field(default_factory=list)
    question_type: str = ""
    edge_case_type: str = ""
    rubric: Rubric | None = None


class _Sentence(Row):
    sid: str
    text: str


class RetrievedDocument(Row):
    """A document that the system retrieved, best first by `rank`, or in the order of the list."""

    doc_id: str
    rank: int | None = None


class Prediction(Row):
    """What a system answered, which sentences it cites and which documents it retrieved."""

    question: str
    answer: str
    evidence_sentences: list[str] = Field(default_factory=list)
    retrieved_docs: list[RetrievedDocument] = Field(default_factory=list)

    @property
    def ranking(self) -> tuple[str, ...]:
        """The document ids, best first."""
        order = sorted(self.retrieved_docs, key=lambda document: document.rank or 0)
        return tuple(document.doc_id for document in order)


class _Document(Row):
    sentences: list[_Sentence] | None = None


def read_questions(path: Path) -> list[Question]:
    """Read the questions of a JSON Lines file, numbered q001, q002, ... where it gives no ids."""
    questions: dict[str, Question] = {}
    for where, _, question in read_rows(path, Question):
        name = question.question_id or f"q{len(questions) + 1:03d}"
        if name in questions:
            raise InputError(f"{where}: question_id {name!r} is used twice; rename one")
        questions[name] = question.model_copy(update={"question_id": name})
    if not questions:
        raise InputError(f"{path}: empty; give one question a line")
    return list(questions.values())


def read_predictions(path: Path, questions: list[Question]) -> dict[str, Prediction]:
    """Read the predictions of a JSON file by question id; a question may be without one."""
    predictions = read_json(path, dict[str, Prediction])
    asked = {question.question_id: question.question for question in questions}
    hint = "give the questions that these predictions answer"
    for name, prediction in predictions.items():
        if name not in asked:
            what = f"is none of the {len(asked)} questions; take it out, or"
            raise InputError(f"{path}: {name!r} {what} {hint}")
        if prediction.question.split() != asked[name].split():
            raise InputError(f"{path}: {name}.question is not the question of that id; {hint}")
        if len({document.rank is None for document in prediction.retrieved_docs}) > 1:
            raise InputError(f"{path}: {name}.retrieved_docs: give each a rank, or none")
    return predictions


class Documents:
    """The sentences of documents, in `<doc_id>.json` and `<doc_id>.txt` of a folder and those below it.

    A file holds `{"sentences": [{"sid", "text"}]}`.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder; name the one of the documents")
        self._folder = folder
        self._paths = {
            path.relative_to(folder).with_suffix("").as_posix(): path
            for path in sorted(folder.rglob("*"), reverse=True)
            if path.suffix in (".json", ".txt") and path.is_file()
        }

    def sentences(self, doc_id: str) -> dict[str, str] | None:
        """Return sentence id -> text; None where a document is missing or has no sentences."""
        near = sorted(name for name in self._paths if same_document(name, doc_id))
        near = [doc_id] if doc_id in near else near
        if len(near) > 1:
            hint = "name the folder in the questions' doc_id"
            raise InputError(f"{self._folder}: {doc_id!r} may be {' or '.join(near)}; {hint}")
        path = self._paths[near[0]] if near else None
        text = read_text(path) if path else ""
        if path is None or (path.suffix == ".txt" and not text.lstrip().startswith("{")):
            return None  # no file, or the bare text without sentence ids
        listed = parse(text, _Document, str(path)).sentences
        sentences = {sentence.sid: sentence.text for sentence in listed or ()}
        if listed and len(sentences) < len(listed):
            raise InputError(f"{path}: sentences: a sid is used twice; rename one")
        return None if listed is None else sentences


def same_document(first: str, second: str) -> bool:
    """Tell whether two ids name one document: equal, or one without the other's folders."""
    return first == second or first.endswith(f"/{second}") or second.endswith(f"/{first}")
