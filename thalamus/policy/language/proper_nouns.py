"""Proper nouns, by their capitals: whom and what a text names.

A capital at the beginning of a sentence says little, and in German one says "noun": there more has
to speak for a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from thalamus.policy.language.english.common_words import is_common
from thalamus.policy.language.english.word_classes import DAYS, MONTHS
from thalamus.policy.language.german import word_classes as german
from thalamus.policy.language.languages import is_function_word
from thalamus.policy.language.vocabulary.activities import ACTIVITIES
from thalamus.policy.language.vocabulary.given_names import is_given_name

# words with which somebody reacts to what another said
REACTIONS = frozenset(
    """thanks thank wow cool awesome amazing great nice congrats congratulations yeah sounds glad bye
    aw aww awww haha hey hi yay whoa absolutely definitely danke toll super gracias genial merci
    obrigado obrigada""".split()
)
LONGEST = 5  # words of a name
ENDS_SENTENCE = frozenset('.!?:\n"“”«»…*#')
_CONTRACTED = re.compile(r"['’](?:s|m|re|ve|ll|d)$|['’]t$")
_CONNECTORS = frozenset("of de da do di du del van von der den la le el al bin the and y e".split())
_TITLES = frozenset("mr mrs ms miss dr prof sir mx herr frau señor señora sr sra mme m".split())
_NO_NAMES = (
    # what is left of "can't" and "don't"
    frozenset("can don won isn doesn didn wasn aren couldn haven hasn shouldn wouldn".split())
    | frozenset(DAYS)
    | {f"{day}s" for day in DAYS}
    | frozenset(MONTHS)
    | {day[:size] for day in DAYS for size in (3, 4)}
    | frozenset("i ok okay tv lol omg btw user assistant yes no yep yup nope oh hello dear".split())
    | REACTIONS
)
# German nouns that say nothing in particular
_VAGUE = (
    frozenset(german.DAYS)
    | frozenset(german.MONTHS)
    | frozenset(
        """zeit tag tage tagen woche wochen wochenende monat monate monaten jahr jahre jahren uhr
        stunde stunden minute minuten morgen vormittag mittag nachmittag abend abends nacht leute
        ding dinge sache sachen mal ende anfang sie ihnen ihr ihre ihren ich hause haus teil art
        weise grund frage fragen problem idee lust spaß glück moment sommer winter frühling herbst
        menge paar stück ort seite welt leben mensch menschen mann frau kind du euch danke bitte
        hallo guten heute gestern fall beispiel recht angst hilfe dank lieber liebe""".split()
    )
)
_WHERE = frozenset("in nach aus bei".split())


class ProperNoun(NamedTuple):
    """``words`` as they stand in the text, from token ``begin``; ``name``: not only a German noun
    with a capital."""

    words: Sequence[str]
    begin: int
    name: bool = True


def proper_nouns(tokens: Sequence[str], language: str) -> Iterator[ProperNoun]:
    """The names in the words and punctuation of a text; in German its other nouns too."""
    capitals = [place for place, token in enumerate(tokens) if token[0].isupper()]
    if not capitals or (len(capitals) * 2 > len(tokens) and _shouted(tokens)):
        return
    inside = {tokens[n] for n in capitals if n and tokens[n - 1] not in ENDS_SENTENCE}
    done = 0
    for place in capitals:
        if place < done:
            continue
        end = done = _end(tokens, place)
        begin = _begin(tokens, place, end, inside, language)
        if begin < end:
            if language == "de":
                yield from _german(tokens, begin, end)
            else:
                yield ProperNoun(tokens[begin:end], begin)


def _shouted(tokens: Sequence[str]) -> bool:
    """Whether capitals say nothing here."""
    words = [token for token in tokens if len(token) > 1]
    return len(words) > 3 and sum(map(str.isupper, words)) * 2 > len(words)


def _end(tokens: Sequence[str], begin: int) -> int:
    """Where a chain of capitals ends; "of" and the like may stand within."""
    place = begin + 1
    while place < len(tokens) and place - begin < LONGEST:
        token = tokens[place]
        if tokens[place - 1].endswith(("'s", "’s")) and not token[0].isupper():
            break
        if token[0].isupper() and token.lower() not in _NO_NAMES:
            place += 1
        elif (follows := _after_connectors(tokens, place)) and follows - begin < LONGEST:
            place = follows + 1
        else:
            break
    return place


def _after_connectors(tokens: Sequence[str], place: int) -> int:
    """The place of the capital after one or two connectors; 0 when there is none. "and" connects
    nothing by itself: "Anna and Ben" are two."""
    if tokens[place].lower() not in _CONNECTORS:
        return 0
    for end in (place + 1, place + 2):
        between = [token.lower() for token in tokens[place:end]]
        if not all(token in _CONNECTORS for token in between) or between in (["and"], ["y"], ["e"]):
            return 0
        if end < len(tokens) and tokens[end][0].isupper():
            return end
    return 0


def _begin(tokens: Sequence[str], begin: int, end: int, inside: set[str], language: str) -> int:
    """Where the name begins within a chain: behind titles, ordinary words that begin a sentence,
    and connectors."""
    first = begin == 0 or tokens[begin - 1] in ENDS_SENTENCE
    while begin < end:
        word = _CONTRACTED.sub("", tokens[begin].lower())
        lone = end - begin == 1
        if (
            word in _NO_NAMES
            or word in _TITLES
            or word in _CONNECTORS
            or len(word) < 2
            or (first and _ordinary(tokens, begin, lone or language == "de", inside))
            or (lone and is_function_word(word))
        ):
            begin += 1
        else:
            return begin
        first = False
    return end


def _ordinary(tokens: Sequence[str], place: int, lone: bool, inside: set[str]) -> bool:
    """Whether a word at the beginning of a sentence has its capital from there."""
    token = tokens[place]
    bare = _CONTRACTED.sub("", token)
    if is_given_name(bare):
        return False
    word = bare.lower()
    if is_function_word(word) or is_common(word) or (lone and word in ACTIVITIES):
        return True
    speaks = tokens[place + 1 : place + 2] == [":"] and place == 0
    return lone and token not in inside and bare == token and not speaks


def _german(tokens: Sequence[str], begin: int, end: int) -> Iterator[ProperNoun]:
    """Of a chain of capitals the names, and the nouns."""
    place = begin
    while place < end:
        if is_given_name(tokens[place]):
            stop = place + 1
            while stop < end and tokens[stop].lower() not in _VAGUE:
                stop += 1
            yield ProperNoun(tokens[place:stop], place)
            place = stop
            continue
        word = tokens[place].lower()
        if word not in _VAGUE and not is_function_word(word) and len(word) > 2:
            where = place > 0 and tokens[place - 1] in _WHERE
            yield ProperNoun(tokens[place : place + 1], place, name=where)
        place += 1
