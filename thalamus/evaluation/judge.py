"""Judging of kept facts and memories: each is right, wrong or missed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from datetime import UTC
from fnmatch import fnmatchcase
from typing import TypeVar

from msgspec import Struct, UnsetType

from thalamus.clock import parse_time
from thalamus.evaluation.statements import WantedFact, WantedMemory
from thalamus.memory.facts.predicates import packaged
from thalamus.records import Fact
from thalamus.records.evaluations import Judged
from thalamus.text.days import last_day
from thalamus.text.word_lists import DETERMINERS

K = TypeVar("K")
W = TypeVar("W", WantedFact, WantedMemory)

# words ignored when objects are compared: "a cat", "my cat" and "cat" are equal
_SMALL = frozenset().union(*DETERMINERS.values())


class Verdicts(Struct, frozen=True):
    """All kept and missed items, and the number of ``wanted`` ones."""

    items: list[Judged]
    wanted: int


def judge_facts(kept: Sequence[Fact], wanted: Sequence[WantedFact], at: str) -> Verdicts:
    """Judges facts: a kept fact is right if it matches one of ``wanted``; ``at`` is the time at
    which a fact must hold or be over."""

    def fits(fact: Fact, entry: WantedFact) -> bool:
        return fact_fits(fact, entry, at)

    return _judge("fact", kept, wanted, fits, fact_text, _wanted_fact_text)


def judge_memories(kept: Sequence[str], wanted: Sequence[WantedMemory]) -> Verdicts:
    """Judges remembered sentences in the same way."""
    return _judge("memory", kept, wanted, memory_fits, str, _wanted_memory_text)


def fact_fits(fact: Fact, wanted: WantedFact, at: str) -> bool:
    """True if a fact matches the wanted one in its three parts, its dates, and in being over or
    not."""
    over = fact.valid_to is not None and parse_time(fact.valid_to) <= parse_time(at)
    return (
        _matches_any(fact.subject, wanted.subject)
        and any(_is_predicate(fact.predicate, name) for name in _as_list(wanted.predicate))
        and _matches_any(fact.object, wanted.object)
        and _date_matches(fact.valid_from, wanted.valid_from)
        and _date_matches(_last_day(fact.valid_to), wanted.valid_to)
        and over == wanted.over
    )


def memory_fits(text: str, wanted: WantedMemory) -> bool:
    """True if a sentence contains all the words and none of the excluded ones."""
    folded = _folded(text)
    return all(
        any(begins_word(part, folded) for part in words.split("|")) for words in wanted.words
    ) and not any(begins_word(words, folded) for words in wanted.without)


def begins_word(part: str, text: str) -> bool:
    """True if ``part`` (the start of a word, or several words) occurs in ``text`` at the start of a
    word. A number does not match the start of a longer one."""
    folded = _folded(part.strip())
    end = r"(?!\d)" if folded[-1:].isdigit() else ""
    middle = r"\s+".join(map(re.escape, folded.split()))
    return re.search(rf"(?<!\w){middle}{end}", _folded(text)) is not None


def plain(text: str) -> str:
    """A text for comparison: lower case, without punctuation, articles and possessives."""
    words = re.findall(r"\w+", re.sub(r"['’]s\b", "", _folded(text)))
    return " ".join([word for word in words if word not in _SMALL] or words)


def fact_text(fact: Fact) -> str:
    """A fact on one line with its dates."""
    dates = "".join(
        f" {name} {date[:10]}"
        for name, date in (("from", fact.valid_from), ("to", fact.valid_to))
        if date
    )
    return f"{fact.subject} {fact.predicate} {fact.object}{dates}"


def _judge(
    what: str,
    kept: Sequence[K],
    wanted: Sequence[W],
    fits: Callable[[K, W], bool],
    kept_text: Callable[[K], str],
    wanted_text: Callable[[W], str],
) -> Verdicts:
    matches = [[entry for entry in wanted if fits(item, entry)] for item in kept]
    items = [
        Judged(what=what, verdict="right" if found else "wrong", text=kept_text(item))  # type: ignore[arg-type]
        for item, found in zip(kept, matches, strict=True)
    ]
    matched = {id(entry) for found in matches for entry in found}
    groups = _groups(wanted)
    missed = [group for group in groups if not any(id(entry) in matched for entry in group)]
    items += [Judged(what=what, verdict="missed", text=wanted_text(group[0])) for group in missed]  # type: ignore[arg-type]
    return Verdicts(items, len(groups))


def _groups(wanted: Sequence[W]) -> list[list[W]]:
    """Groups of which at least one entry is required: single entries, or alternatives."""
    groups: dict[object, list[W]] = {}
    for index, entry in enumerate(wanted):
        if not entry.optional:
            groups.setdefault(entry.either or index, []).append(entry)
    return list(groups.values())


def _matches_any(text: str, wanted: str | list[str]) -> bool:
    found = plain(text)
    return any(re.fullmatch(_pattern(spelling), found) for spelling in _as_list(wanted))


def _pattern(spelling: str) -> str:
    """A spelling as a regular expression; ``*`` matches anything."""
    return ".*".join(re.escape(plain(part)) for part in spelling.split("*"))


def _is_predicate(predicate: str, wanted: str) -> bool:
    """True if a predicate matches the wanted one in any spelling of the registry."""
    known = packaged()
    spelt = {_snake(wanted), known.name(wanted)}
    return any(
        fnmatchcase(_snake(name), pattern)
        for name in (predicate, known.name(predicate))
        for pattern in spelt
    )


def _snake(name: str) -> str:
    return re.sub(r"[\s-]+", "_", _folded(name.strip()))


def _last_day(end: str | None) -> str | None:
    return last_day(end, {}, UTC) if end else None


def _date_matches(date: str | None, wanted: str | UnsetType | None) -> bool:
    if isinstance(wanted, UnsetType):
        return True
    return date is None if wanted is None else (date or "").startswith(wanted)


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _wanted_fact_text(wanted: WantedFact) -> str:
    parts = [_as_list(value)[0] for value in (wanted.subject, wanted.predicate, wanted.object)]
    dates = [
        f"{name} {date}"
        for name, date in (("from", wanted.valid_from), ("to", wanted.valid_to))
        if isinstance(date, str)
    ]
    return " ".join([*parts, *dates, *(["(over)"] if wanted.over else [])])


def _wanted_memory_text(wanted: WantedMemory) -> str:
    return " … ".join(words.replace("|", " or ") for words in wanted.words)
