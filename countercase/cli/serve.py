"""`countercase serve`: search over HTTP."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli import options
from countercase.errors import InputError

if TYPE_CHECKING:
    from countercase.web.searchers import Searcher


def serve(
    corpus: options.Corpus = "casebook",
    documents: Annotated[
        Path | None,
        typer.Option("--documents", help="Serve this corpus (BEIR) by words alone, unindexed."),
    ] = None,
    rankers: Annotated[
        str,
        typer.Option("--rankers", help="Channels to fuse, by commas (default: RANKERS, all)."),
    ] = "",
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; this one is loopback.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0: any free one.")
    ] = 8642,
    models: options.Models = "embedded",
    chroma_host: options.ChromaHost = None,
) -> None:
    """Answer searches over HTTP, on this machine alone.

    POST /batch_search and /search, GET /health; /openapi.json describes them. With --host, other
    machines can ask too. With --documents no model is needed, and Chinese is read by characters
    and character pairs.
    """
    from countercase.web.running import (
        LOCAL_NAMES,
        address_of,
        bind,
        check_installed,
        is_loopback,
        run_app,
    )

    check_installed()
    listening = bind(host, port)
    searcher = (
        _indexed(corpus, rankers, models, chroma_host)
        if documents is None
        else _by_words(documents, corpus, rankers)
    )

    from countercase.web.app import create_app

    name = f"[{host}]" if ":" in host else host
    app = create_app(searcher, (*LOCAL_NAMES, name) if is_loopback(host) else None)

    def ready() -> None:
        typer.echo(
            f"serving {searcher.corpus}, {searcher.documents:,} documents by "
            f"{', '.join(searcher.rankers)}, at {address_of(listening)}; Ctrl-C stops it"
        )
        if not is_loopback(host):
            typer.echo(
                f"warning: whoever reaches {host} can search without a password; "
                "put a proxy in front that asks for one",
                err=True,
            )

    with contextlib.suppress(KeyboardInterrupt):  # how a stop is asked for
        run_app(app, listening, ready)
    typer.echo("stopped", err=True)


def _indexed(corpus: str, rankers: str, models: str, chroma_host: str | None) -> Searcher:
    from countercase.cli.progress import Steps
    from countercase.config import load_settings
    from countercase.session import open_session
    from countercase.web.searchers import SessionSearcher

    settings = load_settings(RANKERS=_rankers(rankers))
    with Steps() as steps:
        return SessionSearcher(
            open_session(
                settings, corpus, chroma_host=chroma_host, models=models, progress=steps.work
            )
        )


def _by_words(path: Path, corpus: str, rankers: str) -> Searcher:
    from countercase.cli.progress import Steps
    from countercase.config import load_settings
    from countercase.corpus.readers.detect import count_documents, read_corpus
    from countercase.retrieval.lexical import WordIndex
    from countercase.web.searchers import WordSearcher

    if _rankers(rankers) not in (None, ("lexical",)):
        raise InputError(
            "--documents is ranked by words alone; leave out --rankers, or index the corpus with "
            "`countercase index` and serve it with --corpus"
        )
    total = count_documents(path) or 0
    with Steps() as steps:
        index = WordIndex(
            read_corpus(path),
            load_settings().PROVISION_WEIGHT,
            lambda done: steps.work("reading", done, total),
        )
        steps.work("indexing words", 0, 0)
        index.prepare()
    return WordSearcher(path.stem if corpus == "casebook" else corpus, index)


def _rankers(listed: str) -> tuple[str, ...] | None:
    from countercase.registry import RANKERS

    return options.names_of("--rankers", listed, RANKERS.names(), "channel") or None
