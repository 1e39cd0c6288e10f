"""Embeddings: of new records, supplied or computed here, and of stored entries that lack one after
an import, a failure, or a change of the model; and query embeddings computed elsewhere."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from msgspec import UNSET, structs

from thalamus.errors import MODEL_ERRORS, ModelFailed, RecordProblem, UsageError
from thalamus.memory.draft import Draft, Storable, within
from thalamus.models.protocol import SentenceEmbedder
from thalamus.policy.vector import dimension, pack, pack_many
from thalamus.records import Fact, Insight, Memory, Plan, Project, Reflection
from thalamus.records.kinds import kind_of, text_of
from thalamus.store import embeddings
from thalamus.store.base import Store
from thalamus.store.values import Space, Vector

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.models.protocol import Embedder
    from thalamus.turn_run import TurnRun

_UNEMBEDDED = "unembedded"  # name under which an engine keeps an error
Texts = tuple[str, str]  # (embedded as a whole, embedded by sentence)


def embed(drafts: Sequence[Draft[Storable]], run: TurnRun) -> Exception | None:
    """Puts vectors on drafts and on those inside their reflections. Returns the embedder's error,
    if it failed; a change of its dimensions only once. Inactive records are not embedded, because
    nothing may find them.

    Raises ``RecordProblem`` for an invalid embedding or one whose length differs from its model's.
    """
    unembedded: list[Draft[Storable]] = []
    supplied: list[Draft[Storable]] = []
    for draft in within(drafts):
        record = draft.record
        if isinstance(record, (Memory, Fact)) and record.embedding is not UNSET:
            supplied.append(draft)
        elif isinstance(record, Memory):
            if record.status == "active" and not draft.refused:
                unembedded.append(draft)
        elif not isinstance(record, (Reflection, Plan)):
            unembedded.append(draft)
    if supplied:
        _pack_given(supplied, run.engine.store)
    try:
        embedder = run.engine.models.embedder() if unembedded else None
        if embedder is not None:
            texts = [_texts(draft.record) for draft in unembedded]
            vectors = _as_stored(_embedded(texts, embedder, run), run.engine)
            for draft, vector in zip(unembedded, vectors, strict=True):
                draft.vector = vector
    except _OtherDimensions as error:
        reported: set[str] = run.engine.once("reported dimensions", set)
        if error.message in reported:
            return None
        reported.add(error.message)
        return error
    except MODEL_ERRORS as error:
        return error
    return None


def report_unembedded(where: str, problem: Exception, run: TurnRun) -> None:
    """Reports the error because of which records other than turns are stored without embeddings."""
    run.failed(where, problem)
    run.engine.kept[_UNEMBEDDED] = problem


def unembedded(engine: Engine) -> Exception | None:
    """The last error that was reported like this."""
    found: Exception | None = engine.kept.get(_UNEMBEDDED)
    return found


def embed_alone(
    records: Sequence[Insight] | Sequence[Project], run: TurnRun
) -> list[Vector | None]:
    """Vectors of records that are stored by themselves; None for each when there is no embedder, or
    when it fails, which is logged."""
    nothing: list[Vector | None] = [None] * len(records)
    try:
        embedder = run.engine.models.embedder() if records else None
        if embedder is None:
            return nothing
        texts = [(text_of(kind_of(type(record)).embedded, record), "") for record in records]
        return [*_as_stored(_embedded(texts, embedder, run), run.engine)]
    except MODEL_ERRORS as error:
        run.failed(f"{kind_of(type(records[0])).name}: embedding", error)
        return nothing


def _texts(record: Storable) -> Texts:
    """Texts embedded for a record; the same as those of the ``entry`` view."""
    kind = kind_of(type(record))
    return text_of(kind.embedded, record), text_of(kind.sentences, record)


def stored_name(model: str, size: int, known: Iterable[str]) -> str:
    """The name under which vectors of a model with ``size`` dimensions are stored: with the number
    if those under its own name have another one. ``known``: the names in the store."""
    sized = _name_with_size(model, size)
    return sized if sized in known else model


def _name_with_size(model: str, size: int) -> str:
    return f"{model} ({size} dimensions)"


def is_of(stored: str, model: str) -> bool:
    """True if ``model`` made the vectors that are stored under a name."""
    return stored == model or (stored.startswith(f"{model} (") and stored.endswith(" dimensions)"))


def _as_stored(vectors: list[Vector], engine: Engine) -> list[Vector]:
    """The vectors under the names under which they can be stored. Raises ``_OtherDimensions``."""
    store = engine.open_store(False)
    sizes = {space.model: space.dimension for space in embeddings.spaces(store)} if store else {}
    return [_rename(vector, sizes) for vector in vectors]


def _rename(vector: Vector, sizes: Mapping[str, int]) -> Vector:
    name = stored_name(vector.model, vector.dimension, sizes)
    size = sizes.get(name, vector.dimension)
    if size != vector.dimension:
        raise _OtherDimensions(vector.model, vector.dimension, size)
    return structs.replace(vector, model=name)


class _OtherDimensions(ModelFailed):
    """The model {0} failed: its vectors have {1} dimensions, those in the store {2}"""

    fix = (
        "Another model answers to its name. `thalamus store reindex --embed` replaces the vectors;"
        " until then, full text is searched."
    )


def _embedded(texts: Sequence[Texts], embedder: Embedder, run: TurnRun) -> list[Vector]:
    """Vectors of texts, with sentence vectors where the embedder makes them."""
    words = [text for text, _ in texts]
    made = run.patiently("embed", lambda: embedder.embed(words, "document"))
    sentence_texts = [sentences for _, sentences in texts]
    packed = [b""] * len(texts)
    if any(sentence_texts) and isinstance(embedder, SentenceEmbedder):
        packed = embedder.embed_sentences(sentence_texts)
    return [Vector(embedder.name, *vectors) for vectors in zip(made, packed, strict=True)]


def _pack_given(drafts: Sequence[Draft[Storable]], store: Store) -> None:
    """Packs embeddings supplied with records."""
    items = [cast("Memory | Fact", draft.record) for draft in drafts]
    packed = pack_many([cast("Sequence[float]", item.embedding) for item in items])
    sizes = {space.model: space.dimension for space in embeddings.spaces(store)}
    for draft, item, data in zip(drafts, items, packed, strict=True):
        if isinstance(data, ValueError):
            raise RecordProblem("embedding", str(data), draft.index)
        model = str(item.embedding_model)
        expected = sizes.setdefault(model, len(data) // 4)
        if expected * 4 != len(data):
            problem = f"{model} has {expected} dimensions in this store"
            raise RecordProblem("embedding", problem, draft.index)
        if not isinstance(item, Memory) or item.status == "active":
            draft.vector = Vector(model, data)


def shrink(item: object) -> None:
    """Stores an embedding, if there is one, as float32 instead of a list of Python floats, which
    takes eight times the memory, and as much time to build as to use."""
    if isinstance(item, (Memory, Fact)) and isinstance(item.embedding, list):
        try:
            numbers = array("f", struct.pack(f"{len(item.embedding)}f", *item.embedding))
        except OverflowError:  # a number beyond float32: reported when it is packed
            return
        item.embedding = cast("list[float]", numbers)


def count_missing(engine: Engine) -> tuple[str, int]:
    """(the configured embedder's name, how many entries it has not embedded yet).

    ("none", 0) when full text is to serve alone. Raises ``ModelMissing``, ``UsageError``.
    """
    embedder = engine.models.embedder()
    if embedder is None:
        return "none", 0
    try:
        name = _current_name(embedder, embeddings.spaces(engine.store))
    except MODEL_ERRORS:
        name = embedder.name
    return embedder.name, embeddings.count_missing(engine.store, name)


def reembed(run: TurnRun, on_progress: Callable[[int], None] = lambda count: None) -> int:
    """Computes the missing embeddings of the configured embedder, oldest entries first. If the
    number of its dimensions has changed, they replace the earlier ones.

    Each ``batch_size`` of them is one transaction, so that the next run resumes an interrupted one.
    Returns how many were computed. Raises what the embedder raises.
    """
    store = run.engine.store
    embedder = run.engine.models.embedder()
    if embedder is None:
        return 0
    spaces = embeddings.spaces(store)
    name = _current_name(embedder, spaces)
    replaces = any(space.model != name and is_of(space.model, embedder.name) for space in spaces)
    embedded, after, size = 0, 0, None
    while rows := embeddings.missing(store, name, run.engine.config.batch_size, after):
        texts = [(text, sentences) for _, text, sentences in rows]
        vectors = [structs.replace(v, model=name) for v in _embedded(texts, embedder, run)]
        size = size or vectors[0].dimension
        _check_sizes(vectors, size)
        with store.writing() as writer:
            for (key, *_), vector in zip(rows, vectors, strict=True):
                if replaces:
                    writer.put_vector(key, None)
                writer.put_vector(key, vector)
        after = rows[-1][0]
        embedded += len(rows)
        on_progress(len(rows))
    return embedded


def _current_name(embedder: Embedder, spaces: Sequence[Space]) -> str:
    """The name under which the vectors that a model makes now are stored."""
    sizes = {space.model: space.dimension for space in spaces if is_of(space.model, embedder.name)}
    if not sizes:
        return embedder.name
    size = embedder.dimension()
    name = stored_name(embedder.name, size, sizes)
    return name if sizes.get(name, size) == size else _name_with_size(name, size)


def _check_sizes(vectors: Sequence[Vector], size: int) -> None:
    for vector in vectors:
        if vector.dimension != size:
            raise _OtherDimensions(vector.model, vector.dimension, size)


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
