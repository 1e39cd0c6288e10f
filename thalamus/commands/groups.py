"""Groups of commands: suggestions, options before the command, default subcommands."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from thalamus.commands.options import MOST, SHARED
from thalamus.terminal.streams import complain

MOST_NAMED = 3  # groups that have a command of the same name
# former commands -> their successors, without `thalamus`
MOVED = {
    "act": "stage act",
    "backup": "store backup",
    "crystallize": "consolidate",
    "draft": "stage draft",
    "facts timeline": "timeline --facts",
    "gather": "stage gather",
    "graph": "concepts graph",
    "manifest": "project status",
    "memory timeline": "timeline",
    "reindex": "store reindex",
    "reset": "forget --everything",
    "restore": "store restore",
    "route": "stage route",
    "search-plan": "stage search-plan",
    "stats": "store stats",
    "topics": "stage topics",
    "verify": "doctor --signatures",
    "watch": "trace --follow",
}

# former spellings of options, with their successors: they go on working, with a message
FORMER = {
    "-k": "-n",
    "--out": "--output",
    "--include-personal": "--personal",
    "--no-models": "--no-model",
    "--show-wrong": "--verbose",
}
# what other programs call it -> our commands; a path in a group comes before the name alone
SYNONYMS = {
    "add": ("turn", "store"),
    "config get": ("config show",),
    "config list": ("config show",),
    "delete": ("forget",),
    "find": ("retrieve", "memory search"),
    "history": ("session list", "facts history"),
    "list": ("memory list", "facts list"),
    "log": ("trace",),
    "logs": ("trace",),
    "memory add": ("store", "turn"),
    "memory get": ("memory show",),
    "query": ("retrieve",),
    "recall": ("retrieve",),
    "remember": ("turn", "store"),
    "remove": ("forget",),
    "rm": ("forget",),
    "save": ("store",),
    "search": ("retrieve", "memory search", "session search"),
    "show": ("memory show", "session show"),
    "version": ("--version",),
}


def simplify_help(command: Any) -> Any:
    """Shortens the help of a command: shared options are named in one line instead of listed,
    required arguments have no braces, and ranges of numbers are put in words. Its values are
    completed in a shell."""
    hidden = [parameter for parameter in command.params if _is_shared(parameter)]
    for parameter in hidden:
        parameter.get_help_record = lambda _: None
    for parameter in command.params:
        if parameter._custom_shell_complete is None:
            parameter._custom_shell_complete = _complete
        if parameter.param_type_name == "argument":
            parameter.make_metavar = partial(_plain_metavar, parameter.make_metavar)
        elif parameter not in hidden:
            parameter.get_help_record = partial(_worded_record, parameter.get_help_record)
    if hidden:
        names = ", ".join(parameter.opts[0] for parameter in hidden)
        command.epilog = command.epilog or f"Shared options (`thalamus help options`): {names}."
    if not isinstance(command, TyperGroup):
        command.format_epilog = partial(_with_examples, command.format_epilog)
    for nested in getattr(command, "commands", {}).values():
        simplify_help(nested)
    return command


def _with_examples(format_epilog: Callable[..., None], ctx: Any, formatter: Any) -> None:
    """The examples of a command, and its epilog."""
    from thalamus.commands.examples import EXAMPLES

    examples = EXAMPLES.get(" ".join(ctx.command_path.split()[1:]), ())
    if examples:
        formatter.write("\nExamples:\n")
        formatter.write("".join(f"  {line}\n" for line in examples))
    format_epilog(ctx, formatter)


def _complete(ctx: Any, parameter: Any, incomplete: str) -> list[Any]:
    from thalamus.commands.completion import complete  # only needed by a shell

    return complete(ctx, parameter, incomplete)


def _plain_metavar(make: Callable[..., str], ctx: Any, usage: bool = False) -> str:
    return make(ctx=ctx, usage=usage).strip("{}")


def _worded_record(make: Callable[[Any], tuple[str, str] | None], ctx: Any) -> Any:
    """The row of an option in the help, without a maximum that only excludes absurd values."""
    row = make(ctx)
    return row and (row[0], ranges_in_words(row[1]).replace(f" to {MOST}", " or more"))


def ranges_in_words(text: str) -> str:
    """The text with ``1 to 9`` for ``1<=x<=9`` and ``1 or more`` for ``x>=1``."""
    text = re.sub(r"(-?[\d.]+)<=x<=(-?[\d.]+)\b", r"\1 to \2", text)
    return re.sub(r"\bx>=(-?\d+(?:\.\d+)?)", r"\1 or more", text)


def _is_shared(parameter: Any) -> bool:
    """True for a shared option; false for a command's own option of the same name."""
    return parameter.name in SHARED and parameter.help == SHARED[parameter.name][2]


