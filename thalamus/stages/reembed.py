"""Embeddings that entries lack: after an import, a failure, or a change of the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from thalamus.errors import ModelFailed
from thalamus.policy.vector import dimension
from thalamus.storage.protocol import Store
from thalamus.storage.shapes import Vector

if TYPE_CHECKING:
    from thalamus.models.protocol import Embedder
    from thalamus.stages.context import Context


def missing(context: Context, opened: Store) -> tuple[str, int]:
    """(the configured embedder's name, how many entries it has not embedded yet).

    ("none", 0) when full text is to serve alone. Raises ``ModelMissing``, ``UsageError``.
    """
    embedder = context.models.embedder()
    return (embedder.name, opened.count_unembedded(embedder.name)) if embedder else ("none", 0)


def reembed(
    context: Context, opened: Store, on_progress: Callable[[int], None] = lambda count: None
) -> int:
    """Makes the missing embeddings of the configured embedder, oldest entries first.

    Each ``batch_size`` of them is one transaction, so an interrupted run is continued by the
    next one. Returns how many were made. Raises what the embedder raises.
    """
    embedder = context.models.embedder()
    if embedder is None:
        return 0
    sizes = {space.model: space.dimension for space in opened.spaces()}
    made, after = 0, 0
    while rows := opened.unembedded(embedder.name, context.config.batch_size, after):
        vectors = _embedded([text for _, text in rows], embedder, sizes.get(embedder.name))
        with opened.writing() as writer:
            for (key, _), vector in zip(rows, vectors, strict=True):
                writer.add_vector(key, vector)
        after = rows[-1][0]
        made += len(rows)
        on_progress(len(rows))
    return made


def _embedded(texts: list[str], embedder: Embedder, size: int | None) -> list[Vector]:
    made = embedder.embed(texts, "document")
    if size is not None and dimension(made[0]) != size:
        problem = f"it gives {dimension(made[0])} dimensions; its vectors here have {size}"
        raise ModelFailed(embedder.name, problem)
    return [Vector(embedder.name, data) for data in made]
