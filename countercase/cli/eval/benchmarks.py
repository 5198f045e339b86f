"""`countercase retrieve`, `eval passages`, `qa` and `similar`: answers of any system in the form of a
benchmark, made and scored."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.text import Text

from countercase.cli import options
from countercase.cli.options import Steps, show, show_results
from countercase.config import load_settings
from countercase.errors import ConfigError, InputError
from countercase.evaluation.benchmarks import similar as search
from countercase.evaluation.benchmarks import similar_cases as cases
from countercase.evaluation.benchmarks.passages import IDCGS, passages_section, score_files
from countercase.evaluation.benchmarks.qa import QaSettings, evaluate_qa
from countercase.io import json_text, make_folder, write_files


@options.described("retrieve")
def retrieve(
    corpus: Path, benchmark: Path, output: Path, system: str = "hybrid", k: int = 10,
    window: int = 500, stride: int = 250, without: str = "", cross_encoder: bool = False,
    limit: int | None = None, models: str = "embedded",
) -> None:  # fmt: skip
    """Retrieve passages for the queries of a benchmark.

    `countercase eval passages` scores them. Documents are cut into passages of 500 words, a new one
    beginning every 250.
    """
    from countercase.evaluation.benchmarks import passage_systems as systems

    chosen = options.one_of("--system", system, systems.SYSTEMS)
    if chosen != "hybrid" and (without or cross_encoder):
        raise InputError(f"--without and --cross-encoder belong to the hybrid, not to {system}")
    left_out = options.names_of("--without", without, systems.PARTS, "part")
    with Steps() as steps:
        predictions, size = systems.retrieve_for_benchmark(
            corpus, benchmark, window, stride, limit, system=chosen, k=k, settings=load_settings(),
            without=left_out, cross_encoder=cross_encoder, models=models, progress=steps.work,
        )  # fmt: skip
    write_files(output.parent, {output.name: json_text(predictions)})
    typer.echo(f"{output}: {len(predictions)} queries, {size:,} passages to choose from")


@options.described("passages")
def passages(
    predictions: Path, gold: Path, k: int = 10, idcg: str = "gold", limit: int | None = None,
    seed: int = 0, as_json: bool = False, output: Path | None = None,
) -> None:  # fmt: skip
    """Score retrieved passages by the words that answer.

    Files are in the format of LegalBench-RAG; `countercase retrieve` makes predictions.
    """
    scores = score_files(predictions, gold, k, options.one_of("--idcg", idcg, IDCGS), limit)
    show_results(passages_section(scores, seed), scores, as_json, output)


@options.described("qa")
def qa(
    questions: Path, predictions: Path, documents: Path | None = None,
    judge: tuple[str, str] | None = None, judge_url: str = "", judge_model: str = "",
    failed_as_zero: bool = False, answer_weight: float = 0.5, timeout: float = 60.0,
    retries: int = 3, limit: int | None = None, seed: int = 0, as_json: bool = False,
    output: Path | None = None,
) -> None:  # fmt: skip
    """Score answers and the sentences that they cite.

    Was the document found, do the sentences support the answer, is it right? The judge's key is
    taken from COUNTERCASE_JUDGE_KEY; it is never printed or stored. With --output, judgements are
    kept beside the file as they come, and a second run asks for none of them again.
    """
    if judge and (judge_url or judge_model):
        raise InputError("--judge names the judge already; leave out --judge-url, --judge-model")
    url, model = (part.strip() for part in judge or (judge_url, judge_model))
    if bool(url) != bool(model):
        missing = "--judge-model" if url else "--judge-url"
        raise ConfigError(f"a judge needs an address and a name; give {missing} too")
    settings = QaSettings(answer_weight, failed_as_zero, model, seed)
    judgements = None
    if output:
        make_folder(output.parent)  # before anything is asked or paid for
        judgements = output.with_name(f"{output.name}.judgements.sqlite") if model else None
    with Steps() as steps:
        section = evaluate_qa(
            questions, predictions, documents, settings=settings, judge_url=url, timeout=timeout,
            retries=retries, judgements=judgements, limit=limit, progress=steps.work,
        )  # fmt: skip
    show_results(section, section.to_dict(), as_json, output)


similar = options.group("Judge a search service that finds similar cases.")


@options.command(similar, "similar.prepare")
def prepare(
    output: Path, records: list[Path] | None = None, gold: Path | None = None,
    queries: int = 200, positives: int = 10, min_characters: int = 100,
    without_queries: bool = False, seed: int = 0, encoding: str = "", as_json: bool = False,
) -> None:  # fmt: skip
    """Make a gold set from labelled cases, and the corpus to search.

    Similar cases share the charges and the set of articles, and their terms are near; no search
    takes part in choosing them.
    """
    made, corpus = cases.prepare_gold(
        records or [], gold, queries=queries, positives=positives, min_characters=min_characters,
        without_queries=without_queries, seed=seed, encoding=encoding,
    )  # fmt: skip
    texts = {"gold.jsonl": cases.gold_lines(made), "corpus.jsonl": cases.corpus_lines(corpus)}
    tiers = [positive.tier for line in made for positive in line.positives]
    by_tier = {f"tier {tier}": tiers.count(tier) for tier in (1, 2, 3) if tier in tiers}
    counts = {"queries": len(made), "positives": len(tiers), **by_tier, "documents": len(corpus)}
    files = [str(file) for file in write_files(output, texts)]
    lines = [f"{name}: {value:,}" for name, value in counts.items()]
    text = Text("\n".join([*lines, f"files: {', '.join(files)}"]))
    show(as_json, {**counts, "files": files}, lambda: text, soft_wrap=True)


@options.command(similar, "similar.run")
def run(
    url: str, gold: Path, records: list[Path] | None = None,
    references: list[Path] | None = None, batch: int = 16, top_k: int = 20,
    field: str = "queries", timeout: float = 120.0, retries: int = 3, limit: int | None = None,
    seed: int = 0, encoding: str = "", output: Path | None = None, as_json: bool = False,
) -> None:  # fmt: skip
    """Ask a running service for similar cases and score its answers.

    Its POST /batch_search is asked for the top 20; what is the query itself is dropped, and the
    first 3, 5 and 10 are scored by text, charge, article and term.
    """
    options.one_of("--field", field, search.QUERY_FIELDS)
    asked = search.ServiceOptions(batch, top_k, timeout, retries, field=field)
    with Steps() as steps:
        section, summary = search.evaluate_similar(
            url, gold, asked, records=records or [], references=references or [],
            encoding=encoding, limit=limit, seed=seed, progress=steps.work,
        )  # fmt: skip
    if output:
        write_files(output, {"evaluate_summary.txt": summary})
    show_results(section, section.to_dict(), as_json, output and output / "similar.json")
