"""Completion of values in a shell: fixed choices, and names and ids from the store."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, get_args

from thalamus.operations import OPERATIONS

if TYPE_CHECKING:
    from thalamus.api import Thalamus

Choice = tuple[str, str]  # a value and its description

# option -> the kind of its values
OPTIONS = {
    "--embedder": "embedders",
    "--flow": "flows",
    "--importance": "importances",
    "--mode": "modes",
    "--model": "models",
    "--persona": "personas",
    "--predicate": "predicates",
    "--scope": "scopes",
    "--session": "sessions",
    "--status": "statuses",
    "--subject": "subjects",
    "--type": "types",
}
# command, or the group of commands, -> the kind of its first argument
ARGUMENTS = {
    "concepts": "concepts",
    "config set": "settings",
    "config unset": "settings",
    "facts correct": "facts",
    "facts history": "subjects",
    "forget": "ids",
    "help": "topics",
    "insights": "insights",
    "memory": "memories",
    "models check": "models",
    "models pull": "catalogue",
    "project": "projects",
    "schema": "records",
    "session": "sessions",
    "tools": "tools",
    "trace": "turns",
    "undo": "changes",
    "why": "ids",
}


def kind_of(path: str, parameter: Any) -> str:
    """The kind of values of a parameter of a command, given its words; empty: not completed."""
    if parameter.param_type_name == "option":
        return next((OPTIONS[name] for name in parameter.opts if name in OPTIONS), "")
    words = path.split()
    if words[-1:] in (["search"], ["list"], ["add"]):
        return ""
    if path in OPERATIONS:
        return OPERATIONS[path].completes
    return ARGUMENTS.get(path) or (ARGUMENTS.get(words[0], "") if len(words) > 1 else "")


def complete(ctx: Any, parameter: Any, incomplete: str) -> list[Any]:
    """Completions of a value for the shell: of its kind, or else of its type; none if they cannot
    be read, since completing never fails."""
    kind = kind_of(" ".join(ctx.command_path.split()[1:]), parameter)
    if parameter.param_type_name == "argument" and _is_later(parameter, ctx):
        kind = ""
    if not kind:
        of_type: list[Any] = parameter.type.shell_complete(ctx, parameter, incomplete)
        return of_type
    try:
        found = _choices(kind, ctx, incomplete)
    except Exception:  # whatever it is, the line is still being typed
        return []
    # the class belongs to the click that typer brings
    package = type(ctx).__module__.rpartition(".")[0]
    item = importlib.import_module(f"{package}.shell_completion").CompletionItem
    chosen = [choice for choice in found if choice[0].startswith(incomplete)]
    return [item(value, help=text or None) for value, text in chosen]


def _is_later(parameter: Any, ctx: Any) -> bool:
    """True for all but the first argument of a command, of which alone the kind is known."""
    arguments = [one for one in ctx.command.params if one.param_type_name == "argument"]
    return bool(arguments) and parameter is not arguments[0]


def _choices(kind: str, ctx: Any, incomplete: str) -> list[Choice]:
    if kind == "topics":
        from thalamus.commands.table import COMMANDS
        from thalamus.terminal import topics

        return [*COMMANDS.items(), *((name, "a page") for name in topics.names())]
    if kind in _FIXED:
        return [(value, "") for value in _names(_FIXED[kind])]
    from thalamus.api import Thalamus
    from thalamus.commands.options import SHARED
    from thalamus.config import load
    from thalamus.terminal.completion import choices

    given = {**ctx.find_root().params, **ctx.params}
    flags = {name: given[name] for name in SHARED if given.get(name) is not None}
    flags.pop("model", None)  # it may be the value that is being typed
    with Thalamus(config=load(flags)) as thalamus:
        found = list(_OF_STORE[kind](thalamus) if kind in _OF_STORE else choices(kind, thalamus))
        if incomplete and not any(value.startswith(incomplete) for value, _ in found):
            found += [(id, "") for id in thalamus.database.complete_id(incomplete)]
    return found


def _names(place: str) -> Iterable[str]:
    """The names in MODULE:NAME of this package: those of a collection, or of a literal type."""
    module, name = place.split(":")
    found = getattr(importlib.import_module(f"thalamus.{module}"), name)
    return get_args(found) or found


# kind -> the place of its names
_FIXED = {
    "catalogue": "models.catalogue:NAMES",
    "embedders": "commands.completion:EMBEDDERS",
    "importances": "records:Importance",
    "modes": "records:Mode",
    "records": "records.registry:RECORDS",
    "scopes": "records:Scope",
    "settings": "config:SETTINGS",
    "statuses": "commands.memory:STATUSES",
}
EMBEDDERS = ("auto", "static", "multilingual", "none")


def _insights(thalamus: Thalamus) -> Iterable[Choice]:
    return ((one.stored_id, one.content) for one in thalamus.insights.find())


def _changes(thalamus: Thalamus) -> Iterable[Choice]:
    return ((batch.id, batch.action) for batch in thalamus.store.batches(undoable=True))


_OF_STORE: dict[str, Callable[[Thalamus], Iterable[Choice]]] = {
    "changes": _changes,
    "concepts": lambda thalamus: ((one.name, "") for one in thalamus.memories.concepts(limit=100)),
    "insights": _insights,
    "predicates": lambda thalamus: (
        (name, "") for name in sorted({fact.predicate for fact in thalamus.facts.find()})
    ),
    "projects": lambda thalamus: ((one.name, "") for one in thalamus.projects.find()),
    "tools": lambda thalamus: ((one.name, one.description) for one in thalamus.tools.find()),
    "types": lambda thalamus: ((name, "") for name in thalamus.rules if name != "default"),
}
