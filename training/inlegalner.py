"""InLegalNER as texts with spans, its parts, and strict scores of spans.

The collection (Kalamkar et al. 2022, "Named Entity Recognition in Indian court judgments",
Apache-2.0) has two kinds of text: sentences of judgments, and preambles, the heads of judgments
with parties, counsel and judges. Each kind has a training part and a development part.
"""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from countercase.facts.entities import Entity
from countercase.text.spans import Span

Kind: TypeAlias = Literal["judgement", "preamble"]
KINDS: Final[tuple[Kind, ...]] = ("judgement", "preamble")
MAIN: Final = ("PROVISION", "STATUTE", "DATE", "PETITIONER", "RESPONDENT", "WITNESS", "COURT")
"""The types that the project's facts need most; `main` in tables is the micro average over them."""

_NUMBER: Final = re.compile(r"(?:\(?\d{1,3}[.)\]]\s*)+(?=[A-Za-z])")
_DOTS: Final = re.compile(
    r"\s*(?:\.\s?){2,}\s*(?:petitioners?|respondents?|appellants?)?\.?\s*\Z", re.IGNORECASE
)


@dataclass(frozen=True)
class Text:
    """One text of the collection with its entities, trimmed of white space, in order."""

    text: str
    kind: Kind
    entities: tuple[Entity, ...]


@dataclass(frozen=True)
class Score:
    """Counts of exact spans and what follows from them; 0 where nothing can be divided by."""

    hits: int
    found: int
    labelled: int

    @property
    def precision(self) -> float:
        """Share of the found spans that are labelled."""
        return self.hits / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Share of the labelled spans that were found."""
        return self.hits / self.labelled if self.labelled else 0.0

    @property
    def f1(self) -> float:
        """2 hits / (found + labelled)."""
        both = self.found + self.labelled
        return 2 * self.hits / both if both else 0.0


def read_part(data: Path, part: Literal["train", "dev"], clean: bool = False) -> list[Text]:
    """The texts of one part, sentences of judgments first.

    Args:
        data: folder that holds `inlegalner/`.
        clean: take list numbers (`1.`) before the name of a party, and the dots behind it, out of
            its span; for training only, what is measured stays as it is labelled.
    """
    texts = []
    for kind in KINDS:
        path = data / "inlegalner" / f"NER_{part.upper()}_{kind.upper()}.json"
        for row in json.loads(path.read_text(encoding="utf-8")):
            text = row["data"]["text"]
            marked = [m["value"] for a in row["annotations"] for m in a["result"]]
            entities = [trimmed(text, v["start"], v["end"], v["labels"][0]) for v in marked]
            if clean:
                entities = [cleaned(text, entity) for entity in entities]
            texts.append(
                Text(text, kind, tuple(sorted({e for e in entities if e.span.end > e.span.start})))
            )
    return texts


def trimmed(text: str, start: int, end: int, label: str) -> Entity:
    """The span without white space at its ends."""
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    return Entity(Span(start, start + len(words.strip())), label)


def cleaned(text: str, entity: Entity) -> Entity:
    """The name of a party without its list number and the dots that lead to its role."""
    if entity.label not in ("PETITIONER", "RESPONDENT"):
        return entity
    words = text[entity.span.start : entity.span.end]
    number = _NUMBER.match(words)
    dots = _DOTS.search(words)
    start = entity.span.start + (number.end() if number else 0)
    end = entity.span.start + dots.start() if dots else entity.span.end
    return trimmed(text, start, max(start, end), entity.label)


def held_out(text: Text, seed: int) -> bool:
    """Whether a text is of the tenth of the training part that chooses the number of steps."""
    return zlib.crc32(f"{seed}:{text.text}".encode()) % 10 == 0


def strict(gold: Sequence[Iterable[Entity]], found: Sequence[Iterable[Entity]]) -> dict[str, Score]:
    """Scores per type, over all (`all`) and over the main types (`main`), added over the texts.

    A span counts where its start, its end and its type are those of a labelled span.
    """
    counts: dict[str, Counter[str]] = {"hits": Counter(), "found": Counter(), "gold": Counter()}
    for labelled, tagged in zip(gold, found, strict=True):
        expected, got = set(labelled), set(tagged)
        for name, spans in (("hits", expected & got), ("found", got), ("gold", expected)):
            counts[name].update(entity.label for entity in spans)
    labels = sorted(counts["gold"] | counts["found"])
    scores = {
        label: Score(*(counts[name][label] for name in ("hits", "found", "gold")))
        for label in labels
    }
    for name, members in (("all", labels), ("main", [m for m in MAIN if m in scores])):
        scores[name] = Score(
            *(sum(counts[n][member] for member in members) for n in ("hits", "found", "gold"))
        )
    return scores
