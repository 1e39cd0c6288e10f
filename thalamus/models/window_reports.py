"""Context windows as OpenAI-compatible servers report them, in fields and at paths of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

# fields of a model in the list at ``/models``: of llama.cpp, LM Studio, vLLM and SGLang, OpenRouter
# and Together, Groq, Mistral, TabbyAPI. `n_ctx_train` is not the window of the server.
_FIELDS = (
    "n_ctx",
    "loaded_context_length",
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "max_seq_len",
)
_PARTS = ("meta", "parameters")  # in which some have them


def window_in(row: Mapping[str, Any], fields: tuple[str, ...] = _FIELDS) -> int | None:
    """The window in the description of a model; None if it does not say."""
    parts = [row, *(row[name] for name in _PARTS if isinstance(row.get(name), dict))]
    found = (part.get(name) for name in fields for part in parts)
    return next((size for size in found if type(size) is int and size > 0), None)


def window_at(path: str, reply: Mapping[str, Any], model: str) -> int | None:
    """The window of a model by the reply at one of ``WINDOW_PATHS``; None if it does not say."""
    return _READERS[path](reply, model)


def _llamacpp(reply: Mapping[str, Any], model: str) -> int | None:
    settings = reply.get("default_generation_settings")
    return window_in(settings) if isinstance(settings, dict) else None


def _lm_studio(reply: Mapping[str, Any], model: str) -> int | None:
    return _listed(reply.get("data"), "id", "loaded_context_length", model)


def _ollama(reply: Mapping[str, Any], model: str) -> int | None:
    return _listed(reply.get("models"), "name", "context_length", model)


def _listed(rows: Any, name: str, field: str, model: str) -> int | None:
    found = [row for row in rows or () if isinstance(row, dict)]
    own = [row for row in found if row.get(name) in (model, f"{model}:latest")]
    return window_in(own[0], (field,)) if own else None


# outside the version part of the address
_READERS: dict[str, Callable[[Mapping[str, Any], str], int | None]] = {
    "/props": _llamacpp,
    "/api/v0/models": _lm_studio,
    "/api/ps": _ollama,
}
WINDOW_PATHS = tuple(_READERS)
