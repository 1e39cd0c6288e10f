"""Faulty replies to a statement: a refusal, or an echo of the statement."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from thalamus.text.word_lists import FIRST_PERSON

_SHARE = 0.6  # of the message's words that make a reply an echo
_EXTRA = 2  # further words that an echo may have, if neither is in the first person

_REFUSAL = re.compile(
    "|".join(
        (
            # English
            r"\bi'?m sorry,? (but (i|as an)\b|i (don't|do not|can't|cannot|didn't|did not)\b)",
            r"\bi (don't|do not|didn't|did not) have (any |enough |access to |that )?(any )?"
            r"(personal |specific |further |more )*(information|details?|knowledge|access|data|"
            r"record|context|memory|memories)\b",
            r"\bas an? (ai|artificial intelligence|(large )?language model|assistant)\b",
            r"\byou (haven't|have not|didn't|did not|never) (yet )?(told|tell|mention(ed)?|"
            r"provided?|shared?)\b",
            r"\bi('m| am) (unable|not able) to\b",
            r"\bi (can't|cannot|can not) (assist|help|answer|provide|access|determine|verify)\b",
            # German
            r"\btut mir leid, (aber )?(ich|als)\b",
            r"\bich habe (leider )?(keine|keinen) (\w+ )?(informationen?|angaben|zugriff|kenntnis)",
            r"\bals (ki|künstliche intelligenz|(ki-)?sprachmodell|ki-assistent)\b",
            r"\bdu hast (mir|es mir|mir das|das mir)( \w+)? nicht (gesagt|erzählt|mitgeteilt)\b",
            r"\bdas hast du mir( noch)? nicht (gesagt|erzählt)\b",
            # Spanish
            r"\blo siento,? pero (no|como)\b",
            r"\bno (tengo|dispongo de) (ninguna |suficiente |más )*(información|acceso|datos)",
            r"\bcomo (una? )?(ia|inteligencia artificial|modelo de lenguaje)\b",
            r"\bno me (lo )?(has|habías|ha) (dicho|contado|mencionado)\b",
            # French
            r"\bdésolée?,? mais (je|en tant)\b",
            r"\bje n'ai (pas|aucune?) (d')?(accès|informations?|données)\b",
            r"\ben tant qu'(ia|intelligence artificielle|assistant|un modèle)\b",
            r"\b(tu ne m'as|vous ne m'avez) (pas|jamais)( encore)? (dit|parlé|mentionné)\b",
            # Portuguese
            r"\b(sinto muito|desculpe|lamento),? mas (eu )?(não|como)\b",
            r"\bnão tenho (nenhuma |acesso |mais )*(informaç|acesso|dados)",
            r"\bcomo (uma? )?(ia|inteligência artificial|modelo de linguagem)\b",
            r"\bnão me (disse|disseste|contou|contaste|falou)\b",
        )
    )
)


def reply_fault(message: str, reply: str) -> Literal["", "refusal", "echo"]:
    """Fault of a reply to a statement: none, a refusal or an echo."""
    if refuses(reply):
        return "refusal"
    return "echo" if echoes(message, reply) else ""


def refuses(reply: str) -> bool:
    """True if a reply denies any knowledge or ability."""
    return _REFUSAL.search(" ".join(_folded(reply).split())) is not None


def echoes(message: str, reply: str) -> bool:
    """True if a reply has most of the message's words, and "I" and "my" where the message did.

    For a message without the first person a reply with little else is an echo.
    """
    message_words, answered = _words(message), _words(reply)
    reply_words = set(answered)
    if not message_words or sum(word in reply_words for word in message_words) < _SHARE * len(
        message_words
    ):
        return False
    pairs = [pair for pair in pairwise(message_words) if pair[0] in FIRST_PERSON]
    if not pairs:
        return len(answered) <= len(message_words) + _EXTRA
    return not set(pairs).isdisjoint(pairwise(answered))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:'\w+)?", _folded(text))


def _folded(text: str) -> str:
    return text.replace("’", "'").casefold()
