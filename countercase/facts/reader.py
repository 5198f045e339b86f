"""The learnt reader: whose a figure is, which date speaks for the occurrence, what a clause tells.

The base model with its upper layers retrained gives one vector for each word piece, and linear
questions are asked of them, all in numpy. A text is read in windows that overlap, each alone and by
one thread, and a piece takes its vector from the window in which it stands farther from an edge: the
same text gives the same answers, whatever else is read and with any number of threads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from countercase.encoders.apart import one_thread
from countercase.encoders.embedded import weights
from countercase.encoders.embedded.runtime import open_tokenizer
from countercase.text.spans import Span

WINDOW: Final = 510
"""Word pieces of a window, the two marks at its ends not counted."""
OVERLAP: Final = 128
MOST_WINDOWS: Final = 64
"""Windows of a text that are read, about forty pages."""
SURE, SURE_OF_PERSON = 0.8, 0.4
"""Probabilities from which the owner of a figure, and of an age, is told; by the matters left out."""
SAID: Final = 2.0
"""What the words beside an age add to the log-odds of the role that they name."""
OWNER: Final = "span.figure.owner"
PERSON: Final = "span.person.role"
OCCURRENCE: Final = "span.date.read_on"
AREAS, TOKENS = "question.areas", "question.tokens"
_WORDS: Final = "embeddings.word_embeddings.weight"
_LAYERS, _ATTENTION_HEADS = 6, 12
_MARKS: Final = (101, 102)

Array = NDArray[Any]


class Network:
    """A BERT encoder in float32, with the linear questions that are asked of its last states.

    Weights of the base model or of the reader that are missing or damaged are a `ModelError`.
    """

    def __init__(self) -> None:
        from safetensors import safe_open

        own: Any = safe_open(weights.own_file(weights.READER), framework="numpy")
        base: Any = safe_open(weights.base_weights(quickly=True), framework="numpy")
        self.classes: dict[str, list[str]] = json.loads(own.metadata()["countercase"])["classes"]
        self._words: Any = base.get_slice(_WORDS)
        retrained = set(own.keys())  # these layers take the place of those of the base
        kept = {it for it in base.keys() if it.removeprefix("encoder.") not in retrained}  # noqa: SIM118
        self.tensors: dict[str, Array] = {
            name.removeprefix("encoder."): opened.get_tensor(name).astype(np.float32, copy=False)
            for opened, names in ((base, kept - {_WORDS}), (own, retrained))
            for name in names
        }
        self.tokenizer = open_tokenizer(weights.tokenizer_file())

    def encode(self, ids: Sequence[int]) -> Array:
        """Return the last states of one window, shape (len(ids), width)."""
        states: Array = np.stack([self._words[n] for n in ids])
        states += self.tensors["embeddings.position_embeddings.weight"][: len(ids)]
        states += self.tensors["embeddings.token_type_embeddings.weight"][0]
        with one_thread():
            states = self._norm(states, "embeddings.LayerNorm")
            for number in range(_LAYERS):
                states = self._layer(states, f"layer.{number}")
        return states

    def _dense(self, states: Array, name: str) -> Array:
        made: Array = states @ self.tensors[f"{name}.weight"].T
        made += self.tensors[f"{name}.bias"]
        return made

    def _norm(self, states: Array, name: str) -> Array:
        apart = states - states.mean(axis=1, keepdims=True)
        apart /= np.sqrt(np.square(apart).mean(axis=1, keepdims=True) + np.float32(1e-12))
        scaled: Array = apart * self.tensors[f"{name}.weight"]
        return scaled + self.tensors[f"{name}.bias"]

    def _layer(self, states: Array, name: str) -> Array:
        query, key, value = (
            self._dense(states, f"{name}.attention.self.{part}")
            .reshape(len(states), _ATTENTION_HEADS, -1)
            .transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        near = (query / np.float32(np.sqrt(query.shape[-1]))) @ key.transpose(0, 2, 1)
        mixed = (_shares(near) @ value).transpose(1, 0, 2).reshape(states.shape)
        mixed = self._dense(mixed, f"{name}.attention.output.dense")
        states = self._norm(states + mixed, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._dense(states, f"{name}.intermediate.dense"))
        outer = self._dense(inner, f"{name}.output.dense")
        return self._norm(states + outer, f"{name}.output.LayerNorm")


def _gelu(x: Array) -> Array:
    """The tanh form of Hendrycks and Gimpel (2016), a tenth of the time of the exact one."""
    active: Array = np.square(x)
    active *= np.float32(0.0356774081)
    active += np.float32(0.7978845608)
    active *= x
    np.tanh(active, out=active)
    active += 1
    active *= x
    active *= np.float32(0.5)
    return active


def _shares(scores: Array) -> Array:
    shares: Array = scores - scores.max(axis=-1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=-1, keepdims=True)
    return shares


load_network = cache(Network)
"""Return the reader's network, loaded once a process."""


