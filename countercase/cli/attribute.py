"""`countercase attribute`: how much each fact has to do with the movement of a case."""

from __future__ import annotations

from typing import Annotated

from countercase.cli import options
from countercase.cli.screen import opened_session, show
from countercase.config import load_settings


def attribute(
    case: options.Case,
    corpus: options.Corpus = "casebook",
    top_k: options.TopK = None,
    types: options.Types = "",
    why_not: Annotated[str, options.option("attribute.why_not")] = "",
    as_json: options.AsJson = False,
    models: options.Models = "embedded",
    chroma_host: options.ChromaHost = None,
) -> None:
    """Divide the movement of a case among its facts.

    Every set of up to twelve facts is changed together, so that each fact gets its exact share,
    alone and with others; of more facts sets are sampled.
    """
    from countercase.reports.analysis_json import attribution_document
    from countercase.reports.terminal import attribution_text

    chosen = options.fact_types_of(types)
    settings = load_settings(TOP_K=top_k, DEPTH=1)
    sheet = options.read_case_argument(case, settings)
    with opened_session(settings, corpus, models, chroma_host) as (session, progress):
        analysis = session.measure(sheet, types=chosen, progress=progress)
        parts = session.attribute(analysis, why_not, progress)
    document = attribution_document(analysis, parts)
    show(as_json, document, lambda: attribution_text(analysis, parts))
