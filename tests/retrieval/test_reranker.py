"""The vote of the cross-encoder: both ways of reading."""

from __future__ import annotations

import pytest

from countercase.encoders.embedded.suite import EmbeddedEncoders
from countercase.retrieval.votes import CrossEncoderReranker, contribution

SEGMENT = "He struck one blow with a stick in a sudden quarrel over the water channel."
CHUNK = "A single blow in the heat of a sudden fight is culpable homicide not amounting to murder."
OTHER = "The assessee cannot claim depreciation on machinery that was never put to use."


@pytest.mark.parametrize("mode", ["apart", "joint"])
def test_the_answer_is_worth_more_than_another_text(mode, encoders: EmbeddedEncoders) -> None:
    reranker = CrossEncoderReranker[str](encoders, mode, str)
    reranker.load([(SEGMENT, [CHUNK, OTHER]), (SEGMENT, [CHUNK])])
    assert reranker.vote(SEGMENT, CHUNK) > 0.5 > 0.1 > reranker.vote(SEGMENT, OTHER)
    before = reranker.vote(SEGMENT, CHUNK)
    reranker.forget()
    assert reranker.cached_bytes == 0
    assert reranker.vote(SEGMENT, CHUNK) == before


def test_the_mode_decides_how_a_pair_is_read(encoders: EmbeddedEncoders) -> None:
    apart, joint = (CrossEncoderReranker[str](encoders, m, str) for m in ("apart", "joint"))
    for reranker in (apart, joint):
        reranker.load([(SEGMENT, [CHUNK])])
    [pair] = encoders.score([(SEGMENT, CHUNK)]).tolist()
    assert joint.vote(SEGMENT, CHUNK) == contribution(pair)
    first, second = encoders.apart.read([SEGMENT, CHUNK])
    [[alone]] = encoders.apart.compare([([first], second)])
    assert apart.vote(SEGMENT, CHUNK) == contribution(float(alone))
