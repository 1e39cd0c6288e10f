"""What was kept against what should be: each fact and memory is right, wrong or missed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeVar

from msgspec import UnsetType

from thalamus.clock import parse_time
from thalamus.evaluation.statements import WantedFact, WantedMemory
from thalamus.memory.predicate_registry import packaged
from thalamus.records import Fact, Judged
from thalamus.text.word_lists import DETERMINERS

K = TypeVar("K")
W = TypeVar("W", WantedFact, WantedMemory)

# what is left out when two objects are compared: "a cat", "my cat" and "cat" are one
_SMALL = frozenset().union(*DETERMINERS.values())


@dataclass(frozen=True)
class Verdicts:
    """Everything that was kept or missed, and how many were ``wanted``."""

    items: list[Judged]
    wanted: int


def judge_facts(kept: Sequence[Fact], wanted: Sequence[WantedFact], at: str) -> Verdicts:
    """Every fact kept is right when it is one of the ``wanted``; ``at`` is the time by which a
    fact is over or not."""

    def fits(fact: Fact, entry: WantedFact) -> bool:
        return fact_fits(fact, entry, at)

    return _judged("fact", kept, wanted, fits, fact_text, _wanted_fact_text)


def judge_memories(kept: Sequence[str], wanted: Sequence[WantedMemory]) -> Verdicts:
    """The same for the sentences that are remembered."""
    return _judged("memory", kept, wanted, memory_fits, str, _wanted_memory_text)


def fact_fits(fact: Fact, wanted: WantedFact, at: str) -> bool:
    """Whether a fact is the wanted one: its three parts, its dates, and whether it is over."""
    over = fact.valid_to is not None and parse_time(fact.valid_to) <= parse_time(at)
    return (
        _one_of(fact.subject, wanted.subject)
        and any(_named(fact.predicate, name) for name in _several(wanted.predicate))
        and _one_of(fact.object, wanted.object)
        and _dated(fact.valid_from, wanted.valid_from)
        and _dated(fact.valid_to, wanted.valid_to)
        and over == wanted.over
    )


def memory_fits(text: str, wanted: WantedMemory) -> bool:
    """Whether a sentence holds all the words and none that it must be without."""
    folded = _folded(text)
    return all(
        any(begins_word(part, folded) for part in words.split("|")) for words in wanted.words
    ) and not any(begins_word(words, folded) for words in wanted.without)


def begins_word(part: str, text: str) -> bool:
    """Whether ``part`` (a beginning of a word, or several words) stands in ``text`` at the
    beginning of a word. A number is not the beginning of a longer one."""
    folded = _folded(part.strip())
    end = r"(?!\d)" if folded[-1:].isdigit() else ""
    middle = r"\s+".join(map(re.escape, folded.split()))
    return re.search(rf"(?<!\w){middle}{end}", _folded(text)) is not None


def plain(text: str) -> str:
    """A text for comparing: lower case, no punctuation, articles or possessives."""
    words = re.findall(r"\w+", re.sub(r"['’]s\b", "", _folded(text)))
    return " ".join([word for word in words if word not in _SMALL] or words)


def fact_text(fact: Fact) -> str:
    """A fact on one line, with its dates."""
    dates = "".join(
        f" {name} {date[:10]}"
        for name, date in (("from", fact.valid_from), ("to", fact.valid_to))
        if date
    )
    return f"{fact.subject} {fact.predicate} {fact.object}{dates}"


def _judged(
    what: str,
    kept: Sequence[K],
    wanted: Sequence[W],
    fits: Callable[[K, W], bool],
    said: Callable[[K], str],
    asked: Callable[[W], str],
) -> Verdicts:
    matches = [[entry for entry in wanted if fits(item, entry)] for item in kept]
    items = [
        Judged(what=what, verdict="right" if found else "wrong", text=said(item))  # type: ignore[arg-type]
        for item, found in zip(kept, matches, strict=True)
    ]
    met = {id(entry) for found in matches for entry in found}
    groups = _groups(wanted)
    missed = [group for group in groups if not any(id(entry) in met for entry in group)]
    items += [Judged(what=what, verdict="missed", text=asked(group[0])) for group in missed]  # type: ignore[arg-type]
    return Verdicts(items, len(groups))


def _groups(wanted: Sequence[W]) -> list[list[W]]:
    """What may be missed: each entry by itself, or those of which one is enough."""
    groups: dict[object, list[W]] = {}
    for index, entry in enumerate(wanted):
        if not entry.optional:
            groups.setdefault(entry.either or index, []).append(entry)
    return list(groups.values())


def _one_of(text: str, wanted: str | list[str]) -> bool:
    found = plain(text)
    return any(re.fullmatch(_pattern(spelling), found) for spelling in _several(wanted))


def _pattern(spelling: str) -> str:
    """A spelling as a regular expression; ``*`` is anything."""
    return ".*".join(re.escape(plain(part)) for part in spelling.split("*"))


def _named(predicate: str, wanted: str) -> bool:
    """Whether a predicate is the wanted one, in any spelling that the registry knows."""
    known = packaged()
    spelt = {_snake(wanted), known.name(wanted)}
    return any(
        fnmatchcase(_snake(name), pattern)
        for name in (predicate, known.name(predicate))
        for pattern in spelt
    )


def _snake(name: str) -> str:
    return re.sub(r"[\s-]+", "_", _folded(name.strip()))


def _dated(date: str | None, wanted: str | UnsetType | None) -> bool:
    if isinstance(wanted, UnsetType):
        return True
    return date is None if wanted is None else (date or "").startswith(wanted)


def _several(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _wanted_fact_text(wanted: WantedFact) -> str:
    parts = [_several(value)[0] for value in (wanted.subject, wanted.predicate, wanted.object)]
    dates = [
        f"{name} {date}"
        for name, date in (("from", wanted.valid_from), ("to", wanted.valid_to))
        if isinstance(date, str)
    ]
    return " ".join([*parts, *dates, *(["(over)"] if wanted.over else [])])


def _wanted_memory_text(wanted: WantedMemory) -> str:
    return " … ".join(words.replace("|", " or ") for words in wanted.words)
