"""Context windows: why they are as large as they are, and those that are smaller than configured,
learned from the refusals of servers.

Sizes are in tokens as they are estimated here; what a server counted is converted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec import structs

from thalamus.errors import PromptTooLong
from thalamus.models.protocol import Capacity, ChatRequest
from thalamus.models.quirks import REPLY, WINDOW, Quirks, ServerRefusal
from thalamus.models.size_refusals import Sizes, reply_limit, sizes
from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.policy.window_budget import LARGEST

T = TypeVar("T")
_TRIES = 3  # requests with the same prompt, with ever fewer tokens for the reply
_LEAST = 128  # tokens of a window
_LEAST_REPLY = 64
_FEWER = "Lower `max_answer_tokens`, or see the log of the server."
_USED = 0.95  # share of a window that is used, because tokens are only estimated


def prompt_tokens(request: ChatRequest) -> int:
    """A rough upper estimate of the tokens of a prompt."""
    tools = sum(estimate_tokens(str(tool)) for tool in request.tools)
    return tools + sum(estimate_tokens(message.content) + 4 for message in request.messages)


def window(configured: int, quirks: Quirks) -> int:
    """Tokens of a context window: as configured, or those that the server is known to take."""
    return min(configured, quirks.limit(WINDOW) or configured)


def capacity(configured: int, why: str, quirks: Quirks) -> Capacity:
    """Limits of a model whose window has ``configured`` tokens at most."""
    most, known = window(configured, quirks), quirks.reading
    why = "the server refuses more" if most < configured else why
    return Capacity(most, why, known.speed, len(known.speeds), known.step)


def why_automatic(most: int, own: int | None, origin: str) -> str:
    """Reason for the size of a window that was not set by hand. ``own``: the one of the model or
    server; None if it is unknown. ``origin``: what has it."""
    if own is None:
        return "unknown: the server does not report one"
    if most == own:
        return origin
    if most == LARGEST:
        return f"{origin}: {own:,}; more has to be set by hand"
    return f"{origin}: {own:,}, for which there may be too little memory"


def ask_within_window(request: ChatRequest, quirks: Quirks, ask: Callable[[ChatRequest], T]) -> T:
    """Result of ``ask`` for a request. If the server refuses it for its size, that is learned, and
    the request is sent again with fewer tokens for the reply.

    Raises ``PromptTooLong`` if the prompt leaves too few, and any other error of ``ask``.
    """
    sent = _within_limits(request, quirks)
    for tries in range(_TRIES):
        try:
            result = ask(sent)
        except ServerRefusal as refusal:
            last = tries == _TRIES - 1
            most = reply_limit(refusal.text, sent.max_tokens)
            if most is not None:
                quirks.lower(REPLY, most)
                if last:
                    refusal.fix = _FEWER
                    raise
            elif refusal.too_long:
                most, learned = _learn(sizes(refusal.text, sent.max_tokens), sent, quirks)
                if last or not _least_reply(sent) <= most < sent.max_tokens:
                    model, words = refusal.args
                    raise PromptTooLong(model, words, learned) from None
            else:
                raise
            sent = structs.replace(sent, max_tokens=most)
        else:
            quirks.keep_limits()
            return result
    raise AssertionError  # the last refusal was raised


def _within_limits(request: ChatRequest, quirks: Quirks) -> ChatRequest:
    """The request with as many tokens for the reply as the server is known to take."""
    most = min(request.max_tokens, quirks.limit(REPLY) or request.max_tokens)
    known = quirks.limit(WINDOW)
    if known is not None:
        most = min(most, max(_LEAST_REPLY, known - prompt_tokens(request)))
    return structs.replace(request, max_tokens=most)


def _least_reply(request: ChatRequest) -> int:
    """Tokens of a reply with fewer of which the prompt should rather be shorter."""
    share = request.max_tokens // 4 if request.schema is None else 0
    return max(_LEAST_REPLY, share)


def _learn(named: Sizes, sent: ChatRequest, quirks: Quirks) -> tuple[int, bool]:
    """Learns the window from a refusal that names these sizes; half of the request if it names
    none. Returns the tokens that it has for the reply, and whether it is smaller than was known."""
    prompt = prompt_tokens(sent)
    if named.limit is not None and named.prompt is not None:
        whole = int(_USED * named.limit * min(1, prompt / named.prompt))
        room = (named.limit - named.prompt) * 7 // 8
    elif named.limit is not None:
        whole = min(int(_USED * named.limit), (prompt + sent.max_tokens) * 3 // 4)
        room = whole - prompt
    else:
        whole = (prompt + sent.max_tokens) // 2
        room = whole - prompt
    return room, quirks.lower(WINDOW, max(_LEAST, whole))
