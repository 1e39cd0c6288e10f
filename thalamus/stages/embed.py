"""Vectors for records that are about to be stored: brought along, or made here."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from msgspec import UNSET

from thalamus.errors import MODEL_ERRORS
from thalamus.policy.vector import pack_many
from thalamus.records import Fact, Memory, Reflection, Turn
from thalamus.stages.prepare import RecordProblem, Storable
from thalamus.storage.protocol import Store
from thalamus.storage.shapes import Vector

if TYPE_CHECKING:
    from thalamus.models.protocol import Embedder
    from thalamus.stages.context import Context


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
