"""Turns from the messages of an exported conversation."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct, field, structs

from thalamus.clock import format_time, make_id, parse_time
from thalamus.readers.protocol import Utterance, pair
from thalamus.records import Turn
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.versions import ConversationVersion

EPOCH = format_time(datetime.fromtimestamp(0, UTC))  # of what has no time at all


class ForeignConversation(Struct, frozen=True):
    """A conversation of ``source``: its ``id`` there, its ``title``, when it ``started`` and
    ``ended`` if that is known, and the ``user`` it belongs to if there are several."""

    source: str
    id: str
    title: str = ""
    started: str | None = None
    ended: str | None = None
    user: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict)

    def turns(
        self, utterances: Iterable[Utterance], report: Report, others: Iterable[Utterance] | None
    ) -> list[Turn]:
        """Turns from messages and their answers, in order. ``others``: messages of branches that
        are not shown; None if these turns may be a part of the conversation.

        A message without a time has that of the one before it, else that of the conversation or of
        the one after it.
        """
        readable = self._read(utterances, report)
        session = f"{self.source}:{self.id}"
        title = {"title": self.title} if self.title else {}
        metadata = {**title, "source": self.source, **self.metadata}
        dated = [
            structs.replace(item, at=at)
            for item, at in zip(readable, self._times(readable), strict=True)
        ]
        turns = pair(dated, session, metadata)
        messages = [item for item in readable if item.by_user]
        for position, (turn, item) in enumerate(zip(turns, messages, strict=True)):
            turn.id = self._id(session, item, position)
            turn.user = self.user
        if readable and not readable[0].by_user:
            report.problem(f"conversation {self.title!r}: answers before the first message skipped")
        if others is not None:
            version = ConversationVersion.of([*readable, *self._read(others, report)])
            report.versions.setdefault(session, ConversationVersion()).join(version)
        report.undated += sum(turn.created_at == EPOCH for turn in turns)
        return turns

    def _read(self, utterances: Iterable[Utterance], report: Report) -> list[Utterance]:
        """The messages; those before something that no reader expects."""
        readable: list[Utterance] = []
        try:
            readable.extend(utterances)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            report.problem(f"conversation {self.title!r} is malformed, skipped in part: {error!r}")
        return readable

    def _times(self, utterances: list[Utterance]) -> list[str]:
        known = [item.at for item in utterances if item.at]
        last = self.started or next(iter(known), None) or self.ended or EPOCH
        if known:
            last = min(last, known[0])
        times = []
        for item in utterances:
            last = item.at or last
            times.append(last)
        return times

    def _id(self, session: str, item: Utterance, position: int) -> str:
        """The same id for the same message in every export, so that it is stored once."""
        ref = item.ref or f"{position}\x1f{item.text}"
        return make_id("turn", parse_time(item.at or EPOCH), b"", self.source, session, ref)
