"""Records about the installation: checks, models, settings, paths, retention rules, schemas."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from thalamus.records.base import Record, Scope, Text

CheckState = Literal["ok", "warning", "problem"]
ModelKind = Literal["chat", "embedding", "reranking"]
ModelState = Literal["ready", "to pull", "missing", "not asked"]
TokenRole = Literal["full", "redacted"]
TokenState = Literal["active", "expired", "revoked"]
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


class Token(Record, tag="token"):
    """A token by which a client that is not the local command line is admitted.

    ``role``: full, or redacted (it only reads, and what is personal is masked); ``user`` and
    ``agent``: whose memory it reaches, null for whatever the server is for. ``token``: its text,
    when it has just been created; only a digest is kept.
    """

    names: ClassVar[tuple[str, ...]] = ("user", "agent", "tenant")

    name: Text
    role: TokenRole = "redacted"
    user: str | None = None
    agent: str | None = None
    tenant: str | None = None
    created_at: str | None = None
    expires_at: str | None = None
    revoked_at: str | None = None
    token: str | None = None

    def state(self, now: str) -> TokenState:
        """Its validity at a time (RFC 3339)."""
        if self.revoked_at is not None:
            return "revoked"
        expired = self.expires_at is not None and self.expires_at <= now
        return "expired" if expired else "active"


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