@lru_cache(maxsize=64)
def token_states(text: str) -> tuple[Array, Array, Array]:
    """Return the characters of each word piece, its state and that of its window as a whole.

    The states have the shape (pieces, width), float64; all end where the text is no longer read.
    """
    network = load_network()
    encoded = network.tokenizer.encode(text, add_special_tokens=False)
    starts = range(0, max(1, len(encoded.ids) - OVERLAP), WINDOW - OVERLAP)[:MOST_WINDOWS]
    states, heads = [], []
    for start in starts:
        ids = encoded.ids[start : start + WINDOW]
        vectors = network.encode([_MARKS[0], *ids, _MARKS[1]]).astype(np.float64)
        first = OVERLAP // 2 if start else 0
        behind = len(ids) - (0 if start == starts[-1] else OVERLAP // 2)
        states.append(vectors[1 + first : 1 + behind])
        heads.append(np.repeat(vectors[:1], behind - first, axis=0))
    read = np.concatenate(states)
    return np.array(encoded.offsets[: len(read)]).reshape(-1, 2), read, np.concatenate(heads)


def pieces_of(text: str, spans: Sequence[Span]) -> Array:
    """Return which pieces that are read share a character with one of the spans, (pieces,)."""
    starts, ends = token_states(text)[0].T
    met: Array = sum(((starts < s.end) & (s.start < ends) for s in spans), starts < 0)
    return met


def span_vector(text: str, span: Span) -> Array | None:
    """Return the mean and the first of the pieces of a span, and its window; None if not read."""
    (_, states, heads), met = token_states(text), pieces_of(text, [span])
    if not met.any():
        return None
    words = states[met]
    return np.concatenate([words.mean(axis=0), words[0], heads[met][0]])


def _ask(question: str, text: str, span: Span) -> Array | None:
    """Return the scores of the classes of a question; None where the span is not read."""
    vector = span_vector(text, span)
    return None if vector is None else _scores(question, vector)


def _scores(question: str, vector: Array) -> Array:
    tensors = load_network().tensors
    weight, bias = (tensors[f"head.{question}.{name}"] for name in ("weight", "bias"))
    # Without BLAS, in float64: no number of threads changes a bit.
    scores: Array = np.einsum("j,kj->k", vector, weight.astype(np.float64)) + bias
    return scores


def find_owner(text: str, span: Span) -> str:
    """Return whose figure stands at a span, by role; "" where the reader is not sure."""
    scores = _ask(OWNER, text, span)
    return "" if scores is None else _likely(OWNER, scores, SURE)


def find_person(text: str, age: Span, names: Sequence[Span] = (), said: str = "") -> str:
    """Return the role of the person whose age or birth stands at a span; "" where it is not sure.

    One person has one role: all places `names` of a name tell it together, and weigh as much as the
    age. `said` is the role that words beside the age name; "" for none.
    """
    if (own := _ask(PERSON, text, age)) is None:
        return ""
    odds = np.log(_shares(own))
    told = [np.log(_shares(it)) for at in names if (it := _ask(PERSON, text, at)) is not None]
    odds = (odds + np.mean(told or [odds], axis=0)) / 2
    if said:
        odds[load_network().classes[PERSON].index(said)] += SAID
    return _likely(PERSON, odds, SURE_OF_PERSON)


def _likely(question: str, scores: Array, least: float) -> str:
    """Return the class of a question that is likeliest; "" where it is less likely than `least`."""
    shares = _shares(scores)
    best = int(shares.argmax())
    return load_network().classes[question][best] if shares[best] >= least else ""


def weigh_dates(text: str, spans: Sequence[Span]) -> list[float]:
    """Return for each date the logarithm of the odds that it is that of the occurrence."""
    answers = [_ask(OCCURRENCE, text, span) for span in spans]
    return [0.0 if scores is None else float(scores[1] - scores[0]) for scores in answers]


def matter_vector(text: str, typed: Iterable[str]) -> Array:
    """Return the mean state of a text, then which of the known tokens are typed of its matter."""
    names, whole = {*typed}, token_states(text)[1].mean(axis=0)
    return np.concatenate([whole, [float(it in names) for it in load_network().classes[TOKENS]]])


def area_shares(text: str, typed: Iterable[str]) -> dict[str, float]:
    """Return how likely a matter is of each area of law; {} without a narrative."""
    if not token_states(text)[1].size:
        return {}
    vector, tensors = matter_vector(text, typed), load_network().tensors
    odds = np.einsum("j,ja->a", vector, tensors["question.area"].astype(np.float64))
    shares = np.exp(odds + tensors["question.area_bias"])
    return dict(zip(load_network().classes[AREAS], np.round(shares / shares.sum(), 6), strict=True))


def passage_vector(text: str, own: Sequence[Span], around: Sequence[Span]) -> Array | None:
    """Return what is asked of some words, (5 · width); None where they are not read.

    Mean, largest and first of their pieces, the mean of the words around them, and their window.
    """
    (_, states, heads), inner = token_states(text), pieces_of(text, own)
    outer = inner | pieces_of(text, around)
    if not inner.any():
        return None
    words = states[inner]
    parts = words.mean(axis=0), words.max(axis=0), words[0], states[outer].mean(axis=0)
    return np.concatenate([*parts, heads[inner][0]])


def log_odds(question: str, text: str, own: Sequence[Span], around: Sequence[Span]) -> float | None:
    """Return the logarithm of the odds of any answer but a no to a question about words of a text.

    None where the words are not read, or the reader does not know the question.
    """
    scores = class_scores(question, text, own, around)
    other = [score for name, score in scores.items() if name != "no"]
    return float(np.logaddexp.reduce(other)) - scores["no"] if scores else None


def class_scores(
    question: str, text: str, own: Sequence[Span], around: Sequence[Span]
) -> dict[str, float]:
    """Return the score of each class of a question about some words; {} where they are not read."""
    classes = load_network().classes.get(question, [])
    if not classes or (vector := passage_vector(text, own, around)) is None:
        return {}
    return dict(zip(classes, map(float, _scores(question, vector)), strict=True))
