"""The commands inside a chat, each a line that begins with a slash: their table and their help."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from importlib import import_module
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from thalamus.errors import UsageError
from thalamus.operations import OPERATIONS, Operation
from thalamus.terminal.slash.advice import in_chat
from thalamus.terminal.slash.chat import Leave as Leave
from thalamus.terminal.streams import say as print  # all output is for people

if TYPE_CHECKING:
    from thalamus.terminal.slash.chat import Chat

WIDE = 78  # columns of a help in two columns
_USAGE = 16  # columns of a usage
_CELL = 40  # columns of a usage with its effect
KEYS = (
    'Enter sends; Alt-Enter or """ is a new line; Tab completes; Ctrl-R finds;',
    "Ctrl-C stops an answer; !COMMAND runs in the shell. /help NAME says more.",
)


class Usage(NamedTuple):
    """Arguments of a command, and their effect in a few words and in a sentence."""

    args: str
    short: str
    effect: str


class SlashCommand(Struct, frozen=True):
    """One command.

    ``run``: MODULE:NAME in ``terminal.slash``, or operation:NAME of one in the table of operations;
    ``needs_store``: it shows nothing without a store; ``waits``: it concerns entries being stored,
    and waits for them; ``completes``: the possible arguments, for completion.
    """

    name: str
    usages: tuple[Usage, ...]
    run: str
    needs_store: bool = False
    waits: bool = False
    completes: str = ""


def _derived(group: str) -> Iterator[SlashCommand]:
    """The commands of a group of the table of operations that are slash commands too."""
    for operation in OPERATIONS.values():
        of, name = operation.name.split()
        if operation.chat and of == group:
            effect = operation.help[0].lower() + operation.help[1:].rstrip(".")
            yield SlashCommand(
                name,
                (Usage("ID", operation.chat, effect),),
                f"operation:{operation.name}",
                needs_store=True,
                waits=True,
                completes=operation.completes,
            )


