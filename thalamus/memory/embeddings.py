"""Vectors for records that are about to be stored: brought along, or made here."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from msgspec import UNSET

from thalamus.errors import MODEL_ERRORS, ModelFailed
from thalamus.memory.write import RecordProblem, Storable
from thalamus.policy.vector import dimension, pack_many
from thalamus.records import Fact, Memory, Reflection, Turn
from thalamus.storage.protocol import Store, Vector

if TYPE_CHECKING:
    from thalamus.context import Context
    from thalamus.models.protocol import Embedder


def embed(
    records: Sequence[Storable], context: Context, opened: Store
) -> tuple[dict[int, Vector], Exception | None]:
    """The vectors of records and what hangs on them, by ``id()`` of the object.

    Raises ``RecordProblem`` for an embedding that is none or has another length than its model's.
    """
    texts: list[tuple[int, str]] = []
    given: list[tuple[int, Memory | Fact]] = []  # the record's index, the object
    for index, record in enumerate(records):
        if isinstance(record, Memory) and record.embedding is not UNSET:
            given.append((index, record))
            continue
        for item, text in _texts(record):
            if isinstance(item, Turn) or item.embedding is UNSET:
                texts.append((id(item), text))
            else:
                given.append((index, item))
    vectors = _given_vectors(given, opened) if given else {}
    try:
        embedder = context.models.embedder() if texts else None
        if embedder is not None:
            vectors |= _make_vectors(embedder, texts)
    except MODEL_ERRORS as error:
        return vectors, error
    return vectors, None


def _make_vectors(embedder: Embedder, texts: list[tuple[int, str]]) -> dict[int, Vector]:
    made = embedder.embed([text for _, text in texts], "document")
    return {key: Vector(embedder.name, data) for (key, _), data in zip(texts, made, strict=True)}


def shrink(item: object) -> None:
    """Keeps the numbers of an embedding, if there is one, as float32 in place of a list of Python
    floats, which take eight times the memory and as much time to make as to use again."""
    if isinstance(item, (Memory, Fact)) and isinstance(item.embedding, list):
        try:
            numbers = array("f", struct.pack(f"{len(item.embedding)}f", *item.embedding))
        except OverflowError:  # a number beyond float32: told when it is packed
            return
        item.embedding = cast("list[float]", numbers)


def _given_vectors(given: list[tuple[int, Memory | Fact]], opened: Store) -> dict[int, Vector]:
    packed = pack_many([cast("Sequence[float]", item.embedding) for _, item in given])
    vectors: dict[int, Vector] = {}
    sizes = {space.model: space.dimension for space in opened.spaces()}
    for (index, item), data in zip(given, packed, strict=True):
        if isinstance(data, ValueError):
            raise RecordProblem("embedding", str(data), index)
        model = str(item.embedding_model)
        expected = sizes.setdefault(model, len(data) // 4)
        if expected * 4 != len(data):
            problem = f"{model} has {expected} dimensions in this store"
            raise RecordProblem("embedding", problem, index)
        vectors[id(item)] = Vector(model, data)
    return vectors


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


# -- Embeddings that entries lack: after an import, a failure, or a change of the model. --


def count_missing(context: Context, opened: Store) -> tuple[str, int]:
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
        problem = f"it returns {dimension(made[0])} dimensions; its stored vectors have {size}"
        raise ModelFailed(embedder.name, problem)
    return [Vector(embedder.name, data) for data in made]
