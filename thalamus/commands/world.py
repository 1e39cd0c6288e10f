"""`thalamus world`: the present activities of the user."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalamus.commands.groups import Group
from thalamus.commands.options import MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.api import Thalamus
    from thalamus.errors import BadRecord
    from thalamus.records import World, WorldOperation

group = Group(
    "Show and change the world state: what the user is busy with. Without a command: `show`.",
    {
        "show": "world:show",
        "apply": "world:apply",
        "history": "world:history",
        "diff": "world:diff",
    },
    default="show",
)
LAST = 20  # changes
EXAMPLE = 'An operation is {"op": "set", "path": "project", "value": "Herb Garden"}.'
LISTS = ("goals", "topics")  # paths whose value is a list


@settings(*OWNER, *STORE)
def show(config: Config, json: Json = False) -> None:
    """Show the world state: project, topics, goals and more."""
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.world import world_lines

    with engine(config) as thalamus:
        world = thalamus.projects.world()
        if json:
            jsonl.write(world)
            return
        lines = list(world_lines(world))
        for line in lines:
            say(line)
        if not lines:
            complain("The world state is empty; `thalamus world apply` changes it.")


@settings(*OWNER, *STORE, lists=True)
def history(
    config: Config,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", metavar="N", min=0, max=MOST, help="Show the last N changes; 0: all."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the changes of the world state, newest last.

    The last 20 are listed unless --limit is given; with --json, all.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal.lists import as_lines, print_list
    from thalamus.terminal.world import change_line

    with engine(config) as thalamus:
        read = thalamus.projects.history
        shown = print_list(read, as_lines(change_line), limit, json=json, usual=LAST, last=True)
        if not shown and not json:
            complain("The world state was never changed.")


@settings(*OWNER, *STORE)
def diff(
    config: Config,
    change: Annotated[
        str | None,
        typer.Argument(metavar="CHANGE", help="The id of a change, or a prefix [default: last]."),
    ] = None,
    other: Annotated[
        str | None, typer.Argument(metavar="OTHER", help="The id of another change, or a prefix.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what a change did to the world state.

    With OTHER: the difference between the states after CHANGE and after OTHER. With --json: the two
    `world` records.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import NothingMatches
    from thalamus.terminal import jsonl
    from thalamus.terminal.world import difference_lines

    with engine(config) as thalamus:
        if change is None:
            last = thalamus.projects.history(1)
            if not last:
                raise NothingMatches("The world state was never changed.")
            change = last[0].stored_id
        before = _state(thalamus, change, after=other is not None)
        after = _state(thalamus, other or change, after=True)
        if json:
            jsonl.write(before, after)
            return
        lines = list(difference_lines(before, after))
        for line in lines:
            say(line)
        if not lines:
            complain("The states are the same.")


def _state(thalamus: Thalamus, id: str, *, after: bool) -> World:
    """The state before or after a change. Raises ``UsageError`` if it is no longer kept."""
    from thalamus.errors import UsageError

    change = thalamus.projects.change(id)
    state = change.after if after else change.before
    if state is None:
        raise UsageError(
            f"The states of {change.id} are no longer kept.",
            fix="They are deleted when a change can no longer be undone (`undo_days`).",
        )
    return state


@settings(*OWNER, *STORE)
def apply(
    config: Config,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[OP PATH VALUE…]", help="One operation; without it they are read from stdin."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; store nothing.")
    ] = False,
    json: Json = False,
) -> None:
    """Change the world state by operations.

    All of them are applied or none; `thalamus undo` reverts them. OP is set, append, remove or
    merge. PATH is project, topics, goals, entities, entities.NAME or timezone. Without VALUE
    nothing is set there. Standard input holds operations such as {"op": "set", "path": "project",
    "value": "Herb Garden"}, one per line, or an array of them; an invalid one ends with exit
    status 3, in the arguments with 2. With --json: the `world_change` record; nothing when nothing
    changes.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import InvalidOperation
    from thalamus.terminal import jsonl
    from thalamus.terminal.world import change_line, difference_lines

    given = words not in (None, [], ["-"])
    operations, lines = ([_operation(words or [])], [0]) if given else _read()
    with engine(config) as thalamus:
        try:
            change = thalamus.projects.apply(operations, dry_run=dry_run)
        except InvalidOperation as error:
            if given:
                raise
            raise _bad(error, lines) from None
        if change is None:
            complain("The world state did not change.")
        elif json:
            jsonl.write(change)
        else:
            assert change.before is not None and change.after is not None
            say(f"would change: {change_line(change)}" if dry_run else change_line(change))
            for line in difference_lines(change.before, change.after):
                say(f"  {line}")