GROUPS: dict[str, tuple[SlashCommand, ...]] = {
    "Answers": (
        SlashCommand(
            "why",
            (
                Usage(
                    "[ID|WORDS]",
                    "why it said that",
                    "show where the last answer, what has this id, or what was said or kept "
                    "with WORDS came from",
                ),
            ),
            "turns:why",
            needs_store=True,
            waits=True,
            completes="ids",
        ),
        SlashCommand(
            "retry",
            (
                Usage(
                    "",
                    "answer again",
                    "undo the last turn, with everything it stored, and send its message again",
                ),
            ),
            "turns:retry",
        ),
        SlashCommand(
            "undo",
            (
                Usage(
                    "[ID]",
                    "undo the last",
                    "undo the last change by hand or the last turn, whichever came later, or "
                    "the one with this id; a turn with what it stored and changed",
                ),
            ),
            "turns:undo",
            needs_store=True,
            completes="turns",
        ),
        SlashCommand(
            "compose",
            (
                Usage(
                    "[TEXT]",
                    "write in $EDITOR",
                    "write the message in $VISUAL or $EDITOR, and send it",
                ),
            ),
            "turns:compose",
        ),
        SlashCommand(
            "copy",
            (
                Usage(
                    "",
                    "copy the answer",
                    "copy the last answer to the clipboard, through the terminal",
                ),
            ),
            "turns:copy",
        ),
        SlashCommand(
            "plan",
            (Usage("", "what is recalled next", "show what the next turn will recall"),),
            "turns:plan",
            needs_store=True,
            waits=True,
        ),
        SlashCommand(
            "trace",
            (
                Usage(
                    "[ID]",
                    "what each stage did",
                    "show what each stage of the last turn did, or of the one with this id",
                ),
            ),
            "turns:trace",
            needs_store=True,
            waits=True,
            completes="turns",
        ),
        SlashCommand(
            "debug",
            (
                Usage(
                    "",
                    "show what turns do",
                    "toggle printing what each turn plans, recalls and stores",
                ),
            ),
            "turns:debug",
        ),
    ),
    "Memory": (
        SlashCommand(
            "memory",
            (
                Usage("[WORDS]", "list, or search", "list memories, or search them for WORDS"),
                Usage(
                    "on|off",
                    "off: a private chat",
                    "remember again, or recall and store nothing from here on",
                ),
            ),
            "memories:memory",
            waits=True,
        ),
        SlashCommand(
            "facts",
            (
                Usage(
                    "[SUBJECT]", "current facts", "list the current facts, or those about SUBJECT"
                ),
            ),
            "memories:facts",
            needs_store=True,
            waits=True,
            completes="subjects",
        ),
        SlashCommand(
            "insights",
            (
                Usage(
                    "[WORDS]",
                    "conclusions",
                    "list what was concluded from what you said, or search it for WORDS",
                ),
            ),
            "memories:insights",
            needs_store=True,
            waits=True,
        ),
        SlashCommand(
            "consolidate",
            (Usage("", "merge insights", "merge insights that are about the same"),),
            "memories:consolidate",
            needs_store=True,
            waits=True,
        ),
        SlashCommand(
            "world",
            (
                Usage(
                    "", "project and topics", "show what you are busy with: project, topics, goals"
                ),
            ),
            "memories:world",
            needs_store=True,
            waits=True,
        ),
        SlashCommand(
            "edit",
            (
                Usage(
                    "ID TEXT",
                    "change a memory",
                    "change what a memory says: /edit mem_… The user likes tea.",
                ),
            ),
            "memories:edit",
            needs_store=True,
            waits=True,
            completes="memories",
        ),
        SlashCommand(
            "correct",
            (
                Usage(
                    "ID VALUE",
                    "correct a fact",
                    "say what is right where a fact is wrong: /correct fact_… Porto",
                ),
            ),
            "memories:correct",
            needs_store=True,
            waits=True,
            completes="facts",
        ),
        *_derived("memory"),
        SlashCommand(
            "forget",
            (
                Usage(
                    "[ID]",
                    "delete for good",
                    "delete the last turn, or an id, with everything derived from it",
                ),
                Usage("about X", "all about X", "delete what was said about X"),
            ),
            "memories:forget",
            needs_store=True,
            waits=True,
            completes="ids",
        ),
        SlashCommand(
            "ingest",
            (Usage("FILE", "read a document", "read a document or a web page into memory"),),
            "memories:ingest",
            waits=True,
            completes="files",
        ),
    ),
    "Sessions": (
        SlashCommand(
            "resume",
            (
                Usage(
                    "[NAME]",
                    "continue another",
                    "choose a past session from a list, or continue one: its number, id or title",
                ),
            ),
            "sessions:resume",
            needs_store=True,
            completes="sessions",
        ),
        SlashCommand(
            "rename",
            (
                Usage(
                    "TITLE",
                    "name this one",
                    "give this session a title, by which it is listed and found; '' removes it",
                ),
            ),
            "sessions:rename",
            needs_store=True,
            completes="titles",
        ),
        SlashCommand(
            "new",
            (Usage("", "begin a new one", "begin a new session; memories are kept"),),
            "sessions:new",
        ),
        SlashCommand(
            "search",
            (Usage("WORDS", "search them all", "search all past conversations for WORDS"),),
            "sessions:search",
            needs_store=True,
        ),
        SlashCommand(
            "export",
            (
                Usage(
                    "[FILE]",
                    "as Markdown",
                    "show this conversation as Markdown, or write it to FILE",
                ),
            ),
            "sessions:export",
            needs_store=True,
            completes="files",
        ),
    ),
    "Settings": (
        SlashCommand(
            "profile",
            (Usage("", "who you are", "show who you are, as every prompt says it"),),
            "memories:profile",
            needs_store=True,
            waits=True,
        ),
        SlashCommand(
            "model",
            (
                Usage(
                    "[NAME]", "show or change", "show the models, or change the model of this chat"
                ),
            ),
            "settings:model",
            waits=True,
            completes="models",
        ),
        SlashCommand(
            "persona",
            (
                Usage(
                    "[NAME]",
                    "show or change",
                    "show the personas, or change that of this chat (none: without)",
                ),
            ),
            "settings:persona",
            completes="personas",
        ),
        SlashCommand(
            "flow",
            (
                Usage(
                    "[NAME]", "show or change", "show how turns are run, or change it for this chat"
                ),
            ),
            "settings:flow",
            completes="flows",
        ),
        SlashCommand(
            "tools",
            (Usage("", "list tools", "list the tools that the model may use"),),
            "settings:tools",
        ),
        SlashCommand(
            "help",
            (Usage("[NAME]", "this, or about one", "show all commands, or what one does"),),
            "help",
            completes="commands",
        ),
        SlashCommand(
            "quit",
            (Usage("", "leave", "leave (or Ctrl-D)"),),
            "turns:quit",
        ),
    ),
}
COMMANDS = {command.name: command for group in GROUPS.values() for command in group}
# usage -> effect
HELP = {
    f"{command.name} {usage.args}".strip(): usage.effect
    for command in COMMANDS.values()
    for usage in command.usages
}


