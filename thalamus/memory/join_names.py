"""Joining names: what was stored under one name of a user, an agent, a session or a project is from
then on under another, or under the normal form of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct, structs

from thalamus.errors import NothingFound, UsageError
from thalamus.memory.facts import entities
from thalamus.memory.user.projects import projects
from thalamus.memory.user.world import commit_operations, load_world, merged, put_world
from thalamus.names import normal_name
from thalamus.policy.projects import with_name
from thalamus.records import Alias, Event, Fact, Link, Project, World, WorldOperation
from thalamus.records.base import tag_of
from thalamus.records.kinds import Kind, kinds
from thalamus.store import aliases, batches, concepts, records
from thalamus.store import links as link_rows
from thalamus.store import world as world_rows

if TYPE_CHECKING:
    from thalamus.engine import Engine
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

NameKind = Literal["user", "agent", "session", "project"]
KINDS: tuple[NameKind, ...] = get_args(NameKind)


class Joined(Struct, frozen=True):
    """The number of records of each kind that were (or would be) given another name."""

    kind: NameKind
    name: str
    counts: dict[str, int] = {}


def join(kind: NameKind, name: str, into: str, engine: Engine, *, dry_run: bool = False) -> Joined:
    """Gives records with ``name`` the name ``into``. Raises ``NothingFound`` when there are none,
    ``UsageError`` for a blank name and a project of somebody else."""
    store, new = engine.store, normal_name(into)
    if not new or not normal_name(name):
        raise UsageError("The name is blank.")
    if kind == "project":
        return _join_projects(name, new, engine, dry_run)
    found = _named(store, kind, name, new)
    counts = {one.name: len(ids) for one, ids in found} | _count_single(store, kind, name, new)
    joined = Joined(kind, new, {one: count for one, count in counts.items() if count})
    if not joined.counts and normal_name(name) != new:
        raise NothingFound(f"the {kind} {name!r}")
    if dry_run or not joined.counts:
        return joined
    with store.writing() as writer:
        if "world" in joined.counts:
            _join_worlds(name, new, writer)
        for one, ids in found:
            writer.rename(one, kind, ids, new)
        if "alias" in joined.counts:
            _join_aliases(name, new, writer)
        for one, ids in found:
            if one.numbered:
                keys = writer.keys(one.record, ids)
                concepts.touch(writer, list(keys.values()))
            if one.record is Fact:
                entities.resolve_facts(writer, ids)
        if kind in ("user", "agent"):
            writer.rename_events(kind, name, new)
            batches.rename(writer, kind, name, new)
        _note(joined, writer)
    return joined


def _count_single(reader: Reader, kind: NameKind, name: str, new: str) -> dict[str, int]:
    """Numbers of the records that each user has one of: the state of the world, and aliases."""
    counts = {}
    for record in (World, Alias) if kind == "user" else ():
        names = records.names(reader, record, "user", name)
        counts[tag_of(record)] = sum(count for one, count in names.items() if one != new)
    return counts


def other_spellings(store: Store) -> dict[NameKind, list[str]]:
    """Normal forms of the names that some records have in another form."""
    found: dict[NameKind, dict[str, None]] = {}
    for kind in kinds():
        for column in KINDS[:3]:
            if column in kind.columns:
                for name in records.names(store, kind.record, column):
                    if name and (normal := normal_name(name)) not in ("", name):
                        found.setdefault(column, {})[normal] = None
    return {kind: sorted(names) for kind, names in found.items()}


def _named(reader: Reader, column: str, name: str, new: str) -> list[tuple[Kind, list[str]]]:
    """Ids of the records of each kind that have the name in some form, but not ``new``."""
    found = []
    for kind in kinds():
        if kind.has_id and column in kind.columns:
            names = records.named(reader, kind.record, column, name)
            ids = [id for id, stored in names.items() if stored != new]
            if ids:
                found.append((kind, ids))
    return found


def _note(joined: Joined, writer: Writer) -> None:
    data = {"kind": joined.kind, "counts": joined.counts}  # the name may be forgotten later
    writer.add_event(Event(name="names_joined", at=writer.now, data=data))


# -- what there is one of for each user ----------------------------------------------------------


def _join_worlds(name: str, new: str, writer: Writer) -> None:
    """Makes one state of those under the two names."""
    loaded = [load_world(writer, user) for user in dict.fromkeys([normal_name(name), new])]
    if any(issue.code == "hidden_world" for _, issues in loaded for issue in issues):
        return  # its key may come back
    found = [world for world, _ in loaded]
    found.sort(key=lambda world: world.updated_at or "", reverse=True)
    world_rows.delete_states(writer, name)
    put_world(structs.replace(merged(found), user=new), writer)


def _join_aliases(name: str, new: str, writer: Writer) -> None:
    found = aliases.of_user(writer, name)
    aliases.delete_of_user(writer, name)
    for alias in found:
        entities.add_alias(writer, structs.replace(alias, user=new))


# -- projects ------------------------------------------------------------------------------------


def _join_projects(name: str, new: str, engine: Engine, dry_run: bool) -> Joined:
    """Gives what is linked with projects of a name to another, the oldest of that name."""
    store, user = engine.store, engine.config.user or None
    found = projects(store, user)
    targets = with_name(found, new)
    if not targets:
        raise NothingFound(f"the project {new!r}", fix="`thalamus project` lists the projects.")
    target = targets[0]
    others = [one for one in with_name(found, name) if one.id != target.id]
    if not others and name != new:
        raise NothingFound(f"the project {name!r}", fix="`thalamus project` lists the projects.")
    links = [link for one in others for link in link_rows.incoming(store, one.stored_id, "about")]
    counts = {"project": len(others), "link": len(links)}
    joined = Joined("project", target.name, {one: count for one, count in counts.items() if count})
    if dry_run or not others:
        return joined
    with store.writing() as writer:
        for link in links:
            writer.add(Link(source=link.source, relation="about", target=target.stored_id))
        for one in others:
            writer.remove(one.stored_id)
        _name_project(target, others, engine, writer)
        _note(joined, writer)
    return joined


def _name_project(target: Project, others: list[Project], engine: Engine, writer: Writer) -> None:
    """Names the project in the state of the world, if that named one of the others."""
    user = engine.config.user or None
    world, _ = load_world(writer, user)
    if world.project in {one.name for one in others}:
        change = WorldOperation(op="set", path="project", value=target.name)
        commit_operations(writer, [change], None, user, writer.now, engine.clock)
