"""Erasure in the world state: elements are deleted one by one, from the state and from the history
of its changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.memory.user.world import load_world, put_world
from thalamus.policy.erasure import ErasurePlan, ScanItem
from thalamus.policy.world_operations import (
    Element,
    elements,
    elements_of,
    field_of,
    key_of,
    operation_without,
    without,
)
from thalamus.records import Project, World, WorldChange
from thalamus.store import world as world_rows
from thalamus.store.encrypted import is_hidden
from thalamus.store.encryption import contents

if TYPE_CHECKING:
    from thalamus.clock import Clock
    from thalamus.store.base import Store
    from thalamus.store.reader import Reader
    from thalamus.store.writer import Writer

Named = tuple[str, Element]  # owner of the world state ('' for shared), and the key


def world_items(store: Store) -> Iterator[ScanItem]:
    """All elements of the world states and their history as scan items, then the changes, which are
    deleted with the elements that they added. Ids of elements are derived from their content."""
    spelled: dict[Named, dict[Element, None]] = {}
    added: dict[Named, dict[str, None]] = {}
    changes = [change for change in store.each(WorldChange) if not is_hidden(change)]
    for owner in _owners(store):
        _note(spelled, owner, elements(load_world(store, owner or None)[0]))
    for change in changes:
        owner = change.user or ""
        for operation in change.operations:
            _note(spelled, owner, elements_of(operation))
        for state in (change.before, change.after):
            _note(spelled, owner, elements(state) if state else ())
        for key in _added_elements(change):
            added.setdefault((owner, key), {})[change.turn or ""] = None
    for name, spellings in spelled.items():
        yield _item(name, spellings, tuple(added.get(name, ())))
    for change in changes:
        names = [(change.user or "", key) for key in _added_elements(change)]
        yield ScanItem(
            "world_change",
            change.stored_id,
            [],
            label=_label(change),
            user=change.user,
            turn=change.turn,
            brings=tuple(map(_id, names)),
            parts=_parts(change),
        )


def name_in_world(project: Project, store: Reader) -> tuple[str, ...]:
    """Ids of the elements by which world states name a project: those of its user, or those of all
    for a shared one."""
    owners = [project.user] if project.user is not None else _owners(store)
    return tuple(_id((owner, key_of(("project", "", project.name)))) for owner in owners)


def _owners(store: Reader) -> list[str]:
    return world_rows.owners(store)


def _note(spelled: dict[Named, dict[Element, None]], owner: str, found: Iterable[Element]) -> None:
    for element in found:
        spelled.setdefault((owner, key_of(element)), {})[element] = None


def _added_elements(change: WorldChange) -> dict[Element, None]:
    """Keys of the elements that a change added to the state."""
    before = {key_of(element) for element in elements(change.before or World())}
    if change.after is not None:
        after = list(elements(change.after))
    else:
        added = [operation for operation in change.operations if operation.op != "remove"]
        after = [element for operation in added for element in elements_of(operation)]
    return dict.fromkeys(key for key in map(key_of, after) if key not in before)


def _parts(change: WorldChange) -> tuple[str, ...]:
    """Ids of the elements in a change's operations; empty if one of these has none, which stays
    when all others are deleted."""
    found = [[key_of(one) for one in elements_of(operation)] for operation in change.operations]
    if not all(found):
        return ()
    return tuple(_id((change.user or "", key)) for keys in found for key in keys)


def _id(name: Named) -> str:
    from hashlib import blake2b

    return f"world_{blake2b(repr(name).encode()).hexdigest()[:21]}"


def _item(name: Named, spellings: Iterable[Element], turns: tuple[str, ...]) -> ScanItem:
    owner, (field, _, _) = name
    texts = [": ".join(filter(None, element[1:])) for element in spellings]
    return ScanItem(
        "world",
        _id(name),
        texts,
        main=texts[:1],
        label=f"{field}: {texts[0]}",
        user=owner or None,
        turns=turns,
        element=name,
    )


def _label(change: WorldChange) -> str:
    """Label of a change in listings, without its words."""
    done = [f"{operation.op} {field_of(operation)}" for operation in change.operations]
    return ", ".join(dict.fromkeys(done))


# -- erasing ---------------------------------------------------------------------------------------


def erase_elements(writer: Writer, plan: ErasurePlan, clock: Clock) -> list[bytes]:
    """Removes planned elements from world states and from the changes that stay. Returns their
    former encrypted values."""
    deleted: dict[str, set[Element]] = {}
    for (kind, _), item in plan.deleted.items():
        if kind == "world" and item.element is not None:
            deleted.setdefault(item.element[0], set()).add(item.element[1])
    encrypted: list[bytes] = []
    for owner, keys in deleted.items():
        if owner in world_rows.owners(writer):
            encrypted += contents.ciphertexts(writer, "world", owner)
            world = without(load_world(writer, owner or None)[0], keys)
            put_world(structs.replace(world, updated_at=clock.stamp()), writer)
        for change in reversed(world_rows.changes(writer, owner or None)):
            if not is_hidden(change):
                encrypted += _cut(writer, change, keys)
    return encrypted


def _cut(writer: Writer, change: WorldChange, keys: set[Element]) -> list[bytes]:
    """Removes elements from a change; returns its encrypted values if it had any of them."""
    left = [operation_without(operation, keys) for operation in change.operations]
    operations = [operation for operation in left if operation is not None]
    fields = {
        "operations": operations,
        "before": without(change.before, keys) if change.before else None,
        "after": without(change.after, keys) if change.after else None,
    }
    if all(getattr(change, name) == value for name, value in fields.items()):
        return []
    encrypted = contents.ciphertexts(writer, "world_change", change.stored_id)
    writer.change(WorldChange, change.stored_id, **fields)
    return encrypted
