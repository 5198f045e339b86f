"""The cross-encoder's comparison of two texts, and how far each sees the other."""

from __future__ import annotations

import pytest
import torch

from countercase.encoders.embedded import weights
from countercase.encoders.embedded.graphs import (
    APART_LAYERS,
    CLOSED,
    FIRST_SCALE,
    SPECIAL,
    PairHead,
    pair_states,
)
from countercase.encoders.embedded.runtime import WordPieces

CLS, SEP = SPECIAL


# The comparison

IDS = torch.tensor([[CLS, 5, 6, SEP, CLS, 7, SEP]])
TYPES = torch.tensor([[0, 0, 0, 0, 1, 1, 1]])
EAST, NORTH, NOWHERE = [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]
HIDDEN = torch.tensor([[NOWHERE, EAST, NORTH, NOWHERE, NOWHERE, EAST, NOWHERE]])


def test_an_untrained_head_by_hand() -> None:
    # Means: north-east and east, cosine √½. Words: the first piece finds itself, the second nothing
    # near; all pieces weigh the same, so ½.
    score = PairHead(2, 30_522, 6)(HIDDEN, IDS, TYPES, torch.ones_like(IDS))
    assert score.tolist() == pytest.approx([FIRST_SCALE * (0.5**0.5 + 0.5)])


def test_padding_changes_no_score() -> None:
    torch.manual_seed(0)
    head = PairHead(2, 30_522, 6, hidden=3)
    torch.nn.init.normal_(head.out.weight)
    mask, none = torch.ones_like(IDS), torch.zeros(1, 2, dtype=torch.long)
    plain = head(HIDDEN, IDS, TYPES, mask)
    wide = torch.cat([HIDDEN, torch.full((1, 2, 2), 9.0)], dim=1)
    more = ((IDS, none + 3), (TYPES, none), (mask, none))
    padded = head(wide, *(torch.cat(both, 1) for both in more))
    assert padded.tolist() == pytest.approx(plain.tolist())


# How far the texts see each other


def small_encoder(layers: int) -> torch.nn.Module:
    from transformers import BertConfig, BertModel

    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=120, hidden_size=16, num_hidden_layers=layers, num_attention_heads=2,
        intermediate_size=32, initializer_range=0.3,
    )  # fmt: skip
    return BertModel(config, add_pooling_layer=False).eval()


def test_in_the_lowest_layers_the_gate_is_always_closed() -> None:
    first, second = [CLS, 7, 8, 9, SEP], [CLS, 11, 8, 12, 13, SEP]
    ids = torch.tensor([first + second])
    given = (ids, torch.tensor([[0] * len(first) + [1] * len(second)]), torch.ones_like(ids))
    low = small_encoder(APART_LAYERS)
    with torch.no_grad():
        opened, closed = (pair_states(low, torch.full((4,), it), *given) for it in (0.0, CLOSED))
    assert torch.equal(opened, closed)
    gates = torch.zeros(4, requires_grad=True)
    pair_states(small_encoder(4), gates, *given).square().sum().backward()
    assert gates.grad is not None
    assert [bool(value) for value in gates.grad] == [at >= APART_LAYERS for at in range(4)]


# The word pieces of a pair


def test_the_second_text_is_cut_first_and_the_first_never_below_half() -> None:
    pieces = WordPieces(weights.tokenizer_file())
    long, short = "blow " * 100, "knife " * 3
    cut = ((short, long, (3, 25)), (long, short, (25, 3)), (long, long, (14, 14)))
    for first, second, sizes in cut:
        ids, types = pieces.pair(first, second, 32)
        assert ids.shape == (1, 32)
        assert (int((types == 0).sum()) - 2, int((types == 1).sum()) - 2) == sizes
        assert ids[0, [0, sizes[0] + 1, sizes[0] + 2, -1]].tolist() == [CLS, SEP, CLS, SEP]
