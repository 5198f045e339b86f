"""`countercase eval similar`: are the cases that a service finds similar to the query?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli.options import AsJson, Limit, Seed, group, one_of, told, told_argument
from countercase.cli.progress import Steps
from countercase.cli.screen import print_json, show_results
from countercase.io import write_files

app = group("Judge a search service that finds similar cases.")

SUMMARY = "evaluate_summary.txt"
RESULTS = "similar.json"
GOLD = "gold.jsonl"
CORPUS = "corpus.jsonl"

Encoding = Annotated[str, told("similar.encoding")]


@app.command()
def prepare(
    output: Annotated[Path, told("similar.prepare.output")],
    records: Annotated[
        list[Path] | None, told_argument("similar.prepare.records", metavar="RECORDS")
    ] = None,
    gold: Annotated[Path | None, told("similar.prepare.gold")] = None,
    queries: Annotated[int, told("similar.prepare.queries", min=1)] = 200,
    positives: Annotated[int, told("similar.prepare.positives", min=1)] = 10,
    min_characters: Annotated[int, told("similar.prepare.min_characters", min=1)] = 100,
    without_queries: Annotated[
        bool, told("similar.prepare.without_queries", "--without-queries")
    ] = False,
    seed: Seed = 0,
    encoding: Encoding = "",
    as_json: AsJson = False,
) -> None:
    """Make a gold set from labelled cases, and the corpus to search.

    Similar cases share the charges and the set of articles, and their terms are near; no search
    takes part in choosing them.
    """
    from countercase.evaluation.benchmarks import similar_cases as cases

    made, corpus = cases.prepare_gold(
        records or [], gold, queries=queries, positives=positives, min_characters=min_characters,
        without_queries=without_queries, seed=seed, encoding=encoding,
    )  # fmt: skip
    texts = {GOLD: cases.gold_lines(made), CORPUS: cases.corpus_lines(corpus)}
    tiers = [positive.tier for line in made for positive in line.positives]
    by_tier = {f"tier {tier}": tiers.count(tier) for tier in (1, 2, 3) if tier in tiers}
    counts = {"queries": len(made), "positives": len(tiers), **by_tier, "documents": len(corpus)}
    files = [str(file) for file in write_files(output, texts)]
    if as_json:
        print_json({**counts, "files": files})
        return
    for name, value in counts.items():
        typer.echo(f"{name}: {value:,}")
    typer.echo(f"files: {', '.join(files)}")


@app.command()
def run(
    url: Annotated[str, told("similar.run.url")],
    gold: Annotated[Path, told("similar.run.gold")],
    records: Annotated[list[Path] | None, told("similar.run.records")] = None,
    references: Annotated[list[Path] | None, told("similar.run.references", "--reference")] = None,
    batch: Annotated[int, told("similar.run.batch", min=1, max=64)] = 16,
    top_k: Annotated[int, told("similar.run.top_k", min=11, max=100)] = 20,
    field: Annotated[str, told("similar.run.field")] = "queries",
    timeout: Annotated[float, told("similar.run.timeout", min=0.1)] = 120.0,
    retries: Annotated[int, told("similar.run.retries", min=0)] = 3,
    limit: Limit = None,
    seed: Seed = 0,
    encoding: Encoding = "",
    output: Annotated[Path | None, told("similar.run.output")] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a running service for similar cases and score its answers.

    Its POST /batch_search is asked for the top 20; what is the query itself is dropped, and the
    first 3, 5 and 10 are scored by text, charge, article and term.
    """
    from countercase.evaluation.benchmarks.similar import evaluate_similar
    from countercase.evaluation.benchmarks.similar_service import QUERY_FIELDS, ServiceOptions

    one_of("--field", field, QUERY_FIELDS)
    options = ServiceOptions(batch, top_k, timeout, retries, field=field)
    with Steps() as steps:
        section, summary = evaluate_similar(
            url, gold, options=options, records=records or [], references=references or [],
            encoding=encoding, limit=limit, seed=seed, progress=steps.work,
        )  # fmt: skip
    if output:
        write_files(output, {SUMMARY: summary})
    show_results(section, section.to_dict(), as_json, output and output / RESULTS)
