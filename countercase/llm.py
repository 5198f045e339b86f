"""A language model behind an OpenAI-compatible chat API: deadlines, retries, and a hidden key.

Needs the extra `countercase[llm]`. Nothing that a server or a library wrote about a failure is
passed on, since it may repeat the key; a failure is told by its kind.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, ValidationError

from countercase.errors import ConfigError, ModelError, ValidatorError

if TYPE_CHECKING:
    from openai import APIStatusError, OpenAI

FailureKind: TypeAlias = Literal[
    "too many requests", "server error", "timed out", "connection lost", "rejected", "unreadable"
]
"""Why no attempt brought an answer; `unreadable` is an answer not in the form asked for."""

_LONGEST_PAUSE: Final = 30.0
_LARGEST_REPLY: Final = 1_000_000
_REFUSED: Final = (401, 403, 404)
_PASSING: Final = (408, 409, 425, 429)
_HIDDEN: Final = "[key]"
_Answer = TypeVar("_Answer")


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    """The part of a chat completion that is read."""

    choices: list[_Choice] = Field(min_length=1)


@dataclass(frozen=True)
class Failure:
    """No usable answer: the kind of the last attempt's failure, and how many there were."""

    kind: FailureKind
    attempts: int


class _LostError(Exception):
    """One attempt failed; `again` where the next may do better, after `wait` seconds at least."""

    def __init__(self, kind: FailureKind, again: bool = True, wait: float = 0.0) -> None:
        super().__init__(kind)
        self.kind: FailureKind = kind
        self.again = again
        self.wait = wait


class ChatModel:
    """Asks one model of an OpenAI-compatible server, at temperature 0.

    Args:
        base_url: where the API is, such as `http://localhost:8000/v1`.
        model: the model's name there.
        key_variable: the environment variable that holds the key; servers that ask for none
            need none.
        key: the key, in place of that variable. It is never printed or stored.
        timeout: seconds for one request.
        retries: how many more requests follow one that was refused for the moment (429), failed
            in the server (5xx), timed out or lost its connection.
        pause: seconds before the first retry; they double with each, up to thirty. Where the
            server asks for a longer pause (`Retry-After`), it gets it, up to thirty.

    Raises:
        ConfigError: a base URL that is not http(s) or carries a name and a password, an empty
            model name, a negative number, a key that no HTTP header can carry.
        ModelError: the openai package is not installed.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        key_variable: str,
        key: str | None = None,
        timeout: float = 30.0,
        retries: int = 3,
        pause: float = 1.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        _check(base_url, model, timeout, retries, pause)
        self.base_url: Final = base_url
        self.model: Final = model
        self.retries: Final = retries
        self._key_variable = key_variable
        self._timeout = timeout
        self._pause = pause
        self._sleep = sleep
        self._key = _clean_key(key or os.environ.get(key_variable) or "", key_variable)
        self._client = _client(base_url, self._key or "none", timeout)

    def __repr__(self) -> str:
        return f"ChatModel(model={self.model!r})"

    def ask(
        self,
        system: str,
        user: str,
        read: Callable[[str], _Answer | None],
        reread: bool = False,
    ) -> _Answer | Failure:
        """What `read` makes of the model's answer, or why there is none.

        Args:
            read: takes the answer; gives None where it is not in the form that was asked for.
                What it keeps of the model's words goes through `hide`.
            reread: whether such an answer is asked for again, as a failed request is.

        Raises:
            ValidatorError: the server refuses the key or does not know the model (401, 403,
                404), so that no question can be answered.
        """
        attempt = 1
        while True:
            try:
                answer = read(self._complete(system, user))
                if answer is not None:
                    return answer
                raise _LostError("unreadable", again=reread)
            except _LostError as lost:
                if not lost.again or attempt > self.retries:
                    return Failure(lost.kind, attempt)
                doubled = self._pause * 2 ** (attempt - 1)
                self._sleep(min(max(doubled, lost.wait), _LONGEST_PAUSE))
                attempt += 1

    def hide(self, text: str) -> str:
        """`text` with the key, should it stand there, taken out."""
        return text.replace(self._key, _HIDDEN) if self._key else text

    def _complete(self, system: str, user: str) -> str:
        """What the model wrote; "" where the server sent no chat completion."""
        import openai

        timeouts, failures = _failures()
        try:
            body = self._body(system, user)
        except openai.APIStatusError as error:
            raise self._lost(error) from None
        except timeouts:
            raise _LostError("timed out") from None
        except failures:
            raise _LostError("connection lost") from None
        try:
            return _Completion.model_validate_json(body).choices[0].message.content
        except ValidationError:
            return ""

    def _body(self, system: str, user: str) -> bytes:
        """The reply's bytes; a server that sends them drop by drop is not waited for."""
        chat = self._client.chat.completions.with_streaming_response  # imports, the first time
        end = time.monotonic() + self._timeout
        body = bytearray()
        with chat.create(
            model=self.model,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
            temperature=0,
        ) as reply:
            for piece in reply.iter_bytes():
                body += piece
                if len(body) > _LARGEST_REPLY:
                    return b""
                if time.monotonic() > end:
                    raise _LostError("timed out")
        return bytes(body)

    def _lost(self, error: APIStatusError) -> _LostError:
        status = error.status_code
        if status in _REFUSED:
            raise ValidatorError(
                f"the language model {self.hide(self.model)!r} was refused with HTTP status "
                f"{status}; check the base URL, the model's name and the key in "
                f"{self._key_variable}"
            ) from None
        if status == 429:
            return _LostError("too many requests", wait=_asked(error))
        if status in _PASSING or status >= 500:
            return _LostError("server error", wait=_asked(error))
        return _LostError("rejected", again=False)


