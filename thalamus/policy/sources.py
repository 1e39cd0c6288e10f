"""Sources of documents: addresses in a message, questions that a source may answer, and the score
that decides if a source stays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from thalamus.policy.evidence_text import used_words
from thalamus.text.analyzer import words
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.tokens import Forms, own_words

NAMED = 4  # mentions of a named resource that make it a candidate
LINKS = 5  # of one message that are followed up
SHARE = 1 / 3  # of the new words of an answer that come from a text it rests on
GAIN = 0.1  # share of the missing score that a used text adds
LOSS = 0.6  # factor of a correction, or of a suspicious text
LEAST = 0.2  # score below which a source is disabled, after
ENOUGH = 5  # judgements
QUESTIONS = 5  # that are kept of those that a source may answer
LONGEST = 200  # characters of such a question
# The sentence goes on where a letter of a script that puts no space before the next word follows an
# ASCII letter or digit.
_LINK = lazy_regex(
    r"(?:https?://|(?<![\w@./-])www\.)"
    r"(?:(?!(?<=[A-Za-z0-9])[\u0e00-\u0eff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af])"
    r"[^\s<>\"'`“”«»‘„。、，！？；：（）【】\u3008-\u3011])+",
    re.IGNORECASE,
)
ADDRESS_ADVICE = "An address begins with https:// or http://."
_CLOSING = ".,;:!?*_~’…。，、！？"
# parts of addresses that say nothing about their subject
_COMMON = frozenset(
    "http https www com org net html htm php index feed feeds rss atom xml blog".split()
)


def is_address(text: str) -> bool:
    """True for text that begins like a URL of the web."""
    return text[:8].lower().startswith(("https://", "http://"))


def links_in(text: str) -> list[str]:
    """Links in a text as they are written, the first ones."""
    folded = text.casefold()
    if "://" not in folded and "www." not in folded:
        return []
    found = [_without_end(match.group()) for match in _LINK.finditer(text)]
    return list(dict.fromkeys(found))[:LINKS]


def _without_end(link: str) -> str:
    """A link without the punctuation that follows it, and without a bracket opened before it."""
    while link:
        last = link[-1]
        unopened = last in ")]}" and link.count(last) > link.count("([{"[")]}".index(last)])
        if last not in _CLOSING and not unopened:
            break
        link = link[:-1]
    return link


def may_answer(question: str, about: Iterable[str]) -> bool:
    """True if a source may answer a question: its address, its title, or the words with which it
    was shared contain a content word of it, in any form."""
    known = Forms([word for text in about for word in words(text) if word not in _COMMON])
    return any(known.has(word) for word in own_words(question) if len(word) > 2)


def with_question(known: Sequence[str], question: str) -> list[str]:
    """Questions with one more, the newest last."""
    text = " ".join(question.split())[:LONGEST]
    return [*(other for other in known if other != text), text][-QUESTIONS:]


def stood_in(text: str, message: str, answer: str) -> bool:
    """True if an answer rests on a text: a third of its content words that the message has not are
    in the text. A word or two may agree by chance."""
    used = used_words(text, message, answer)
    return bool(used) and len(used) >= SHARE * len(used_words(answer, message, answer))


def raised(score: float) -> float:
    """The score after a text was used in an answer."""
    return round(score + (1 - score) * GAIN, 4)


def lowered(score: float) -> float:
    """The score after a correction, or a suspicious text."""
    return round(score * LOSS, 4)


def is_unreliable(score: float, uses: int) -> bool:
    """True for a source that is to be disabled."""
    return score < LEAST and uses >= ENOUGH
