"""Predicates: spellings, number of simultaneous values, and opposites."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct, structs

from thalamus.errors import UsageError
from thalamus.records import Predicate

# predicates whose words can replace each other in a search; those of "practises" cannot
_SYNONYMOUS = frozenset("wedding_on engaged_to works_at works_as lives_in allergic_to".split())
Cardinality = Literal["one", "many"]
_JOINS = re.compile(r"\{subject\} [^{]+ \{object\}").fullmatch


class PredicateEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One predicate in the registry. ``name`` may begin with ``*_`` or end with ``_*`` as a
    wildcard. ``words``: stems of words that express it beyond its name and spellings, whole words
    for ``kin``, whose object is a person. ``negative``: it expresses denial or dislike;
    ``personal``: its objects are personal, and stored encrypted.
    ``sentence``: English template with ``{subject}`` and ``{object}``."""

    name: str
    cardinality: Cardinality = "many"
    spellings: tuple[str, ...] = ()
    opposite: str | None = None
    description: str = ""
    source: Literal["packaged", "own"] = "packaged"
    words: tuple[str, ...] = ()
    kin: bool = False
    negative: bool = False
    personal: bool = False
    sentence: str = "{subject}'s {predicate} is {object}"


def record(entry: PredicateEntry) -> Predicate:
    """An entry as it is listed and exported."""
    fields = {**structs.asdict(entry), "spellings": list(entry.spellings)}
    for name in ("words", "kin", "negative", "personal", "sentence"):
        del fields[name]
    return Predicate(**fields)


class Registry:
    """All known predicates. Of two entries with the same name the later one counts."""

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
        snake = snake_case(text)
        return self._spellings.get(snake, snake)

    def one_valued(self, name: str) -> bool:
        """True if a subject has only one such value at a time. Unknown predicates have many."""
        entry = self.entries.get(name) or self._pattern(name)
        return entry is not None and entry.cardinality == "one"

    def personal(self, name: str) -> bool:
        """True if the objects of a predicate are personal. ``name``: in any spelling."""
        canonical = self.name(name)
        entry = self.entries.get(canonical)
        return (entry is not None and entry.personal) or any(
            other.personal for other in self._matching_patterns(canonical)
        )

    def opposite(self, name: str) -> str | None:
        """The predicate that cannot hold for the same object at the same time."""
        return None if self.one_valued(name) else self._opposites.get(name)

    def other_words(self, words: Iterable[str]) -> list[str]:
        """Other words for the same predicates: "married" for "wedding". Only for predicates whose
        words all mean the same; stems are included."""
        given = set(words)
        found: dict[str, None] = {}
        for name in _SYNONYMOUS & self.entries.keys():
            known = self.entries[name].words
            if any(word.startswith(begin) for word in given for begin in known if len(begin) > 2):
                found |= dict.fromkeys(known)
        return sorted(set(found) - given)

    def sentence(self, subject: str, name: str, object: str) -> str:
        """A fact as an English sentence."""
        entry = self.entries.get(name) or self._pattern(name) or PredicateEntry(name=name)
        who = "The user" if subject == "user" else subject
        text = entry.sentence.format(
            subject=who, predicate=name.replace("_", " "), object=object.rstrip(".")
        )
        return f"{text}."

    def has_sentence(self, name: str) -> bool:
        """True if the predicate is known and therefore has a sentence."""
        return name in self.entries or self._pattern(name) is not None

    def joins(self, name: str) -> bool:
        """True if the predicate's sentence ends with its object, so that it can list several
        ("likes tea and jazz")."""
        entry = self.entries.get(name) or self._pattern(name)
        return (
            entry is not None and entry.cardinality == "many" and _JOINS(entry.sentence) is not None
        )

    def _pattern(self, name: str) -> PredicateEntry | None:
        return next(self._matching_patterns(name), None)

    def _matching_patterns(self, name: str) -> Iterator[PredicateEntry]:
        for entry in self._patterns:
            begin, _, end = entry.name.partition("*")
            if name.startswith(begin) and name.endswith(end) and len(name) >= len(entry.name):
                yield entry

    def changed(
        self,
        name: str,
        *,
        cardinality: Cardinality | None = None,
        opposite: str | None = None,
        spellings: Sequence[str] = (),
    ) -> Predicate:
        """A predicate with the given properties changed (an empty ``opposite`` removes it). Raises
        ``UsageError``."""
        canonical = self.name(name)
        if not canonical:
            raise UsageError(f"{name!r} is not a valid predicate name.")
        old = self.entries.get(canonical) or PredicateEntry(
            name=canonical, cardinality="one" if self.one_valued(canonical) else "many"
        )
        self._check_spellings(spellings, canonical)
        predicate = Predicate(
            name=canonical,
            cardinality=cardinality or old.cardinality,
            spellings=[*dict.fromkeys([*old.spellings, *map(snake_case, spellings)])],
            opposite=old.opposite if opposite is None else self.name(opposite) or None,
            description=old.description,
        )
        if cardinality == "one" and opposite is None:
            predicate.opposite = None
        if predicate.cardinality == "one" and predicate.opposite:
            raise UsageError("A predicate with one value at a time cannot have an opposite.")
        if predicate.opposite == predicate.name:
            raise UsageError("A predicate cannot be its own opposite.")
        return predicate

    def _check_spellings(self, spellings: Sequence[str], name: str) -> None:
        for spelling in map(snake_case, spellings):
            if spelling in self.entries and spelling != name:
                fix = f"`thalamus facts predicate {spelling}` shows it."
                raise UsageError(f"{spelling!r} is a different predicate.", fix=fix)


def snake_case(text: str) -> str:
    """``Moved to`` as ``moved_to``."""
    return re.sub(r"[^\w]+", "_", text.strip().lower()).strip("_")