def escaped(text: str) -> str:
    """`text` without anything that could pass for the `<<<` and `>>>` of marks around data."""
    return re.sub(r"([<>])(?=\1)", "\\1\u200b", text)


def _failures() -> tuple[tuple[type[Exception], ...], tuple[type[Exception], ...]]:
    """What a request raises when it times out, and when it fails in any way.

    While a reply is read, openai lets through the errors of the library that it speaks HTTP
    with: `httpx` up to openai 2, `httpx2` from openai 3.
    """
    import openai

    present = [name for name in ("httpx", "httpx2") if importlib.util.find_spec(name)]
    libraries = [importlib.import_module(name) for name in present]
    return (
        (openai.APITimeoutError, *(one.TimeoutException for one in libraries)),
        (openai.OpenAIError, *(one.HTTPError for one in libraries)),
    )


def _asked(error: APIStatusError) -> float:
    """The seconds of `Retry-After`; 0 where it is missing or a date."""
    asked = error.response.headers.get("retry-after", "")
    return float(asked) if re.fullmatch(r"[0-9]{1,6}", asked) else 0.0


def _check(base_url: str, model: str, timeout: float, retries: int, pause: float) -> None:
    parts = urlsplit(base_url)
    if "@" in parts.netloc or parts.query:  # not shown: it may hold a secret
        raise ConfigError(
            "the address of the API may carry neither a name and password nor a ?query; "
            "the key belongs in the environment"
        )
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ConfigError(
            f"{base_url!r} is not the address of an API; give one like http://localhost:8000/v1"
        )
    if not model.strip():
        raise ConfigError("no language model is named; give the name that the server knows")
    if not timeout > 0 or retries < 0 or not pause >= 0:
        raise ConfigError("timeout must be above 0, retries and pause 0 or more")


def _clean_key(key: str, variable: str) -> str:
    key = key.strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(
            f"the key in {variable} holds a character that no HTTP header can carry; set it anew"
        )
    return key


def _client(base_url: str, key: str, timeout: float) -> OpenAI:
    try:
        from openai import OpenAI
    except ImportError as error:
        raise ModelError(
            "asking a language model needs the openai package; install it with "
            "pip install 'countercase[llm]'"
        ) from error
    return OpenAI(base_url=base_url, api_key=key, timeout=timeout, max_retries=0)
