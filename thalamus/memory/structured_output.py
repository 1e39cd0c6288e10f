"""Structured output: asks a model for a record, with one retry when the reply is unusable."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct, field

from thalamus.models.protocol import ChatReply, Message, Role
from thalamus.policy.reply_parsing import ReplyError, parse
from thalamus.records import Issue

if TYPE_CHECKING:
    from thalamus.turn_run import TurnRun

Value = TypeVar("Value")
Record = TypeVar("Record", bound=Struct)
TRIES = 2


class StructuredReply(Struct, Generic[Value]):
    """The record (None when no reply was usable), the replies and the unusable raw texts.
    ``issues`` explains a missing record."""

    value: Value | None = None
    replies: list[ChatReply] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    issues: list[Issue] = field(default_factory=list)


def request_record(
    run: TurnRun,
    role: Role,
    messages: list[Message],
    schema: dict[str, object],
    kind: type[Record],
) -> StructuredReply[Record]:
    """Asks the model of a role for a record of ``kind`` as JSON that conforms to ``schema``. Raises
    what the model raises; an unusable reply is an issue."""
    return request_with_retry(
        run,
        role,
        messages,
        lambda text: parse(text, kind),
        "Reply with the JSON object only.",
        schema,
    )


def request_with_retry(
    run: TurnRun,
    role: Role,
    messages: list[Message],
    read: Callable[[str], Value],
    form: str,
    schema: dict[str, object] | None = None,
) -> StructuredReply[Value]:
    """Asks the model of a role for a reply that ``read`` accepts, and once more, with a reminder of
    the ``form``, when that raises ``ReplyError``. Raises what the model raises."""
    result: StructuredReply[Value] = StructuredReply()
    problem = ""
    for _ in range(TRIES):
        reply = run.ask(role, messages, schema)
        result.replies.append(reply)
        try:
            result.value = read(reply.text)
            return result
        except ReplyError as error:
            problem = str(error)
            result.raw.append(reply.text)
        reminder = f"That was not usable: {problem}. {form}"
        messages = [*messages, Message("assistant", reply.text or "-"), Message("user", reminder)]
    result.issues.append(
        Issue(
            stage=role,
            code="unusable_reply",
            message=f"{result.replies[-1].model} gave no usable reply: {problem}",
            fix="The turn continues without it; larger models follow the format better.",
        )
    )
    return result
