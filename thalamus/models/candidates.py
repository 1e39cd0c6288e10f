"""Chat models available on this machine: those of Ollama, and model files in the usual places."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from thalamus.config import Config
from thalamus.errors import ThalamusError
from thalamus.extras import installed
from thalamus.models.catalogue import CATALOGUE
from thalamus.policy.model_size import chats, fits, remembers_well
from thalamus.records.installation import Model

# below the home directory; download folders of common programs
PLACES = (
    ".cache/llama.cpp",
    "Library/Caches/llama.cpp",
    ".cache/huggingface/hub",
    ".cache/lm-studio/models",
    ".lmstudio/models",
    ".local/share/nomic.ai/GPT4All",
    "models",
)
DEPTH = 6  # levels of folders that are searched
MOST = 200  # files that are read
LEAST = 50_000_000  # bytes; smaller files are not useful models
_LATER_PART = re.compile(r"-0000[2-9]-of-\d{5}|-000[1-9]\d-of-\d{5}")


def candidates(config: Config) -> list[Model]:
    """Chat models that are ready, those of Ollama first, then catalogue models that can be pulled.
    Unreadable files are left out."""
    ready = list(_of_ollama(config))
    if installed("xllamacpp"):  # runs model files in this process
        ready += [*pulled(config), *_files(Path.home())]
    to_pull = [
        Model(name=entry.spec, kind="chat", state="to pull", size=entry.size)
        for entry in CATALOGUE
        if entry.kind == "chat" and entry.spec not in {model.name for model in ready}
    ]
    return [*ready, *to_pull]


def better(config: Config, models: Sequence[Model]) -> Model | None:
    """A model to pull that remembers well, with Ollama where it answers; None if one of ``models``
    does, or if it would not fit into this machine's memory."""
    from thalamus.models import ollama
    from thalamus.models.catalogue import REMEMBERS_WELL, REMEMBERS_WELL_OLLAMA, find

    if any(model.state == "ready" and remembers_well(model) for model in models):
        return None
    entry = find(REMEMBERS_WELL)
    model = Model(name=entry.spec, kind="chat", state="to pull", size=entry.size)
    if ollama.answers(ollama.resolve_host(config.ollama_host)):
        model.name = f"ollama:{REMEMBERS_WELL_OLLAMA}"
    elif not installed("xllamacpp"):
        return None
    return model if fits(model, machine_memory()) else None


def searched(config: Config) -> str:
    """The places where ``candidates`` looks, in words, with what became of Ollama."""
    from thalamus.models import ollama
    from thalamus.models.transport import shown

    host = ollama.resolve_host(config.ollama_host)
    state = "it answers" if ollama.answers(host) else "nothing answers there"
    text = f"Ollama at {shown(host)} ({state})"
    if not installed("xllamacpp"):
        return text
    return f"{text}, and model files in {', '.join(f'~/{place}' for place in PLACES)}"


def _of_ollama(config: Config) -> Iterator[Model]:
    from thalamus.models import ollama

    host = ollama.resolve_host(config.ollama_host)
    if not ollama.answers(host):
        return
    try:
        local = ollama.list_models(host, config.model_timeout)
    except ThalamusError:
        return  # the server that answers is not Ollama
    for model in local:
        if not model.embedding and chats(model.name):
            yield Model(name=f"ollama:{model.name}", kind="chat", size=model.size)


def pulled(config: Config) -> Iterator[Model]:
    """Chat models that were pulled into the cache."""
    from thalamus.models.pull import downloaded, installed_models

    for entry, path in installed_models(config.cache_dir):
        if entry.kind == "chat":
            yield Model(name=entry.spec, kind="chat", size=path.stat().st_size)
    for name, path in downloaded(config.cache_dir):
        with suppress(OSError, ValueError):
            if _is_chat_model(path):
                yield Model(name=name, kind="chat", size=path.stat().st_size)


def _files(home: Path) -> Iterator[Model]:
    """Chat model files, each once even if several links point to it."""
    seen: set[Path] = set()
    for place in PLACES:
        for path in _model_files(home / place):
            try:
                real, size = path.resolve(), path.stat().st_size
                if real in seen or size < LEAST or not _is_chat_model(path):
                    continue
            except (OSError, ValueError):
                continue
            seen.add(real)
            yield Model(name=f"llamacpp:{path}", kind="chat", size=size)


def _model_files(folder: Path) -> list[Path]:
    """Model files in a folder and its subfolders, down to ``DEPTH``."""
    found: list[Path] = []
    for inner, folders, names in os.walk(folder):
        if len(Path(inner).relative_to(folder).parts) >= DEPTH:
            folders.clear()
        folders.sort()
        wanted = [n for n in sorted(names) if n.endswith(".gguf") and not _LATER_PART.search(n)]
        found += [Path(inner, name) for name in wanted]
        if len(found) >= MOST:
            break
    return found[:MOST]


def _is_chat_model(path: Path) -> bool:
    """True if the file holds a chat model. Raises ``OSError`` and ``ValueError``."""
    from thalamus.models.gguf import POOLING_NONE, read_header

    header = read_header(path)
    return chats(path.name) and header.pooling in (None, POOLING_NONE) and bool(header.context)


def machine_memory() -> int | None:
    """Memory of this machine in bytes; None if the system does not report it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return None
