"""What a stage of a turn was given and gave."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from thalamus.records.base import Record, Sensitivity


class PromptMessage(Struct, kw_only=True, forbid_unknown_fields=True):
    """One message of a prompt: ``role`` is system, user, assistant or tool."""

    role: str
    content: str


class LoggedCall(Struct, kw_only=True, forbid_unknown_fields=True):
    """A call to a ``model`` for a ``role``: the ``messages`` of its prompt, and the raw ``reply``
    to it."""

    role: str
    model: str
    messages: list[PromptMessage] = []
    reply: str = ""


class StageLog(Record, tag="stage_log"):
    """What a stage was given and gave, kept for `log_days`.

    ``messages`` and ``reply`` are those of the model call that the stage is named for, the last one
    where it asked more than once; ``calls`` are its other calls, in order. ``given``: what it read
    that no earlier stage of the turn gave; evidence by ``id``, ``score`` and ``rank``. ``gave``:
    what it wrote, with the text of evidence, the ids that it names (``outputs``) and its decisions
    (``detail``); of an answer also the ids of the evidence that it ``used``, as far as its words
    show. ``turn`` is null for a question to the memory. ``sensitivity``: whether it is kept
    encrypted. A prompt may quote anything, so that every log is where the store encrypts at all.
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
