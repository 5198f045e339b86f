"""Gold sets of similar cases: records read, positives chosen by their rules, sets read back."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from like_cases import case, row

from countercase.errors import InputError
from countercase.evaluation.benchmarks.similar_cases import (
    CaseRecord,
    Labels,
    Term,
    build_gold,
    corpus_lines,
    gold_lines,
    read_gold,
    read_records,
    unique_records,
)


def test_records_are_read_in_utf8_and_in_gb18030(tmp_path: Path) -> None:
    text = json.dumps(row("甲"), ensure_ascii=False) + "\r\n\r\n" + json.dumps(row("乙")) + "\n"
    read = []
    for name in ("utf-8", "gb18030", "utf-8-sig"):
        path = tmp_path / "cases.json"
        path.write_bytes(text.encode(name))
        read.append(read_records(path))
    assert read[0] == read[1] == read[2]
    assert [one.record_id for one in read[0]] == ["cases-1", "cases-3"]
    assert read[0][0].meta == Labels(frozenset({"盗窃"}), frozenset({"264"}), Term(imprisonment=12))
    with pytest.raises(InputError, match="--encoding"):
        read_records(path, "ascii")


_months = st.sampled_from([0, 6, 8, 12, 36, 40, 120])
_offence = st.sampled_from(["盗窃", "诈骗"]), st.sampled_from(["264", "266"])
_record = st.builds(case, st.uuids().map(str), _months, *_offence)


@settings(deadline=None)
@given(st.lists(_record, min_size=1, max_size=40), st.integers(0, 5))
def test_positives_share_charges_and_articles_and_are_near(
    records: list[CaseRecord], seed: int
) -> None:
    try:
        gold = build_gold(records, queries=7, positives=2, seed=seed, min_characters=1)
    except InputError:
        for one in records:
            like = [o for o in records if o is not one and o.meta == one.meta]
            assert len(like) < 2
        return
    assert len({one.query.record_id for one in gold}) == len(gold) <= 7
    for one in gold:
        assert one.qualified >= len(one.positives) == 2
        tiers = [positive.tier for positive in one.positives]
        assert tiers == sorted(tiers)
        for positive in one.positives:
            assert positive.record_id != one.query.record_id
            assert positive.meta.accusation == one.query.meta.accusation
            assert positive.meta.relevant_articles == one.query.meta.relevant_articles
            own, other = (it.meta.term_of_imprisonment for it in (one.query, positive))
            assert positive.tier == own.tier(other) is not None
    assert gold == build_gold(records, 7, 2, seed, 1)


def test_another_seed_draws_another_set() -> None:
    records = [case(str(at), months=at % 3) for at in range(60)]
    assert build_gold(records, 5, 3, 0, 1) != build_gold(records, 5, 3, 1, 1)


def test_offences_take_turns() -> None:
    many = [case(f"t{at}") for at in range(50)]
    few = [case(f"f{at}", charge="诈骗", article="266") for at in range(4)]
    gold = build_gold(many + few, queries=4, positives=3, seed=0, min_characters=1)
    charges = [min(one.query.meta.accusation) for one in gold]
    assert sorted(charges) == ["盗窃", "盗窃", "诈骗", "诈骗"]


@pytest.mark.parametrize(
    ("query", "other", "tier"),
    [
        *((40, months, tier) for months, tier in ((40, 1), (43, 2), (44, 2), (45, 3), (48, 3))),
        *((40, months, tier) for months, tier in ((49, None), (36, 2), (32, 3), (31, None))),
        *((12, 18, 3), (12, 19, None)),  # six months
        *((60, 72, 3), (60, 73, None)),  # 20% of 60
        (0, 6, 3),
        ("life", "life", 1),
        ("life", "death", None),
        (180, "life", None),
        ("death", 0, None),
    ],
)
def test_a_term_is_near_within_the_larger_of_a_fifth_and_six_months(
    query: int | str, other: int | str, tier: int | None
) -> None:
    terms = {"life": Term(life_imprisonment=True), "death": Term(death_penalty=True)}
    first, second = (terms.get(str(it)) or Term(imprisonment=int(it)) for it in (query, other))
    assert first.tier(second) == tier


def test_a_set_reads_back_as_it_was_written(tmp_path: Path) -> None:
    gold = build_gold([case(str(at), months=at) for at in range(20)], 4, 3, 0, 1)
    path = tmp_path / "gold.jsonl"
    path.write_text(gold_lines(gold), encoding="utf-8")
    assert read_gold(path) == gold
    path.write_text(gold_lines(gold[:1] * 2), encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        read_gold(path)


def test_the_corpus_has_each_text_once_and_each_id_once() -> None:
    same = [case("1", fact="甲 盗窃。"), case("2", fact="甲盗窃。"), case("1", fact="乙盗窃。")]
    assert [one.record_id for one in unique_records(same)] == ["1", "1-2"]
    lines = [json.loads(line) for line in corpus_lines(same).splitlines()]
    assert [line["_id"] for line in lines] == ["1", "1-2"]
    assert lines[0]["metadata"] == json.loads(json.dumps(asdict(same[0].meta)))
