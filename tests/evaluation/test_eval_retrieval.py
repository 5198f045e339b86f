"""The retrieval evaluation: the pipeline taken apart, and the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typed_commands import typed

from countercase.config import RetrievalSettings, Settings
from countercase.corpus.documents import Document
from countercase.corpus.index.build import build_index
from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.errors import InputError
from countercase.evaluation.metrics import measure_titles
from countercase.evaluation.retrieval.collection_files import index_name, read_runs
from countercase.evaluation.retrieval.section import Comparison, pipeline_comparison
from countercase.evaluation.retrieval.systems import (
    PipelineRanker,
    available_systems,
    check_systems,
    first_pieces,
    full_system,
)
from countercase.registry import RANKERS, register
from countercase.retrieval.hybrid import HybridRetriever
from countercase.session import Session

# The pipeline taken apart

SUBJECTS = {
    "knife": "The accused stabbed the deceased with a knife in a sudden quarrel. Section 302 of the "
    "Indian Penal Code was charged; the conviction was altered to section 304 Part II.",
    "poison": "The accused mixed poison with food. Murder under section 302 of the Indian Penal Code.",
    "cheque": "A cheque was returned unpaid for want of funds. Section 138 of the Negotiable "
    "Instruments Act, 1881 applied, since notice was given within time.",
    "bribe": "The clerk asked for a bribe and was trapped with marked notes.",
    "tax": "The assessee claimed depreciation. The assessment was reopened beyond the time allowed.",
    "rent": "The landlord sought eviction for his own need. The tenant denied the need.",
}
ASKED = "He stabbed his neighbour once with a knife in a sudden quarrel. He is charged with murder."
SMALL = Settings(TOP_K=3, RERANK_POOL=4, MMR_HEAD=5)
STAGES = ("dpr", "chroma", "lexical", "quotations", "fused", "mmr", "rerank", "final")
SYSTEMS = (*STAGES, "no-mmr", "no-contrast", "classic")
DEFAULTS = RetrievalSettings()


@pytest.fixture(scope="module")
def session(encoders: EmbeddedEncoders) -> Session:
    documents = [Document(name, f"{name} case", text) for name, text in SUBJECTS.items()]
    return Session(SMALL, encoders, build_index(documents, "evaluated", encoders, 200)[0])


@pytest.fixture(scope="module")
def rankings(session: Session) -> dict[str, tuple[str, ...]]:
    """The ranking of every system."""
    return PipelineRanker(session, ())(ASKED, "q")


Ranked = Callable[..., PipelineRanker]


@pytest.fixture
def ranker(session: Session) -> Ranked:
    def made(*systems: str, settings: Settings = SMALL) -> PipelineRanker:
        return PipelineRanker(Session(settings, session.encoders, session.snapshot), systems)

    return made


def test_every_ranking_holds_every_case_once_and_never_the_query_itself(ranker: Ranked) -> None:
    found = ranker()(ASKED, "rent")
    assert tuple(found) == SYSTEMS
    assert found["quotations"] == ()
    for listed in (listed for name, listed in found.items() if name != "quotations"):
        assert sorted(listed) == sorted(set(SUBJECTS) - {"rent"})


BARE = {"USE_MMR": False, "USE_RERANKER": False}


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("final", {}),
        ("mmr", {"USE_RERANKER": False}),
        ("no-mmr", {"USE_MMR": False}),
        ("no-contrast", {"CONTRAST_WEIGHT": 0.0}),
        ("fused", BARE),
        *((name, {"RANKERS": (name,), **BARE}) for name in ("dpr", "chroma", "lexical")),
    ],
)
def test_a_ranking_is_what_the_retriever_gives_with_these_switches(
    session: Session, ranker: Ranked, rankings: Any, name: str, changed: dict[str, Any]
) -> None:
    retriever = HybridRetriever(
        session.snapshot, session.encoders, SMALL.model_copy(update=changed).retrieval()
    )
    [ranking] = retriever.retrieve([session.query(ASKED)], top_k=SMALL.TOP_K)
    for found in (rankings, ranker(name)(ASKED, "q")):
        assert found[name][:4] == ranking.pool[:4]
    assert rankings["lexical"][0] == "knife"


def test_the_cross_encoders_own_order_is_that_of_its_ranks(session: Session, rankings: Any) -> None:
    [ranking] = session.retriever.retrieve([session.query(ASKED)], top_k=4)
    expected = {result.stages["rerank"].rank: result.case_id for result in ranking.results}
    assert rankings["rerank"][:4] == tuple(expected[rank] for rank in (1, 2, 3, 4))


def test_the_classic_reading_ends_at_256_word_pieces(ranker: Ranked, session: Session) -> None:
    classic = ranker("classic")
    words = [f"word{at}" for at in range(400)]
    encoders = session.encoders
    read, count = first_pieces(" ".join(words), encoders).split(), encoders.count
    assert read == words[: len(read)]
    assert count(" ".join(read)) <= 254 < count(" ".join(words[: len(read) + 1]))
    assert first_pieces(ASKED, encoders) == ASKED
    assert first_pieces("x" * 3000, encoders) == "x" * 3000  # one word is never lost
    beyond = " ".join(words) + " " + SUBJECTS["tax"]
    assert classic(beyond, "q") == classic(" ".join(words), "q")
    assert ranker("chroma")(beyond, "q") != ranker("chroma")(" ".join(words), "q")


def test_what_the_settings_switch_off_is_not_ranked_and_not_compared() -> None:
    off = RetrievalSettings(use_mmr=False, use_reranker=False, rankers=("lexical",))
    assert tuple(available_systems(off)) == ("lexical", "fused", "classic")
    assert full_system(off) == "fused"
    assert full_system(RetrievalSettings(use_reranker=False)) == "mmr"
    with pytest.raises(InputError, match="stage 'final': choose lexical, fused, classic"):
        check_systems(("final",), off)
    comparison = pipeline_comparison(off, tuple(available_systems(off)))
    assert comparison.baseline == "fused"
    assert comparison.ablations == {"lexical": "lexical only", "classic": "classic reading"}


def test_the_whole_pipeline_is_compared_with_each_of_its_ablations() -> None:
    comparison = pipeline_comparison(DEFAULTS, SYSTEMS)
    assert tuple(comparison.stages) == STAGES
    assert comparison.ablations == {
        "dpr": "DPR only", "chroma": "Chroma only", "lexical": "lexical only",
        "quotations": "quotations only", "fused": "fused only",
        "mmr": "without the cross-encoder", "no-mmr": "without MMR",
        "no-contrast": "without the contrast vote", "classic": "classic reading",
    }  # fmt: skip
    assert (comparison.baseline, comparison.baseline_title) == ("final", "full")
    without = pipeline_comparison(DEFAULTS, ("lexical", "classic"))
    assert without == Comparison({"lexical": "lexical", "classic": "classic reading"})


class Reversed:
    """A ranker from outside: the later a case stands in the corpus, the better."""

    name = "reversed"
    default_weight = 0.1

    def __init__(self, corpus: Any, encoders: Any, settings: RetrievalSettings) -> None:
        self.row = np.arange(len(corpus.case_ids), dtype=np.float64)

    def rows(self, segments: Sequence[str], progress: Any = None) -> list[Any]:
        return [self.row for _ in segments]


def test_a_ranker_from_outside_is_a_stage_and_an_ablation(session: Session, ranker: Ranked) -> None:
    register("rankers", "reversed", Reversed)
    try:
        settings = SMALL.model_copy(update={"RANKERS": (*SMALL.RANKERS, "reversed")})
        systems = ("dpr", "chroma", "lexical", "quotations", "reversed", *SYSTEMS[4:])
        assert tuple(available_systems(settings.retrieval())) == systems
        rankings = ranker("reversed", "final", settings=settings)(ASKED, "q")
        assert rankings["reversed"] == tuple(reversed(session.snapshot.case_ids))
        comparison = pipeline_comparison(settings.retrieval(), systems)
        assert comparison.stages["reversed"] == "reversed"
        assert comparison.ablations["reversed"] == "reversed only"
    finally:
        RANKERS._registered.pop("reversed")


def test_a_query_without_words_is_named(ranker: Ranked) -> None:
    with pytest.raises(InputError, match="query q7: "):
        ranker("lexical")("   ", "q7")


# The command


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [{"_id": n, "title": n, "text": text} for n, text in SUBJECTS.items()]
    (tmp_path / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "topics.tsv").write_text(f"q1\t{ASKED}\nq2\tA cheque came back unpaid.\n")
    (tmp_path / "qrels.txt").write_text("q1 0 knife 2\nq1 0 poison 1\nq2 0 cheque 1\n")
    (tmp_path / "good.trec").write_text("q1 Q0 knife 1 9 x\nq2 Q0 cheque 1 9 x\n")
    (tmp_path / "poor.trec").write_text("q1 Q0 tax 1 9 x\nq1 Q0 knife 2 8 x\n")
    return tmp_path


def values_of(*arguments: object) -> dict[str, float]:
    printed = typed("eval", "retrieval", *arguments, "--json").stdout
    return {one["key"]: one["value"] for one in json.loads(printed)["measures"]}


def test_a_run_of_others_is_scored_without_corpus_or_models(files: Path) -> None:
    values = values_of("--run", "good.trec", "--run", "poor.trec", "--qrels", "qrels.txt")
    assert values["retrieval.good.recall@10"] == pytest.approx((1 / 2 + 1) / 2)
    assert values["retrieval.poor.mrr@10"] == pytest.approx((1 / 2 + 0) / 2)
    cut = values_of("--run", "poor.trec", "--qrels", "qrels.txt", "--top-k", 1)
    assert cut["retrieval.poor.mrr@1"] == 0.0
    one = values_of("--run", "poor.trec", "--qrels", "qrels.txt", "--limit", 1)
    assert one["retrieval.poor.mrr@10"] == 0.5
    strict = values_of("--run", "good.trec", "--qrels", "qrels.txt", "--relevant-from", 2)
    assert strict["retrieval.good.recall@10"] == pytest.approx((1 + 0) / 2)


def test_a_collection_is_indexed_ranked_written_and_taken_up_again(
    files: Path, encoders: EmbeddedEncoders, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = (
        "--corpus", "corpus.jsonl", "--queries", "topics.tsv", "--qrels", "qrels.txt",
        "--output", "out",
    )  # fmt: skip
    values = values_of(*options)
    assert values["retrieval.final.mrr@10"] == 1.0
    assert values["retrieval.lexical.recall@10"] == 1.0
    assert {path.stem for path in (files / "out" / "runs").iterdir()} == set(SYSTEMS)
    kept = (files / "out" / "retrieval.json").read_bytes()
    assert json.loads(kept)["details"]["settings"]["RRF_K"] == 20

    monkeypatch.setattr(PipelineRanker, "__call__", lambda *_: pytest.fail("ranked again"))
    assert values_of(*options) == values
    assert (files / "out" / "retrieval.json").read_bytes() == kept

    run = files / "out" / "runs" / "final.trec"
    scored = values_of("--run", run, "--qrels", "qrels.txt")
    assert scored["retrieval.final.map"] == values["retrieval.final.map"]


def test_a_set_ranks_a_corpus_by_chosen_stages_only(
    files: Path, session: Session, encoders: EmbeddedEncoders
) -> None:
    row = {
        "query_id": "q1", "area": "homicide", "voice": "client", "text": ASKED,
        "relevant": {"knife": 3, "gone": 1}, "reasons": {},
    }  # fmt: skip
    (files / "set.jsonl").write_text(json.dumps(row) + "\n")
    asked = ("--set", "set.jsonl", "--corpus", "evaluated", "--stage", "lexical", "--json")
    found = json.loads(typed("eval", "retrieval", *asked).stdout)
    values = {one["key"]: one["value"] for one in found["measures"]}
    assert set(values) == {f"retrieval.lexical.{key}" for key in measure_titles(10)}
    assert values["retrieval.lexical.recall@10"] == 0.5
    rows = [row for one in found["tables"] for row in one["rows"]]
    assert ["relevant, but not in the corpus (never found)", 1] in rows


def test_names_are_told_apart_and_fit_an_index(files: Path) -> None:
    places = [files / name for name in ("a/run.trec", "b/run.trec", "c.txt")]
    for place in places:
        place.parent.mkdir(exist_ok=True)
        place.write_text("q1 Q0 knife 1 9 x\n")
    assert list(read_runs(places, {"q1": {}})) == ["run", "run-2", "c"]
    long = "Some Long — Corpus of Judgments of the Court"
    name = index_name(Path(long))
    assert name == index_name(Path(long)) != index_name(Path("elsewhere") / long)
    assert name.startswith("eval-some-long-corpus-of-judg-") and len(name) <= 42
    assert index_name(Path("判例")).startswith("eval-")
