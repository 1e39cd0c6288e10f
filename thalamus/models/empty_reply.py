"""Replies without words: a model that used all its tokens for thinking, or that called a tool in
place of an answer, is asked once more."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import structs

from thalamus.errors import ModelFailed
from thalamus.models.incoming import ReplyParts
from thalamus.models.protocol import ChatReply, ChatRequest
from thalamus.models.quirks import NEEDS_ROOM, THINKS, Quirks
from thalamus.models.window import ask_within_window, prompt_tokens

ROOM = 4  # times the tokens of the first request
LEAST_ROOM = 2048  # tokens of the second request
# reason of a reply without words, and what the model is told then
CALLED = "it called a tool that it was not offered, instead of answering"
NO_TOOLS = "(There are no tools to call. Answer in words, in the language of the message.)"
# words of servers for the end of a reply
_ORDINARY_ENDS = (
    "stop",
    "length",
    "tool_calls",
    "function_call",
    "eos",
    "eos_token",
    "end_turn",
    "",
)
_ENDS = {"load": "the server only loaded the model", "unload": "the server unloaded the model"}


def ask_for_words(
    name: str,
    request: ChatRequest,
    context: int,
    quirks: Quirks,
    ask: Callable[[ChatRequest, bool], ChatReply],
) -> ChatReply:
    """A reply with words or calls. ``ask`` gets the request, with no more tokens for the reply than
    the server takes, and whether thinking is to be switched off by all means. A reply without words
    is asked for once more, with more room; what helped is learned. A call of a tool that was not
    offered counts as none; the model is told so.

    Raises ``ModelFailed`` if there are still no words, and the errors of ``ask_within_window``.
    """

    def within(request: ChatRequest, thinking_off: bool) -> ChatReply:
        reply = ask_within_window(request, quirks, lambda request: ask(request, thinking_off))
        quirks.measure(request, reply)
        if request.wants_words and reply.calls and not reply.text.strip():
            return structs.replace(reply, calls=(), reason=CALLED)
        return reply

    wide = structs.replace(request, max_tokens=_room(request, context))
    first = wide if NEEDS_ROOM in quirks else request
    reply = within(first, THINKS in quirks)
    if not is_empty(reply):
        return reply
    if reply.reason == CALLED:
        reply = within(_without_tools(first), THINKS in quirks)
        if is_empty(reply):
            raise _failure(name, request, reply, first.max_tokens)
        return reply
    reply = within(wide, True)
    if is_empty(reply):
        raise _failure(name, request, reply, wide.max_tokens)
    quirks.learn(THINKS, *([NEEDS_ROOM] if reply.thinking else []))
    return reply


def is_empty(reply: ChatReply) -> bool:
    """True for a reply with neither words nor calls."""
    return not reply.text.strip() and not reply.calls


def reason_of(parts: ReplyParts, finish: str | None, field: str) -> str | None:
    """The reason why a reply has no text: a call left out of it, or the server's word for its end.
    None for an ordinary end."""
    if parts.text.strip():
        return None
    if parts.stray:
        return CALLED
    if finish is None or finish.lower() in _ORDINARY_ENDS:
        return None
    words = _ENDS.get(finish, f"the server stopped its reply: {finish.replace('_', ' ').lower()}")
    return f"{words} ({field}: {finish})"


def _room(request: ChatRequest, context: int) -> int:
    wanted = max(LEAST_ROOM, ROOM * request.max_tokens)
    return max(request.max_tokens, min(wanted, context - prompt_tokens(request)))


def _without_tools(request: ChatRequest) -> ChatRequest:
    """The request, saying that there are no tools."""
    *before, last = request.messages
    said = structs.replace(last, content=f"{last.content}\n\n{NO_TOOLS}")
    return structs.replace(request, messages=[*before, said])


def _failure(name: str, request: ChatRequest, reply: ChatReply, room: int) -> ModelFailed:
    if reply.reason == CALLED:
        fix = "Choose another model, or switch tools off on the server."
        return ModelFailed(name, f"{CALLED}, twice", fix=fix)
    if reply.reason is not None:
        fix = "Try again in other words, or choose another model."
        return ModelFailed(name, reply.reason, fix=fix)
    if reply.thinking is None and reply.finish != "length":
        return ModelFailed(name, "it sent an empty reply, twice", fix="See the log of the server.")
    setting = "`max_answer_tokens`" if request.role == "answer" else "`context`"
    fix = f"Raise {setting}, switch thinking off on the server, or choose another model."
    return ModelFailed(name, f"all {room:,} tokens of its reply went into thinking", fix=fix)
