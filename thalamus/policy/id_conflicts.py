"""Comparison of a record with the one stored under the same id.

Compared are the content, the owner and the time. Missing fields do not count, and neither do fields
that the store sets itself or a command changes in place (times of recording, scores, status, type,
scope, merged names …). So an older export of the same store matches.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, Struct

from thalamus.policy.entities import canonical, key_of
from thalamus.policy.predicates import Registry
from thalamus.policy.timeline import moment
from thalamus.records import Alias, Fact, Memory
from thalamus.text.analyzer import fold

OWN_METADATA = ("released", "suspicious", "quarantine")  # marks set by the store


class Names(Struct, frozen=True):
    """Canonical names of predicates and subjects: spellings and merged names."""

    registry: Registry
    aliases: Iterable[Alias] = ()

    def predicate(self, text: str) -> str:
        """Canonical name of a predicate."""
        return self.registry.name(text) or text

    def subjects(self, fact: Fact) -> set[str]:
        """Keys of the names that a fact uses for its subject, and of the names they were merged
        into."""
        counted = [
            alias
            for alias in self.aliases
            if alias.user == fact.user or (alias.user is None and alias.reason != "name")
        ]
        merged = {key_of(alias.name): key_of(alias.target) for alias in counted}
        original_subject = [] if fact.subject_said is UNSET else [fact.subject_said]
        keys = [key_of(name) for name in (fact.subject, *original_subject)]
        return {key for name in keys for key in (name, canonical(name, merged))}


def other_in_memory(new: Memory, stored: Memory, dated: bool = True) -> str | None:
    """The first field in which two memories with one id differ; None if they match.

    ``dated`` is false if ``created_at`` was only filled in.
    """
    for name in ("content", "user", "agent"):
        if getattr(new, name) != getattr(stored, name):
            return name
    if new.session is not None and new.session != stored.session:
        return "session"
    if dated and new.created_at is not None and not _same_time(new.created_at, stored.created_at):
        return "created_at"
    metadata = _own_metadata(new)
    return "metadata" if metadata and metadata != _own_metadata(stored) else None


def _own_metadata(memory: Memory) -> dict[str, object]:
    return {name: value for name, value in memory.metadata.items() if name not in OWN_METADATA}


def other_in_fact(new: Fact, stored: Fact, names: Names) -> str | None:
    """The first field in which two facts with one id differ; ``stored`` includes its history.

    A repeated fact may come with another quote, agent or date: it keeps its own.
    """
    if new.user != stored.user:
        return "user"
    if not names.subjects(new) & names.subjects(stored):
        return "subject"
    if names.predicate(new.predicate) != names.predicate(stored.predicate):
        return "predicate"
    if fold(new.object) != fold(stored.object):
        return "object"
    begins, ends = _known_dates(stored)
    if not _known(_stated(new)[0], begins):
        return "valid_from"
    return None if _known(_stated(new)[1], ends) else "valid_to"


def _stated(fact: Fact) -> tuple[str | None, str | None]:
    """The beginning and end that the record itself states."""
    begin = fact.valid_from if fact.stated_from is UNSET else fact.stated_from
    end = fact.valid_to if fact.stated_to is UNSET else fact.stated_to
    return begin, end


def _known_dates(fact: Fact) -> tuple[set[str], set[str]]:
    """All beginnings and ends ever stated or believed of a stored fact."""
    notes = [] if fact.notes is UNSET else fact.notes
    beliefs = [] if fact.beliefs is UNSET else fact.beliefs
    begin, end = _stated(fact)
    begins = [fact.created_at, fact.valid_from, begin, *(note.at for note in notes)]
    ends = [fact.valid_to, end, *(note.at for note in notes if note.kind == "end")]
    begins += [belief.valid_from for belief in beliefs]
    ends += [belief.valid_to for belief in beliefs]
    return {moment(at) for at in begins if at}, {moment(at) for at in ends if at}


def _known(at: str | None, known: set[str]) -> bool:
    return at is None or moment(at) in known


def _same_time(one: str, other: str | None) -> bool:
    return other is not None and moment(one) == moment(other)
