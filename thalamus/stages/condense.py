"""Texts in few words: by the model, which must not add anything, or by their best sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from thalamus.errors import MODEL_ERRORS
from thalamus.models.protocol import Message
from thalamus.policy import pack
from thalamus.policy.condense import extract
from thalamus.policy.prompts import fence
from thalamus.policy.replies import SUMMARY_SCHEMA, SummaryReply
from thalamus.stages.ask import ask_for
from thalamus.stages.context import Context, issue
from thalamus.stages.ingest import REPLY_ROOM, unsupported

if TYPE_CHECKING:
    from thalamus.records import Issue

MOST = 900  # characters of a summary


class Condenser:
    """Condenses texts. A model that cannot be asked is not asked again; ``issues`` says why."""

    def __init__(self, context: Context, use_model: bool = True) -> None:
        self._context = context
        self._use_model = use_model
        self.by_model = 0
        self.refused = 0
        self.issues: list[Issue] = []

    def condense(self, texts: Sequence[str], subject: str, most: int = MOST) -> str:
        """At most ``most`` characters that stand for ``texts``."""
        return (self._by_model(texts, subject) or extract(texts, most))[:most]

    def _by_model(self, texts: Sequence[str], subject: str) -> str:
        """The model's words when they stand in the texts, else nothing."""
        if not self._use_model:
            return ""
        notes = "\n".join(f"- {' '.join(text.split())}" for text in texts)
        try:
            room = self._context.models.chat("summary").context() - REPLY_ROOM
            if pack.estimate_tokens(notes) > max(256, room):
                return ""
            fill = self._context.templates.fill
            prompt = fill("condense", SUBJECT=fence(subject), NOTES=fence(notes))
            asked = ask_for(
                self._context, "summary", [Message("user", prompt)], SUMMARY_SCHEMA, SummaryReply
            )
        except MODEL_ERRORS as error:
            self._use_model = False
            self.issues.append(issue("summary", error))
            return ""
        said = " ".join(asked.value.summary.split()).removeprefix("- ") if asked.value else ""
        if not said or unsupported(said, notes):
            self.refused += 1
            return ""
        self.by_model += 1
        return said
