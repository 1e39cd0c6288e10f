"""GGUF models run by llama.cpp in this process (the extra ``local``).

Prompts with the same first message share a slot, in which llama.cpp caches the last of them: of the
next prompt, only the part after the common prefix is processed.

This makes replies depend on earlier calls: a partly cached prompt is computed in different batches,
and rounding then tips close decisions. A ``deterministic`` model therefore has a single slot and
computes each request from scratch: with temperature 0, the same file, threads and request give the
same reply.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from msgspec import structs

from thalamus.errors import ModelFailed, ModelMissing
from thalamus.models.embedding import Measured, embed_batches, prefixed
from thalamus.models.empty_reply import ask_for_words, reason_of
from thalamus.models.gguf import Header, read_chat_template
from thalamus.models.incoming import IncomingReply
from thalamus.models.llamacpp_server import (
    AT_ONCE,
    Settings,
    error_words,
    inspect,
    load,
    pieces,
    place,
    require_package,
    slot_of,
)
from thalamus.models.memory import free_memory
from thalamus.models.protocol import Capacity, ChatReply, ChatRequest, EmbedKind, TokenSink
from thalamus.models.quirks import OPENS_THOUGHTS, Quirks, ServerRefusal
from thalamus.models.size_refusals import details
from thalamus.models.tool_calls import function_tools, openai_messages
from thalamus.models.window import ask_within_window, capacity, why_automatic, window
from thalamus.models.yes import ALTERNATIVES, probability
from thalamus.policy.model_size import billions, is_small
from thalamus.policy.window_budget import UNKNOWN, fitting_window

_EMBEDDING_CONTEXT = 2048
_CHOOSE = "Choose another model with --model."
_EMBED_FIX = "Choose an embedding model."
_SLOTS = 10  # cached prompt prefixes: more than one turn has
_CHARACTERS_PER_TOKEN = 8  # more than any language needs on average; for a first, generous cut

# DRY sampling against repeated runs of tokens; short runs, such as names in notes, are exempt
_AGAINST_LOOPS = {"dry_multiplier": 0.8, "dry_allowed_length": 8}


class LlamaCppChat:
    """A chat model in a GGUF file.

    ``path``: the file; ``context``: the maximum context in tokens (None: what the model was trained
    for, as far as the memory goes); ``threads``: as in ``llamacpp_server.Settings``. The model is
    loaded on first use and shared between equal settings. ``name``: the spec, if it is not the
    path. ``deterministic``: replies do not depend on earlier calls, which makes them slower.
    ``cache``: the directory in which it is remembered how fast the model reads.
    """

    def __init__(
        self,
        path: str | Path,
        context: int | None = None,
        threads: int = 0,
        name: str | None = None,
        deterministic: bool = False,
        cache: Path | None = None,
    ) -> None:
        self.name = name or f"llamacpp:{path}"
        self._path = Path(path).expanduser()
        self._limit = context
        self._deterministic = deterministic
        self._threads = threads
        self._context: int | None = None
        self._header: Header | None = None
        self._calls_tools: bool | None = None
        # with the window: what one refuses, a larger one takes
        self._quirks = Quirks(f"{self.identity() or self.name} {context}", cache)

    def context(self) -> int:
        """Context window in tokens: the model's own, at most the configured one, or less if a
        prompt was refused."""
        return window(self._own_context(), self._quirks)

    def capacity(self) -> Capacity:
        """Its window and reading speed (``Limited``). Raises the errors of ``context``."""
        window, own = self._own_context(), self._file_header().context
        why = "set by hand" if self._limit else why_automatic(window, own, "the model's own")
        return capacity(window, why, self._quirks)

    def _own_context(self) -> int:
        if self._context is None:
            own = self._file_header().context or UNKNOWN
            self._context = min(self._limit, own) if self._limit else self._fitting(own)
        return self._context

    def _fitting(self, own: int) -> int:
        """The window that half of the memory next to the model has room for."""
        free, size = free_memory(), self._path.stat().st_size
        room = None if free is None else (free - size) // 2
        token = self._file_header().cache
        at_once = 1 if self._deterministic else AT_ONCE
        return fitting_window(own, token and token * at_once, room)

    def identity(self) -> str | None:
        """Name, size and date of its file (``Identified``)."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return f"file {self._path.name} {found.st_size} {found.st_mtime_ns}"

    def small(self) -> bool | None:
        """By the size label in the file, or else by its name (``Sized``)."""
        return is_small(self._label(), self._path.name)

    def billions(self) -> float | None:
        """By the size label in the file, or else by its name (``Sized``)."""
        return billions(self._label(), self._path.name)

    def _label(self) -> str:
        try:
            return self._file_header().size
        except (ModelMissing, ModelFailed):
            return ""  # the next call reports the problem

    def calls_tools(self) -> bool:
        """True if the file's chat template mentions tools (``ToolCalling``)."""
        if self._calls_tools is None:
            try:
                self._calls_tools = "tools" in read_chat_template(self._path)
            except (OSError, ValueError):
                return False  # the next call reports the problem
        return self._calls_tools

    def look_up(self) -> None:
        """Raises ``ModelMissing`` if the file or the package is missing (``Presence``)."""
        with suppress(ModelFailed):  # a damaged file is not missing
            self._file_header()
        require_package(self.name)

    def _file_header(self) -> Header:
        """The file's header, read once. Raises ``ModelMissing`` or ``ModelFailed``."""
        if self._header is None:
            self._header = inspect(self.name, self._path)
        return self._header

    def chat(self, request: ChatRequest, on_token: TokenSink | None = None) -> ChatReply:
        """Answers; a reply without words is asked for once more. Raises ``ModelMissing`` or
        ``ModelFailed``."""

        def ask(request: ChatRequest, thinking_off: bool) -> ChatReply:
            return self._ask(request, on_token)  # thinking is always off

        return ask_for_words(self.name, request, self.context(), self._quirks, ask)

    def _ask(self, request: ChatRequest, on_token: TokenSink | None) -> ChatReply:
        """One reply. Always streams internally, so that it can be stopped."""
        incoming = IncomingReply(request, on_token, OPENS_THOUGHTS in self._quirks)
        finish: str | None = None
        usage: Mapping[str, Any] = {}
        timings: Mapping[str, Any] = {}
        with closing(self._chunks(self._body(request))) as chunks:
            for chunk in chunks:
                for choice in chunk.get("choices") or []:
                    delta = choice.get("delta") or {}
                    if delta.get("reasoning_content"):
                        incoming.think(delta["reasoning_content"])
                    incoming.feed(delta.get("content") or "")
                    incoming.call(delta.get("tool_calls"))
                    finish = choice.get("finish_reason") or finish
                usage = chunk.get("usage") or usage
                timings = chunk.get("timings") or timings
        if finish is None:
            raise ModelFailed(self.name, "the reply was cut off")
        arrived = incoming.close(cut=finish == "length")
        if incoming.orphan:
            self._quirks.learn(OPENS_THOUGHTS)
        return ChatReply(
            text=arrived.text,
            thinking=arrived.thinking,
            calls=arrived.calls,
            model=self.name,
            tokens_in=usage.get("prompt_tokens"),
            tokens_out=usage.get("completion_tokens"),
            finish="length" if finish == "length" else "stop",
            reason=reason_of(arrived, finish, "finish_reason"),
            tokens_cached=timings.get("cache_n"),
            prompt_ms=None if self._deterministic else timings.get("prompt_ms"),
            reply_ms=None if self._deterministic else timings.get("predicted_ms"),
        )

    def yes(self, request: ChatRequest) -> float | None:
        """Probability of yes (``YesNo``). Raises the errors of ``chat``."""
        found = ask_within_window(request, self._quirks, self._first_tokens)
        return probability(found[0]["top_logprobs"]) if found else None

    def _first_tokens(self, request: ChatRequest) -> list[dict[str, Any]]:
        """The tokens of a reply with their probabilities."""
        found: list[dict[str, Any]] = []
        with closing(self._chunks(self._question(request))) as chunks:
            for chunk in chunks:
                for choice in chunk.get("choices") or []:
                    found += (choice.get("logprobs") or {}).get("content") or []
        return found

    def _chunks(self, body: dict[str, Any]) -> Generator[dict[str, Any], None, None]:
        """The events that llama.cpp sends. Raises ``ModelMissing`` or ``ModelFailed``."""
        path, slots = str(self._path.resolve()), 1 if self._deterministic else _SLOTS
        settings = Settings(path, self._own_context(), self._threads, False, slots)
        body = {**body, "id_slot": slot_of(settings, body["messages"][0]["content"])}

        def task(emit: Any) -> None:
            server = load(self.name, settings)
            with place(settings):
                refusal = server.handle_chat_completions(body, emit)
            if isinstance(refusal, dict) and "error" in refusal:
                emit(refusal)

        try:
            with closing(pieces(task)) as chunks:
                for chunk in chunks:
                    if "error" in chunk:
                        raise self._failure(chunk["error"])
                    yield chunk
        except (ValueError, RuntimeError) as error:
            raise self._failure({"message": error}) from None

    def _question(self, request: ChatRequest) -> dict[str, Any]:
        body = self._body(structs.replace(request, schema=None, max_tokens=1, temperature=0.0))
        # the penalties against loops would distort the probabilities
        rest = {name: value for name, value in body.items() if name not in _AGAINST_LOOPS}
        return {**rest, "logprobs": True, "top_logprobs": ALTERNATIVES}

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "messages": openai_messages(request.messages),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            # small models fall into loops at temperature 0; JSON needs its repetitions
            **({} if request.schema or request.tools else _AGAINST_LOOPS),
            "seed": request.seed,
            "cache_prompt": not self._deterministic,
            "stream": True,
            "stream_options": {"include_usage": True},
            # reports progress while reading the prompt, which gives more chances to stop
            "return_progress": True,
        }
        if request.schema is not None:
            schema = {"name": request.role, "schema": request.schema}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        if request.tools:
            body["tools"] = function_tools(request.tools)
        return body

    def _failure(self, error: Mapping[str, Any]) -> ModelFailed:
        words = error_words(error)
        found = details(json.dumps(error, default=str))
        if found:
            return ServerRefusal(self.name, words, words, 400, _CHOOSE, found)
        return ModelFailed(self.name, words, fix=_CHOOSE)


