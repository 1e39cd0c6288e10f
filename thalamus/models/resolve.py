"""From the name of a model (``ollama:qwen3:4b``) to the model.

Providers are imported when they are asked for; nothing is contacted before.
"""

from __future__ import annotations

import importlib.util
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import (
    ConfigError,
    ModelFailed,
    ModelMissing,
    NoChatModel,
    ThalamusError,
    UsageError,
)
from thalamus.models.abilities import Abilities

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.models.protocol import ChatModel, Embedder, Reranker

# What may be written, and for what; `auto` is decided by `chat_model`, `none` by `embedder` and
# `reranker`.
NAMES: dict[str, str] = {
    "auto": "chat: the first model of Ollama, else one pulled with `thalamus models pull`",
    "ollama:NAME": "chat, embeddings, reranking: a model of an Ollama server",
    "llamacpp:PATH.gguf": "chat, embeddings, reranking: a GGUF file, in this process",
    "llamacpp:NAME": "chat, embeddings, reranking: a model pulled with `thalamus models pull NAME`",
    "openai:NAME": "chat, embeddings, reranking: an OpenAI-compatible server at openai_base_url",
    "wordllama": "embeddings: in this process, from its package",
    "none": "embeddings, reranking: none, full text only or the ranking as it is",
    "cassette:FILE": "chat, embeddings, reranking: replays recorded calls",
    "scripted": "chat, embeddings, reranking: the deterministic model for tests and demos",
    "scripted:FILE": "chat, reranking: the deterministic model playing a script",
}
_WHAT = {"chat": "a chat model", "embeddings": "an embedder", "reranking": "a reranker"}
_RECORDED = ("auto", "ollama", "llamacpp", "openai")  # the rest is deterministic anyway


