"""Facts: what holds, held or was believed, with their entities and predicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.api.runtime import View
from thalamus.clock import read_date
from thalamus.errors import NothingFound
from thalamus.records import Alias, Fact

if TYPE_CHECKING:
    from thalamus.policy.predicates import Cardinality, PredicateEntry, Registry
    from thalamus.records import Profile, Verdict
    from thalamus.store.values import Change


class FactsView(View):
    """Facts, entities, predicates, and the profile of the user, which is compiled from facts."""

    def find(
        self,
        subject: str | None = None,
        *,
        predicate: str | None = None,
        as_of: str | None = None,
        known_at: str | None = None,
        history: bool = False,
        since: str | None = None,
        until: str | None = None,
    ) -> list[Fact]:
        """The facts that hold now, or held ``as_of``; with ``known_at`` as believed then. With
        ``history`` all that ever held, each with its assertions and beliefs. ``since``, ``until``:
        only those said in that period. Times are RFC 3339, or dates in UTC. Raises ``NoStore``,
        ``UsageError``."""
        from thalamus.store import facts

        as_of, known_at = read_date(as_of, "as_of"), read_date(known_at, "known_at")
        since, until = read_date(since, "since"), read_date(until, "until")

        now = None if history else self._clock.stamp()
        where = self._runtime.here(as_of or known_at or now, timeless=history)
        entity = None
        if subject is not None:
            from thalamus.memory.facts.entities import asked_entity

            entity = asked_entity(self._database, where.user, subject)
        where = structs.replace(where, known_at=known_at, since=since, until=until)
        found = facts.read(self._database, where, entity, history)
        if predicate:
            from thalamus.memory.facts.intervals import registry_of

            wanted = registry_of(self._database).name(predicate)
            found = [fact for fact in found if fact.predicate == wanted]
        return found

    def conflicts(self) -> list[list[Fact]]:
        """Facts that hold at the same time and may exclude each other: several values of a subject
        for a predicate of which is not known whether it has one value or many. Raises
        ``NoStore``."""
        from thalamus.memory.facts.intervals import registry_of

        registry = registry_of(self._database)
        groups: dict[tuple[str, str], list[Fact]] = {}
        for fact in self.find():
            if not registry.has_sentence(fact.predicate):
                groups.setdefault((fact.subject, fact.predicate), []).append(fact)
        return [group for group in groups.values() if len({one.object for one in group}) > 1]

    def get(self, id: str) -> Fact:
        """The fact with this id. Raises ``NoStore``, ``NothingFound``."""
        from thalamus.memory.resolve_id import get_fact

        return get_fact(self._database, id)

    def last(self, subject: str, predicate: str, object: str, *, before: str) -> Fact:
        """The latest fact with this subject, predicate and object that began before a time. Raises
        ``NoStore``, ``NothingFound``."""
        from thalamus.memory.facts.intervals import registry_of
        from thalamus.memory.resolve_id import last_fact

        known = self.find(subject, history=True)
        named = registry_of(self._database).name(predicate)
        if (found := last_fact(known, named, object, before)) is None:
            raise NothingFound(f"a fact “{subject} {predicate} {object}”")
        return found

    def timeline(self, subject: str | None = None, predicate: str | None = None) -> list[Fact]:
        """Facts that were not retracted, including ended ones. Raises ``NoStore``."""
        found = self.find(subject, predicate=predicate, history=True)
        return [fact for fact in found if fact.retired_at is None]

    def add(self, fact: Fact) -> tuple[Fact, list[Verdict]]:
        """Adds a fact; returns it as stored, with a verdict for each fact that was ended or existed
        already. One that exists in plain text is encrypted if it is personal now. Raises
        ``RecordProblem``."""
        from thalamus.memory.write import write_fact

        written, verdicts = write_fact(fact, self._new_run())
        kept = self.get(written.stored_id)
        return kept, [verdict for verdict in verdicts if verdict.decision != "add"]

    def end(self, id: str, at: str) -> list[Change]:
        """Ends a fact that stopped being true at a time (RFC 3339). Returns the facts whose
        intervals changed. Raises ``NoStore``, ``UsageError``."""
        from thalamus.memory.facts import by_hand as facts

        return facts.end(id, read_date(at, "at") or "", self._new_run())

    def retract(self, id: str, reason: str | None = None) -> list[Change]:
        """Retracts a fact that was never true. Returns the facts whose intervals changed. Raises
        ``NoStore``, ``UsageError``."""
        from thalamus.memory.facts import by_hand as facts

        return facts.retract(id, reason, self._new_run())

    def correct(
        self,
        id: str,
        object: str | None = None,
        *,
        valid_from: str | None = None,
        valid_to: str | None = None,
        reason: str | None = None,
    ) -> Fact:
        """Corrects a wrong fact: replaces it with one that has another object or other dates.
        Raises ``NoStore``, ``UsageError``."""
        from thalamus.memory.facts import by_hand as facts

        return facts.correct(
            id,
            self._new_run(),
            object=object,
            begin=read_date(valid_from, "valid_from"),
            until=read_date(valid_to, "valid_to"),
            reason=reason,
        )[0]

    def predicates(self) -> list[PredicateEntry]:
        """The known predicates, by name."""
        return sorted(self._predicates().entries.values(), key=lambda entry: entry.name)

    def predicate(self, name: str) -> PredicateEntry:
        """A predicate by its name or a spelling. Raises ``NothingFound``."""
        known = self._predicates()
        if (found := known.entries.get(known.name(name))) is None:
            raise NothingFound(f"the predicate {name!r}")
        return found

    def set_predicate(
        self,
        name: str,
        *,
        cardinality: Cardinality | None = None,
        opposite: str | None = None,
        spellings: Sequence[str] = (),
    ) -> tuple[PredicateEntry, list[Change]]:
        """Changes a predicate (an empty ``opposite`` removes it); returns it, and the facts whose
        intervals changed because of that. Raises ``NoStore``, ``UsageError``."""
        from thalamus.memory.facts.by_hand import set_predicate

        predicate = self._predicates().changed(
            name, cardinality=cardinality, opposite=opposite, spellings=spellings
        )
        changes = set_predicate(predicate, self._new_run())
        return self._predicates().entries[predicate.name], changes

    def _predicates(self) -> Registry:
        from thalamus.memory.facts.intervals import registry_of

        return registry_of(self._runtime.open_store(False))

    def entities(self) -> list[tuple[str, str | None, int]]:
        """Entities of facts, as (name, owner, number of facts). Raises ``NoStore``."""
        from thalamus.memory.facts.entities import entities

        return entities(self._database, self._user)

    def aliases(self) -> list[Alias]:
        """Merged names that apply to this user. Raises ``NoStore``."""
        from thalamus.store import aliases

        if self._user is None:
            return list(self._database.each(Alias))
        return aliases.reaching(self._database, self._user)

    def same_entity(self, name: str, other: str) -> bool:
        """True if two names denote the same entity."""
        from thalamus.memory.facts.entities import same_entity

        return same_entity(self._runtime.open_store(False), self._user, name, other)

    def merge(self, name: str, into: str) -> list[Change]:
        """Makes ``name`` an alias of ``into``; ``unmerge`` undoes it. Raises ``NoStore``,
        ``UsageError``."""
        from thalamus.memory.facts import by_hand as facts

        return facts.merge(name, into, self._new_run())

    def unmerge(self, name: str) -> list[Change]:
        """Makes ``name`` a separate name again. Raises ``NoStore``, ``UsageError``."""
        from thalamus.memory.facts import by_hand as facts

        return facts.unmerge(name, self._new_run())

    def profile(self) -> Profile:
        """The profile of the user: the lines that are part of prompts and those that are not, each
        with its sources. Without a configured user the profile of unowned records. Raises
        ``NoStore``."""
        from thalamus.memory.user.profile import profile

        config = self._config
        return profile(self._new_run(), config.user or None, config.agent or None)

    def set_profile(self, **values: str | Sequence[str] | None) -> Profile:
        """Sets fields of the profile (``policy.profile.FIELDS``): each has the given values from
        now on; None or an empty value clears it. They are stored as facts about the user. Returns
        the new profile.

        Raises ``UsageError`` for an unknown field or an invalid value; then nothing is changed.
        """
        from thalamus.memory.user.profile import set_values

        given = {
            name: [value] if isinstance(value, str) else list(value or ())
            for name, value in values.items()
        }
        set_values(given, self._new_run())
        return self.profile()

    def profile_values(self) -> dict[str, list[str]]:
        """The current values of each field that ``set_profile`` sets, by its name. Empty without a
        store; raises nothing of its own."""
        from thalamus.memory.user.profile import values

        store = self._runtime.open_store(False)
        config = self._config
        if store is None:
            return {}
        found = values(self._engine, config.user or None, config.agent or None)
        return {name: [fact.object for fact in facts] for name, facts in found.items()}
