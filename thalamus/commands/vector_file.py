"""A query vector from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thalamus.errors import UsageError
from thalamus.policy.vector import dimension, pack
from thalamus.storage.protocol import Space, Vector


def read_vector(given: str, embedder: str, spaces: Sequence[Space]) -> Vector:
    """The vector in ``@FILE`` (``@-`` is standard input): a JSON list of numbers, or an object
    with ``embedding`` and ``embedding_model``.

    A bare list is compared with the vectors of the configured embedder when that has as many
    dimensions, otherwise with those of the only model that has. Raises ``UsageError``.
    """
    import msgspec

    from thalamus.terminal.streams import read_input

    path = given.removeprefix("@")
    try:
        data = read_input() if path == "-" else Path(path).read_bytes()
        value = msgspec.json.decode(data)
        named = isinstance(value, dict)
        vector = pack(value["embedding"] if named else value)
        model = value.get("embedding_model") if named else None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise UsageError(
            f"invalid --embedding: {path} does not contain a vector ({error})",
            fix="Give a file with a JSON list of numbers: --embedding @FILE.",
        ) from None
    size = dimension(vector)
    wanted = next((space.dimension for space in spaces if space.model == model), size)
    if size != wanted:
        raise UsageError(
            f"invalid --embedding: {path} has {size} dimensions, vectors of {model} have {wanted}",
            fix="Embed the question with the model that produced the stored vectors.",
        )
    return Vector(model or _model(size, embedder, spaces), vector)


def _model(size: int, embedder: str, spaces: Sequence[Space]) -> str:
    fitting = [space.model for space in spaces if space.dimension == size]
    preferred = [
        model for model in fitting if model == embedder or model.startswith(f"{embedder}:")
    ]
    if len(fitting) == 1 or preferred:
        return (preferred or fitting)[0]
    if not fitting:
        have = ", ".join(f"{space.model} ({space.dimension})" for space in spaces) or "none"
        raise UsageError(f"No stored vectors have {size} dimensions (available: {have}).")
    raise UsageError(
        f"Several models have {size} dimensions: {', '.join(fitting)}.",
        fix='Name one in the file: {"embedding": […], "embedding_model": "…"}.',
    )
