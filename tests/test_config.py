"""Settings: their layers, their bounds, and the file at the root."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from countercase import registry
from countercase.config import (
    RetrievalSettings,
    Settings,
    TreeSettings,
    UnknownSettingWarning,
    load_settings,
    read_settings_file,
    settings_template,
)
from countercase.errors import ConfigError, InputError
from countercase.io import cache_root
from countercase.registry import Registry

ROOT = Path(__file__).parents[1]


def test_the_fixed_constants() -> None:
    settings = Settings()
    assert (settings.RRF_K, settings.MMR_LAMBDA, settings.TOP_K) == (20, 0.7, 10)
    assert (settings.MIN_DISPLACEMENT, settings.DISPOSITIVE_THRESHOLD) == (1.0, 1.5)


def test_the_file_at_the_root_is_what_init_writes_and_reads_back_as_the_defaults() -> None:
    assert (ROOT / "settings.py").read_text(encoding="utf-8") == settings_template()
    assert load_settings(ROOT, {}) == Settings()


def test_a_mark_of_the_byte_order_is_read_over_and_a_dangling_link_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text("RANKERS = ['dpr']", encoding="utf-8-sig")
    settings = load_settings(
        tmp_path, {"COUNTERCASE_USE_MMR": "off", "COUNTERCASE_FACT_TAGGER": "0"}
    )
    assert (settings.RANKERS, settings.USE_MMR, settings.FACT_TAGGER) == (("dpr",), False, False)
    (tmp_path / "settings.py").unlink()
    (tmp_path / "settings.py").symlink_to(tmp_path / "gone")
    with pytest.raises(ConfigError, match="must be a file"):
        load_settings(tmp_path, {})


def test_later_layers_win(tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text("TOP_K = 5\nDEPTH = 1\nRRF_K = 30\n")
    environment = {"COUNTERCASE_TOP_K": "7", "COUNTERCASE_DEPTH": "3"}
    settings = load_settings(tmp_path, environment, TOP_K=9)
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
        ("TOP_K = 5\nTOP_K = 6", "line 2: only NAME = literal may stand here, each once"),
        *((f"TOP_K = {it}", "valid integer") for it in ("True", "'5'", "b'5'")),
        *((f"RANKERS = {it}", "name one or more of dpr") for it in ("{'dpr'}", "()", "5", "' ,'")),
        (f"TOP_K = {'-' * 90_000}1", "too deep"),
        ("TOP_K = = 3", "not readable as Python"),
        ("RANKERS = ('dpr', 'magic')", "RANKERS"),
        ("RANKERS = ('dpr', 'dpr')", "a ranker stands there twice"),
        (f"DPR_WEIGHT = {10**300}", "between -1,000 and 1,000"),
        (f"RRF_K = {10**30}", "less than or equal to 10000"),
        ("DPR_WEIGHT = 1e999", "DPR_WEIGHT"),
        *((f"TOP_K = {it}", "") for it in ("9" * 5000, f"0x{'f' * 9000}", "{[]: 1}")),
        *((f"TOP_K = {it}", "") for it in (f"{'-' * 100_000}1", "+".join(["1"] * 50_000))),
        *((f"TOP_K = {a * n}1{b * n}", "") for a, b, n in (("(", ")", 300), ("[", "]", 190))),
        ("RERANK_WEIGHT = float('nan')", "RERANK_WEIGHT"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "settings.py").write_text(content)
    with pytest.raises(ConfigError, match=r"settings\.py") as caught:
        load_settings(tmp_path, {})
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400 + len(str(tmp_path))


def test_a_wrong_value_is_named_as_it_was_given(tmp_path: Path) -> None:
    for names, environ, flags in (
        ("COUNTERCASE_TOP_K = 'x': it must be", {"COUNTERCASE_TOP_K": "x"}, {}),
        ("COUNTERCASE_RANKERS = 'zzz': no rankers", {"COUNTERCASE_RANKERS": "zzz"}, {}),
        ("--top-k 0: it must be", {}, {"TOP_K": 0}),
        ("--threshold -1.0: it must be", {}, {"DISPOSITIVE_THRESHOLD": -1.0}),
    ):
        with pytest.raises(ConfigError, match=names):
            load_settings(tmp_path, environ, **flags)
    named = load_settings(tmp_path, {"COUNTERCASE_RANKERS": "dpr, lexical"})
    assert named.RANKERS == ("dpr", "lexical")


def test_the_file_is_never_run_and_a_folder_in_its_place_is_named(tmp_path: Path) -> None:
    trap, file = tmp_path / "ran", tmp_path / "settings.py"
    file.write_text(f"TOP_K = open({str(trap)!r}, 'w').write('x')")
    with pytest.raises(ConfigError):
        read_settings_file(file)
    assert not trap.exists()
    file.unlink()
    file.mkdir()
    with pytest.raises(ConfigError, match=r"settings\.py: must be a file"):
        load_settings(tmp_path, {})


def test_unknown_environment_variables_are_warnings_and_keys_of_services_are_not(
    tmp_path: Path,
) -> None:
    with pytest.warns(UnknownSettingWarning, match="COUNTERCASE_TOPP_K names no setting; did you"):
        settings = load_settings(tmp_path, {"COUNTERCASE_TOPP_K": "3", "COUNTERCASE_DEPTH": "1"})
    assert settings == Settings(DEPTH=1)
    keys = {"COUNTERCASE_JUDGE_KEY": "k", "COUNTERCASE_LLM_API_KEY": "k", "COUNTERCASE_HOME": "/x"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert load_settings(tmp_path, keys) == Settings()


def test_the_groups_carry_the_settings_of_their_names() -> None:
    settings = Settings(RRF_K=7, DPR_WEIGHT=0.9, RANKERS=("dpr",), DEPTH=3, TOP_K=4)
    retrieval, tree = settings.retrieval(), settings.tree()
    assert (retrieval.rrf_k, retrieval.rankers) == (7, ("dpr",))
    assert dict(retrieval.weights) == {"dpr": 0.9, "chroma": 0.2, "lexical": 1.0}
    assert (tree.depth, tree.top_k) == (3, 4)
    assert (RetrievalSettings(), TreeSettings()) == (Settings().retrieval(), Settings().tree())


def test_a_group_has_the_bounds_of_the_settings() -> None:
    for wrong in ({"mmr_lambda": 2.0}, {"rankers": ()}, {"weights": {"dpr": 0}}, {"rrf": 3}):
        with pytest.raises(ValueError, match="validation error for RetrievalSettings"):
            RetrievalSettings(**wrong)


def test_a_registered_ranker_may_be_named_and_brings_its_weight() -> None:
    class Heavy:
        default_weight = 3.0

    registry.register("rankers", "heavy", Heavy)
    try:
        retrieval = Settings(RANKERS=("lexical", "heavy")).retrieval()
        assert (retrieval.weight_of("heavy"), retrieval.weight_of("lexical")) == (3.0, 1.0)
        assert RetrievalSettings(weights={"heavy": 2.0}).weight_of("heavy") == 2.0
    finally:
        registry.RANKERS._registered.pop("heavy")
    with pytest.raises(ValueError, match="no rankers named 'lexicl'; did you mean lexical"):
        Settings(RANKERS=("lexicl",))


def test_a_home_too_long_for_a_file_system_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERCASE_HOME", "/" + "a/" * 2_500)
    with pytest.raises(ConfigError, match="a path of 5,001 characters"):
        cache_root()


@pytest.mark.parametrize(
    "address",
    ["javascript:alert('{title}')", "file:///{title}", "https://{title}/", "https://example.org/",
     "https://example.org/{unknown}", "ftp://example.org/{title}", 'https://example.org/"{title}',
     "https://name:word@example.org/{title}", "https://example.org/ {title}", "data:,{title}"],
)  # fmt: skip
def test_the_source_of_judgments_is_an_address_of_the_web_with_a_place_for_the_judgment(
    address: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="JUDGMENT_URL"):
        load_settings(tmp_path, {}, "argument", JUDGMENT_URL=address)


def test_the_source_of_judgments_changes_no_result(tmp_path: Path) -> None:
    chosen = load_settings(tmp_path, {}, JUDGMENT_URL="https://example.org/find?q={title}")
    assert chosen.fingerprint() == load_settings(tmp_path, {}).fingerprint()


def test_a_part_that_fails_or_lacks_what_is_needed_is_named() -> None:
    parts = Registry("rankers", made="name rows")
    parts.register("nameless", object)
    parts.register("broken", lambda: {}["x"])
    for name, told in {"nameless": "has no `name`", "broken": "'broken' failed: KeyError"}.items():
        with pytest.raises(InputError, match=told):
            parts.make(name)