def _operation(words: Sequence[str]) -> WorldOperation:
    """The operation that the arguments describe. Raises ``UsageError``."""
    from thalamus.commands.options import wrong_choice
    from thalamus.errors import UsageError
    from thalamus.records import OPERATORS, WorldOperation

    op, path, *values = [*words, "", ""][: max(len(words), 2)]
    if op not in OPERATORS:
        raise wrong_choice("OP", op, OPERATORS)
    if not path:
        raise UsageError("PATH is missing", fix="For example: thalamus world apply set project Tea")
    takes_list = path in LISTS and (op == "merge" or op == "set")
    if len(values) > 1 and not takes_list:
        raise UsageError(f"too many values for {op} {path}: {' '.join(values)!r}; quote a text")
    value: Any = (values or None) if takes_list else values[0] if values else None
    if path == "entities" and op in ("set", "merge") and value is not None:
        value = _object(value)
    return WorldOperation(op=op, path=path, value=value)


def _object(text: str) -> Any:
    import msgspec

    from thalamus.errors import UsageError

    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        fix = 'Give an object such as {"Ana": "my sister"}, or set entities.NAME.'
        raise UsageError(f"invalid VALUE {text!r}: not JSON", fix=fix) from None


def _read() -> tuple[list[WorldOperation], list[int]]:
    """The operations on standard input, each with its line; the items of an array have its first
    line. Raises ``BadRecord`` for an invalid line."""
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl

    read = [line for lines in jsonl.numbered_lines() for line in lines]
    if not read:
        raise UsageError("no operations on standard input")
    first = read[0][0]
    if read[0][1].lstrip().startswith(b"["):
        values = _decoded(b"\n".join(line for _, line in read), first)
        found = [(first, f"operation {n}: ", value) for n, value in enumerate(values, 1)]
    else:
        found = [(number, "", _decoded(line, number)) for number, line in read]
    return [_converted(*one) for one in found], [number for number, _, _ in found]


def _decoded(data: bytes, number: int) -> Any:
    import msgspec

    from thalamus.terminal.record_problems import not_json

    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise not_json(data, number, error) from None


def _converted(number: int, where: str, value: Any) -> WorldOperation:
    import msgspec

    from thalamus.errors import BadRecord
    from thalamus.records import OPERATORS, WorldOperation

    if isinstance(value, dict) and value.get("op", "set") not in OPERATORS:
        problem = f"{where}`op`: invalid {value['op']!r} (choose {', '.join(OPERATORS)})"
        raise BadRecord(number, problem, "op", fix=EXAMPLE)
    try:
        return msgspec.convert(value, WorldOperation)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$")
        field = path.strip(".`")
        problem = f"`{field}`: {text[:1].lower()}{text[1:]}" if field else text
        raise BadRecord(number, f"{where}{problem}", field, fix=EXAMPLE) from None


def _bad(error: Any, lines: Sequence[int]) -> BadRecord:
    """The error for an operation on standard input."""
    from thalamus.errors import BadRecord

    number = lines[error.number - 1]
    where = "" if lines.count(number) == 1 else f"operation {error.number}: "
    return BadRecord(number, f"{where}`{error.path}`: {error.problem}", error.path, fix=error.fix)
