"""The cross-encoder's comparison of two texts, and how far each sees the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from countercase.encoders.embedded import weights
from countercase.encoders.embedded.graphs import (
    APART_LAYERS,
    CLOSED,
    FIRST_SCALE,
    SPECIAL,
    PairEncoder,
    PairHead,
    pair_states,
)
from countercase.encoders.embedded.runtime import WordPieces

CLS, SEP = SPECIAL
WIDTH, LAYERS = 16, 4
FIRST = [CLS, 7, 8, 9, SEP]
SECOND = [CLS, 11, 8, 12, 13, SEP]


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
    plain = head(HIDDEN, IDS, TYPES, torch.ones_like(IDS))
    wide = torch.cat([HIDDEN, torch.full((1, 2, 2), 9.0)], dim=1)
    more = torch.tensor([[3, 3]])
    padded = head(
        wide,
        torch.cat([IDS, more], 1),
        torch.cat([TYPES, torch.zeros_like(more)], 1),
        torch.cat([torch.ones_like(IDS), torch.zeros_like(more)], 1),
    )
    assert padded.tolist() == pytest.approx(plain.tolist())


# How far the texts see each other


def small_encoder(layers: int = LAYERS) -> torch.nn.Module:
    from transformers import BertConfig, BertModel

    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=120, hidden_size=WIDTH, num_hidden_layers=layers, num_attention_heads=2,
        intermediate_size=32, initializer_range=0.3,
    )  # fmt: skip
    return BertModel(config, add_pooling_layer=False).eval()


@pytest.fixture(autouse=True)
def no_gradients() -> Iterator[None]:
    with torch.no_grad():
        yield


def pair(first: list[int], second: list[int], padding: int = 0) -> tuple[torch.Tensor, ...]:
    ids = torch.tensor([first + second + [0] * padding])
    types = torch.tensor([[0] * len(first) + [1] * len(second) + [0] * padding])
    mask = torch.tensor([[1] * (len(first) + len(second)) + [0] * padding])
    return ids, types, mask


def alone(encoder: torch.nn.Module, ids: list[int]) -> torch.Tensor:
    states: torch.Tensor = encoder(input_ids=torch.tensor([ids])).last_hidden_state[0]
    return states


def states_of(encoder: torch.nn.Module, gate: float, *given: torch.Tensor) -> torch.Tensor:
    states: torch.Tensor = pair_states(encoder, torch.full((LAYERS,), gate), *given)[0]
    return states


def test_behind_closed_gates_a_pair_scores_what_its_texts_say_alone() -> None:
    encoder, head = small_encoder(), PairHead(WIDTH, 30_522, LAYERS, 4)
    torch.nn.init.normal_(head.out.weight)
    torch.nn.init.normal_(head.word_weight)
    head.gates.fill_(CLOSED)
    ids, types, _ = pair(FIRST, SECOND)
    first, second = alone(encoder, FIRST), alone(encoder, SECOND)
    near = torch.nn.functional.cosine_similarity(first[1:-1, None], second[None, 1:-1], dim=-1)
    weight = head.weights(torch.tensor(FIRST[1:-1]))
    words = (near.max(dim=1).values * weight).sum() / weight.sum()
    means = [torch.nn.functional.normalize(text.mean(0), dim=-1) for text in (first, second)]
    expected = head.compare(means[0], means[1], words)
    found = PairEncoder(encoder, head)(ids, types)
    assert found.shape == (1,)
    assert found.item() == pytest.approx(expected.item(), abs=1e-4)


def test_in_the_lowest_layers_the_gate_is_always_closed() -> None:
    low = small_encoder(APART_LAYERS)
    given = pair(FIRST, SECOND)
    assert torch.equal(states_of(low, 0.0, *given), states_of(low, CLOSED, *given))
    with torch.enable_grad():
        gates = torch.zeros(LAYERS, requires_grad=True)
        pair_states(small_encoder(), gates, *given).square().sum().backward()
    assert gates.grad is not None
    assert [bool(value) for value in gates.grad] == [
        at >= APART_LAYERS for at in range(LAYERS)
    ]  # fmt: skip


# The word pieces of a pair


@pytest.fixture(scope="module")
def pieces() -> WordPieces:
    return WordPieces(weights.tokenizer_file())


def test_the_second_text_is_cut_first_and_the_first_never_below_half(pieces: WordPieces) -> None:
    long, short = "blow " * 100, "knife " * 3
    for first, second, sizes in (
        (short, long, (3, 25)),
        (long, short, (25, 3)),
        (long, long, (14, 14)),
    ):
        ids, types = pieces.pair(first, second, 32)
        assert ids.shape == (1, 32)
        assert (int((types == 0).sum()) - 2, int((types == 1).sum()) - 2) == sizes
        assert ids[0, [0, sizes[0] + 1, sizes[0] + 2, -1]].tolist() == [CLS, SEP, CLS, SEP]
