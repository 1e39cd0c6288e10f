"""The world state: the user's current project, topics and goals, and its changes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import Meta, Struct

from thalamus.records.base import Record, Unit

Operator = Literal["set", "append", "remove", "merge"]
OPERATORS: tuple[Operator, ...] = get_args(Operator)
TOPICS = 8  # maximum number of topics


class WorldOperation(Struct, kw_only=True, forbid_unknown_fields=True):
    """One operation on the world state.

    ``path``: a field of ``World`` (``project``) or a key below one (``entities.Ana``). ``set``
    assigns ``value`` (null: clears it), ``append`` adds it to a list if missing, ``remove`` takes
    it out of a list or removes a key of a mapping, ``merge`` adds the keys of a mapping, or to
    ``topics`` those of one message, which lowers the weight of all others.
    """

    op: Operator
    path: Annotated[str, Meta(min_length=1)]
    value: Any = None


class World(Record, tag="world"):
    """The user's current activities: one record for each tenant and user.

    ``project``: the name of a stored project, as its record has it, or any other text. ``topics``:
    topics of the conversation, the strongest first; ``topic_weights``: their weights (1
    for the last message, decaying while unused). ``entities``: names and who or what they are.
    ``timezone``: an IANA name (``Europe/Lisbon``); null for the setting ``timezone``.
    """

    names: ClassVar[tuple[str, ...]] = ("project",)  # the user is the key of the stored state

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
    ``turn`` they came with, if any. ``batch``: its name for `thalamus undo`. Both states are null
    once it can no longer be undone."""

    id: str | None = None
    at: str | None = None
    user: str | None = None
    turn: str | None = None
    batch: str | None = None
    operations: list[WorldOperation] = []
    before: World | None = None
    after: World | None = None
    undone_at: str | None = None
