"""Probability that a model's answer to a question is yes.

It is computed from the probabilities of the first token of the reply, over all spellings of the two
words. Servers that do not send probabilities are asked for one of the words instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import structs

from thalamus.models.protocol import ChatModel, ChatRequest

ALTERNATIVES = 20  # tokens requested per position: the maximum of any provider

_AROUND = " \t\r\n\"'`*.,:;!()▁"  # characters around the word within one token
_SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
_SCHEMA_TOKENS = 16
_WORD = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


def probability(alternatives: Iterable[Mapping[str, Any]]) -> float | None:
    """Probability of yes relative to yes and no, from 0 to 1.

    ``alternatives``: possible first tokens, each with ``token`` and ``logprob``. None if neither
    word is among them.
    """
    weights = {"yes": 0.0, "no": 0.0}
    for alternative in alternatives:
        word = str(alternative["token"]).strip(_AROUND).lower()
        if word in weights:
            weights[word] += math.exp(alternative["logprob"])
    total = sum(weights.values())
    return weights["yes"] / total if total else None


def read_yes_or_no(text: str) -> float | None:
    """1.0 for a reply with yes, 0.0 for one with no, None for any other."""
    found = _WORD.search(text)
    return None if found is None else float(found[1].lower() == "yes")


def without_probabilities(chat: ChatModel, request: ChatRequest) -> float | None:
    """Has the model write yes or no, for servers that do not send probabilities.

    Raises the errors of ``chat.chat``.
    """
    constrained = structs.replace(request, schema=_SCHEMA, max_tokens=_SCHEMA_TOKENS)
    return read_yes_or_no(chat.chat(constrained).text)
