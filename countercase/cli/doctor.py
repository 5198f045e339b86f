"""`countercase doctor`: what is here, what is missing, and how to get it."""

from __future__ import annotations

from dataclasses import asdict

import typer

from countercase.cli.options import AsJson


def doctor(as_json: AsJson = False) -> None:
    """Examine this installation and say what is missing.

    Exit status 1 where something is missing that is needed.
    """
    from countercase.cli.examination import examine
    from countercase.cli.screen import console, print_json

    checks = examine()
    missing = [check for check in checks if check.needed and not check.ok]
    if as_json:
        print_json({"ok": not missing, "checks": [asdict(check) for check in checks]})
    else:
        from rich.text import Text

        screen = console()
        for check in checks:
            mark, style = ("ok", "green") if check.ok else ("--", "yellow")
            if check.needed and not check.ok:
                mark, style = "!!", "bold red"
            line = Text(f"{mark}  ", style=style)
            line.append(f"{check.name}: ", style="bold").append(check.found)
            screen.print(line, soft_wrap=True)
            if not check.ok and check.advice:
                screen.print(Text(f"      {check.advice}", style="dim"), soft_wrap=True)
        screen.print(
            Text("all that is needed is here")
            if not missing
            else Text(f"missing: {', '.join(check.name for check in missing)}", style="bold red")
        )
    if missing:
        raise typer.Exit(1)
