"""The profile of a user: computed from current facts, and set by hand through the gate for
writing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from thalamus.errors import UsageError
from thalamus.memory.facts import by_hand as fact_changes
from thalamus.memory.facts.assertion import registry
from thalamus.memory.user.projects import current_projects
from thalamus.memory.write import write_records
from thalamus.policy import profile as rules
from thalamus.policy.entities import USER
from thalamus.policy.injection import suspicious
from thalamus.policy.profile import FIELDS, KnownUser
from thalamus.policy.retention import Rule, rule_for
from thalamus.records import Fact, Memory, Profile
from thalamus.store import facts as fact_rows
from thalamus.store import links as link_rows
from thalamus.store import memories as memory_rows
from thalamus.store.base import Store
from thalamus.store.encrypted import is_hidden
from thalamus.store.values import Filter
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.reader import Reader
    from thalamus.turn_run import TurnRun

MOST = 100  # preferences examined
BY_HAND = {"set_by": "profile"}  # metadata of facts asserted by `profile set`


def profile(run: TurnRun, user: str | None, agent: str | None) -> Profile:
    """Profile of a user, from current records of this user alone; without a user, from shared
    ones."""
    store = run.engine.store
    now = run.engine.clock.stamp()
    known = _known(store, user, agent, now, rule_for(run.engine.rules(), "project"))
    return rules.compose(known, registry(run), now, run.engine.config.profile_tokens, user)


def values(engine: Engine, user: str | None, agent: str | None) -> dict[str, list[Fact]]:
    """Current values of each field that can be set, as facts."""
    now = engine.clock.stamp()
    shown_facts = [
        fact for fact in _facts(engine.store, user, agent, now) if rules.is_shown(fact, now)
    ]
    return {name: rules.values_of(shown_facts, name) for name in FIELDS}


def set_values(changes: Mapping[str, Sequence[str]], run: TurnRun) -> None:
    """Sets fields of the profile: the given values replace all others; an empty list clears a
    field. Raises ``UsageError`` for an unknown field or an invalid value, in which case nothing is
    changed."""
    checked = {name: _checked(name, given) for name, given in changes.items()}
    run.engine.create_store()
    config = run.engine.config
    user, agent = config.user or None, config.agent or None
    present = values(run.engine, user, agent)
    ends: list[str] = []
    new: list[Fact] = []
    for name, given in checked.items():
        current = {fold(fact.object): fact for fact in present[name]}
        new_values = {fold(value) for value in given}
        new += [_fact(name, value, user) for value in given if fold(value) not in current]
        replaced = [fact for value, fact in current.items() if value not in new_values]
        if FIELDS[name].many or not given:  # a new single value ends the old one
            ends += [fact.stored_id for fact in replaced]
    if new:
        write_records(new, run)
    for id in ends:
        fact_changes.end(id, run.engine.clock.stamp(), run)


def _known(store: Store, user: str | None, agent: str | None, now: str, rule: Rule) -> KnownUser:
    """Records that a profile is composed of; ``rule``: how long a project is
    current after the last time that anything was said about it."""
    found = _facts(store, user, agent, now)
    ids = tuple(fact.stored_id for fact in found)
    where = Filter(kinds=("memory",), types=("preference",), user=user, agent=agent, now=now)
    preferences = [one for one in memory_rows.read(store, where, MOST) if one.user == user]
    return KnownUser(
        facts=found,
        memories_by_fact=_memories_about(store, ids),
        memories=[one for one in preferences if not is_hidden(one)],
        projects=current_projects(store, user, now, rule),
    )


def _facts(store: Store, user: str | None, agent: str | None, now: str) -> list[Fact]:
    """Current, readable facts about a user."""
    where = Filter(user=user, agent=agent, now=now, types=tuple(_predicates(store)))
    stored = fact_rows.read(store, where, USER)
    return [fact for fact in stored if fact.user == user and not is_hidden(fact)]


def _predicates(store: Reader) -> Iterator[str]:
    """Predicates used in profiles: few facts are read for a user with thousands."""
    families: list[str] = []
    for name in (name for names in rules.KINDS.values() for name in names):
        if name.endswith("*"):
            families.append(name[:-1])
        else:
            yield name
    for name in fact_rows.predicates(store, USER):
        if name.startswith(tuple(families)):
            yield name


def _memories_about(store: Reader, ids: tuple[str, ...]) -> dict[str, list[Memory]]:
    """Active memories about each of these facts, by its id."""
    links = link_rows.incoming(store, ids, "about")
    named = tuple({link.source for link in links})
    active = memory_rows.active(store, named)
    by_id = {memory.id: memory for memory in active if not is_hidden(memory)}
    found: dict[str, list[Memory]] = {}
    for link in links:
        if link.source in by_id:
            found.setdefault(link.target, []).append(by_id[link.source])
    return found


def _checked(name: str, given: Sequence[str]) -> list[str]:
    """Values of a field, without duplicates. Raises ``UsageError``."""
    if name not in FIELDS:
        *first, last = FIELDS
        raise UsageError(f"invalid NAME {name!r} (choose {', '.join(first)} or {last})")
    found = {fold(value): " ".join(value.split()) for value in given if value.strip()}
    if len(found) > 1 and not FIELDS[name].many:
        raise UsageError(f"{name} has one value, not {len(found)}: {', '.join(found.values())}.")
    for value in found.values():
        if len(value) > rules.LONGEST:
            raise UsageError(
                f"{name} is too long: {len(value)} characters, at most {rules.LONGEST}."
            )
        reads_like = suspicious(value)
        if reads_like is not None or "<" in value:
            problem = (
                f"it reads like an instruction: {reads_like}" if reads_like else "it holds a <"
            )
            raise UsageError(f"invalid {name} {value!r}: {problem}")
    return list(found.values())


def _fact(name: str, value: str, user: str | None) -> Fact:
    return Fact(
        subject=USER,
        predicate=FIELDS[name].predicate,
        object=value,
        user=user,
        metadata=dict(BY_HAND),
    )
