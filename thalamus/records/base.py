"""Base class and shared types of all records."""

from __future__ import annotations

import functools
from typing import Annotated, ClassVar, Literal, get_args

from msgspec import Meta, Struct

from thalamus.names import normalize

Importance = Literal["low", "medium", "high"]
Sensitivity = Literal["normal", "personal"]  # personal content is stored encrypted
IMPORTANCES: tuple[Importance, ...] = get_args(Importance)  # in ascending order
Scope = Literal["core", "episodic", "archival"]
Mode = Literal["all", "memory", "facts", "history", "document"]
EvidenceKind = Literal["memory", "fact", "turn", "document", "insight"]
Decision = Literal[
    "add",
    "exists",
    "reinforce",
    "update",
    "supersede",
    "ignore",
    "quarantine",
    "refuse",
    "retract",
    "stale",
    "keep",
    "drop",
    "compress",
    "demote",
    "restore",
    "forget",
]
Unit = Annotated[float, Meta(ge=0, le=1)]
Text = Annotated[str, Meta(min_length=1)]


class Record(Struct, kw_only=True, tag_field="record", forbid_unknown_fields=True):
    """Base class of all records. ``names``: fields with the name of an owner or of a session, which
    are normalized in every record."""

    names: ClassVar[tuple[str, ...]] = ("user", "agent", "session", "project")

    v: Literal[1] = 1

    def __post_init__(self) -> None:
        normalize(self, names_of(type(self)))

    @property
    def stored_id(self) -> str:
        """Id of a stored record. Raises ``ValueError`` for one without an id."""
        id: str | None = getattr(self, "id", None)
        if id is None:
            raise ValueError(f"{type(self).__name__} without an id")
        return id


@functools.cache
def names_of(kind: type[Record]) -> tuple[str, ...]:
    """The fields of a kind of record with the name of an owner, a session or a project."""
    return tuple(field for field in kind.names if field in kind.__struct_fields__)


def tag_of(kind: type[Record]) -> str:
    """The name of a kind of record, as in its field ``record``."""
    return str(kind.__struct_config__.tag)


class Issue(Struct, kw_only=True, forbid_unknown_fields=True):
    """A problem that did not stop the turn. ``code`` is stable."""

    stage: str
    code: str
    message: str
    fix: str = ""
