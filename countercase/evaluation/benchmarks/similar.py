"""Are the cases that a search finds similar to the query? Four tasks, at 3, 5 and 10 results.

Gold: the result is one of the query's positives. Accusation and Article: the sets of charges, or
of articles, are equal. Imprisonment: the term is near. As in the published evaluation, Precision@K
is matches / K, however few came; Recall@K is matches / 10; Macro-F1 is the mean of the queries' F1,
Micro-F1 that of all results together, against those that came.

A service that fails is an error: what was not answered cannot be scored as wrong.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, product
from pathlib import Path
from statistics import harmonic_mean
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

from pydantic import HttpUrl, TypeAdapter, ValidationError

from countercase.errors import InputError
from countercase.evaluation.benchmarks import similar_cases as cases
from countercase.evaluation.benchmarks.similar_cases import Hit, ServiceError
from countercase.evaluation.report import Cell, Section
from countercase.evaluation.sets import first_error, read_text
from countercase.evaluation.statistics import Estimate, group_by, mean_estimate
from countercase.io import Progress, tell

if TYPE_CHECKING:
    import httpx

TASKS: Final = ("gold", "accusation", "article", "imprisonment")
CUTS: Final = (3, 5, 10)
"""Numbers of results that are scored."""
DEEPEST: Final = max(CUTS)
RECALL_OF: Final = 10
"""The denominator of recall, and the most positives of a query that count."""
METRICS: Final = {
    "precision": "Precision", "recall": "Recall", "hit_rate": "Hit Rate",
    "macro_f1": "Macro-F1", "micro_f1": "Micro-F1",
}  # fmt: skip
"""Metrics with their titles."""

Figures: TypeAlias = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Task -> metric -> cut (`@3`) -> value, each from 0 to 1."""

Row: TypeAlias = dict[str, Any]
"""Results of a service for one query, ready for JSON: under `found` each result's `id`, `score` and
the tasks in which it `matches`; the query `itself` and `repeated` texts are counted apart."""


