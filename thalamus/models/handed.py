"""Models that a program hands in: a callable, or an object with a method.

A chat model is ``chat(messages)`` or an object with that method; messages are dictionaries with
``role`` and ``content``, and the reply is a text or an iterable of its pieces. An embedder is
``embed(texts)`` or an object with that method, and returns a vector of numbers for each text. Both
may take more by name: ``schema``, a JSON Schema of the reply, and ``max_tokens``; ``kind``,
``document`` or ``query``. An object may have a ``name``, a context window ``context`` in tokens,
and a size ``billions``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Protocol

from thalamus.errors import ModelFailed, ThalamusError
from thalamus.models.protocol import ChatReply, ChatRequest, EmbedKind, TokenSink
from thalamus.policy.model_size import SMALL
from thalamus.policy.vector import pack
from thalamus.policy.window_budget import UNKNOWN


class ChatObject(Protocol):
    """An object with a method ``chat``."""

    @property
    def chat(self) -> Callable[..., str | Iterable[str]]: ...


class EmbedObject(Protocol):
    """An object with a method ``embed``."""

    @property
    def embed(self) -> Callable[..., Sequence[Sequence[float]]]: ...


ChatFunction = Callable[..., str | Iterable[str]] | ChatObject
EmbedFunction = Callable[..., Sequence[Sequence[float]]] | EmbedObject


class _Handed:
    """A model behind a callable ``given``, or behind the ``method`` of an object."""

    def __init__(self, given: Any, method: str, name: str | None) -> None:
        self._given = given
        self._call: Callable[..., Any] = getattr(given, method, given)
        if not callable(self._call):
            raise TypeError(f"a model must be a callable or have a method {method!r}")
        parameters = inspect.signature(self._call).parameters
        self._takes = {*parameters}
        self._takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
        self.name = name or f"handed:{_name_of(given)}"

    def _called(self, first: Any, **named: Any) -> Any:
        """Result of a call with the arguments that the model takes. Raises ``ModelFailed``."""
        known = {k: v for k, v in named.items() if self._takes_all or k in self._takes}
        return self._guarded(lambda: self._call(first, **known))

    def _guarded(self, call: Callable[[], Any]) -> Any:
        """Result of code of the model. Raises ``ModelFailed``."""
        try:
            return call()
        except ThalamusError:
            raise
        except Exception as error:
            raise ModelFailed(self.name, f"{type(error).__name__}: {error}") from error


def _name_of(given: Any) -> str:
    """The name of a model: its own, or that of its function or class; empty for one that says
    nothing about it, such as a lambda or a method of an object."""
    owner = getattr(given, "__self__", given)
    if name := getattr(owner, "name", ""):
        return str(name)
    if owner is not given or isinstance(given, partial):
        return ""
    name = str(getattr(given, "__qualname__", type(given).__qualname__))
    return "" if "<lambda>" in name else name.rpartition(".")[2]


class HandedChat(_Handed):
    """A chat model that was handed in."""

    def __init__(self, given: Any, name: str | None = None) -> None:
        super().__init__(given, "chat", name)

    def context(self) -> int:
        """Context window in tokens, as the model has it or as is usual."""
        return int(getattr(self._given, "context", UNKNOWN))

    def billions(self) -> float | None:
        """Number of parameters in billions; None if the model does not say."""
        size = getattr(self._given, "billions", None)
        return None if size is None else float(size)

    def small(self) -> bool:
        """True if the model says that it is; one that does not say is taken for capable."""
        size = self.billions()
        return size is not None and size < SMALL

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """The reply of the model. Raises ``ModelFailed``, also for one that is no text."""
        messages = [{"role": one.role, "content": one.content} for one in request.messages]
        reply = self._called(messages, schema=request.schema, max_tokens=request.max_tokens)
        if not isinstance(reply, Iterable):
            raise ModelFailed(self.name, f"its reply is not text: {reply!r}")
        pieces = iter([reply] if isinstance(reply, str) else reply)
        text = ""
        while (piece := self._guarded(lambda: next(pieces, None))) is not None:
            if not isinstance(piece, str):
                raise ModelFailed(self.name, f"its reply is not text: {piece!r}")
            text += piece
            if on_token is not None:
                on_token(piece)
        return ChatReply(text=text, model=self.name)


class HandedEmbedder(_Handed):
    """An embedder that was handed in."""

    def __init__(self, given: Any, name: str | None = None) -> None:
        super().__init__(given, "embed", name)
        if self.name == "handed:":  # vectors of two models must not be mixed
            raise TypeError("an embedder must have a `name`, under which its vectors are stored")
        self._size = 0

    def dimension(self) -> int:
        """Number of dimensions of its vectors, found out with a text."""
        if not self._size:
            self.embed(["text"], "document")
        return self._size

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """The vectors of texts. Raises ``ModelFailed``, also for what are no vectors."""
        vectors = self._called(list(texts), kind=kind)
        try:
            packed = [pack(map(float, vector)) for vector in vectors]
        except (TypeError, ValueError) as error:
            raise ModelFailed(self.name, f"it gives no vectors: {error}") from error
        if len(packed) != len(texts):
            raise ModelFailed(self.name, f"it gives {len(packed)} vectors for {len(texts)} texts")
        if packed:
            self._size = len(packed[0]) // 4
        return packed
