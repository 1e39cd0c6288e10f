"""Word lists by language, for all comparisons and searches of texts (``data/function_words.json``
and ``data/word_lists.json``).

There are function words for 27 languages, and words for what was said; most other lists are for
English, German, Spanish, French and Portuguese only. Given names and places have modules of their
own, words for relatives are listed with their predicates (``data/predicates.json``), months and
weekdays of thirty languages in ``data/calendar.json``.
"""

from __future__ import annotations

from functools import cache

import msgspec
from msgspec import Struct

from thalamus import data
from thalamus.text.analyzer import fold, normal

UNSPACED = ("zh", "ja", "ko", "th")  # a word may stand right before or after another one


class _Language(Struct, frozen=True, forbid_unknown_fields=True):
    """Function words of one language, in its usual spelling, separated by spaces.

    ``determiners``: articles and possessives; ``words``: the other words without content;
    ``questions``: words without content in a question to an assistant, although a statement may
    turn on them ("always", "tell me"); ``endings``: function words written as a part of the
    previous word (Korean "에서"). Of languages written without spaces, ``strings`` stand
    anywhere in a run of characters, except inside a word of ``kept``; ``particles`` are single
    characters that occur in many words as well.
    """

    determiners: str = ""
    words: str = ""
    questions: str = ""
    endings: str = ""
    strings: str = ""
    particles: str = ""
    kept: str = ""


def languages() -> tuple[str, ...]:
    """Codes of the languages whose function words are known (ISO 639-1)."""
    return tuple(_function_words())


@cache
def function_words(language: str) -> frozenset[str]:
    """Words of a language that say nothing about the subject of a question: "son" is one in French,
    and not in English."""
    known = _function_words()[language]
    listed = (known.determiners, known.words, known.questions, known.strings)
    told = _LISTS["told"][language] if language in UNSPACED else ""
    return frozenset(normal(" ".join((*listed, told))).split())


@cache
def endings(language: str) -> tuple[str, ...]:
    """Function words written as a part of the previous word, the longest first."""
    return _longest_first(_function_words()[language].endings)


@cache
def unspaced_words(language: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """Of a language written without spaces: its function words with the words that contain one of
    them and are none, the longest first; and the latter alone."""
    known = _function_words()[language]
    return (
        _longest_first(
            f"{known.strings} {known.questions} {known.particles} {known.kept}"
            f" {_LISTS['told'][language]}"
        ),
        _words(known.kept),
    )


@cache
def _function_words() -> dict[str, _Language]:
    return msgspec.json.decode(data.read("function_words.json"), type=dict[str, _Language])


def _words(*lists: str) -> frozenset[str]:
    """Words of the lists, folded."""
    return frozenset(fold(" ".join(lists)).split())


def _longest_first(listed: str) -> tuple[str, ...]:
    return tuple(sorted(normal(listed).split(), key=len, reverse=True))


_LISTS = msgspec.json.decode(data.read("word_lists.json"), type=dict[str, dict[str, str]])


def _list(name: str) -> frozenset[str]:
    """Words of a list, in all of its languages."""
    return _words(*_LISTS[name].values())


# Articles and possessives, by language
DETERMINERS = {
    code: _words(known.determiners)
    for code, known in _function_words().items()
    if known.determiners
}

# Words without content in a question or a statement (English; other languages keep all)
STOP_WORDS = DETERMINERS["en"] | _words(_function_words()["en"].words)

# Words for the speakers in a memory
SPEAKERS = _list("speakers")

# First-person and second-person words
FIRST_PERSON = _list("first_person")
SECOND_PERSON = _list("second_person")

# Words that negate a statement; with one of them on one side only, two statements differ
NEGATIONS = _list("negations")

# Words that add nothing to a statement
FILLERS = _list("fillers")

# Words that change a statement without being part of it: the same statements agree in these. Each
# word for an amount is a mood of its own.
MOODS = {
    word: word if mood == "amount" else mood
    for mood, listed in _LISTS["moods"].items()
    for word in _words(listed)
}
# Prepositions that reverse a statement: "from Porto", "to Porto"
DIRECTIONS = _list("directions")

# Beginnings of a mere reaction to someone else
REACTIONS = _list("reactions")

# Greetings, thanks and assent, and the words for them in a memory
SMALL_TALK = _list("small_talk")

# Words for talking in the past with their accents (nơi, a place, is not nói), and those that follow
# "did"
TOLD = frozenset(normal(" ".join(_LISTS["told"].values())).split())
TELL = _list("tell")

# Words for talking itself: "What did we discuss yesterday?" asks for everything said then
TALKING = _list("talking") | _list("told") | TELL

# Words with a full stop that does not end a sentence, and those of which only a number follows
ABBREVIATIONS = _list("abbreviations")
BEFORE_NUMBERS = _list("before_numbers")

# Words before a time that do not change which one it is, or only make it less exact
TIME_LEADS = _list("time_leads")


@cache
def time_leads(language: str) -> frozenset[str]:
    """Words before a time in one language, in its usual spelling; empty if none are listed."""
    return frozenset(normal(_LISTS["time_leads"].get(language, "")).split())


# Particles between two capitalized words of one name
NAME_PARTICLES = _list("name_particles")

DIETS = _list("diets")

# English content words that are function words of other languages
CONTENT = _list("content")
