"""`countercase eval similar`: are the cases that a service finds like the query?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from countercase.cli.options import AsJson, one_of
from countercase.errors import InputError

app = typer.Typer(
    help="Judge a search service that finds like cases.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

SUMMARY = "evaluate_summary.txt"
RESULTS = "similar.json"
GOLD = "gold.jsonl"
CORPUS = "corpus.jsonl"

Encoding = Annotated[
    str,
    typer.Option("--encoding", help="Encoding of the records (default: UTF-8, else GB18030)."),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything that is drawn by lot.")]


@app.command()
def prepare(
    output: Annotated[
        Path, typer.Option("--output", help="Folder for gold.jsonl and corpus.jsonl.")
    ],
    records: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="RECORDS", help="Labelled cases, one JSON object a line: fact and meta."
        ),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", help="Take this gold set; the records are further documents."),
    ] = None,
    queries: Annotated[
        int, typer.Option("--queries", min=1, help="Queries of the set, at most.")
    ] = 200,
    positives: Annotated[
        int, typer.Option("--positives", min=1, help="Like cases of each query.")
    ] = 10,
    min_characters: Annotated[
        int, typer.Option("--min-characters", min=1, help="Shortest text that is asked about.")
    ] = 100,
    without_queries: Annotated[
        bool,
        typer.Option("--without-queries", help="With --gold: leave its queries out of the corpus."),
    ] = False,
    seed: Seed = 0,
    encoding: Encoding = "",
    as_json: AsJson = False,
) -> None:
    """Make a gold set from labelled cases, and the corpus to search.

    Like cases share the charges and the set of articles, and their terms are near; no search
    takes part in choosing them.
    """
    from countercase.cli.screen import print_json
    from countercase.evaluation.benchmarks.similar_cases.gold import (
        gold_cases,
        gold_lines,
        read_gold,
    )
    from countercase.evaluation.benchmarks.similar_cases.prepare import (
        build_gold,
        corpus_lines,
        unique_records,
    )
    from countercase.evaluation.benchmarks.similar_cases.records import read_records
    from countercase.reports.write import write_files

    if not records and gold is None:
        raise InputError("name at least one file of RECORDS, or a set with --gold")
    if without_queries and gold is None:
        raise InputError("--without-queries goes with --gold; leave it out")
    encoding = _encoding(encoding)
    read = [record for path in records or [] for record in read_records(path, encoding)]
    if gold is None:
        read = unique_records(read)
        chosen = build_gold(read, queries, positives, seed, min_characters)
    else:
        chosen = read_gold(gold)
        asked = {one.query.key for one in chosen} if without_queries else set()
        read = [
            record
            for record in unique_records([*gold_cases(chosen, not without_queries), *read])
            if record.key not in asked
        ]
    files = write_files(output, {GOLD: gold_lines(chosen), CORPUS: corpus_lines(read)})
    tiers = [one.tier for query in chosen for one in query.positives]
    counts = {
        "queries": len(chosen),
        "positives": len(tiers),
        **{f"tier {tier}": tiers.count(tier) for tier in (1, 2, 3) if tier in tiers},
        "documents": len(read),
        "files": [str(file) for file in files],
    }
    if as_json:
        print_json(counts)
        return
    for name, value in counts.items():
        typer.echo(f"{name}: {', '.join(value) if isinstance(value, list) else f'{value:,}'}")


@app.command()
def run(
    url: Annotated[str, typer.Option("--url", help="Address of the service.")],
    gold: Annotated[Path, typer.Option("--gold", help="The gold set, gold.jsonl.")],
    records: Annotated[
        list[Path] | None,
        typer.Option("--records", help="Labels of the documents, where the service gives none."),
    ] = None,
    references: Annotated[
        list[Path] | None,
        typer.Option("--reference", help="Another system's evaluate_summary.txt, to stand beside."),
    ] = None,
    batch: Annotated[
        int, typer.Option("--batch", min=1, max=64, help="Queries of one request (16 or 32).")
    ] = 16,
    top_k: Annotated[
        int, typer.Option("--top-k", min=11, max=100, help="Results asked for, of each query.")
    ] = 20,
    field: Annotated[
        str, typer.Option("--field", help="What the service calls its queries: queries or facts.")
    ] = "queries",
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, help="Seconds to wait for one request.")
    ] = 120.0,
    retries: Annotated[
        int, typer.Option("--retries", min=0, help="How often a failed request is sent again.")
    ] = 3,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="Only the first so many queries.")
    ] = None,
    seed: Seed = 0,
    encoding: Encoding = "",
    output: Annotated[
        Path | None,
        typer.Option("--output", help="Folder for evaluate_summary.txt and similar.json."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask a running service for like cases and score its answers.

    Its POST /batch_search is asked for the top 20; what is the query itself is dropped, and the
    first 3, 5 and 10 are scored by text, charge, article and term.
    """
    from countercase.cli.progress import Steps
    from countercase.cli.screen import print_json
    from countercase.evaluation.benchmarks.similar_cases.client import (
        QUERY_FIELDS,
        ServiceOptions,
        ask_service,
        endpoint_of,
    )
    from countercase.evaluation.benchmarks.similar_cases.gold import read_gold
    from countercase.evaluation.benchmarks.similar_cases.records import read_records
    from countercase.evaluation.benchmarks.similar_cases.scores import judge_results, labelled_with
    from countercase.evaluation.benchmarks.similar_cases.section import (
        SimilarSource,
        read_summary,
        similar_section,
        summary_text,
    )
    from countercase.reports.write import json_text, write_files

    options = ServiceOptions(
        batch, top_k, timeout, retries, field=one_of("--field", field, QUERY_FIELDS)
    )
    source = SimilarSource(str(gold), endpoint_of(url))
    encoding = _encoding(encoding)
    known = [record for path in records or [] for record in read_records(path, encoding)]
    beside = {path.stem: read_summary(path) for path in references or []}
    asked = read_gold(gold)[:limit]
    with Steps() as steps:
        answers = ask_service(
            url,
            [one.query.fact for one in asked],
            options,
            lambda done, of: steps.work("queries", done, of),
        )
    labels = labelled_with(known)
    results = [judge_results(one, hits, labels) for one, hits in zip(asked, answers, strict=True)]
    section = similar_section(results, source, seed, beside)
    if output:
        document = json_text(section.to_dict())
        write_files(output, {SUMMARY: summary_text(results, source), RESULTS: document})
    if as_json:
        print_json(section.to_dict())
        return

    from countercase.cli.screen import print_section

    print_section(section)


def _encoding(name: str) -> str:
    """The encoding by its usual name; empty to try those that are likely.

    Raises:
        InputError: there is no such encoding.
    """
    import codecs

    try:
        return codecs.lookup(name).name if name else ""
    except LookupError as error:
        raise InputError(f"--encoding {name!r}: not known; utf-8 and gb18030 are usual") from error