class Models:
    """The models of a configuration, made when they are first asked for and then kept. Threads
    may share it."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._making = threading.Lock()
        self._chats: dict[str, ChatModel] = {}
        self._embedders: list[Embedder | None] = []
        self._rerankers: list[Reranker | None] = []
        self._abilities = Abilities(config.cache_dir)

    def chat(self, role: str) -> ChatModel:
        """The chat model for a role (``Role``). Raises as ``chat_model``."""
        spec = self._config.model_for(role)
        with self._making:
            if spec not in self._chats:
                self._chats[spec] = chat_model(spec, self._config)
            return self._chats[spec]

    def found_out(self, role: str, what: str, find_out: Callable[[], bool]) -> bool:
        """The answer to ``what`` for a role's model, found out once for each model and kept in the
        cache directory. Raises as ``chat_model``, and what ``find_out`` raises."""
        return self._abilities.found_out(self.chat(role), what, find_out)

    def embedder(self) -> Embedder | None:
        """The embedder, or None for full text only. Raises as ``embedder``."""
        with self._making:
            if not self._embedders:
                self._embedders.append(embedder(self._config.embedder, self._config))
            return self._embedders[0]

    def reranker(self) -> Reranker | None:
        """The reranker, or None for the ranking as it is. Raises as ``reranker``."""
        with self._making:
            if not self._rerankers:
                self._rerankers.append(reranker(self._config.reranker, self._config))
            return self._rerankers[0]


def chat_model(spec: str, config: Config) -> ChatModel:
    """The chat model that ``spec`` names (``NAMES``), recorded or replayed if so configured.

    Its ``name`` is the spec that was found for ``auto``. Raises ``UsageError`` for a spec that
    cannot be understood, ``ConfigError`` for a missing setting, ``ModelMissing`` when the model
    is not on this machine. Servers are not asked for their models here, except by ``auto``.
    """
    kind, rest = _parsed(spec, "chat")
    if kind in _RECORDED and config.cassette:
        from thalamus.models.cassette import CassetteChat

        path = Path(config.cassette).expanduser()
        if config.cassette_mode == "replay":
            return CassetteChat(None, path, "replay", None if kind == "auto" else spec)
        return CassetteChat(_chat(kind, rest, config), path, "record")
    return _chat(kind, rest, config)


def embedder(spec: str, config: Config) -> Embedder | None:
    """The embedder that ``spec`` names (``NAMES``), None for ``none``.

    Raises as ``chat_model``.
    """
    kind, rest = _parsed(spec, "embeddings")
    if kind in _RECORDED and config.cassette:
        from thalamus.models.cassette import CassetteEmbedder

        path = Path(config.cassette).expanduser()
        if config.cassette_mode == "replay":
            return CassetteEmbedder(None, path, "replay", spec)
        return CassetteEmbedder(_embedder(kind, rest, config), path, "record")
    return _embedder(kind, rest, config)


def reranker(spec: str, config: Config) -> Reranker | None:
    """The reranker that ``spec`` names (``NAMES``), None for ``none``: a cross-encoder, or else a
    chat model that is asked for a yes or no.

    Raises as ``chat_model``, and ``ModelFailed`` for a file that is neither of both.
    """
    kind, rest = _parsed(spec, "reranking")
    if kind in _RECORDED and config.cassette:
        from thalamus.models.cassette import CassetteReranker

        path = Path(config.cassette).expanduser()
        if config.cassette_mode == "replay":
            return CassetteReranker(None, path, "replay", spec)
        return CassetteReranker(_reranker(kind, rest, config), path, "record")
    return _reranker(kind, rest, config)


def _parsed(spec: str, purpose: str) -> tuple[str, str]:
    """Splits ``kind:rest``; refuses what ``NAMES`` does not have for this purpose."""
    kind, colon, rest = spec.strip().partition(":")
    forms = [form for form, use in NAMES.items() if purpose in use.partition(":")[0]]
    if kind == "wordllama" and purpose == "embeddings":
        colon = "" if rest == "l2_supercat_256" else colon  # its full name, as vectors carry it
    named = [form for form in forms if form.partition(":")[0] == kind]
    if not any(bool(colon) == (":" in form) for form in named) or (colon and not rest):
        known = ", ".join(forms)
        problem = f"{spec!r} is not the name of {_WHAT[purpose]}"
        raise UsageError(problem, fix=f"Use one of: {known}.")
    return kind, rest


def _chat(kind: str, rest: str, config: Config) -> ChatModel:
    if kind == "auto":
        return _automatic(config)
    if kind == "ollama":
        from thalamus.models.ollama import OllamaChat, resolve_host

        host = resolve_host(config.ollama_host)
        return OllamaChat(rest, host, config.model_timeout, config.keep_alive, config.context)
    if kind == "openai":
        from thalamus.models.openai import OpenAIChat

        url, key = _openai_server(config)
        return OpenAIChat(rest, url, key, config.model_timeout, config.context)
    if kind == "llamacpp":
        from thalamus.models.llamacpp import LlamaCppChat

        path, name = _gguf(rest, config)
        exact = config.deterministic or bool(config.cassette)
        return LlamaCppChat(path, config.context, config.threads, name, exact)
    if kind == "cassette":
        from thalamus.models.cassette import CassetteChat

        return CassetteChat(None, Path(rest).expanduser(), "replay")
    from thalamus.models.scripted import ScriptedChat

    return ScriptedChat(Path(rest).expanduser() if rest else None)


def _embedder(kind: str, rest: str, config: Config) -> Embedder | None:
    if kind == "none":
        return None
    if kind == "wordllama":
        from thalamus.models.wordllama import WordLlamaEmbedder

        return WordLlamaEmbedder()
    if kind == "ollama":
        from thalamus.models.ollama import OllamaEmbedder, resolve_host

        host = resolve_host(config.ollama_host)
        return OllamaEmbedder(rest, host, config.model_timeout, config.keep_alive)
    if kind == "openai":
        from thalamus.models.openai import OpenAIEmbedder

        url, key = _openai_server(config)
        return OpenAIEmbedder(rest, url, key, config.model_timeout)
    if kind == "llamacpp":
        from thalamus.models.llamacpp import LlamaCppEmbedder

        path, name = _gguf(rest, config)
        made = LlamaCppEmbedder(path, config.threads)
        made.name = name
        return made
    if kind == "cassette":
        from thalamus.models.cassette import CassetteEmbedder

        return CassetteEmbedder(None, Path(rest).expanduser(), "replay")
    from thalamus.models.scripted import ScriptedEmbedder

    return ScriptedEmbedder()


def _reranker(kind: str, rest: str, config: Config) -> Reranker | None:
    if kind == "none":
        return None
    if kind == "scripted" and not rest:
        from thalamus.models.scripted import ScriptedReranker

        return ScriptedReranker()
    if kind == "cassette":
        from thalamus.models.cassette import CassetteReranker

        return CassetteReranker(None, Path(rest).expanduser(), "replay")
    if kind == "llamacpp":
        from thalamus.models.gguf import POOLING_NONE, POOLING_RANK
        from thalamus.models.llamacpp_server import inspect

        path, name = _gguf(rest, config)
        pooling = inspect(name, path).pooling
        if pooling == POOLING_RANK:
            from thalamus.models.llamacpp_reranker import LlamaCppReranker

            return LlamaCppReranker(path, config.threads, name)
        if pooling not in (None, POOLING_NONE):
            fix = "Choose a reranking model or a chat model as `reranker`."
            raise ModelFailed(name, "it makes embeddings and cannot rerank", fix=fix)
    from thalamus.models.chat_reranker import ChatReranker

    return ChatReranker(_chat(kind, rest, config))


def _automatic(config: Config) -> ChatModel:
    """Ollama's first model that chats, else a fetched one in this process."""
    from thalamus.models import ollama

    host = ollama.resolve_host(config.ollama_host)
    if ollama.answers(host):
        try:
            names = [
                m.name for m in ollama.list_models(host, config.model_timeout) if not m.embedding
            ]
        except ThalamusError:
            names = []  # what answered is not a working Ollama: the next choice
        if names:
            return _chat("ollama", names[0], config)
    if importlib.util.find_spec("xllamacpp") is not None:
        from thalamus.models.pull import installed_models

        for model, _ in installed_models(config.cache_dir):
            if model.kind == "chat":
                return _chat("llamacpp", model.name, config)
    raise NoChatModel()


def _gguf(rest: str, config: Config) -> tuple[Path, str]:
    """The file that a ``llamacpp:`` spec means, and the spec to be known by.

    A fetched model keeps its short name: where the cache is differs between machines.
    """
    from thalamus.models.catalogue import NAMES, find

    path = Path(rest).expanduser()
    # a file of that name in the working directory is not the model that was fetched
    named = rest.strip().lower() in NAMES
    if path.suffix.lower() == ".gguf" or "/" in rest or (path.is_file() and not named):
        return path, f"llamacpp:{rest}"
    from thalamus.models.pull import installed

    model = find(rest)
    found = installed(model, config.cache_dir)
    if found is None:
        fix = f"Pull it with `thalamus models pull {model.name}`."
        raise ModelMissing(f"llamacpp:{model.name}", "it has not been pulled", fix=fix)
    return found, f"llamacpp:{model.name}"


def _openai_server(config: Config) -> tuple[str, str | None]:
    if not config.openai_base_url:
        fix = "Set it, e.g. THALAMUS_OPENAI_BASE_URL=http://127.0.0.1:8080/v1."
        raise ConfigError("openai_base_url is not set", fix=fix)
    return config.openai_base_url, os.environ.get("OPENAI_API_KEY") or None
