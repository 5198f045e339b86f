"""`countercase serve`: the pages in the browser, and the service for programs."""

from __future__ import annotations

import contextlib
import logging
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from countercase.cli import options
from countercase.cli.options import Steps, opened_session
from countercase.config import load_settings
from countercase.errors import ConfigError, InputError
from countercase.io import cache_root

if TYPE_CHECKING:
    from countercase.web.corpora import Searcher

NEEDED: Final = ("fastapi", "uvicorn", "python_multipart")
"""Packages of the extra `serve`, without which nothing of `countercase.web` can be imported."""
EXAMPLES: Final = Path("examples")


@options.described("serve")
def serve(
    corpus: str = "casebook", documents: Path | None = None, rankers: str = "",
    host: str = "127.0.0.1", port: int = 8642, token: str = "",
    allow_host: list[str] | None = None, examples: Path = EXAMPLES, log: bool = False,
    models: str = "embedded", chroma_host: str | None = None,
) -> None:  # fmt: skip
    """Open CounterCase in the browser, and serve it to other programs.

    The address that it prints opens the pages; /docs describes the service. Cases and analyses
    are kept under COUNTERCASE_HOME and survive a restart. With --documents it answers searches
    alone; no model is needed, and Chinese is read by characters and character pairs.
    """
    missing = [package.replace("_", "-") for package in NEEDED if find_spec(package) is None]
    if missing:
        raise ConfigError(
            f"countercase serve needs {' and '.join(missing)}; "
            "install them with: pip install 'countercase[serve]'"
        )
    from countercase.facts.documents import SUFFIXES
    from countercase.web import app as running
    from countercase.web.app import create_app
    from countercase.web.corpora import serve_session
    from countercase.web.jobs import Jobs
    from countercase.web.security import Access
    from countercase.web.worker import Worker
    from countercase.web.workspace import Workspace

    kinds, files = (".json", *SUFFIXES), sorted(examples.glob("*"))
    cases = tuple(path for path in files if path.suffix in kinds)
    if not cases and examples != EXAMPLES:
        beside = ", ".join(sorted(it.name for it in examples.parent.glob("*/"))) or "none"
        raise InputError(f"--examples {examples}: no folder of cases; folders beside it: {beside}")
    running.check_token(host, token)
    listening, worker = running.bind(host, port), None
    if log:  # one JSON object a line, on stderr
        logging.basicConfig(format="%(message)s")
        logging.getLogger("countercase.web").setLevel(logging.INFO)
    if documents is not None:
        searcher = _by_words(documents, corpus, rankers)
    else:
        settings = load_settings(RANKERS=rankers or None)
        with opened_session(settings, corpus, models, chroma_host) as (session, _):
            worker = Worker(Workspace(session, Jobs(cache_root() / "web"), cases))
            searcher = serve_session(session)
    app = create_app(searcher, Access(running.names_of(host, allow_host or ()), token), worker)
    name, number = listening.getsockname()[:2]
    address = f"http://[{name}]:{number}" if ":" in name else f"http://{name}:{number}"
    by = ", ".join(searcher.rankers)
    served = f"{searcher.corpus}, {searcher.documents:,} documents by {by}, at {address}"
    typer.echo(f"serving {served}; Ctrl-C stops it")  # it listens; the first request waits
    if worker is not None:
        typer.echo(f"To begin, open {address} in your browser.")

    def stopping() -> None:
        if worker is not None and worker.stop():
            typer.echo("stopping: the running state is finished first", err=True)

    with contextlib.suppress(KeyboardInterrupt):  # how a stop is asked for
        running.run_app(app, listening, stopping)
    if worker is not None and (broken_off := worker.end()):
        typer.echo(f"analysis {broken_off} was stopped; what was measured is kept", err=True)
    typer.echo("stopped", err=True)


def _by_words(path: Path, corpus: str, rankers: str) -> Searcher:
    from countercase.corpus.readers.detect import read_corpus, reader_of
    from countercase.retrieval.lexical import WordIndex
    from countercase.web.corpora import serve_words

    if rankers not in ("", "lexical"):
        raise InputError(
            "--documents is ranked by words alone; leave out --rankers, or index the corpus with "
            "`countercase index` and serve it with --corpus"
        )
    total, weight = reader_of(path).count(path) or 0, load_settings().PROVISION_WEIGHT
    with Steps() as steps:
        index = WordIndex(read_corpus(path), weight, partial(steps.work, "reading", of=total))
        steps.work("indexing words", 0, 0)
        index.prepare()
    return serve_words(path.stem if corpus == "casebook" else corpus, index)
