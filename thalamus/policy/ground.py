"""Is what a model wants to remember really in the turn?

Small models invent, and any model may hand back as news what was just recalled to it. A memory is
kept only when its content words stand in what the user said (or, with less trust, in the answer
and not in the recalled evidence), and every name and number of it does too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from thalamus.policy.tokens import STOP_WORDS, content_words, sentences, share_found, words
from thalamus.records import Verdict

ENOUGH = 0.5  # share of a memory's words that must stand in the user's message
ENOUGH_IN_ANSWER = 0.8  # the same for what only the whole exchange supports
RECALLED = 0.8  # share of a memory's words in one piece of evidence that makes it no news
ANSWER_TRUST = 0.5  # trust of what rests on the assistant's words

# How the user is spoken of in a memory; these words need no support
_FRAME = frozenset("user users user's assistant person people someone currently called".split())
_PEOPLE = frozenset("user users user's assistant".split())
_SPECIFIC = re.compile(r"\d[\d.,:/-]*\d|\d|\b[A-Z][\w'’-]*")


@dataclass(frozen=True)
class Grounds:
    """What was said in a turn: message, answer, and the texts that had been recalled for it."""

    message: str
    answer: str = ""
    evidence: Sequence[str] = ()


def judge(content: str, grounds: Grounds) -> tuple[Verdict, float]:
    """The verdict on a memory's content and the trust it deserves (0 when refused)."""
    wanted = sorted(_bearing_words(content))
    if not wanted:
        return _refuse(content, "empty", "it says nothing in particular"), 0.0
    strange = [name for name in specifics(content) if not _stands_in(name, _said(grounds))]
    if strange:
        return _refuse(content, "invented", f"“{strange[0]}” is not in the turn"), 0.0
    in_message = share_found(wanted, words(grounds.message))
    named = [name for name in specifics(content) if not _stands_in(name, grounds.message)]
    if in_message >= ENOUGH and not named:
        if only_asks(grounds.message):
            return _refuse(content, "question", "the message only asks"), 0.0
        return Verdict(decision="add", rule="grounded", reason="the user said so"), 1.0
    recalled = max((share_found(wanted, words(text)) for text in grounds.evidence), default=0.0)
    if recalled >= RECALLED:
        return _refuse(content, "recalled", "it was recalled for this turn and is no news"), 0.0
    if share_found(wanted, words(_said(grounds))) >= ENOUGH_IN_ANSWER:
        if not _PEOPLE.intersection(words(content)):
            return _refuse(content, "echo", "it only repeats the answer"), 0.0
        reason = "it rests on the assistant's answer"
        return Verdict(decision="add", rule="answered", reason=reason), ANSWER_TRUST
    return _refuse(content, "ungrounded", "its words are not in the turn"), 0.0


def same_content(one: str, other: str) -> bool:
    """Whether two memories of one turn say the same, whatever the words around it."""
    return _bearing_words(one) == _bearing_words(other)


def judge_fact(subject: str, predicate: str, object: str, grounds: Grounds) -> Verdict:
    """The verdict on a fact: subject and object must stand in the user's own message, and the
    message must not say the opposite of the predicate."""
    content = f"{subject} {predicate} {object}"
    if _opposite(predicate, grounds.message):
        return _refuse(content, "opposite", "the message says the opposite")
    if only_asks(grounds.message):
        return _refuse(content, "question", "the message only asks")
    for part, name in ((subject, "subject"), (object, "object")):
        wanted = [word for word in content_words(part) or words(part) if word not in _FRAME]
        if name == "subject" and not wanted:
            continue  # the user
        strange = [s for s in specifics(part) if not _stands_in(s, grounds.message)]
        if not wanted or strange or share_found(wanted, words(grounds.message)) < 0.75:
            return _refuse(content, "ungrounded", f"its {name} “{part}” is not in the message")
    return Verdict(decision="add", rule="grounded", reason="the user said so")


_LIKING = frozenset(
    "like likes liked love loves loved prefer prefers enjoy enjoys favourite favorite".split()
)
_DISLIKING = frozenset(
    "dislike dislikes hate hates hated can't cannot don't doesn't didn't not never no avoid".split()
)


def _opposite(predicate: str, message: str) -> bool:
    """Small models turn likes into dislikes and back. English only; elsewhere nothing is said."""
    said = set(words(message))
    if predicate in ("dislikes", "hates"):
        english = len(said & STOP_WORDS) > 1
        return not said & _DISLIKING and (english or bool(said & _LIKING))
    return (
        predicate in ("likes", "loves", "prefers")
        and bool(said & _DISLIKING)
        and not (said & _LIKING)
    )


def _bearing_words(content: str) -> frozenset[str]:
    return frozenset(word for word in content_words(content) if word not in _FRAME)


def dated(moment: str, message: str, said_at: str) -> bool:
    """Whether a date that a model gives for a fact has grounds: its year stands in the message,
    or it is the year of the message and the month or day stands there."""
    year, month = moment[:4], moment[5:7]
    if year in message:
        return True
    if year != said_at[:4]:
        return False
    if moment[:10] == said_at[:10]:
        return re.search(r"\b(today|now|just|this morning|tonight)\b", message.lower()) is not None
    return month.isdigit() and 1 <= int(month) <= 12 and _MONTHS[int(month) - 1] in message.lower()


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def quote(content: str, message: str) -> str:
    """The sentence of the message that supports ``content`` best, verbatim."""
    wanted = content_words(content)
    found = sentences(message)
    if not found:
        return message.strip()
    return max(found, key=lambda sentence: share_found(wanted, words(sentence)))


def specifics(text: str) -> list[str]:
    """Names and numbers: what a model must not make up. The first word of a sentence counts only
    when it is no ordinary word."""
    found = []
    for match in _SPECIFIC.finditer(text):
        word = match.group()
        first = _begins(text, match.start())
        lowered = word.casefold()
        if lowered in _FRAME or not content_words(word) or (first and not word[0].isdigit()):
            continue
        found.append(word)
    return found


def _begins(text: str, place: int) -> bool:
    """Whether a sentence begins there."""
    while place and text[place - 1].isspace():
        place -= 1
    return place == 0 or text[place - 1] in ".!?:"


def _stands_in(name: str, text: str) -> bool:
    return share_found(words(name), words(text)) == 1.0


def _said(grounds: Grounds) -> str:
    return f"{grounds.message}\n{grounds.answer}"


def only_asks(message: str) -> bool:
    """Whether a message consists of questions and states nothing."""
    said = sentences(message)
    return bool(said) and all(part.endswith(("?", "？")) for part in said)


def _refuse(content: str, rule: str, reason: str) -> Verdict:
    return Verdict(decision="refuse", rule=rule, reason=reason, content=content)
