"""Utterances of a conversation: their speakers, and how much they say by themselves.

Memories made from a conversation between people begin with the speaker ("Ana: I moved to Porto"). A
question that names Ana is more likely about her words than about words addressed to her. Notes and
notifications begin alike ("Reminder: pay the rent"): a label is a speaker if the name is known.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache

from thalamus.policy.time_expressions import NUMBERS
from thalamus.text.analyzer import fold, words
from thalamus.text.given_names import GIVEN_NAMES
from thalamus.text.lazy_regex import lazy_regex
from thalamus.text.names import HAN_NUMBER, is_cased
from thalamus.text.questions import is_question
from thalamus.text.word_lists import FIRST_PERSON, REACTIONS, SECOND_PERSON, STOP_WORDS

LENGTH_WEIGHT = 1.0  # of the content words, on a logarithmic scale
SELF_WEIGHT = 0.4  # of first-person words among all words for persons in the conversation
ASKING = 0.2  # penalty for an utterance that ends in a question
REACTION = 0.2  # penalty for one that begins as a reaction to someone else
LONG = 30  # content words, above which length no longer counts
KEPT = 4096  # utterances of which label and penalty are cached: most candidates recur
_LONGEST_NAME = 40  # characters, with the colon
_LABEL = lazy_regex(r"([^\W\d_][^\n:]*):\s")
_NAME_WORDS = 3  # more words before a colon are a sentence


@lru_cache(KEPT)
def label(text: str) -> str | None:
    """The first word of the label in "Label: words", folded; None without a label. All words of one
    have capitals, in a script with capitals: "so we decided: …" has none."""
    if ":" not in text[:_LONGEST_NAME]:
        return None
    found = _LABEL.match(text)
    name = found.group(1).split() if found else []
    if any(is_cased(word[0]) and word[0].islower() for word in name):
        return None
    return fold(name[0]) if 0 < len(name) <= _NAME_WORDS else None


def speaker(text: str, others: Collection[str] = ()) -> str | None:
    """The speaker's first name, folded, in "Name: words": a common given name, or one of
    ``others``, which the store knows. None without a speaker."""
    name = label(text)
    return name if name in GIVEN_NAMES or name in others else None


def speakers(labels: Iterable[tuple[str, str]]) -> set[str]:
    """Labels that look like those of a dialogue: they recur, and share a conversation with another
    that does. ``labels``: of utterances, each behind its conversation."""
    counts = Counter(labels)
    recurring = Counter(name for _, name in counts.elements())
    together: dict[str, set[str]] = {}
    for conversation, name in counts:
        if recurring[name] > 1:
            together.setdefault(conversation, set()).add(name)
    return set[str]().union(*(found for found in together.values() if len(found) > 1))


def without_label(text: str) -> str:
    """The words of "Label: words"; the whole text without a label."""
    return text.split(":", 1)[1] if label(text) is not None else text


def names(question: str) -> set[str]:
    """Words of a question that may be names, in lower case and without possessive endings."""
    return {re.split("['’]", word)[0] for word in words(question)}


@lru_cache(KEPT)
def lack(utterance: str) -> float:
    """Lack of substance of an utterance ("Ana: Wow, great!"), from 0 to 1.8; 0 for a long one about
    the speaker."""
    text = without_label(utterance).strip()
    utterance_words = [word.replace("’", "'") for word in words(text)]
    content = len(set(utterance_words) - STOP_WORDS)
    own = sum(word in FIRST_PERSON for word in utterance_words)
    second_person = sum(word in SECOND_PERSON for word in utterance_words)
    lacking = LENGTH_WEIGHT * (1 - min(1.0, math.log1p(content) / math.log1p(LONG)))
    lacking += SELF_WEIGHT * (1 - own / (own + second_person + 0.5))
    lacking += ASKING * is_question(text)
    lacking += REACTION * (bool(utterance_words) and utterance_words[0] in REACTIONS)
    return round(lacking, 4)


LONGEST_FRAME = 200  # characters of a text that may be the same as another but for a number
LEAST_FRAME = 6  # letters besides numbers and names
BEGINNING = 30  # characters that nearly always have them


@lru_cache(KEPT)
def frame(text: str) -> str:
    """A short text with "#" for each number and name, the same for "I parked on level 3" and "I
    parked on level 12"; empty for a long text and one of hardly anything else."""
    if len(text) > LONGEST_FRAME:
        return ""
    numbered = _DIGITS.sub("#", text if text.isascii() else HAN_NUMBER.sub("#", text))
    parts = _WORD.split(numbered)
    parts[1::2] = map(_general, parts[1::2])
    made = _REPEATED.sub("#", "".join(parts))
    return made if _has_words(made[:BEGINNING]) or _has_words(made) else ""


def _has_words(made: str) -> bool:
    return sum(map(str.isalpha, made)) >= LEAST_FRAME


@lru_cache(KEPT)
def _general(word: str) -> str:
    name = word[0].isupper() and re.split("['’]", word)[0] != "I"
    return "#" if name or word.casefold() in NUMBERS else word.casefold()


_DIGITS = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"([^\W\d_][\w'’#-]*)")
_REPEATED = re.compile(r"#(?:[\s,.&#-]*#)+")
