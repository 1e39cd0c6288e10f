"""Whether a record that comes with a known id is the one that is stored under it.

Compared is what was said, by whom and when: what a record leaves out does not count, and neither
does what the store sets itself or a command changes in place (times of recording, scores, status,
type, scope, names that were merged …). So an older export of the same store stays the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import UNSET

from thalamus.policy.entities import canonical, fold, key_of
from thalamus.policy.predicates import Registry
from thalamus.policy.timeline import moment
from thalamus.records import Alias, Fact, Memory

OWN_METADATA = ("released", "suspicious", "quarantine")  # marks that the store sets


@dataclass(frozen=True)
class Names:
    """What predicates and subjects are called here: spellings and merged names."""

    registry: Registry
    aliases: Iterable[Alias] = ()

    def predicate(self, text: str) -> str:
        """The name under which a predicate is known."""
        return self.registry.name(text) or text

    def subjects(self, fact: Fact) -> set[str]:
        """The keys of the names under which a fact speaks of its subject, and of what they mean."""
        counted = [
            alias
            for alias in self.aliases
            if alias.user == fact.user or (alias.user is None and alias.reason != "name")
        ]
        merged = {key_of(alias.name): key_of(alias.target) for alias in counted}
        said = [] if fact.subject_said is UNSET else [fact.subject_said]
        keys = [key_of(name) for name in (fact.subject, *said)]
        return {key for name in keys for key in (name, canonical(name, merged))}


def other_in_memory(new: Memory, stored: Memory, dated: bool = True) -> str | None:
    """The first field in which two memories with one id differ; None when they are the same.

    ``dated`` is false when ``created_at`` was only filled in.
    """
    for name in ("content", "user", "agent"):
        if getattr(new, name) != getattr(stored, name):
            return name
    if new.session is not None and new.session != stored.session:
        return "session"
    if dated and new.created_at is not None and not _same_time(new.created_at, stored.created_at):
        return "created_at"
    metadata = _users_own(new)
    return "metadata" if metadata and metadata != _users_own(stored) else None


def _users_own(memory: Memory) -> dict[str, object]:
    return {name: value for name, value in memory.metadata.items() if name not in OWN_METADATA}


def other_in_fact(new: Fact, stored: Fact, names: Names) -> str | None:
    """The first field in which two facts with one id differ; ``stored`` is with its history.

    Said again, a fact may come with another quote, agent or date of saying: it keeps its own.
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
    """From when until when, as the record itself says."""
    begin = fact.valid_from if fact.stated_from is UNSET else fact.stated_from
    end = fact.valid_to if fact.stated_to is UNSET else fact.stated_to
    return begin, end


def _known_dates(fact: Fact) -> tuple[set[str], set[str]]:
    """The beginnings and the ends that were ever said or believed of a stored fact."""
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
