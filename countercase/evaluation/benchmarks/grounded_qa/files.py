"""What grounded question answering is scored on: questions, predictions and documents, as files.

Keys beside those named here are passed over: such files carry their makers' own notes.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from countercase.errors import InputError

_SUFFIXES: Final = (".json", ".txt")
_Text = Annotated[str, Field(min_length=1)]
_Model = TypeVar("_Model")


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)


class Rubric(_Row):
    """What an answer needs for each of the scores 1 to 5."""

    description: str = ""
    scale: Annotated[dict[Literal["1", "2", "3", "4", "5"], str], Field(min_length=5)]


class Question(_Row):
    """A question with its answer and the sentences of one document that bear it out.

    `question_id` is q001, q002, ... in the order of the file, unless the file names its own;
    a question without a rubric is not judged.
    """

    question_id: str = ""
    doc_id: _Text
    question: _Text
    answer: str
    evidence_sentences: list[str] = []
    question_type: str = ""
    edge_case_type: str = ""
    rubric: Rubric | None = None


class RetrievedDocument(_Row):
    """A document that the system found, best first by `rank`, or in the order of the list."""

    doc_id: str
    score: float | None = None
    rank: int | None = None


class Prediction(_Row):
    """What a system answered, which sentences it cites and which documents it found."""

    question: str
    answer: str
    evidence_sentences: list[str] = []
    retrieved_docs: list[RetrievedDocument] = []

    @property
    def ranking(self) -> tuple[str, ...]:
        """The document ids, best first."""
        found = list(self.retrieved_docs)
        if all(one.rank is not None for one in found):
            found.sort(key=lambda one: one.rank or 0)
        return tuple(one.doc_id for one in found)


class _Sentence(_Row):
    sid: str
    text: str


class _Document(_Row):
    sentences: list[_Sentence]


def read_questions(path: Path) -> list[Question]:
    """The questions of a JSON Lines file, numbered q001, q002, ... where it gives no ids.

    Raises:
        InputError: the file is missing or empty, or a line is not valid; names file and line.
    """
    questions: list[Question] = []
    seen: set[str] = set()
    for number, line in enumerate(_text(path, "--questions").split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        record = _json(line, where, "each line has to hold one question as a JSON object")
        question = _valid(TypeAdapter(Question), record, where)
        name = question.question_id or f"q{len(questions) + 1:03d}"
        if name in seen:
            raise InputError(f"{where}: question_id {name!r} stands there twice; rename one")
        seen.add(name)
        questions.append(question.model_copy(update={"question_id": name}))
    if not questions:
        raise InputError(f"{path}: empty; give one question a line")
    return questions


def read_predictions(path: Path, questions: list[Question]) -> dict[str, Prediction]:
    """The predictions of a JSON file by question id; a question may be without one.

    Raises:
        InputError: the file is missing or not valid, answers a question that was not asked, or
            one that reads otherwise, as predictions of another split do.
    """
    record = _json(_text(path, "--predictions"), str(path), "predictions are one JSON object")
    predictions = _valid(TypeAdapter(dict[str, Prediction]), record, str(path))
    asked = {one.question_id: one for one in questions}
    for name, prediction in predictions.items():
        if name not in asked:
            raise InputError(
                f"{path}: {name!r} is none of the {len(asked)} questions; "
                "take it out, or give the questions that these predictions answer"
            )
        if _plain(prediction.question) != _plain(asked[name].question):
            raise InputError(
                f"{path}: {name}.question is not the question of that id; "
                "give the questions that these predictions answer"
            )
        ranked = [one.rank is not None for one in prediction.retrieved_docs]
        if any(ranked) and not all(ranked):
            raise InputError(f"{path}: {name}.retrieved_docs: give each a rank, or none")
    return predictions


class Documents:
    """The sentences of documents kept as `{"sentences": [{"sid", "text"}]}`, one file each.

    Args:
        folder: searched with the folders below it for `<doc_id>.json` and `<doc_id>.txt`.

    Raises:
        InputError: there is no such folder.
    """

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder; name the one of the documents")
        self._folder = folder
        self._named: dict[str, list[str]] = {}
        self._paths: dict[str, Path] = {}
        for path in sorted(folder.rglob("*")):
            if path.suffix in _SUFFIXES and path.is_file():
                name = path.relative_to(folder).as_posix()[: -len(path.suffix)]
                if name not in self._paths:
                    self._paths[name] = path
                    self._named.setdefault(name.rsplit("/", 1)[-1], []).append(name)

    def sentences(self, doc_id: str) -> dict[str, str] | None:
        """Sentence id -> text; None where the document is missing or is not kept as sentences.

        Raises:
            InputError: the file is damaged, or several files may be meant.
        """
        path = self._path(doc_id)
        if path is None:
            return None
        text = _text(path, "--documents")
        if path.suffix == ".txt" and not text.lstrip().startswith("{"):
            return None  # the bare text, without sentence ids
        record = _json(text, str(path), 'a document is {"sentences": [{"sid", "text"}]}')
        if isinstance(record, dict) and "sentences" not in record:
            return None
        document = _valid(TypeAdapter(_Document), record, str(path))
        found = {one.sid: one.text for one in document.sentences}
        if len(found) < len(document.sentences):
            raise InputError(f"{path}: sentences: a sid stands there twice; rename one")
        return found

    def _path(self, doc_id: str) -> Path | None:
        if doc_id in self._paths:
            return self._paths[doc_id]
        last = doc_id.rsplit("/", 1)[-1]
        near = [name for name in self._named.get(last, []) if same_document(name, doc_id)]
        if len(near) > 1:
            raise InputError(
                f"{self._folder}: {doc_id!r} may be {' or '.join(near)}; "
                "name the folder in the questions' doc_id"
            )
        return self._paths[near[0]] if near else None


def same_document(one: str, other: str) -> bool:
    """Whether two ids name one document: equal, or one is the other without leading folders."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


def _plain(text: str) -> str:
    return " ".join(text.split())


def _text(path: Path, option: str) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8; save it as UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; name a file with {option}") from error


def _json(text: str, where: str, form: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: not JSON; {form}") from error


def _valid(form: TypeAdapter[_Model], record: Any, where: str) -> _Model:
    try:
        return form.validate_python(record)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {field + ': ' if field else ''}{first['msg']}") from error
