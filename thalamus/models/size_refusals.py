"""Refusals of servers for size: of a prompt, of the reply that was asked for, or of a batch of
texts to embed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from thalamus.text.lazy_regex import lazy_regex

CONTENT_TOO_LARGE = 413  # status
_CODES = ("context_length_exceeded", "exceed_context_size_error")
_TOO_LONG = lazy_regex(
    r"context.{0,20}(?:length|size|window|overflow)|too (?:large|long) to"
    r"|(?:input|prompt|request|conversation|message)s?(?: is| was| are)? too (?:large|long|big)"
    r"|maximum.{0,30}tokens|max(?:imum)? (?:model|sequence|input|prompt) length"
    r"|(?:less|fewer) than \d+ tokens|max_(?:seq_len|model_len|input_length|total_tokens)"
    r"|too many (?:input |prompt |total )?tokens|exceeds? the (?:configured )?limit of \d+"
    r"|(?:reduce|shorten) (?:the (?:length|size) of )?(?:the |your )?(?:message|prompt|input)"
    r"|max_new_tokens.{0,3} must be|length of the (?:messages|prompt)|content too large",
    re.IGNORECASE,
)
_NO_MEMORY = lazy_regex(
    r"(?:more|not enough|insufficient|out of) (?:\w+ )?memory|(?:failed|unable) to allocate",
    re.IGNORECASE,
)
_BATCH = lazy_regex(
    r"\bbatch(?:es)?\b|too many (?:inputs|texts|items|requests in|documents|elements)"
    r"|at most \d+ (?:inputs|texts|items|strings|elements|documents)"
    r"|(?:array|list|inputs?).{0,60}(?:too long|at most|more than|maximum|larger than|exceed)",
    re.IGNORECASE | re.DOTALL,
)
_REPLY_LIMIT = lazy_regex(
    r"max_(?:completion_|new_|output_)?tokens|max_?output_?tokens|(?:completion|output) tokens",
    re.IGNORECASE,
)
_TOO_MANY = lazy_regex(r"too (?:large|high|big|many|long)|exceed", re.IGNORECASE)
_NUMBER = lazy_regex(r"(?<![\w.,-])(\d{1,3}(?:,\d{3})+|\d+)(?![\w-]|[.,]\d)")
# the size of a context window, before and after its number, the surest first
_LIMITS = tuple(
    lazy_regex(pattern, re.IGNORECASE)
    for pattern in (
        r'"n_ctx"\s*:\s*(\d+)',
        r"max_(?:seq_len|model_len|input_length|total_tokens)\D{0,5}([\d,]*\d)",
        r"context (?:length|size|window)(?: limit)?(?! by)\D{0,25}?([\d,]*\d)",
        r"(?:maximum|max|model|sequence|prompt|input) length(?! by)\D{0,15}?([\d,]*\d)",
        r"([\d,]*\d)(?: tokens?)? (?:maximum )?context",
        r"(?:limit|maximum|at most|<=|less than|fewer than|>)(?! by)\D{0,30}?([\d,]*\d)",
    )
)
_PROMPT = lazy_regex(r'"n_prompt_tokens"\s*:\s*(\d+)')
_DETAILS = lazy_regex(rf'"n_(?:ctx|prompt_tokens)"\s*:\s*\d+|{"|".join(_CODES)}')
_LEAST_LIMIT = 64  # tokens; a smaller number is not the size of a window


class Sizes(Struct, frozen=True):
    """Sizes that a refusal names, in the server's own tokens; None if it does not: the ``limit`` of
    prompt and reply together, and the tokens of the ``prompt``."""

    limit: int | None = None
    prompt: int | None = None


def means_too_long(message: str) -> bool:
    """True if a model's error message reports an input with too many tokens."""
    return bool(_TOO_LONG.search(message)) or any(code in message for code in _CODES)


def means_no_memory(message: str) -> bool:
    """True if an error message says that a model does not fit into memory."""
    return bool(_NO_MEMORY.search(message))


def details(body: str) -> str:
    """The fields of an error about sizes."""
    return " ".join(_DETAILS.findall(body))


def names_batch(message: str) -> bool:
    """True if an error message is about the number of texts in a batch."""
    return bool(_BATCH.search(message))


def reply_limit(message: str, reply: int) -> int | None:
    """The most tokens of a reply by an error message about them, less than the ``reply`` that was
    asked for: half if it names no number. None for any other message."""
    if not _REPLY_LIMIT.search(message) or _named(message, _LIMITS[:-1]) is not None:
        return None
    named = set(numbers(message)) - {reply}
    half = reply // 2 if not named and reply > 1 and _TOO_MANY.search(message) else None
    return max((number for number in named if 1 < number < reply), default=half)


def numbers(message: str) -> list[int]:
    """The whole numbers of a message."""
    return [int(found.replace(",", "")) for found in _NUMBER.findall(message)]


def sizes(message: str, reply: int) -> Sizes:
    """The sizes that a refusal names; ``reply``: the tokens that were asked for."""
    limit = _named(message, _LIMITS)
    exact = _PROMPT.search(message)
    if exact is not None:
        return Sizes(limit, int(exact[1]))
    if limit is None:
        return Sizes()
    named = numbers(message)
    larger = [number for number in named if number > limit]
    if larger:  # of the prompt, or of the prompt and the reply
        both = max(larger)
        alone = both - reply
        return Sizes(limit, alone if alone in named else both)
    smaller = [number for number in named if number < limit < number + reply and number != reply]
    return Sizes(limit, max(smaller, default=None))


def _named(message: str, patterns: Sequence[re.Pattern[str]]) -> int | None:
    """The first size of a window that a message names."""
    for pattern in patterns:
        for found in pattern.finditer(message):
            number = int(found[1].replace(",", ""))
            if number >= _LEAST_LIMIT:
                return number
    return None
