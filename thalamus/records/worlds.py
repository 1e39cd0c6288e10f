"""The world state: what the user is busy with at present, and how it came to be."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct

from thalamus.records.base import Record, Unit

Operator = Literal["set", "append", "remove", "merge"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
TOPICS = 8  # topics of a world at most


class WorldOperation(Struct, kw_only=True, forbid_unknown_fields=True):
    """One operation on the world state.

    ``path`` is a field of ``World`` (``project``), or a key below one (``entities.Ana``). ``set``
    puts ``value`` there (null: nothing), ``append`` adds it to a list unless it is there,
    ``remove`` takes it out of a list, or a key out of a mapping, ``merge`` adds the keys of a
    mapping, or to ``topics`` those of one message: the others lose weight then.
    """

    op: Operator
    path: Annotated[str, Meta(min_length=1)]
    value: Any = None


class World(Record, tag="world"):
    """What a user is busy with at present: one record for each tenant and user.

    ``topics`` are those of the conversation, the strongest first; ``topic_weights`` how strong each
    is (1: of the last message; it decays while it is unused). ``entities`` are names and who or
    what they are. ``timezone`` is an IANA name (``Europe/Lisbon``); null: the setting ``timezone``.
    """

    user: str | None = None
    project: str | None = None
    topics: Annotated[list[str], Meta(max_length=TOPICS)] = []
    topic_weights: dict[str, Unit] = {}
    goals: list[str] = []
    entities: dict[str, str] = {}
    timezone: str | None = None
    updated_at: str | None = None


class WorldChange(Record, tag="world_change"):
    """A change of the world state: the ``operations``, the state ``before`` and ``after``, and the
    ``turn`` that they came with, if any. ``batch``: what `thalamus undo` calls it. The two states
    are null once it can no longer be undone."""

    id: str | None = None
    at: str | None = None
    user: str | None = None
    turn: str | None = None
    batch: str | None = None
    operations: list[WorldOperation] = []
    before: World | None = None
    after: World | None = None
    undone_at: str | None = None
