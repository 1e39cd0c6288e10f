"""Resolves the name of a model (``ollama:qwen3:4b``) to its provider.

Providers are imported when they are used; nothing is contacted before.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thalamus.config import AUTO
from thalamus.errors import (
    ConfigError,
    ModelFailed,
    ModelMissing,
    NoChatModel,
    ThalamusError,
    UsageError,
)
from thalamus.extras import installed
from thalamus.models.abilities import Abilities
from thalamus.models.handed import HandedChat, HandedEmbedder
from thalamus.policy.window_budget import UNKNOWN

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.models.protocol import ChatModel, Embedder, Reranker

# Forms of a name and their uses. `auto` is resolved by `chat_model` and `embedder`, `none` by
# `embedder` and `reranker`.
NAMES: dict[str, str] = {
    "auto": "chat, embeddings: the best model that is found",
    "ollama:NAME": "chat, embeddings, reranking: a model of an Ollama server",
    "llamacpp:PATH.gguf": "chat, embeddings, reranking: a GGUF file, in this process",
    "llamacpp:NAME": "chat, embeddings, reranking: a model pulled with `thalamus models pull NAME`",
    "llamacpp:hf:OWNER/REPO/FILE.gguf": "chat, embeddings, reranking: one that was pulled by that",
    "openai:NAME": "chat, embeddings, reranking: an OpenAI-compatible server at openai_base_url",
    "static": "embeddings: of many languages, without a server or a download",
    "wordllama": "embeddings: of English, without a server or a download",
    "multilingual": "embeddings: of many languages, after `thalamus models pull multilingual`",
    "plugin:NAME": "chat, embeddings: a model of an installed plugin",
    "none": "embeddings, reranking: none, full text only or the ranking as it is",
    "cassette:FILE": "chat, embeddings, reranking: replays recorded calls",
    "scripted": "chat, embeddings, reranking: the deterministic model for tests and demos",
    "scripted:FILE": "chat, reranking: the deterministic model playing a script",
}
_PURPOSES = {"chat": "a chat model", "embeddings": "an embedder", "reranking": "a reranker"}
_FULL_NAMES = (
    "static:wordllama_potion_256",
    "wordllama:l2_supercat_256",
    "multilingual:e5-small-q4",
)
PluginModels = Callable[[], Mapping[str, Any]]
_RECORDABLE = ("auto", "ollama", "llamacpp", "openai")  # the others are deterministic anyway


class Models:
    """The models of a configuration, created on first use and then kept. Thread-safe.

    ``stored``: names of the models that made the store's vectors, the one with the most first.
    ``plugins``: returns the models of plugins by name. ``chat`` and ``embed``: models that were
    handed in (``models.handed``), whatever the configuration says.
    """

    def __init__(
        self,
        config: Config,
        stored: Callable[[], Sequence[str]] = lambda: (),
        plugins: PluginModels = dict,
        chat: Any = None,
        embed: Any = None,
    ) -> None:
        self._config = config
        self._stored = stored
        self._plugins = plugins
        self._chat = HandedChat(chat) if chat is not None else None
        self._embed = HandedEmbedder(embed) if embed is not None else None
        # a plugin that fails is reported meanwhile, perhaps to somebody who needs a model
        self._lock = threading.RLock()
        self._chats: dict[str, ChatModel] = {}
        self._embedders: list[Embedder | None] = []
        self._rerankers: list[Reranker | None] = []
        self._abilities = Abilities(config.cache_dir)

    def chat(self, role: str) -> ChatModel:
        """The chat model for a role (``Role``). Raises the errors of ``chat_model``."""
        if self._chat is not None:
            return self._chat
        spec = self._config.model_for(role)
        with self._lock:
            if spec not in self._chats:
                self._chats[spec] = chat_model(spec, self._config, self._plugins)
            return self._chats[spec]

    def check_ability(self, role: str, ability: str, test: Callable[[], bool]) -> bool:
        """Result of an ability test of a role's model, run once per model and kept in the cache
        directory. Raises the errors of ``chat_model`` and of ``test``."""
        return self._abilities.check_ability(self.chat(role), ability, test)

    def embedder(self) -> Embedder | None:
        """The embedder; None for full text only. Raises the errors of ``embedder``."""
        if self._embed is not None:
            return self._embed
        with self._lock:
            if not self._embedders:
                spec, config = self._config.embedder, self._config
                self._embedders.append(embedder(spec, config, self._stored, self._plugins))
            return self._embedders[0]

    def reranker(self) -> Reranker | None:
        """The reranker; None to keep the ranking. Raises the errors of ``reranker``."""
        with self._lock:
            if not self._rerankers:
                self._rerankers.append(reranker(self._config.reranker, self._config))
            return self._rerankers[0]


def chat_model(spec: str, config: Config, plugins: PluginModels = dict) -> ChatModel:
    """The chat model for ``spec`` (``NAMES``), recorded or replayed if so configured.

    For ``auto``, its ``name`` is the resolved spec. Raises ``UsageError`` for an invalid spec,
    ``ConfigError`` for a missing setting, ``ModelMissing`` if the model is not on this machine.
    Only ``auto`` asks servers for their models here. ``plugins``: returns those of plugins by name.
    """
    kind, rest = _parsed(spec, "chat")
    if kind == "plugin":
        return HandedChat(_of_plugin(rest, plugins), spec)
    if kind in _RECORDABLE and config.cassette:
        from thalamus.models.cassette import CassetteChat

        path = Path(config.cassette).expanduser()
        if config.cassette_mode == "replay":
            return CassetteChat(None, path, "replay", None if kind == "auto" else spec)
        return CassetteChat(_chat(kind, rest, config), path, "record")
    return _chat(kind, rest, config)


def embedder(
    spec: str,
    config: Config,
    stored: Callable[[], Sequence[str]] = lambda: (),
    plugins: PluginModels = dict,
) -> Embedder | None:
    """The embedder for ``spec`` (``NAMES``); None for ``none``. ``stored``, ``plugins``: see
    ``Models``.

    For ``auto`` it is the model that made the store's vectors; for a store without vectors the best
    that is found, and only then a server is asked for its models here. Raises the errors of
    ``chat_model``.
    """
    kind, rest = _parsed(spec, "embeddings")
    if kind == "plugin":
        return HandedEmbedder(_of_plugin(rest, plugins), spec)
    if kind == "auto":
        from thalamus.models.automatic import best_embedder

        names = (name.partition(" (")[0] for name in stored())  # without the number of dimensions
        known = next((name for name in names if _is_embedder(name, config, plugins)), None)
        return embedder(known or best_embedder(config), config, plugins=plugins)
    if kind in _RECORDABLE and config.cassette:
        from thalamus.models.cassette import CassetteEmbedder

        path = Path(config.cassette).expanduser()
        if config.cassette_mode == "replay":
            return CassetteEmbedder(None, path, "replay", spec)
        return CassetteEmbedder(_embedder(kind, rest, config), path, "record")
    return _embedder(kind, rest, config)


def _is_embedder(spec: str, config: Config, plugins: PluginModels) -> bool:
    """True if the name is that of an embedder, and not of vectors that came with imported
    records."""
    try:
        return embedder(spec, config, plugins=plugins) is not None
    except (UsageError, ConfigError):
        return False
    except ThalamusError:
        return True  # it is missing, which its use reports


def reranker(spec: str, config: Config) -> Reranker | None:
    """The reranker for ``spec`` (``NAMES``): a cross-encoder, or a chat model that is asked for yes
    or no; None for ``none``.

    Raises the errors of ``chat_model``, and ``ModelFailed`` for a file that is neither.
    """
    kind, rest = _parsed(spec, "reranking")
    if kind in _RECORDABLE and config.cassette:
        from thalamus.models.cassette import CassetteReranker

        path = Path(config.cassette).expanduser()
        if config.cassette_mode == "replay":
            return CassetteReranker(None, path, "replay", spec)
        return CassetteReranker(_reranker(kind, rest, config), path, "record")
    return _reranker(kind, rest, config)


def _of_plugin(name: str, plugins: PluginModels) -> Any:
    """The model of a plugin. Raises ``UsageError`` if there is none of this name."""
    found = plugins()
    if name not in found:
        known = f"They have {', '.join(sorted(found))}." if found else ""
        fix = known or "`thalamus doctor` lists the plugins."
        raise UsageError(f"No plugin has a model {name!r}.", fix=fix)
    return found[name]


def _parsed(spec: str, purpose: str) -> tuple[str, str]:
    """Splits ``kind:rest``; refuses forms that ``NAMES`` does not list for this purpose."""
    kind, colon, rest = spec.strip().partition(":")
    forms = [form for form, use in NAMES.items() if purpose in use.partition(":")[0]]
    if purpose == "embeddings" and spec.strip() in _FULL_NAMES:
        colon = ""  # as stored with vectors
    matching = [form for form in forms if form.partition(":")[0] == kind]
    if not any(bool(colon) == (":" in form) for form in matching) or (colon and not rest):
        known = ", ".join(forms)
        problem = f"{spec!r} is not the name of {_PURPOSES[purpose]}"
        raise UsageError(problem, fix=f"Use one of: {known}.")
    return kind, rest


def _chat(kind: str, rest: str, config: Config) -> ChatModel:
    if kind == "auto":
        return _automatic(config)
    if kind == "ollama":
        from thalamus.models.ollama import OllamaChat, resolve_host

        host = resolve_host(config.ollama_host)
        timeout, keep_alive = config.model_timeout, config.keep_alive
        return OllamaChat(rest, host, timeout, keep_alive, _tokens(config), config.cache_dir)
    if kind == "openai":
        from thalamus.models.openai import OpenAIChat

        url, key = _openai_server(config)
        return OpenAIChat(rest, url, key, config.model_timeout, _tokens(config), config.cache_dir)
    if kind == "llamacpp":
        from thalamus.models.llamacpp import LlamaCppChat

        path, name = _gguf(rest, config)
        exact = config.deterministic or bool(config.cassette)
        return LlamaCppChat(path, _tokens(config), config.threads, name, exact, config.cache_dir)
    if kind == "cassette":
        from thalamus.models.cassette import CassetteChat

        return CassetteChat(None, Path(rest).expanduser(), "replay")
    from thalamus.models.scripted import ScriptedChat

    return ScriptedChat(Path(rest).expanduser() if rest else None)


# those that compute in this process, with weights of many megabytes: one of each, for all engines
@functools.cache
def _static() -> Embedder:
    from thalamus.models.static import StaticEmbedder

    return StaticEmbedder()


@functools.cache
def _wordllama() -> Embedder:
    from thalamus.models.wordllama import WordLlamaEmbedder

    return WordLlamaEmbedder()


@functools.cache
def _multilingual(cache_dir: Path) -> Embedder:
    from thalamus.models.multilingual import MultilingualEmbedder

    return MultilingualEmbedder(cache_dir)


def _tokens(config: Config) -> int | None:
    """The context window that is set by hand, or fixed because replies are to be the same on every
    machine; None for what the model and the memory allow."""
    if config.context != AUTO:
        return config.context
    fixed = config.deterministic or config.cassette or os.environ.get("THALAMUS_NOW")
    return UNKNOWN if fixed else None


def _embedder(kind: str, rest: str, config: Config) -> Embedder | None:
    if kind == "none":
        return None
    if kind == "static":
        return _static()
    if kind == "wordllama":
        return _wordllama()
    if kind == "multilingual":
        return _multilingual(config.cache_dir)
    if kind == "ollama":
        from thalamus.models.ollama import OllamaEmbedder, resolve_host

        host = resolve_host(config.ollama_host)
        return OllamaEmbedder(rest, host, config.model_timeout, config.keep_alive)
    if kind == "openai":
        from thalamus.models.openai import OpenAIEmbedder

        url, key = _openai_server(config)
        return OpenAIEmbedder(rest, url, key, config.model_timeout, config.cache_dir)
    if kind == "llamacpp":
        from thalamus.models.llamacpp import LlamaCppEmbedder

        path, name = _gguf(rest, config)
        model = LlamaCppEmbedder(path, config.threads)
        model.name = name
        return model
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
    """Ollama's first chat model, or else a pulled one in this process."""
    from thalamus.models import ollama

    host = ollama.resolve_host(config.ollama_host)
    if ollama.answers(host):
        try:
            names = [
                m.name for m in ollama.list_models(host, config.model_timeout) if not m.embedding
            ]
        except ThalamusError:
            names = []  # the server that answers is not Ollama: next choice
        if names:
            return _chat("ollama", names[0], config)
    if installed("xllamacpp"):
        from thalamus.models.candidates import machine_memory, pulled
        from thalamus.policy.model_size import recommended

        best = recommended(list(pulled(config)), machine_memory())
        if best is not None:
            return _chat("llamacpp", best.name.removeprefix("llamacpp:"), config)
    raise NoChatModel()


def _gguf(rest: str, config: Config) -> tuple[Path, str]:
    """The file of a ``llamacpp:`` spec, and the name of the model.

    A pulled model keeps its short name, since the cache directory differs between machines.
    """
    from thalamus.models.catalogue import CHAT_NAMES, HUB, find

    if rest.startswith(HUB):
        from thalamus.models.pull import file_of

        path = file_of(rest, config.cache_dir)
        if not path.is_file():
            fix = f"Pull it with `thalamus models pull {rest}`."
            raise ModelMissing(f"llamacpp:{rest}", "it has not been pulled", fix=fix)
        return path, f"llamacpp:{rest}"
    path = Path(rest).expanduser()
    # a file of that name in the working directory is not the pulled model
    matching = rest.strip().lower() in CHAT_NAMES
    if path.suffix.lower() == ".gguf" or "/" in rest or (path.is_file() and not matching):
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
