"""Settings: their layers, their bounds, and the file at the root."""

from __future__ import annotations

from pathlib import Path

import pytest

from countercase.config import Settings, load_settings, read_settings_file, settings_template
from countercase.errors import ConfigError

ROOT = Path(__file__).parents[1]


def test_the_fixed_constants() -> None:
    settings = Settings()
    assert (settings.RRF_K, settings.MMR_LAMBDA, settings.TOP_K) == (20, 0.7, 10)
    assert (settings.MIN_DISPLACEMENT, settings.DISPOSITIVE_THRESHOLD) == (1.0, 1.5)


def test_the_file_at_the_root_is_what_init_writes() -> None:
    assert (ROOT / "settings.py").read_text(encoding="utf-8") == settings_template()


def test_the_template_reads_back_as_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text(settings_template())
    assert load_settings(tmp_path, {}) == Settings()


def test_later_layers_win(tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text("TOP_K = 5\nDEPTH = 1\nRRF_K = 30\n")
    settings = load_settings(
        tmp_path, {"COUNTERCASE_TOP_K": "7", "COUNTERCASE_DEPTH": "3"}, TOP_K=9
    )
    assert (settings.RRF_K, settings.DEPTH, settings.TOP_K) == (30, 3, 9)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("TOPK = 5", "unknown setting TOPK; did you mean TOP_K"),
        ("TOP_K = 'ten'", "TOP_K = 'ten'"),
        ("TOP_K = 0", "greater than or equal to 1"),
        ("MMR_LAMBDA = 1.5", "less than or equal to 1"),
        ("TOP_K = len('abc')", "TOP_K is not a literal"),
        ("import os", "only NAME = literal"),
        ("TOP_K = = 3", "not readable as Python"),
        ("RANKERS = ('dpr', 'magic')", "RANKERS"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "settings.py").write_text(content)
    with pytest.raises(ConfigError, match=r"settings\.py") as caught:
        load_settings(tmp_path, {})
    assert message in str(caught.value)


def test_the_file_is_never_run(tmp_path: Path) -> None:
    trap = tmp_path / "ran"
    (tmp_path / "settings.py").write_text(f"TOP_K = open({str(trap)!r}, 'w').write('x')")
    with pytest.raises(ConfigError):
        read_settings_file(tmp_path / "settings.py")
    assert not trap.exists()


def test_unknown_environment_variables_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="environment: unknown setting TOPP_K"):
        load_settings(tmp_path, {"COUNTERCASE_TOPP_K": "3"})
