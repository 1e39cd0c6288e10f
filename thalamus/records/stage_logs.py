"""Logs of the inputs and outputs of a turn's stages."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from thalamus.records.base import Record, Sensitivity


class PromptMessage(Struct, kw_only=True, forbid_unknown_fields=True):
    """One message of a prompt. ``role``: system, user, assistant or tool."""

    role: str
    content: str


class LoggedCall(Struct, kw_only=True, forbid_unknown_fields=True):
    """A call to a ``model`` in a ``role``: the ``messages`` of its prompt and the raw ``reply``."""

    role: str
    model: str
    messages: list[PromptMessage] = []
    reply: str = ""


class StageLog(Record, tag="stage_log"):
    """Input and output of a stage, kept for `log_days`.

    ``messages`` and ``reply``: the model call that the stage is named for, the last one if there
    are several; ``calls``: its other calls, in order. ``given``: its inputs that no earlier stage
    of the turn produced; evidence as ``id``, ``score`` and ``rank``. ``gave``: its output with the
    text of evidence, the resulting ids (``outputs``) and its decisions (``detail``); for an answer
    also the ids of the evidence it ``used``, judged by its words. ``turn``: null for a direct
    query. ``sensitivity``: whether it is stored encrypted; since a prompt may quote anything, every
    log is encrypted if the store encrypts at all.
    """

    stage: str
    id: str | None = None
    turn: str | None = None
    at: str | None = None
    session: str | None = None
    user: str | None = None
    agent: str | None = None
    model: str | None = None
    messages: list[PromptMessage] = []
    reply: str | None = None
    calls: list[LoggedCall] = []
    given: dict[str, Any] = {}
    gave: dict[str, Any] = {}
    ms: Annotated[int, Meta(ge=0)] = 0
    sensitivity: Sensitivity = "normal"