class LlamaCppEmbedder(Measured):
    """An embedding model in a GGUF file; arguments as for ``LlamaCppChat``.

    Texts are embedded one at a time: batches would not be faster on a CPU, and the rounding of a
    vector would depend on its neighbours.
    """

    def __init__(self, path: str | Path, threads: int = 0, name: str | None = None) -> None:
        self.name = name or f"llamacpp:{path}"
        self._path = Path(path).expanduser()
        self._threads = threads
        self._settings: Settings | None = None

    def embed(self, texts: Sequence[str], kind: EmbedKind) -> list[bytes]:
        """One packed vector per text; the end of a text that is too long is cut off.

        Raises ``ModelMissing`` or ``ModelFailed``.
        """
        settings = self._load_settings()
        longest = settings.context * _CHARACTERS_PER_TOKEN
        inputs = [prefixed(self._path.name, text, kind)[:longest] for text in texts]
        return embed_batches(self.name, inputs, 1, self._call, Quirks())

    def _load_settings(self) -> Settings:
        if self._settings is None:
            own_context = inspect(self.name, self._path).context or _EMBEDDING_CONTEXT
            context = min(_EMBEDDING_CONTEXT, own_context)
            path = str(self._path.resolve())
            self._settings = Settings(path, context, self._threads, True)
        return self._settings

    def _call(self, batch: list[str]) -> list[list[float]]:
        settings = self._load_settings()

        def task(emit: Any) -> None:
            emit(load(self.name, settings).handle_embeddings({"input": batch}))

        try:
            with closing(pieces(task)) as answers:
                answer = next(answers)
            if "error" in answer:
                raise ModelFailed(self.name, error_words(answer["error"]), fix=_EMBED_FIX)
            return [row["embedding"] for row in answer["data"]]
        except (ValueError, RuntimeError, KeyError, TypeError) as error:
            raise ModelFailed(self.name, error_words(error), fix=_EMBED_FIX) from None
