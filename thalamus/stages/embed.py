"""Vectors for records that are about to be stored: brought along, or made here."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from thalamus.models.protocol import Embedder
from thalamus.policy.vector import pack
from thalamus.records import Fact, Memory, Reflection, Turn
from thalamus.stages.context import Context
from thalamus.stages.prepare import RecordProblem, Storable
from thalamus.storage.protocol import Store, Vector


def embed(
    records: Sequence[Storable], context: Context, opened: Store
) -> tuple[dict[int, Vector], Exception | None]:
    """The vectors of records and what hangs on them, by ``id()`` of the object."""
    vectors: dict[int, Vector] = {}
    texts: list[tuple[int, str]] = []
    sizes = {space.model: space.dimension for space in opened.spaces()}
    for index, record in enumerate(records):
        for item, text in _texts(record):
            given = _given_vector(item)
            if given is None:
                texts.append((id(item), text))
            else:
                expected = sizes.setdefault(given.model, len(given.data) // 4)
                if expected * 4 != len(given.data):
                    problem = f"{given.model} has {expected} dimensions in this store"
                    raise RecordProblem("embedding", problem, index)
                vectors[id(item)] = given
    try:
        embedder = context.models.embedder() if texts else None
        if embedder is not None:
            vectors |= _make_vectors(embedder, texts)
    except Exception as error:
        return vectors, error
    return vectors, None


def _make_vectors(embedder: Embedder, texts: list[tuple[int, str]]) -> dict[int, Vector]:
    made = embedder.embed([text for _, text in texts], "document")
    return {key: Vector(embedder.name, data) for (key, _), data in zip(texts, made, strict=True)}


def _given_vector(item: Turn | Memory | Fact) -> Vector | None:
    if isinstance(item, Turn) or item.embedding is UNSET or item.embedding_model is UNSET:
        return None
    return Vector(item.embedding_model, pack(item.embedding))


def _texts(record: Storable) -> list[tuple[Turn | Memory | Fact, str]]:
    """(object, the text that is embedded for it); the same texts as the ``entry`` view's."""
    if isinstance(record, Memory):
        return [(record, record.content)]
    if isinstance(record, Fact):
        predicate = record.predicate.replace("_", " ")
        return [(record, f"{record.subject} {predicate} {record.object}")]
    found: list[tuple[Turn | Memory | Fact, str]] = []
    reflection: Reflection | None
    if isinstance(record, Turn):
        found.append((record, record.message))
        reflection = record.reflection
    else:
        reflection = record
    if reflection is not None:
        items: list[Memory | Fact] = [*reflection.memories_to_store, *reflection.facts]
        for item in items:
            found += _texts(item)
    return found
