"""Records about the installation: checks, models, settings, paths, retention rules, schemas."""

from __future__ import annotations

from typing import Any, Literal

from thalamus.records.base import Record, Scope

CheckState = Literal["ok", "warning", "problem"]
ModelKind = Literal["chat", "embedding", "reranking"]
ModelState = Literal["ready", "to pull", "missing", "not asked"]
FolderState = Literal["trusted", "changed", "gone", "revoked"]


class Check(Record, tag="check"):
    """A check of ``doctor`` or ``config check``, with its state, details and remedy."""

    name: str
    state: CheckState
    detail: str
    fix: str = ""


class Model(Record, tag="model"):
    """A model that is installed, can be pulled, or has a role.

    ``state``: ready, to pull, missing, or not asked (a server that does not list its models);
    ``size``: in bytes, null when unknown; ``roles``: the roles it is configured for; ``fix``: the
    remedy for a missing model.
    """

    name: str
    kind: ModelKind
    state: ModelState = "ready"
    size: int | None = None
    roles: list[str] = []
    fix: str = ""


class ModelCheck(Record, tag="model_check"):
    """Result of calling a model once. ``code``: exit status of a failure, or 0."""

    name: str
    roles: list[str]
    state: Literal["ok", "failed"]
    ms: int = 0
    detail: str = ""
    fix: str = ""
    code: int = 0


class Setting(Record, tag="setting"):
    """A setting with its value, the value's origin, and its meaning."""

    name: str
    value: Any
    origin: str
    meaning: str = ""


class ConfigPath(Record, tag="path"):
    """A file or directory in use, and whether it exists."""

    name: str
    path: str
    exists: bool


class TrustedFolder(Record, tag="trusted_folder"):
    """A directory whose project file was accepted.

    ``state``: trusted, changed (the file differs), gone (the file is missing), or revoked (by this
    command).
    """

    folder: str
    state: FolderState


class RetentionRule(Record, tag="retention_rule"):
    """The retention rule of a type of memory. docs/retention.md explains the fields."""

    kind: str
    scope: Scope
    keep: Literal["forever", "days", "active", "window"]
    days: int
    then: Literal["drop", "compress", "demote"]
    half_life: float
    floor: float
    pressure: bool


class Schema(Record, tag="schema"):
    """A kind of record with its description; ``schema``: its JSON Schema, if requested."""

    name: str
    description: str
    schema: dict[str, Any] | None = None
