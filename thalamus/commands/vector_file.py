"""A query vector from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from thalamus.errors import UsageError
from thalamus.store import embeddings

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.store.values import Vector

_FIX = "Give a file with a JSON list of numbers: --embedding @FILE."


def read_vector(given: str, thalamus: Thalamus) -> Vector:
    """The vector in ``@FILE`` (``@-`` is standard input): a JSON list of numbers, or an object
    with ``embedding`` and ``embedding_model``. Raises as
    ``memory.embeddings``."""
    import msgspec

    from thalamus.memory.embeddings import query_vector
    from thalamus.terminal.streams import read_input

    path = given.removeprefix("@")
    try:
        data = read_input() if path == "-" else Path(path).read_bytes()
        value = msgspec.json.decode(data)
        given_by = value.get("embedding_model") if isinstance(value, dict) else None
        values = value["embedding"] if isinstance(value, dict) else value
        spaces = embeddings.spaces(thalamus.database)
        return query_vector(values, given_by, thalamus.models.embedder(), spaces)
    except OSError as error:
        raise UsageError(
            f"Cannot read {path}: {error.strerror}.",
            fix=_FIX,
        ) from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(
            f"invalid --embedding: {path} does not contain a vector ({error})",
            fix=_FIX,
        ) from None
