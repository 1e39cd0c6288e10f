"""A query embedding computed elsewhere: selects the stored vectors that it is compared with."""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.errors import UsageError
from thalamus.policy.vector import dimension, pack
from thalamus.storage.protocol.values import Space, Vector


def query_vector(
    values: Sequence[float], model: str | None, embedder: str, spaces: Sequence[Space]
) -> Vector:
    """The vector with the name of its model.

    Without a name it is compared with the vectors of the configured ``embedder`` when these have
    the same number of dimensions, otherwise with those of the only model that has. Raises
    ``ValueError`` or ``TypeError`` for an invalid vector, ``UsageError`` when no model fits or
    several do.
    """
    vector = pack(values)
    size = dimension(vector)
    wanted = next((space.dimension for space in spaces if space.model == model), size)
    if size != wanted:
        raise UsageError(
            f"The vector has {size}, the vectors of {model} have {wanted} dimensions.",
            fix="Embed the question with the model that made the stored vectors.",
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