class SlashCommands:
    """Runs slash commands for a chat and prints their output."""

    def __init__(self, chat: Chat) -> None:
        self._chat = chat

    def run(self, line: str) -> None:
        """Runs ``/name rest``. Raises ``Leave``, or an error that the chat prints."""
        name, _, rest = line[1:].strip().partition(" ")
        if name == "help":
            for shown in help_lines(rest.strip().removeprefix("/")):
                print(shown)
            return
        command = find(name)
        if command.needs_store and self._chat.thalamus.open_store(False) is None:
            print("There are no memories yet.")
            return
        module, function = command.run.split(":")
        if module == "operation":
            self._operate(OPERATIONS[function], rest.split())
            return
        run = getattr(import_module(f"thalamus.terminal.slash.{module}"), function)
        run(self._chat, rest.strip())

    def _operate(self, operation: Operation, words: list[str]) -> None:
        """Runs an operation whose arguments are words."""
        act = operation.load()
        names = act.takes.__struct_fields__
        if len(words) != len(names):
            name = operation.name.split()[-1]
            wanted = " ".join(name.upper() for name in names)
            raise UsageError(f"/{name} takes {wanted}.", fix=f"`/help {name}` says more.")
        given = act.takes(**dict(zip(names, words, strict=True)))
        found = act.run(self._chat.thalamus, given)
        for line in act.lines(found):
            print(line)
        if hint := act.hint(found):
            print(in_chat(hint))


def find(name: str) -> SlashCommand:
    """The command with this name. Raises ``UsageError``."""
    if name in COMMANDS:
        return COMMANDS[name]
    similar = difflib.get_close_matches(name, COMMANDS, n=1)
    hint = f"Did you mean /{similar[0]}?" if similar else "/help lists the commands."
    raise UsageError(
        f"Unknown command /{name}.", fix=f"{hint} (To start a message with /, type //.)"
    )


def help_lines(name: str, columns: int | None = None) -> Iterator[str]:
    """The lines of help for one command, or for all of them, in two columns if they fit. Raises
    ``UsageError`` for an unknown command."""
    if name:
        for usage in find(name).usages:
            yield f"/{f'{name} {usage.args}'.strip():17} {usage.effect}"
        return
    if columns is None:
        import shutil

        columns = shutil.get_terminal_size().columns
    parts = {group: list(_table(group)) for group in GROUPS}
    if columns < WIDE:
        for part in parts.values():
            yield from part
    else:
        left = [*parts["Answers"], *parts["Settings"]]
        right = [*parts["Memory"], *parts["Sessions"]]
        for one, other in zip_longest(left, right, fillvalue=""):
            yield f"{one:{_CELL}}{other}".rstrip()
    yield from KEYS


def _table(group: str) -> Iterator[str]:
    yield group
    for command in GROUPS[group]:
        for usage in command.usages:
            yield f" /{f'{command.name} {usage.args}'.strip():{_USAGE}} {usage.short}"
