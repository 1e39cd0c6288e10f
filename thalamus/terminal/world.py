"""The world state as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from thalamus.terminal.lines import one_line
from thalamus.terminal.local import day

if TYPE_CHECKING:
    from thalamus.records import World, WorldChange, WorldOperation


def world_lines(world: World) -> Iterator[str]:
    """A line for each part of a world state; none for an empty one."""
    topics = [f"{topic} ({world.topic_weights.get(topic, 1):.2f})" for topic in world.topics]
    entities = [f"{name}: {about}" if about else name for name, about in world.entities.items()]
    fields: dict[str, list[str]] = {
        "project": [world.project or ""],
        "topics": [", ".join(topics)],
        "goals": world.goals,
        "entities": entities,
        "timezone": [world.timezone or ""],
    }
    shown = False
    for name, values in fields.items():
        for n, value in enumerate(filter(None, values)):
            shown = True
            yield f"{'' if n else name:8}  {one_line(value)}"
    if shown and world.updated_at:
        yield f"{'changed':8}  {day(world.updated_at)}"


def change_line(change: WorldChange) -> str:
    """``2026-05-08  project = Herb Garden  [wch_…]``."""
    undone = f"  (undone on {day(change.undone_at)})" if change.undone_at else ""
    id = f"  [{change.id}]" if change.id else ""
    return f"{day(change.at)}  {operations_line(change.operations)}{id}{undone}"


def operations_line(operations: Iterable[WorldOperation]) -> str:
    """Operations on one line."""
    from thalamus.policy.world_operations import in_words as operation_in_words

    return one_line("; ".join(map(operation_in_words, operations)), 100)


def difference_lines(before: World, after: World) -> Iterator[str]:
    """``project: Herb Garden → Balcony``: a line for each difference."""
    from thalamus.policy.world_operations import changes as world_differences

    for path, (old, new) in world_differences(before, after).items():
        if isinstance(old, (list, dict)):
            removed = [one for one in old if one not in new]
            come = [one for one in new if one not in old]
            changes = [f"- {one_line(one)}" for one in removed] + [
                f"+ {one_line(one)}" for one in come
            ]
            if path == "topics":
                changes += [
                    f"{one_line(one)} {old[one]:.2f} → {new[one]:.2f}"
                    for one in new
                    if one in old and old[one] != new[one]
                ]
            yield f"{path}: {', '.join(changes) or 'in another order'}"
        else:
            yield f"{one_line(path)}: {_shown(old)} → {_shown(new)}"


def _shown(value: Any) -> str:
    return one_line(value) if value else "(nothing)"
