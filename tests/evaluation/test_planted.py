"""Planted worlds: what is known by construction is so, and errors are counted as they should."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

from countercase.config import TreeSettings
from countercase.corpus.readers.beir import read_beir_corpus
from countercase.counterfactual.analysis import Analysis, analyze_sheet
from countercase.errors import InputError
from countercase.evaluation.experiment import ResultStore
from countercase.evaluation.planted.calibrate import calibrate
from countercase.evaluation.planted.generate import (
    PlantedCase,
    PlantedFact,
    Spec,
    World,
    changed_words,
    generate,
    plausible_edits,
)
from countercase.evaluation.planted.texts import Area
from countercase.evaluation.sets import read_json
from countercase.facts.case_file import read_case
from countercase.facts.edits import Edit
from countercase.facts.model import FactSheet, SectionValue
from countercase.facts.vocabulary import FACT_TYPES
from countercase.io import read_table
from countercase.law.citations import provisions_in
from countercase.law.provisions import lookup
from countercase.retrieval.base import Query
from countercase.retrieval.foreign import FunctionRetriever
from countercase.text.words import words

SPEC = Path(__file__).parents[2] / "eval_sets" / "planted" / "spec.json"


@pytest.fixture(scope="module")
def spec() -> Spec:
    return read_json(SPEC, Spec)


@pytest.fixture(scope="module")
def worlds(spec: Spec, tmp_path_factory: pytest.TempPathFactory) -> tuple[World, ...]:
    """Two of the worlds of the shipped recipe."""
    two = spec.model_copy(update={"seeds": spec.seeds[:2]})
    return generate(two, tmp_path_factory.mktemp("worlds"))


def texts(world: World) -> dict[str, str]:
    return {document.doc_id: document.text for document in read_beir_corpus(world.corpus)}


def own_corpus(case: PlantedCase) -> set[str]:
    """The precedents of a case: its own group and its counter-groups."""
    carrying = [fact for fact in case.facts if fact.role == "carrying"]
    return {name for f in carrying for rises in (f.falls, *f.aims.values()) for name in rises}


HIDDEN = {"falls", "aims"}
"""What the truth does not say of an idle fact."""


class TestGeneration:
    def test_the_same_seed_gives_the_same_bytes(
        self, spec: Spec, worlds: Sequence[World], tmp_path: Path
    ) -> None:
        again = generate(spec.model_copy(update={"seeds": spec.seeds[1:2]}), tmp_path)[0]
        first = {p.name: p.read_bytes() for p in worlds[1].folder.iterdir()}
        assert {p.name: p.read_bytes() for p in again.folder.iterdir()} == first

    def test_a_world_is_another_with_each_seed_and_holds_what_the_recipe_asks_for(
        self, worlds: Sequence[World]
    ) -> None:
        assert len({world.corpus.read_bytes() for world in worlds}) == len(worlds)
        for world in worlds:
            assert [len(own_corpus(case)) for case in world.cases] == [30] * 4
            held = texts(world)
            assert set(held) == set().union(*map(own_corpus, world.cases))
            assert len(set(held.values())) == len(held)
            assert all(
                10 <= text.count(". ") + 1 - text.count("Rs. ") <= 26 for text in held.values()
            )
            facts = [fact for case in world.cases for fact in case.facts]
            carrying = [fact.fact_type for fact in facts if fact.role == "carrying"]
            assert sorted(carrying) == sorted([*FACT_TYPES, *FACT_TYPES])
            truth = json.loads((world.folder / "truth.json").read_text(encoding="utf-8"))
            assert (truth["world"], truth["seed"]) == (world.name, world.seed)
            written = [fact for case in truth["cases"] for fact in case["facts"]]
            for fact, row in zip(facts, written, strict=True):
                aims = [{"edit": it, "rises": [*ids]} for it, ids in fact.aims.items()]
                groups = {"falls": [*fact.falls], "aims": aims} if fact.role == "carrying" else {}
                known = {key: value for key, value in vars(fact).items() if key not in HIDDEN}
                assert row == known | groups

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"areas": ["tax"]}, r"'tax'; known: narcotics"),
            ({"areas": ["cheque"]}, "asks for 4 cases a world"),
            ({"seeds": [1, 1]}, "a seed twice"),
        ],
    )
    def test_a_recipe_that_cannot_be_followed_is_an_error(
        self, spec: Spec, tmp_path: Path, changes: dict[str, object], message: str
    ) -> None:
        with pytest.raises(InputError, match=message):
            generate(spec.model_copy(update=changes), tmp_path)


class Told(NamedTuple):
    """A case, its sheet and the edits of it, and the precedents of its world."""

    case: PlantedCase
    sheet: FactSheet
    edits: dict[str, tuple[Edit, ...]]
    held: dict[str, str]

    def aimed(self, fact: PlantedFact) -> Iterator[tuple[tuple[str, ...], Edit]]:
        """The precedents that each edit of a carrying fact must bring up."""
        return zip(fact.aims.values(), self.edits[fact.fact_id], strict=True)


@pytest.fixture(scope="module")
def told(worlds: Sequence[World]) -> list[Told]:
    sheets = [(w, case, read_case(w.case_file(case))) for w in worlds for case in w.cases]
    return [Told(case, sheet, plausible_edits(sheet), texts(w)) for w, case, sheet in sheets]


def carrying_facts(told: list[Told]) -> list[tuple[Told, PlantedFact]]:
    return [(it, fact) for it in told for fact in it.case.facts if fact.role == "carrying"]


class TestTruth:
    def test_the_truth_names_the_facts_of_the_sheet_and_those_that_edits_add(
        self, told: list[Told]
    ) -> None:
        """And every fact of the sheet has a sentence of its own."""
        for case, sheet, edits, _ in told:
            on_sheet = {fact.fact_id for fact in sheet.facts}
            stated = {f.fact_id for f in case.facts if not f.added}
            added = {f.fact_id for f in case.facts if f.added}
            assert stated <= on_sheet
            assert added <= set(edits) - on_sheet
            assert len(stated) >= len(on_sheet) / 2
            assert len(sheet.facts) == 8 and all(fact.spans for fact in sheet.facts)
            starts = [sheet.narrative.rfind(". ", 0, f.spans[0].start) for f in sheet.facts]
            assert len(set(starts)) == len(starts)

    def test_every_carrying_fact_has_an_aim_for_each_edit_that_is_measured(
        self, told: list[Told]
    ) -> None:
        for it, fact in carrying_facts(told):
            assert list(fact.aims) == [edit.edit_id for edit in it.edits[fact.fact_id]]
            assert all(fact.aims.values())
            assert set(fact.falls).isdisjoint(chain(*fact.aims.values()))

    def test_groups_cite_what_their_side_of_a_carrying_section_says(self, told: list[Told]) -> None:
        for it, fact in carrying_facts(told):
            value = it.sheet.fact(fact.fact_id).value
            if not isinstance(value, SectionValue):
                continue
            assert all(value.provision in provisions_in(it.held[name]) for name in fact.falls)
            for rises, edit in it.aimed(fact):
                for cited in (provisions_in(it.held[name]) for name in rises):
                    assert edit.perturbed_value in (*cited, "")  # "": it is left out
                    assert value.provision not in cited

    def test_no_word_that_an_edit_of_an_idle_fact_changes_tells_two_precedents_apart(
        self, told: list[Told]
    ) -> None:
        for it in told:
            own = [set(words(it.held[name])) for name in sorted(own_corpus(it.case))]
            for fact in (f for f in it.case.facts if f.role == "idle"):
                for word in changed_words(it.sheet, it.edits.get(fact.fact_id, ())):
                    assert sum(word in text for text in own) in (0, len(own)), (fact, word)

    def test_every_edit_of_a_carrying_fact_changes_words_that_tell_its_groups_apart(
        self, told: list[Told]
    ) -> None:
        for it, fact in carrying_facts(told):
            own = [set(words(it.held[name])) for name in fact.falls]
            for rises, edit in it.aimed(fact):
                aimed = [set(words(it.held[name])) for name in rises]
                changed = changed_words(it.sheet, (edit,))
                assert max(abs(share(word, own) - share(word, aimed)) for word in changed) >= 0.4

    def test_provisions_that_cases_cite_are_in_the_tables_of_the_law(self) -> None:
        for area in read_table("evaluation/planted/areas", Area):
            cited = [s.value for s in area.slots if isinstance(s.value, SectionValue)]
            assert len(cited) == 2
            assert all(lookup(value.provision) is not None for value in cited)


def share(word: str, held: Sequence[set[str]]) -> float:
    """The share of texts that hold a word."""
    return sum(word in text for text in held) / len(held)


def ranks_words(world: World) -> FunctionRetriever:
    """Ranks precedents by the words that they share with a query.

    Each counts by its rarity, and the more the more often the precedent says it, as in BM25
    (k1 = 1.5, without regard to length).
    """
    held = {name: Counter(words(text)) for name, text in texts(world).items()}
    holding = Counter(word for text in held.values() for word in text)
    rarity = {word: math.log((len(held) + 1) / (df + 0.5)) for word, df in holding.items()}

    def rank(query: Query) -> list[str]:
        asked = Counter(words(query.text))
        weight = {word: n * 2.5 * rarity.get(word, 0.0) for word, n in sorted(asked.items())}
        score = {
            name: sum(by * text[word] / (text[word] + 1.5) for word, by in weight.items())
            for name, text in held.items()
        }
        return sorted(score, key=lambda name: (-round(score[name], 9), name))

    return FunctionRetriever(lambda queries: list(map(rank, queries)))


def analysis_in(world: World) -> Callable[[FactSheet], Analysis]:
    """One edit at a time, no restatements."""
    settings, retriever = TreeSettings(depth=1, null_edits=0), ranks_words(world)
    return lambda sheet: analyze_sheet(sheet, retriever, settings)


class TestCalibration:
    def test_a_retriever_that_reads_words_moves_further_for_a_carrying_fact_than_for_an_idle_one(
        self, worlds: Sequence[World]
    ) -> None:
        told: list[tuple[str, int, int]] = []
        result = calibrate(worlds, analysis_in, [2.0], lambda *now: told.append(now))
        assert told == [("cases of planted worlds", done, 8) for done in range(9)]
        assert result.wrong("idle", 2.0).count == 0
        moves = {
            role: [it.sensitivity or 0.0 for it in result.observations if it.role == role]
            for role in ("carrying", "idle")
        }
        assert (len(moves["carrying"]), len(moves["idle"]) >= 30) == (16, True)
        further = [one > other for one in moves["carrying"] for other in moves["idle"]]
        assert sum(further) / len(further) > 0.999
        assert result.towards.count / result.towards.n > 0.95
        assert json.loads(json.dumps(result.to_dict()))["cases"] == 8

    def test_a_case_that_is_stored_is_not_analysed_again_nor_its_world_indexed(
        self, worlds: Sequence[World], tmp_path: Path
    ) -> None:
        opened: list[str] = []

        def open_world(world: World) -> Callable[[FactSheet], Analysis]:
            opened.append(world.name)
            return analysis_in(world)

        one, other = ([replace(world, cases=world.cases[:1])] for world in worlds)
        with ResultStore(tmp_path / "planted.sqlite", {}) as store:
            first = calibrate(one, open_world, [2.0], store=store)
            again = calibrate((*one, *other), open_world, [1.0, 2.0], store=store)
        assert opened == ["world-1", "world-2"]
        assert again.observations[: len(first.observations)] == first.observations
        assert again.to_dict()["cases"] == 2
