"""Choice of the embedder for a new store: the one that was pulled, one of Ollama, or the static one
that comes with the installation."""

from __future__ import annotations

from thalamus.config import Config
from thalamus.errors import ThalamusError
from thalamus.logs import logger

log = logger(__name__)
STATIC = "static"
PULLED = "multilingual"
# Models of Ollama by part of their name, best first, where size counts as much as quality, since
# every message waits for them. English ones are not taken: they find little more in English than
# the static one, and less in other languages (bench/models.md).
OF_OLLAMA = (
    "embeddinggemma",
    "bge-m3",
    "qwen3-embedding",
    "snowflake-arctic-embed2",
    "nomic-embed-text-v2",
    "granite-embedding",
    "paraphrase-multilingual",
)


def best_embedder(config: Config) -> str:
    """The spec of the embedder for a store without vectors."""
    if config.cassette or config.deterministic:  # independent of the machine
        return STATIC
    from thalamus.models.pull import installed

    if installed(PULLED, config.cache_dir) is not None:
        return PULLED
    found = _of_ollama(config)
    if found is None:
        return STATIC
    log.warning(
        "%s embeds the memories of this new store. To choose another model before there are many:"
        " `thalamus config set embedder static`.",
        found,
    )
    return found


def _of_ollama(config: Config) -> str | None:
    from thalamus.models import ollama

    host = ollama.resolve_host(config.ollama_host)
    if not ollama.answers(host):
        return None
    try:
        names = [model.name for model in ollama.list_models(host, config.model_timeout)]
    except ThalamusError:
        return None  # the server that answers is not Ollama
    matching = (name for part in OF_OLLAMA for name in names if part in name.lower())
    found = next(matching, None)
    return f"ollama:{found.removesuffix(':latest')}" if found else None