def evaluate_similar(
    url: str,
    gold: Path,
    options: ServiceOptions,
    *,
    records: Sequence[Path] = (),
    references: Sequence[Path] = (),
    encoding: str = "",
    limit: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[Section, str]:
    """Ask a running service for similar cases; return how its answers score, also in plain text.

    Args:
        records: files with the labels of the documents, where the service gives none.
        references: summaries of other systems, shown beside; named after their files.
        encoding: of the records; see `read_records`.
    """
    source = (str(gold), endpoint_of(url))
    known = {case.key: case.meta for path in records for case in cases.read_records(path, encoding)}
    others = {path.stem: read_summary(path) for path in references}
    queries = cases.read_gold(gold)[:limit]
    answers = ask_service(url, [query.query.fact for query in queries], options, progress)
    results = [judge_results(*pair, known) for pair in zip(queries, answers, strict=True)]
    return similar_section(results, *source, seed, others), summary_text(results, *source)


def judge_results(
    gold: cases.GoldQuery, hits: Sequence[Hit], known: Mapping[str, cases.Labels]
) -> Row:
    """Find for each result of one query the tasks in which it matches, by its own or `known` labels."""
    wanted = gold.query.meta
    positives = {positive.key for positive in gold.positives[:RECALL_OF]}
    places = group_by(range(len(hits)), lambda at: cases.text_key(hits[at].text))
    itself = len(places.pop(gold.query.key, ()))
    found = []
    for key, (at, *_) in list(places.items())[:DEEPEST]:
        hit, labels = hits[at], hits[at].labels(known)
        agreed = (
            key in positives,
            wanted.accusation == labels.accusation,
            wanted.relevant_articles == labels.relevant_articles,
            wanted.term_of_imprisonment.tier(labels.term_of_imprisonment) is not None,
        )
        # A service without scores has an order all the same.
        score = -float(at) if hit.score is None else round(hit.score, 9)
        matches = list(compress(TASKS, agreed))
        found.append({"id": hit.doc_id, "score": score, "matches": matches})
    repeated = len(hits) - itself - len(places)
    return {"query_id": gold.query_id, "found": found, "itself": itself, "repeated": repeated}


def count_matches(result: Row, task: str, k: int) -> int:
    """Count the matches in a task among the first `k` results of one query."""
    return sum(task in hit["matches"] for hit in result["found"][:k])


def score_table(results: Sequence[Row]) -> Figures:
    """Compute every figure."""
    figures: dict[str, dict[str, dict[str, float]]] = {t: {m: {} for m in METRICS} for t in TASKS}
    for task, k in product(TASKS, CUTS):
        matches = [count_matches(result, task, k) for result in results]
        came = sum(min(k, len(result["found"])) for result in results)
        recall = sum(matches) / (RECALL_OF * len(results))
        f1 = [harmonic_mean((number / k, number / RECALL_OF)) for number in matches]
        values = {
            "precision": sum(matches) / (k * len(results)),
            "recall": recall,
            "hit_rate": sum(number > 0 for number in matches) / len(results),
            "macro_f1": sum(f1) / len(results),
            "micro_f1": harmonic_mean((sum(matches) / max(came, 1), recall)),
        }
        for metric, value in values.items():
            figures[task][metric][f"@{k}"] = value
    return figures


def similar_section(
    results: Sequence[Row],
    dataset: str,
    service: str,
    seed: int = 0,
    references: Mapping[str, Figures] | None = None,
) -> Section:
    """Report the results, with the figures of other systems by their names beside."""
    figures, found = score_table(results), Section("similar", "Similar cases")
    rows: list[tuple[Cell, ...]] = []
    for task, (metric, title) in product(TASKS, METRICS.items()):
        words = {"task": task, "name": task.capitalize(), "metric": metric, "title": title}
        rows.append((words["name"], title, *figures[task][metric].values()))
        for k in CUTS if metric == "precision" else (DEEPEST,):
            figure = Estimate(figures[task][metric][f"@{k}"], len(results))
            if metric == "precision":
                figure = mean_estimate([count_matches(it, task, k) / k for it in results], seed)
            found.add_measure("similar.{task}.{metric}@{k}", figure, **words, k=k)
    found.add_table("similar.tasks", rows, [f"@{k}" for k in CUTS], recall_of=RECALL_OF)
    if references:
        systems = (figures, *references.values())
        beside = (
            (task.capitalize(), f"Precision@{k}",
             *(system.get(task, {}).get("precision", {}).get(f"@{k}") for system in systems))
            for task, k in product(TASKS, CUTS)
        )  # fmt: skip
        found.add_table("similar.beside", beside, [*references])
    few = sum(len(it["found"]) < DEEPEST for it in results)
    counts = {
        "queries": len(results),
        "results dropped: the query itself": sum(it["itself"] for it in results),
        "results dropped: a text that came before": sum(it["repeated"] for it in results),
        f"queries with fewer than {DEEPEST} results": few,
    }
    found.add_table("grounds", counts.items())
    found.details = {"dataset": dataset, "service": service, "scores": figures, "queries": results}
    found.runs["similar"] = {
        it["query_id"]: {hit["id"]: -float(at) for at, hit in enumerate(it["found"], 1)}
        for it in results
    }
    return found


def summary_text(results: Sequence[Row], dataset: str, service: str) -> str:
    """Write `evaluate_summary.txt`, in the layout of the published evaluation, with Micro-F1."""

    def row(task: str, *cells: str) -> str:
        return " | ".join([f"{task:<15}", *(f"{cell:<10}" for cell in cells)]).rstrip()

    double, rule = "=" * 80, "-" * 80
    lines = [
        double, "EVALUATION REPORT - SIMILAR CASES", f"Dataset: {dataset}",
        f"Total Queries: {len(results)}", f"Positives per Query: {RECALL_OF}",
        f"Service URL: {service}", double, "", row("Task", "Metric", *(f"@{k}" for k in CUTS)), rule,
    ]  # fmt: skip
    for task, by_metric in score_table(results).items():
        for metric, values in by_metric.items():
            name = task.capitalize() if metric == "precision" else ""
            lines.append(row(name, METRICS[metric], *(f"{v:.2%}" for v in values.values())))
        lines.append(rule)
    return "\n".join(lines) + "\n"


def read_summary(path: Path) -> Figures:
    """Read the figures of an `evaluate_summary.txt`, ours or another system's."""
    metrics = {title.lower(): metric for metric, title in METRICS.items()}
    figures: dict[str, dict[str, dict[str, float]]] = {}
    task = ""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        first, *cells = (cell.strip() for cell in line.split("|"))
        task = first.lower() or task
        metric = metrics.get(cells[0].lower()) if cells and task in TASKS else None
        if metric:
            values = [round(float(cell) / 100, 9) for cell in re.findall(r"\|\s*([\d.]+)%", line)]
            if len(values) != len(CUTS):
                what = f"{len(values)} percentages; expected {len(CUTS)}"
                raise InputError(f"{path}, line {number}: {what}")
            cuts = (f"@{k}" for k in CUTS)
            figures.setdefault(task, {})[metric] = dict(zip(cuts, values, strict=True))
    if not figures:
        hint = "give an evaluate_summary.txt"
        raise InputError(f"{path}: holds no figure of {', '.join(TASKS)}; {hint}")
    return figures


# The service

ENDPOINT: Final = "/batch_search"
TRY_AGAIN: Final = (429, 500, 502, 503, 504)
"""Statuses after which a batch is sent again."""
QUERY_FIELDS: Final = ("queries", "facts")
"""Under which name a service takes the queries of a batch."""

_ANSWER: Final = TypeAdapter(list[list[Hit]])
_ADDRESS: Final = TypeAdapter(HttpUrl)


@dataclass(frozen=True)
class ServiceOptions:
    """How a service is asked: `batch` queries in one request, for `top_k` results of each.

    A batch that fails is sent again `retries` times, after `pause` seconds, doubled each time;
    `field` is what the service calls the list of queries.
    """

    batch: int = 16
    top_k: int = 20
    timeout: float = 120.0
    retries: int = 3
    pause: float = 0.5
    field: str = "queries"


def endpoint_of(url: str) -> str:
    """Return the address that batches are posted to."""
    try:
        _ADDRESS.validate_python(url)
    except ValidationError as error:
        message = f"--url {url!r}: must be an address such as http://127.0.0.1:8642"
        raise InputError(message) from error
    return url.rstrip("/").removesuffix(ENDPOINT).removesuffix("/search") + ENDPOINT


def ask_service(
    url: str, queries: Sequence[str], options: ServiceOptions, progress: Progress | None = None
) -> list[list[Hit]]:
    """Return the results of each query, best first."""
    import httpx

    address = endpoint_of(url)
    local = urlsplit(address).hostname in ("localhost", "127.0.0.1", "::1")
    rankings: list[list[Hit]] = []
    # A proxy of the environment has no business with a service on this machine.
    with httpx.Client(timeout=options.timeout, trust_env=not local) as client:
        for start in range(0, len(queries), options.batch):
            tell(progress, "queries", start, len(queries))
            batch = list(queries[start : start + options.batch])
            rankings += _ask_batch(client, address, batch, options)
    tell(progress, "queries", len(queries), len(queries))
    return rankings


def _ask_batch(
    client: httpx.Client, address: str, queries: list[str], options: ServiceOptions
) -> list[list[Hit]]:
    """Send a batch, again where it fails, and read the lists of results in the answer."""
    # By hand: the retries of httpx's own transport are for lost connections alone.
    import httpx

    body = {options.field: queries, "top_k": options.top_k}
    for attempt in range(options.retries + 1):
        if attempt:
            time.sleep(options.pause * 2 ** (attempt - 1))
        try:
            response = client.post(address, json=body)
        except httpx.HTTPError as error:
            failure = f"does not answer ({str(error) or type(error).__name__})"
            continue
        if response.status_code not in TRY_AGAIN:
            break
        failure = f"answers {response.status_code}"
    else:
        hint = "start the service, for instance with `countercase serve`, or give it a longer"
        failure = f"{failure}, asked {options.retries + 1} times; {hint} --timeout"
        raise ServiceError(f"{address}: {failure}")
    if response.status_code != 200:
        said = " ".join(response.text.split())[:200]
        raise ServiceError(f"{address}: answers {response.status_code}: {said}")
    try:
        answer = response.json()
        wrapped = isinstance(answer, Mapping) and "results" in answer
        rankings = _ANSWER.validate_python(answer["results"] if wrapped else answer)
    except ValidationError as error:
        wrong = f"must answer with lists of results: {first_error(error)}"
        raise ServiceError(f"{address}: {wrong}") from error
    except ValueError as error:
        raise ServiceError(f"{address}: does not answer with JSON") from error
    if len(rankings) != len(queries):
        wanted = f"one list of results for each of the {len(queries)} queries"
        raise ServiceError(f"{address}: must answer with {wanted}")
    return rankings
