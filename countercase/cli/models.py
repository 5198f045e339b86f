"""`countercase models`: list, verify and prepare the embedded models."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Final

import typer

from countercase.cli import options
from countercase.cli.options import console, grid, show
from countercase.encoders.base import ROLES, EncoderOptions
from countercase.encoders.embedded import runtime as preparation
from countercase.encoders.embedded import weights
from countercase.facts.tagger import weights as tagger
from countercase.io import Progress

CARDS: Final = {"sentence": "base", "question": "towers", "passage": "towers"} | {
    name: name for name in ("stance", "cross", "contrast", "reader", "tagger", "salience")
}
"""The card of each model, by its name; both towers have one."""

OWN: Final = (weights.CONTRAST, weights.READER)
"""The files of the models that ship whole, beside the base model and its adapters."""

app = options.group("List, verify and prepare the embedded models.")


@dataclass(frozen=True)
class ModelState:
    """One embedded model.

    Args:
        adapter: the file of its trained adapter; empty where the base model serves as it is.
        fingerprint: names the prepared model, at full precision.
        prepared: whether its file is there; the reader and the tagger ship ready to use.
        problem: what is wrong with its files, where they were checked and anything is.
    """

    role: str
    adapter: str
    fingerprint: str
    prepared: bool
    file: str
    problem: str = ""


def list_models() -> tuple[ModelState, ...]:
    """Return the encoders by role, the contrast, the reader and the fact tagger, weights unread."""
    encoders = (
        ModelState(
            role=role,
            adapter=recipe.adapter or (weights.TOWERS if recipe.projection_sha256 else ""),
            fingerprint=weights.fingerprint(recipe, "f32"),
            prepared=all(
                preparation.prepared_file(part).with_name(preparation.SUMS).is_file()
                for part in weights.parts(recipe)
            ),
            file=str(preparation.prepared_file(recipe)),
        )
        for role, recipe in weights.recipes().items()
    )
    digests, folder = weights.checksums(), weights.adapter_folder()
    own = {Path(name).stem: folder / name for name in (*OWN, tagger.WEIGHTS)}
    return (*encoders, *(
        ModelState(role, it.name, digests.get(it.name, "")[:16], it.is_file(), str(it))
        for role, it in own.items()
    ))  # fmt: skip


def verify_models(progress: Progress | None = None, answers: bool = True) -> tuple[ModelState, ...]:
    """Return the models, each with what is wrong with its files or, where asked, its known answers.

    `progress` is told of each model that is prepared.
    """
    problem_of = weights.model_problem
    shared = problem_of(weights.base_weights) or problem_of(weights.tokenizer_file)
    adapters = (partial(weights.adapter_file, recipe) for recipe in weights.recipes().values())
    problems = [shared or problem_of(adapter) for adapter in adapters]
    if answers and not any(problems):
        from countercase.config import load_settings
        from countercase.encoders.embedded.suite import EmbeddedEncoders, difference

        options = EncoderOptions(**load_settings().encoding(), progress=progress)
        encoders = EmbeddedEncoders(options, asked=False)
        problems = [difference(encoders, role) for role in ROLES]
    problems += [shared or problem_of(partial(weights.own_file, name)) for name in OWN]
    problems += [problem_of(tagger.read)]
    states = zip(list_models(), problems, strict=True)
    return tuple(replace(state, problem=problem) for state, problem in states)


def prepared_problems() -> dict[str, str]:
    """Return what is wrong with the prepared file of each encoder that has one, every byte read."""
    recipes = weights.recipes().items()
    there = [(role, it) for role, it in recipes if preparation.prepared_file(it).parent.exists()]
    return {role: preparation.problem_of(recipe) for role, recipe in there}


@options.command(app, "models.list")
def list_(as_json: bool = False) -> None:
    """List the embedded models and whether they are prepared."""
    _show(list_models(), as_json)


@options.command(app, "models.verify")
def verify(as_json: bool = False) -> None:
    """Check the models' files and what they compute.

    Files are compared with their checksums, and what the models make of a known text with what
    they made of it when they were shipped. Exit status 1 where a file is damaged or an answer
    differs.
    """
    states = verify_models(_tell_preparing)
    _show(states, as_json, verified=True)
    if any(state.problem for state in states):
        raise typer.Exit(1)


@options.command(app, "models.card")
def card(name: str) -> None:
    """Print a model's card: data, training, quality, limits."""
    cards = files("countercase.encoders.embedded") / "cards"
    text = (cards / f"{CARDS[options.one_of('NAME', name, tuple(CARDS))]}.md").read_text("utf-8")
    console().print(text, soft_wrap=True)


@options.command(app, "models.prepare")
def prepare(again: bool = False, as_json: bool = False) -> None:
    """Prepare the models for this machine.

    Otherwise each is prepared when it is first needed.
    """
    preparation.prepare(ROLES, _tell_preparing, again)
    _show(list_models(), as_json)


def _tell_preparing(what: str, done: int, of: int) -> None:
    typer.echo(what, err=True)


def _show(states: tuple[ModelState, ...], as_json: bool, verified: bool = False) -> None:
    columns = ("model", "made with", "fingerprint", "state", "files and answers")
    rows = []
    for it in states:
        ready = "prepared" if it.prepared else "not prepared"
        checked = (it.problem or "verified") if verified else ""
        rows.append((it.role, it.adapter or "base model", it.fingerprint, ready, checked))
    show(as_json, [asdict(state) for state in states], lambda: grid(columns, rows))
