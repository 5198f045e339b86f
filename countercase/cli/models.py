"""`countercase models`: what the models are made of, whether they are whole, prepare them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from countercase.cli.options import AsJson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from countercase.io import Progress

CARDS = {
    "sentence": "base.md",
    "question": "towers.md",
    "passage": "towers.md",
    "cross": "cross.md",
    "tagger": "tagger.md",
}
"""The card of each model, by its name; both towers have one."""

app = typer.Typer(
    help="List, verify and prepare the embedded models.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@dataclass(frozen=True)
class ModelState:
    """One embedded model.

    Args:
        adapter: the file of its trained adapter; empty where the base model serves as it is.
        fingerprint: names the prepared model, at full precision.
        problem: what is wrong with its files; empty where nothing is or nobody looked.
    """

    role: str
    adapter: str
    fingerprint: str
    prepared: bool
    file: str
    problem: str = ""


def list_models() -> tuple[ModelState, ...]:
    """The models by role, without reading their weights."""
    from countercase.encoders.embedded import weights
    from countercase.encoders.embedded.prepare import is_prepared, prepared_file

    return tuple(
        ModelState(
            role=role,
            adapter=recipe.adapter or (weights.TOWERS if recipe.projection_sha256 else ""),
            fingerprint=weights.fingerprint(recipe, "f32"),
            prepared=is_prepared(recipe),
            file=str(prepared_file(recipe)),
        )
        for role, recipe in weights.recipes().items()
    )


def verify_models(progress: Progress | None = None, answers: bool = True) -> tuple[ModelState, ...]:
    """The models, each with what is wrong with its files or with what it computes.

    Args:
        progress: told of each model that is prepared.
        answers: whether to compute the known answers too, where the files are whole.
    """
    from dataclasses import replace
    from functools import partial

    from countercase.encoders.embedded import weights
    from countercase.errors import ModelError

    def problem(look: Callable[[], object]) -> str:
        try:
            look()
        except ModelError as error:
            return str(error)
        return ""

    shared = problem(weights.base_weights) or problem(weights.tokenizer_file)
    found = []
    for state, recipe in zip(list_models(), weights.recipes().values(), strict=True):
        own = problem(partial(weights.adapter_file, recipe))
        if recipe.role == "cross" and recipe.adapter is None:
            own = "its adapter is missing; install countercase again"
        found.append(replace(state, problem=shared or own))
    if answers and not any(state.problem for state in found):
        found = [replace(state, problem=text) for state, text in _answered(found, progress)]
    return (*found, _tagger())


def _answered(
    states: Sequence[ModelState], progress: Progress | None
) -> list[tuple[ModelState, str]]:
    from countercase.config import load_settings
    from countercase.encoders.base import ROLES, EncoderOptions
    from countercase.encoders.embedded.known_answers import difference
    from countercase.encoders.embedded.suite import EmbeddedEncoders

    encoders = EmbeddedEncoders(EncoderOptions(**load_settings().encoding(), progress=progress))
    return [(state, difference(encoders, role)) for state, role in zip(states, ROLES, strict=True)]


def _tagger() -> ModelState:
    from countercase.facts.tagger import verify as verify_tagger
    from countercase.facts.tagger.weights import WEIGHTS

    checks = verify_tagger()
    [weights] = [check for check in checks if check.name == WEIGHTS]
    problems = [check.problem for check in checks if check.problem]
    return ModelState(
        role="tagger",
        adapter=WEIGHTS,
        fingerprint=weights.sha256[:16],
        prepared=weights.path.is_file(),
        file=str(weights.path),
        problem="; ".join(problems),
    )


def card_text(name: str) -> str:
    """The card of a model: what it was trained on, how, its figures and limits.

    Raises:
        InputError: there is no such model.
    """
    from importlib import resources

    from countercase.cli.options import one_of

    file = CARDS[one_of("NAME", name, tuple(CARDS))]
    return (
        resources.files("countercase.encoders.embedded").joinpath("cards", file).read_text("utf-8")
    )


def prepare_models(again: bool = False, progress: Progress | None = None) -> tuple[ModelState, ...]:
    """Prepare all models that are not prepared yet, or all of them anew.

    Raises:
        ModelError: weights or adapters are missing or damaged.
        StoreError: the cache cannot be written.
    """
    import shutil

    from countercase.encoders.base import ROLES
    from countercase.encoders.embedded import weights
    from countercase.encoders.embedded.prepare import prepare, prepared_file

    if again:
        for recipe in weights.recipes().values():
            shutil.rmtree(prepared_file(recipe).parent, ignore_errors=True)
    prepare(ROLES, progress)
    return list_models()


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the embedded models and whether they are prepared."""
    _show(list_models(), as_json)


@app.command()
def verify(as_json: AsJson = False) -> None:
    """Check the models' files and what they compute.

    Files are held against their checksums, and what they make of a known text against what they
    made of it when they were shipped. Exit status 1 where one is damaged or gives other answers
    than when it was shipped.
    """
    states = verify_models(lambda what, done, of: typer.echo(what, err=True))
    _show(states, as_json, verified=True)
    if any(state.problem for state in states):
        raise typer.Exit(1)


@app.command()
def card(
    name: Annotated[str, typer.Argument(metavar="NAME", help="sentence, question, cross, ...")],
) -> None:
    """Print a model's card: data, training, figures, limits."""
    from countercase.cli.screen import console

    console().print(card_text(name), soft_wrap=True)


@app.command()
def prepare(
    again: Annotated[
        bool, typer.Option("--again", help="Also those that are prepared already.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Prepare the models for this machine.

    Otherwise each is prepared when it is first needed.
    """
    states = prepare_models(again, lambda what, done, of: typer.echo(what, err=True))
    _show(states, as_json)


def _show(states: tuple[ModelState, ...], as_json: bool, verified: bool = False) -> None:
    if as_json:
        from countercase.cli.screen import print_json

        print_json([asdict(state) for state in states])
        return
    for state in states:
        parts = [
            f"{state.role:<9}",
            f"{state.adapter or 'base model':<22}",
            state.fingerprint,
            "prepared" if state.prepared else "not prepared",
        ]
        if verified:
            parts.append(state.problem or "verified")
        typer.echo("  ".join(parts))
