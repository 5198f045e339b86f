"""`countercase init`: make a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from countercase.errors import InputError

EVAL_README: Final = """# Evaluation sets

`countercase eval` looks here for sets, each a file of JSON Lines:

| file | what it holds |
|---|---|
| `retrieval.jsonl` | matters with graded decisions |
| `counterfactual.jsonl` | cases with the facts that should and should not matter |
| `explanations.jsonl` | explanations with their sources, faithful or not |
| `passes/` | for each of the three, the labels of two passes; for `countercase eval agreement` |
| `planted/spec.json` | the recipe of made-up worlds; for `countercase eval planted` |

CounterCase's own sets, and what every field means, are in this folder of its source. Put copies or
sets of your own here, or name a file with `--set`. BEIR and TREC collections are read where they are:
`countercase eval retrieval --corpus PATH --queries FILE --qrels FILE`.
"""

ANNOTATIONS_README: Final = """# Annotations

What people think of explanations: clarity, legal accuracy and usefulness, each from 1 to 5.

    countercase annotate export --cases CASE.json --raters meera,thomas
    countercase annotate import annotations/meera.csv annotations/thomas.csv
    countercase annotate score

`export` writes a sheet (CSV) for each rater, one explanation a row. Fill in the three columns that
end in `1_to_5`; leave blank what you cannot judge, and do not confer. `import` checks every cell and
keeps the ratings in `ratings.jsonl`; `score` gives means, agreement, and whether faithfulness agrees.
"""


def init(
    directory: Annotated[Path, typer.Argument(help="Folder of the workspace.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Overwrite what is there.")] = False,
) -> None:
    """Make a workspace.

    It holds settings.py with every default, eval_sets/ and annotations/.
    """
    for path in make_workspace(directory, force):
        typer.echo(f"wrote {path}")
    typer.echo("next: countercase analyze CASE.json --out out/")


def make_workspace(directory: Path, force: bool = False) -> list[Path]:
    """Write the files of a workspace into `directory`; returns them.

    Raises:
        InputError: one of them is there already and `force` is not given; nothing is written.
        StoreError: the folder cannot be written.
    """
    from countercase.config import SETTINGS_FILE, settings_template
    from countercase.io import write_files

    texts = (
        (directory, SETTINGS_FILE, settings_template()),
        (directory / "eval_sets", "README.md", EVAL_README),
        (directory / "annotations", "README.md", ANNOTATIONS_README),
    )
    existing = [folder / name for folder, name, _ in texts if (folder / name).exists()]
    if existing and not force:
        listed = ", ".join(map(str, existing))
        raise InputError(f"{listed}: already there; choose another folder or overwrite by --force")
    return [path for folder, name, text in texts for path in write_files(folder, {name: text})]