class Suggesting(TyperGroup):
    """A group that suggests a command for a mistyped one, and passes options given before the
    command on to it: ``thalamus --home X turn`` is ``thalamus turn --home X``."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        names = self.list_commands(ctx)
        if args and args[0] not in names and not args[0].startswith("-"):
            if ctx.resilient_parsing:  # a shell completes what follows: nothing is known of it
                return args[0], TyperCommand(args[0]), []
            import difflib

            path = " ".join([*ctx.command_path.split()[1:], args[0]])
            if path in MOVED:
                ctx.fail(f"`thalamus {path}` is now `thalamus {MOVED[path]}`.")
            similar = difflib.get_close_matches(args[0], names, n=1)
            meant = SYNONYMS.get(path) or SYNONYMS.get(args[0])
            if meant:
                hint = f" Did you mean {' or '.join(f'`thalamus {one}`' for one in meant)}?"
            elif inside := self._groups_with(args[0], ctx):
                hint = f" Did you mean {' or '.join(f'`{path}`' for path in inside)}?"
            else:
                hint = f" Did you mean {similar[0]!r}?" if similar else self.advice(ctx, args)
            ctx.fail(f"Unknown command {args[0]!r}.{hint}")
        name, command, rest = super().resolve_command(ctx, args)
        given = {key: value for key, value in ctx.find_root().params.items() if value is not None}
        ctx.default_map = {name: given}
        if not isinstance(command, TyperGroup):
            _refuse_unknown(ctx, args[0], command, given)
            rest = _respelled(rest, command)
        return name, command, rest

    def _groups_with(self, name: str, ctx: Any) -> list[str]:
        """Commands of this name in the groups: ``facts correct`` for ``correct``."""
        found = [(group, self.get_command(ctx, group)) for group in self.list_commands(ctx)]
        paths = [
            f"{group} {name}"
            for group, command in found
            if isinstance(command, TyperGroup) and name in command.list_commands(ctx)
        ]
        return paths if len(paths) <= MOST_NAMED else []

    def advice(self, ctx: Any, args: list[str]) -> str:
        """A hint, with a leading space, for arguments that begin with no command; may be empty."""
        return ""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """The group's epilog; by default, where options are explained."""
        self.epilog = self.epilog or (
            f"`{ctx.command_path} COMMAND -h` shows the options of a command, `thalamus help"
            " options` those that most commands share."
        )
        super().format_epilog(ctx, formatter)


def _respelled(args: list[str], command: Any) -> list[str]:
    """Arguments with the present spellings of options, and a message about each former one."""
    own = {name for parameter in command.params for name in parameter.opts}
    respelled, options = [], True
    for arg in args:
        options = options and arg != "--"
        for former, name in FORMER.items() if options else ():
            short = not former.startswith("--") and arg.startswith(former)
            if (short or arg.split("=")[0] == former) and name in own and former not in own:
                complain(f"thalamus: {former} is now {name}.")
                arg = name + arg[len(former) :]
                break
        respelled.append(arg)
    return respelled


def _refuse_unknown(ctx: Any, name: str, command: Any, given: Mapping[str, Any]) -> None:
    """Fails if an option before the command is not one of the command's own."""
    known = {parameter.name for parameter in command.params}
    for option in SHARED:
        if option in given and option not in known:
            ctx.fail(f"`{ctx.command_path} {name}` has no option --{option}.")


class DefaultsToList(Suggesting):
    """``thalamus facts --json`` means ``thalamus facts list --json``."""

    default = "list"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Puts the default's name before arguments that begin with no subcommand."""
        asks_help = any(arg in ctx.help_option_names for arg in args[:1])
        completing = ctx.resilient_parsing and not args  # a name of a subcommand, or an option
        if not (asks_help or completing) and (not args or args[0].startswith("-")):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """The subcommands, or the options of the default one."""
        found: list[Any] = super().shell_complete(ctx, incomplete)
        if incomplete.startswith("-"):
            command: Any = self.get_command(ctx, self.default)
            found += command.shell_complete(ctx, incomplete)
        return found

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The group's commands, then the options of the default one."""
        super().format_options(ctx, formatter)
        command: Any = self.get_command(ctx, self.default)
        context = command.make_context(self.default, [], parent=ctx, resilient_parsing=True)
        records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
        with formatter.section(f"Options of `{self.default}`, the default command"):
            formatter.write_dl([record for record in records if record])


class DefaultsToShow(DefaultsToList):
    """``thalamus config`` means ``thalamus config show``."""

    default = "show"


class Group(DefaultsToList):
    """A group of many commands, of which only the one that is called is imported.

    ``places``: name -> MODULE:FUNCTION below ``thalamus.commands``, or operation:NAME of one in the
    table of operations; ``default``: the command to run
    if none is given; ``words``: the command to suggest for words that begin with no command.
    """

    def __init__(
        self, help: str, places: Mapping[str, str], default: str = "list", words: str = ""
    ) -> None:
        super().__init__(help=help, rich_markup_mode=None)
        self._places = places
        self.default = default
        self._words = words

    def advice(self, ctx: Any, args: list[str]) -> str:
        """A suggestion of the command that takes the given words."""
        if not self._words:
            return ""
        import shlex

        several = self._words == "search"  # other commands take one name
        given = shlex.join(args) if several else shlex.quote(" ".join(args))
        return f" Did you mean `{ctx.command_path} {self._words} {given}`?"

    def list_commands(self, ctx: Any) -> list[str]:
        return list(self._places)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in self._places:
            return None
        module, name = self._places[cmd_name].split(":")
        function: Any
        if module == "operation":
            from thalamus.commands.derived import command

            function = command(name)
        else:
            function = getattr(importlib.import_module(f"{__package__}.{module}"), name)
        app = typer.Typer(rich_markup_mode=None, add_completion=False)
        app.command(cmd_name)(function)
        return simplify_help(typer.main.get_command(app))
