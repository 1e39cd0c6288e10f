"""The source that proposals are checked against: the message, the dialogue and the known items."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from thalamus.policy.entities import USER, subject_name
from thalamus.text.analyzer import fold, has_unspaced
from thalamus.text.calendar import Calendar
from thalamus.text.given_names import GIVEN_NAMES
from thalamus.text.names import (
    bare,
    capitalized,
    capitals_are_names,
    folded_words,
    han_numbers,
    inside,
    is_cased,
    is_form_of_name,
    numbers,
)
from thalamus.text.quotes import MARKED, Span
from thalamus.text.tokens import Forms
from thalamus.text.word_lists import STOP_WORDS

# letters from which an uncapitalised word may be the start of a name: postgres, PostgreSQL
LONG = 5

# words for the user in claims; German nouns are capitalised
USER_WORDS = frozenset("user users the".split())
GERMAN_USER = frozenset("nutzer nutzers nutzerin benutzer benutzers benutzerin".split())
FRAME = USER_WORDS | GERMAN_USER
STOP = frozenset(bare(STOP_WORDS))
FIRST_NAMES = frozenset(bare(GIVEN_NAMES))

_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):\d\d(?!\d)")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
Kind = Literal["memory", "fact"]


class KnownItem(Struct, frozen=True):
    """A known item shown to the model: its ``text`` under a short ``id``. ``ref`` is its id in the
    store."""

    id: str
    ref: str
    kind: Kind
    text: str

    @property
    def triple(self) -> tuple[str, str, str] | None:
        """Subject, predicate and object of a fact; None for a memory."""
        parts = [part.strip() for part in self.text.split(" | ")]
        return (parts[0], parts[1], parts[2]) if self.kind == "fact" and len(parts) >= 3 else None


class Source(Struct, frozen=True, dict=True):
    """A message and everything it may be understood by.

    ``own``: parts that are not another author's words, and ``unclear`` those of them that may be;
    ``before``: the assistant's last message; ``dialogue`` and ``known`` (read by ``read_known``):
    everything else the model was shown; ``answers``: those messages of the dialogue that are the
    assistant's; ``kin``: words for relatives; ``relations``: predicates that name relatives;
    ``negative``: predicates of denial or dislike; ``contents``: sentences of the reply, which show
    its language; ``subjects``: subjects of its facts.
    """

    message: str
    own: Sequence[Span]
    said_on: date
    calendar: Calendar
    unclear: Sequence[Span] = ()
    before: str = ""
    dialogue: Sequence[str] = ()
    answers: Sequence[str] = ()
    read_known: Callable[[], Mapping[str, KnownItem]] = dict
    kin: Collection[str] = ()
    relations: Collection[str] = ()
    negative: Collection[str] = ()
    contents: Sequence[str] = ()
    subjects: Sequence[str] = ()

    @cached_property
    def known(self) -> Mapping[str, KnownItem]:
        """Known items by their short ids, read when a proposal is compared with them: few messages
        without a capable model lead to one."""
        return self.read_known()

    @cached_property
    def texts(self) -> Sequence[str]:
        """The message and everything shown with it."""
        known = (item.text for item in self.known.values())
        return [self.message, self.before, *self.dialogue, *known]

    @cached_property
    def everything(self) -> str:
        """The message and everything shown with it, as one text."""
        return "\n".join(self.texts)

    @cached_property
    def dialogue_words(self) -> Forms:
        """Words of the message and the dialogue before it."""
        return forms_of([self.message, self.before, *self.dialogue])

    @cached_property
    def message_words(self) -> Forms:
        """Words of the message."""
        return forms_of([self.message])

    @cached_property
    def own_words(self) -> Forms | None:
        """Words of the message outside the words of other authors; None if there are none of
        these."""
        own = [span.of(self.message) for span in self.own]
        return forms_of(own) if "".join(own).strip() != self.message.strip() else None

    @cached_property
    def message_numbers(self) -> frozenset[str]:
        """Numbers of the message."""
        return frozenset(numbers(self.message))

    @cached_property
    def shown_words(self) -> Forms:
        """Words of everything except the message."""
        return forms_of(self.texts[1:])

    @cached_property
    def shown_numbers(self) -> frozenset[str]:
        """Numbers of everything except the message."""
        return frozenset(numbers("\n".join(self.texts[1:])))

    @cached_property
    def quoted_spans(self) -> Sequence[Span]:
        """Parts of the message in quotation marks."""
        return [Span(*match.span()) for match in MARKED.finditer(self.message)]

    @cached_property
    def users(self) -> Forms:
        """Words of everything except the assistant's last message."""
        return forms_of(text for text in self.texts if text != self.before)

    @cached_property
    def without_answers(self) -> Source:
        """The same without what the assistant said."""
        dialogue = [text for text in self.dialogue if text not in self.answers]
        return replace(self, before="", dialogue=dialogue, answers=())

    @cached_property
    def words(self) -> frozenset[str]:
        """All words, plus the parts of words with apostrophes or digits (d'Annecy, 5km)."""
        found = folded_words(self.everything)
        parts = (part for word in found if not word.isalpha() for part in _PARTS.findall(word))
        return frozenset((*found, *parts))

    @cached_property
    def forms(self) -> Forms:
        return Forms(self.words)

    @cached_property
    def joined(self) -> frozenset[str]:
        """Each pair of adjacent words as one word."""
        return frozenset(map("".join, pairwise(folded_words(self.everything))))

    @cached_property
    def names(self) -> Mapping[str, Collection[str]]:
        """Capitalised words by their first letter."""
        return _by_letter(folded_words(" ".join(capitalized(self.everything))))

    @cached_property
    def by_letter(self) -> Mapping[str, Collection[str]]:
        return _by_letter(self.words)

    @cached_property
    def people(self) -> frozenset[str]:
        """Names of the people in known items and proposed facts."""
        found = {word for subject in self.subjects for word in folded_words(subject)}
        for item in self.known.values():
            if item.triple is not None:
                subject, predicate, object = item.triple
                found.update(folded_words(subject))
                found.update(folded_words(object) if predicate in self.relations else ())
        return frozenset(found - FRAME)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """All numbers, the hours of times of day in both twelve and twenty-four hour form, and the
        year of the message."""
        found = {*numbers(self.everything), *han_numbers(self.message), str(self.said_on.year)}
        return frozenset(found | other_hours(self.everything))

    @cached_property
    def speaks_of_user(self) -> bool:
        """True if the message contains the user's known name, as that of somebody else would."""
        message = {*folded_words(self.message)}
        triples = (item.triple for item in self.known.values() if item.triple is not None)
        names = (object for who, what, object in triples if is_user(who) and what == "name")
        return any(word in message for name in names for word in folded_words(name)[:1])

    @cached_property
    def calendar_words(self) -> Calendar:
        """Names of months and weekdays, without accents."""
        months, weekdays = (
            {bare([name])[0]: number for name, number in names.items()} for names in self.calendar
        )
        return Calendar(months, weekdays)

    @cached_property
    def capitals_are_names(self) -> bool:
        """True if a capital inside a sentence marks a name. It does not in German, recognised by
        the word for the user in the reply's ``contents``, or else by the message."""
        inner_words = [word for text in self.contents for word in inside(text)]
        if any(word in USER_WORDS for word in bare(inner_words)):
            return True
        if any(word.casefold() in GERMAN_USER and word[0].isupper() for word in inner_words):
            return False
        return self.message_has_names

    @cached_property
    def message_has_names(self) -> bool:
        """True if a capital inside a sentence of the message or dialogue marks a name."""
        return capitals_are_names("\n".join([self.message, *self.dialogue]))

    def says(self, word: str) -> bool:
        """True if a folded word or a form of it occurs anywhere; in scripts without capitals also
        inside another word, since particles are attached there."""
        if self.forms.has(word) or self.has_name(word):
            return True
        attached = len(word) >= 3 and word[0].isalpha() and not is_cased(word[0])
        return (attached or has_unspaced(word)) and any(word in other for other in self.words)

    def has_name(self, name: str) -> bool:
        """True if a name or a form of it occurs anywhere."""
        return all(
            part in self.words
            or part in self.joined
            or any(is_form_of_name(part, other) for other in self.names.get(part[:1], ()))
            or any(
                len(other) >= LONG and part.startswith(other)
                for other in self.by_letter.get(part[:1], ())
            )
            for part in folded_words(name)
        )


# -- words -----------------------------------------------------------------------------------------


def is_user(subject: str) -> bool:
    """True if the subject of a fact is the user."""
    return subject_name(subject) == USER or fold(subject) in FRAME


def content_words(text: str) -> list[str]:
    """Content words of a claim, without words for the user."""
    return [word for word in folded_words(text) if word not in FRAME and word not in STOP]


def hours(text: str) -> list[str]:
    """Hours of the times of day in a text."""
    return _CLOCK.findall(text)


def other_hours(text: str) -> set[str]:
    """Hours of a text in the other clock: 3 for 15, 15 for 3."""
    return {str((int(hour) + 12) % 24) for hour in hours(text)}


def _by_letter(words: Iterable[str]) -> Mapping[str, Collection[str]]:
    """Words grouped by their first letter."""
    found: dict[str, set[str]] = {}
    for word in words:
        found.setdefault(word[:1], set()).add(word)
    return found


def forms_of(texts: Iterable[str]) -> Forms:
    return Forms(folded_words("\n".join(texts)))
