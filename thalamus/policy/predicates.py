"""Predicates: how they are spelt, how many values each has at a time, and their opposites."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, structs

from thalamus.records import Predicate

# predicates whose words can stand for each other in a search; those of "practises" cannot
_ONE_MEANING = frozenset("wedding_on engaged_to works_at works_as lives_in allergic_to".split())
Cardinality = Literal["one", "many"]
_JOINS = re.compile(r"\{subject\} [^{]+ \{object\}").fullmatch


class PredicateEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One predicate as the registry has it. ``name`` may begin with ``*_`` or end with ``_*``:
    then it stands for all that begin or end so. ``words`` are the beginnings of the words by which
    plain language says it, where its name and spellings do not show them: of ``kin``, whose object
    is a person, the words themselves. ``negative`` ones deny or dislike something. ``sentence``
    says the fact in English, with ``{subject}`` and ``{object}``.
    """

    name: str
    cardinality: Cardinality = "many"
    spellings: tuple[str, ...] = ()
    opposite: str | None = None
    description: str = ""
    source: Literal["packaged", "own"] = "packaged"
    words: tuple[str, ...] = ()
    kin: bool = False
    negative: bool = False
    sentence: str = "{subject}'s {predicate} is {object}"


def record(entry: PredicateEntry) -> Predicate:
    """An entry as it is shown and exported."""
    shown = {**structs.asdict(entry), "spellings": list(entry.spellings)}
    for name in ("words", "kin", "negative", "sentence"):
        del shown[name]
    return Predicate(**shown)


class Registry:
    """All predicates that are known. Of two entries with one name the later counts."""

    def __init__(self, entries: Iterable[PredicateEntry] = ()) -> None:
        self.entries: dict[str, PredicateEntry] = {}
        self._spellings: dict[str, str] = {}
        for entry in entries:
            self.entries[entry.name] = entry
            self._spellings.pop(entry.name, None)
            self._spellings |= dict.fromkeys(map(snake_case, entry.spellings), entry.name)
        self._patterns = [entry for name, entry in self.entries.items() if "*" in name]
        self._opposites: dict[str, str] = {}
        for entry in self.entries.values():
            if entry.opposite and entry.cardinality == "many":
                self._opposites[entry.name] = entry.opposite
                self._opposites.setdefault(entry.opposite, entry.name)

    def name(self, text: str) -> str:
        """A predicate in snake_case, in its canonical spelling."""
        made = snake_case(text)
        return self._spellings.get(made, made)

    def one_valued(self, name: str) -> bool:
        """Whether a subject has one of these at a time. Unknown predicates have many."""
        entry = self.entries.get(name) or self._pattern(name)
        return entry is not None and entry.cardinality == "one"

    def opposite(self, name: str) -> str | None:
        """What cannot be true of the same object at the same time."""
        return None if self.one_valued(name) else self._opposites.get(name)

    def other_words(self, words: Iterable[str]) -> list[str]:
        """Words by which plain language says the same predicate otherwise: "married" for "wedding".
        Only of predicates whose words all mean the same; beginnings that are no words are among
        them."""
        asked = set(words)
        found: dict[str, None] = {}
        for name in _ONE_MEANING & self.entries.keys():
            known = self.entries[name].words
            if any(word.startswith(begin) for word in asked for begin in known if len(begin) > 2):
                found |= dict.fromkeys(known)
        return sorted(set(found) - asked)

    def sentence(self, subject: str, name: str, object: str) -> str:
        """A fact as an English sentence."""
        entry = self.entries.get(name) or self._pattern(name) or PredicateEntry(name=name)
        who = "The user" if subject == "user" else subject
        said = entry.sentence.format(
            subject=who, predicate=name.replace("_", " "), object=object.rstrip(".")
        )
        return f"{said}."

    def has_sentence(self, name: str) -> bool:
        """Whether a predicate is known, so that there is a sentence for it."""
        return name in self.entries or self._pattern(name) is not None

    def joins(self, name: str) -> bool:
        """Whether the sentence of a predicate ends with its object, so that it may have several
        ("likes tea and jazz")."""
        entry = self.entries.get(name) or self._pattern(name)
        return (
            entry is not None and entry.cardinality == "many" and _JOINS(entry.sentence) is not None
        )

    def _pattern(self, name: str) -> PredicateEntry | None:
        for entry in self._patterns:
            begin, _, end = entry.name.partition("*")
            if name.startswith(begin) and name.endswith(end) and len(name) >= len(entry.name):
                return entry
        return None


def snake_case(text: str) -> str:
    """``Moved to`` as ``moved_to``."""
    return re.sub(r"[^\w]+", "_", text.strip().lower()).strip("_")
