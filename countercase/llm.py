"""A language model behind an OpenAI-compatible chat API. Needs the extra `countercase[llm]`.

The openai client retries; this module bounds the time and the size of a reply and hides the key.
Nothing that a server or a library wrote about a failure is passed on, since it may repeat the key:
a failure is named by its kind.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

import httpx
from pydantic import BaseModel, ValidationError

from countercase.errors import ConfigError, ModelError, ValidatorError

if TYPE_CHECKING:
    from openai import APIError, OpenAI

FailureKind: TypeAlias = Literal[
    "too many requests", "server error", "timed out", "connection lost", "rejected", "unreadable"
]
"""Why no attempt brought an answer; `unreadable` is an answer not in the form asked for."""

_LARGEST_REPLY: Final = 1_000_000
_FENCE: Final = re.compile(r"\A\s*```(?:json)?\s*(\{.*\})\s*```\s*\Z", re.DOTALL)
_Answer = TypeVar("_Answer", bound=BaseModel)


@dataclass(frozen=True)
class Failure:
    """No usable answer: the kind of the last attempt's failure, and the number of attempts."""

    kind: FailureKind
    attempts: int


class ChatModel:
    """Asks one model of an OpenAI-compatible server, at temperature 0.

    Args:
        base_url, model: address of the API (`http://localhost:8000/v1`), and the model's name there.
        key_variable: the environment variable with the key; servers without keys need none.
        key: the key, in place of that variable. It is never printed or stored.
        timeout: seconds for the head of a reply, and again for its body.
        retries: requests that may follow one that was refused for the moment (429), failed in the
            server (5xx), timed out or lost its connection, after the pause that the server asks for.

    ConfigError for a base URL that is not http(s) or carries a password, an empty model name, a
    negative number, a key that no HTTP header can carry; ModelError without the openai package.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        key_variable: str,
        key: str | None = None,
        timeout: float = 30.0,
        retries: int = 3,
    ) -> None:
        self._key = (key or os.environ.get(key_variable) or "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise ConfigError(f"the key in {key_variable} holds what no HTTP header can carry")
        if not model.strip():
            raise ConfigError("no language model is named; give the name that the server knows")
        if not timeout > 0 or retries < 0:
            raise ConfigError("timeout must be above 0, retries 0 or more")
        parts = urlsplit(base_url)
        secret = "@" in parts.netloc or parts.query
        if secret or parts.scheme not in ("http", "https") or not parts.netloc:  # it is not shown
            raise ConfigError(
                "give an address of the API like http://localhost:8000/v1, without a name, a "
                "password and a ?query; the key belongs in the environment"
            )
        self._client = _client(base_url, self._key or "none", timeout)
        self.base_url, self.model, self.retries = base_url, model, retries
        self._key_variable = key_variable

    def ask(
        self, system: str, user: str, form: type[_Answer], lenient: bool = False
    ) -> _Answer | Failure:
        """The model's answer, JSON of the given form, or why there is none.

        What is kept of its words goes through `hide`. If `lenient`, an answer of another form is
        asked for again, as a failed request is, and one in a Markdown fence is read. ValidatorError
        where the server refuses the key or does not know the model (401, 403, 404).
        """
        import openai

        roles = {"system": system, "user": user}
        messages: Any = [{"role": role, "content": content} for role, content in roles.items()]
        attempts = 0
        while attempts == 0 or (lenient and attempts <= self.retries):
            client = self._client.with_options(max_retries=self.retries - attempts)
            try:
                reply = client.chat.completions.with_raw_response.create(
                    model=self.model, messages=messages, temperature=0
                )
            except openai.APIError as error:
                retried = int(error.request.headers.get("x-stainless-retry-count", "0"))
                return Failure(self._kind(error), attempts + retried + 1)
            attempts += reply.retries_taken + 1
            try:
                content = json.loads(reply.content)["choices"][0]["message"]["content"]
            except (ValueError, LookupError, TypeError, RecursionError):
                content = ""  # the server sent no chat completion
            content = content if isinstance(content, str) else ""
            fenced = _FENCE.match(content) if lenient else None
            with contextlib.suppress(ValidationError):
                return form.model_validate_json(fenced[1] if fenced else content)
        return Failure("unreadable", attempts)

    def hide(self, text: str) -> str:
        """`text` with the key, should it stand there, taken out."""
        return text.replace(self._key, "[key]") if self._key else text

    def _kind(self, error: APIError) -> FailureKind:
        import openai

        if isinstance(error, openai.APITimeoutError):
            return "timed out"
        if not isinstance(error, openai.APIStatusError):
            return "connection lost"
        status = error.status_code
        if status in (401, 403, 404):
            advice = f"check the base URL, the model's name and the key in {self._key_variable}"
            refused = f"{self.hide(self.model)!r} was refused with HTTP status {status}"
            raise ValidatorError(f"the language model {refused}; {advice}") from None
        if status == 429:
            return "too many requests"
        return "server error" if status in (408, 409) or status >= 500 else "rejected"


def marked(name: str, lines: Iterable[str]) -> str:
    """Lines of data between `<<<NAME` and `NAME>>>`, marks that no line can forge."""
    parted = (re.sub(r"([<>])(?=\1)", "\\1\u200b", line) for line in lines)
    return "\n".join([f"<<<{name}", *parted, f"{name}>>>"])


class _BoundedBody(httpx.SyncByteStream):
    """The body of a reply, cut off at a size and given up at a time: servers may drip or flood."""

    def __init__(self, stream: Any, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for piece in self._stream:
            size += len(piece)
            if size > _LARGEST_REPLY:
                return
            if time.monotonic() > self._deadline:
                raise httpx.ReadTimeout("the reply took too long")
            yield piece

    def close(self) -> None:
        self._stream.close()


def _client(base_url: str, key: str, timeout: float) -> OpenAI:
    try:
        from openai import OpenAI
    except ImportError as error:
        raise ModelError("a language model needs openai: pip install 'countercase[llm]'") from error

    def bound(response: httpx.Response) -> None:
        response.stream = _BoundedBody(response.stream, time.monotonic() + timeout)
        response.headers.pop("content-encoding", None)  # none was asked for; never unpack a bomb

    headers, hooks = {"Accept-Encoding": "identity"}, {"response": [bound]}
    http: Any = httpx.Client(  # Any: openai 3 is typed for httpx2 and takes httpx as well
        timeout=timeout, follow_redirects=True, headers=headers, event_hooks=hooks
    )
    return OpenAI(base_url=base_url, api_key=key, timeout=timeout, http_client=http)
