"""Inventory of models: those available, those used by a role, and a test call to each."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from thalamus.clock import Clock
from thalamus.config import Config
from thalamus.errors import ThalamusError
from thalamus.models.protocol import ChatRequest, Message, roles_in_use
from thalamus.models.resolve import PluginModels, chat_model, embedder, reranker
from thalamus.records.installation import Model, ModelCheck, ModelKind, ModelState

_KINDS: dict[str, ModelKind] = {"embedder": "embedding", "reranker": "reranking"}


def inventory(config: Config, plugins: PluginModels) -> list[Model]:
    """Models of this machine and of the catalogue; those in use are marked with their roles."""
    found = {model.name: model for model in _available(config)}
    for role, name, problem in _in_use(config, plugins):
        if name not in found:
            kind = _KINDS.get(role, "chat")
            found[name] = Model(name=name, kind=kind, state=_state(name, problem))
        if problem is not None and not found[name].fix:
            found[name].fix = f"{problem.message.removesuffix('.')}. {problem.advice}".strip()
        found[name].roles.append(role)
    return sorted(found.values(), key=lambda model: (not model.roles, model.state, model.name))


def ask_each(config: Config, clock: Clock, plugins: PluginModels) -> Iterator[ModelCheck]:
    """Calls the chat model of each role, the embedder and the reranker, once each."""
    specs: dict[str, list[str]] = {}
    for role in roles_in_use(config):
        specs.setdefault(config.model_for(role), []).append(role)
    for spec, roles in specs.items():
        yield _ask_chat(spec, roles, config, clock, plugins)
    yield _ask_embedder(config, clock, plugins)
    if config.reranker != "none":
        yield _ask_reranker(config, clock)


def _available(config: Config) -> Iterator[Model]:
    from thalamus.models import ollama
    from thalamus.models.catalogue import CATALOGUE
    from thalamus.models.pull import downloaded, installed

    host = ollama.resolve_host(config.ollama_host)
    if ollama.answers(host):
        try:
            local = ollama.list_models(host, config.model_timeout)
        except ThalamusError:
            local = []  # the server that answers is not Ollama
        for model in local:
            kind: Literal["chat", "embedding"] = "embedding" if model.embedding else "chat"
            yield Model(name=f"ollama:{model.name}", kind=kind, size=model.size)
    for entry in CATALOGUE:
        present = installed(entry, config.cache_dir) is not None
        state: Literal["ready", "to pull"] = "ready" if present else "to pull"
        yield Model(name=entry.spec, kind=entry.kind, state=state, size=entry.size)
    for name, path in downloaded(config.cache_dir):
        yield Model(name=name, kind="chat", size=path.stat().st_size)
    if importlib.util.find_spec("wordllama") is not None:
        yield Model(name="wordllama:l2_supercat_256", kind="embedding", size=16_384_096)
        yield Model(name="static:wordllama_potion_256", kind="embedding", size=30_698_439)


def _in_use(
    config: Config, plugins: PluginModels
) -> Iterator[tuple[str, str, ThalamusError | None]]:
    """(role, full name or spec of the model, error that prevents its use)."""
    for role in roles_in_use(config):
        spec = config.model_for(role)
        try:
            yield role, chat_model(spec, config, plugins).name, None
        except ThalamusError as error:
            yield role, spec, error
    try:
        model = embedder(config.embedder, config, plugins=plugins)
    except ThalamusError as error:
        yield "embedder", config.embedder, error
    else:
        yield "embedder", model.name if model else "none", None
    if config.reranker != "none":
        try:
            judge = reranker(config.reranker, config)
            yield "reranker", judge.name if judge else "none", None
        except ThalamusError as error:
            yield "reranker", config.reranker, error


def _state(name: str, problem: ThalamusError | None) -> ModelState:
    """State of a model that is in use but was not found."""
    kind, _, rest = name.partition(":")
    if problem is not None or kind == "ollama":  # everything Ollama has was listed
        return "missing"
    if kind == "openai":
        return "not asked"
    if kind in ("llamacpp", "cassette"):
        return "ready" if Path(rest).expanduser().is_file() else "missing"
    return "ready"


def _ask_chat(
    spec: str, roles: list[str], config: Config, clock: Clock, plugins: PluginModels
) -> ModelCheck:
    tick = clock.tick()
    request = ChatRequest(
        role="answer",
        messages=[Message("user", "Say hello.")],
        max_tokens=8,
    )
    try:
        reply = chat_model(spec, config, plugins).chat(request)
    except ThalamusError as error:
        return _failed(spec, roles, error)
    words = " ".join(reply.text.split())
    ms = clock.elapsed(tick)
    detail = f"says “{words}” after {ms} ms"
    return ModelCheck(name=reply.model, roles=roles, state="ok", ms=ms, detail=detail)


def _ask_embedder(config: Config, clock: Clock, plugins: PluginModels) -> ModelCheck:
    tick = clock.tick()
    try:
        model = embedder(config.embedder, config, plugins=plugins)
        if model is None:
            return ModelCheck(name="none", roles=["embedder"], state="ok", detail="full text only")
        size = len(model.embed(["hello"], "document")[0]) // 4
    except ThalamusError as error:
        return _failed(config.embedder, ["embedder"], error)
    ms = clock.elapsed(tick)
    detail = f"gives {size} dimensions after {ms} ms"
    return ModelCheck(name=model.name, roles=["embedder"], state="ok", ms=ms, detail=detail)


def _ask_reranker(config: Config, clock: Clock) -> ModelCheck:
    tick = clock.tick()
    try:
        model = reranker(config.reranker, config)
        if model is None:
            return ModelCheck(name="none", roles=["reranker"], state="ok", detail="as searched")
        score = model.score("Who says hello?", ["Ana says hello."])[0]
    except ThalamusError as error:
        return _failed(config.reranker, ["reranker"], error)
    ms = clock.elapsed(tick)
    detail = f"gives {score:.2f} after {ms} ms"
    return ModelCheck(name=model.name, roles=["reranker"], state="ok", ms=ms, detail=detail)


def _failed(name: str, roles: list[str], error: ThalamusError) -> ModelCheck:
    return ModelCheck(
        name=name,
        roles=roles,
        state="failed",
        detail=error.message,
        fix=error.advice,
        code=error.code,
    )
