"""What a benchmark says of arguments that it cannot use."""

from __future__ import annotations

from pathlib import Path

import analyze
import pytest


def test_a_case_that_is_no_file_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    there, missing = tmp_path / "there.txt", tmp_path / "missing.json"
    there.write_text("He was charged under section 302 IPC.", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["analyze.py", str(there), str(missing)])
    assert analyze.main() == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        f"error: {missing}: there is no such file; check the path\n",
    )
