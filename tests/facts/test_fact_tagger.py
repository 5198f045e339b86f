"""The fact tagger: known answers, its weights, its training, and its place in extraction."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from countercase.encoders.embedded import weights as embedded
from countercase.errors import ModelError
from countercase.facts.entities import Entity
from countercase.facts.extraction import extract
from countercase.facts.model import PartyValue
from countercase.facts.tagger import reading, weights
from countercase.facts.tagger.reading import find_entities, load_tagger, tag_texts
from countercase.text.spans import Span
from training import fact_tagger
from training.inlegalner import Text

HEAD = """IN THE HIGH COURT OF KERALA AT ERNAKULAM

Crl. Appeal No. 12 of 2004

Ramesh Pillai                             ... Appellant

                    Vs.

State of Kerala                           ... Respondent

JUDGMENT

"""
KNOWN_TEXT = (
    "The appellant Mohan Lal was convicted under Section 302 of the Indian Penal Code by the "
    "Sessions Court at Jaipur on 12th March, 1998, on the word of Sita Devi (PW-2)."
)


def named(text: str) -> list[tuple[str, str]]:
    return [(e.label, text[e.span.start : e.span.end]) for e in find_entities(text)]


def test_the_known_sentence() -> None:
    assert named(KNOWN_TEXT) == [
        ("PETITIONER", "Mohan Lal"),
        ("PROVISION", "Section 302"),
        ("STATUTE", "Indian Penal Code"),
        ("COURT", "Sessions Court at Jaipur"),
        ("DATE", "12th March, 1998"),
        ("WITNESS", "Sita Devi"),
    ]


def test_several_threads_may_read_at_once() -> None:
    texts = [f"{KNOWN_TEXT} {word} Kumar was present." for word in ("Ajit", "Bimal", "Chetan") * 4]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(named, texts)) == [named(text) for text in texts]


def test_the_head_of_a_judgment() -> None:
    found = named(HEAD)
    assert ("PETITIONER", "Ramesh Pillai") in found
    assert ("RESPONDENT", "State of Kerala") in found
    assert ("COURT", "HIGH COURT OF KERALA AT ERNAKULAM") in found


@pytest.mark.parametrize("text", ["", " \n ", "\n\n\t"])
def test_nothing_in_nothing(text: str) -> None:
    assert find_entities(text) == []


def test_a_text_is_tagged_alike_alone_and_among_others() -> None:
    texts = [KNOWN_TEXT, HEAD, "He was not heard.", KNOWN_TEXT]
    together = tag_texts(texts)
    assert together == [tag_texts([text])[0] for text in texts]
    assert together[0] == together[3]


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the package's weights that a test may damage."""
    for name in (weights.WEIGHTS, "checksums.json"):
        shutil.copy(embedded.adapter_folder() / name, tmp_path / name)
    monkeypatch.setattr(embedded, "adapter_folder", lambda: tmp_path)
    load_tagger.cache_clear()
    yield tmp_path
    load_tagger.cache_clear()


def change_a_byte(copy: Path) -> None:
    content = bytearray((copy / weights.WEIGHTS).read_bytes())
    content[-1] ^= 1
    (copy / weights.WEIGHTS).write_bytes(bytes(content))


def leave_an_array_out(copy: Path) -> None:
    arrays = dict(weights.read())
    arrays.pop(sorted(arrays)[0])
    digest = fact_tagger.write_weights(arrays, {}, copy)
    (copy / "checksums.json").write_text(json.dumps({weights.WEIGHTS: digest}))


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (change_a_byte, "damaged or replaced"),
        (leave_an_array_out, "do not fit its network"),
        (lambda copy: (copy / weights.WEIGHTS).unlink(), "FACT_TAGGER = False"),
        (lambda copy: (copy / "checksums.json").write_text("{}"), "damaged or replaced"),
    ],
)
def test_damaged_or_missing_weights_are_refused_with_what_to_do(
    damage: Callable[[Path], None], says: str, copy: Path
) -> None:
    damage(copy)
    with pytest.raises(ModelError, match=says):
        load_tagger()


def test_the_same_weights_make_the_same_file(tmp_path: Path) -> None:
    arrays = weights.read()
    first = fact_tagger.write_weights(arrays, {"seed": 0}, tmp_path / "a")
    second = fact_tagger.write_weights(dict(reversed(arrays.items())), {"seed": 0}, tmp_path / "b")
    assert first == second
    written = weights.read(tmp_path / "a" / weights.WEIGHTS)
    assert all((written[key] == arrays[key]).all() for key in arrays)


PARTIES = (
    "The appellant Mohan Lal was convicted by the Sessions Court at Jaipur on 12th March, 1998."
)


@pytest.mark.parametrize(
    ("title", "name"),
    [("", "Mohan Lal"), ("Mohan Lal Sharma v. State of Rajasthan", "Mohan Lal Sharma")],
)
def test_a_tagged_name_names_the_party_and_a_title_wins_over_it(title: str, name: str) -> None:
    values = [value for _, value in extract(PARTIES, "case", title).valued(PartyValue)]
    [found] = [value for value in values if value.side == "petitioner"]
    assert found == PartyValue("petitioner", "Individual", name, "accused")


def test_a_missing_tagger_is_an_error_and_no_fallback(copy: Path) -> None:
    (copy / weights.WEIGHTS).unlink()
    with pytest.raises(ModelError, match="FACT_TAGGER = False"):
        extract(PARTIES, "case")


def test_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    words = "The appellant Mohan Lal was tried."
    texts = [Text(words, "judgement", (Entity(Span(14, 23), "PETITIONER"),))] * 3
    straight = fact_tagger.Trainer(texts, tmp_path / "a", "t", seed=0, passes=2)
    straight.run_pass()
    straight.run_pass()
    stopped = fact_tagger.Trainer(texts, tmp_path / "b", "t", seed=0, passes=2)
    stopped.run_pass()
    stopped.save()
    resumed = fact_tagger.Trainer(texts, tmp_path / "b", "t", seed=0, passes=2)
    assert resumed.done == 1
    resumed.run_pass()
    expected = straight.averaged()
    assert all((value == expected[key]).all() for key, value in resumed.averaged().items())


def test_a_long_run_of_signs_reaches_the_tagger_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """SpaCy asks of every sign of a run what the rest of the run ends in."""
    given: list[str] = []
    monkeypatch.setattr(reading, "find_entities", lambda text: given.append(text) or [])
    extract("(" * 1_000 + " section 302 IPC")
    assert "(" * 81 not in given[0]
