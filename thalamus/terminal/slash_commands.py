"""The commands inside a chat, each a line that begins with a slash: their table and their help."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import zip_longest
from typing import TYPE_CHECKING

from thalamus.errors import UsageError
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


@dataclass(frozen=True)
class SlashCommand:
    """One command.

    ``usages``: arguments, their effect in a few words, and in a sentence; ``run``: MODULE:NAME in
    ``terminal.slash``; ``needs_store``: it shows nothing without a store; ``waits``: it concerns
    entries being stored, and waits for them; ``completes``: the possible arguments, for completion.
    """

    name: str
    group: str
    usages: tuple[tuple[str, str, str], ...]
    run: str
    needs_store: bool = False
    waits: bool = False
    completes: str = ""


def _one(
    name: str,
    group: str,
    args: str,
    short: str,
    what: str,
    run: str,
    *,
    needs_store: bool = False,
    waits: bool = False,
    completes: str = "",
) -> SlashCommand:
    """A command with one usage."""
    return SlashCommand(name, group, ((args, short, what),), run, needs_store, waits, completes)


COMMANDS: dict[str, SlashCommand] = {
    command.name: command
    for command in (
        _one(
            "why",
            "Answers",
            "[ID|WORDS]",
            "why it said that",
            "show where the last answer, an id, the answer to WORDS that you said, or the newest"
            " with WORDS came from, down to what was said",
            "turns:why",
            needs_store=True,
            waits=True,
            completes="ids",
        ),
        _one(
            "retry",
            "Answers",
            "",
            "answer again",
            "undo the last turn, with everything it stored, and send its message again",
            "turns:retry",
        ),
        _one(
            "undo",
            "Answers",
            "[ID]",
            "undo the last",
            "undo the last change by hand or, if a turn came after it, that turn; or the turn or"
            " change with this id. With a turn, what it stored is deleted and what it had ended or"
            " replaced is restored",
            "turns:undo",
            needs_store=True,
            completes="turns",
        ),
        _one(
            "edit",
            "Answers",
            "[TEXT]",
            "write in $EDITOR",
            "write the message in $VISUAL or $EDITOR, and send it",
            "turns:edit",
        ),
        _one(
            "copy",
            "Answers",
            "",
            "copy the answer",
            "copy the last answer to the clipboard, through the terminal",
            "turns:copy",
        ),
        _one(
            "plan",
            "Answers",
            "",
            "what is recalled next",
            "show what the next turn will recall",
            "turns:plan",
            needs_store=True,
            waits=True,
        ),
        _one(
            "trace",
            "Answers",
            "[ID]",
            "what each stage did",
            "show what each stage of the last turn did, or of the one with this id",
            "turns:trace",
            needs_store=True,
            waits=True,
            completes="turns",
        ),
        _one(
            "debug",
            "Answers",
            "",
            "show what turns do",
            "toggle printing what each turn plans, recalls and stores",
            "turns:debug",
        ),
        SlashCommand(
            "memory",
            "Memory",
            (
                ("[WORDS]", "list, or search", "list memories, or search them for WORDS"),
                (
                    "on|off",
                    "off: a private chat",
                    "remember again, or recall and store nothing from here on",
                ),
            ),
            "memories:memory",
            waits=True,
        ),
        _one(
            "facts",
            "Memory",
            "[SUBJECT]",
            "current facts",
            "list the current facts, or those about SUBJECT",
            "memories:facts",
            needs_store=True,
            waits=True,
            completes="subjects",
        ),
        _one(
            "profile",
            "Memory",
            "",
            "who you are",
            "show who you are, as every prompt says it",
            "memories:profile",
            needs_store=True,
            waits=True,
        ),
        _one(
            "insights",
            "Memory",
            "[WORDS]",
            "conclusions",
            "list what was concluded from what you said, or search it for WORDS",
            "memories:insights",
            needs_store=True,
            waits=True,
        ),
        _one(
            "reflect",
            "Memory",
            "",
            "merge insights",
            "merge insights that are about the same (!reflect does too)",
            "memories:reflect",
            needs_store=True,
            waits=True,
        ),
        _one(
            "world",
            "Memory",
            "",
            "project and topics",
            "show what you are busy with: project, topics, goals",
            "memories:world",
            needs_store=True,
            waits=True,
        ),
        _one(
            "correct",
            "Memory",
            "ID TEXT",
            "correct an entry",
            "change what a fact or a memory says: /correct fact_… Porto",
            "memories:correct",
            needs_store=True,
            waits=True,
            completes="statements",
        ),
        _one(
            "pin",
            "Memory",
            "ID [off]",
            "never prune it",
            "pin a memory, so that it is never pruned; off: no longer",
            "memories:pin",
            needs_store=True,
            waits=True,
            completes="memories",
        ),
        SlashCommand(
            "forget",
            "Memory",
            (
                (
                    "[ID]",
                    "delete for good",
                    "delete the last turn, or an id, with everything derived from it",
                ),
                ("about X", "all about X", "delete what was said about X"),
            ),
            "memories:forget",
            needs_store=True,
            waits=True,
            completes="ids",
        ),
        _one(
            "import",
            "Memory",
            "FILE",
            "read a document",
            "read a document into memory",
            "memories:import_",
            waits=True,
            completes="files",
        ),
        _one(
            "session",
            "Sessions",
            "[NAME]",
            "choose or continue",
            "choose a past session from a list, or continue one: its number, id or title",
            "sessions:session",
            needs_store=True,
            completes="sessions",
        ),
        _one(
            "rename",
            "Sessions",
            "TITLE",
            "name this one",
            "give this session a title, by which it is listed and found; '' takes it away",
            "sessions:rename",
            needs_store=True,
            completes="titles",
        ),
        _one(
            "reset",
            "Sessions",
            "",
            "begin a new one",
            "start a new session; memories are kept",
            "sessions:reset",
        ),
        _one(
            "search",
            "Sessions",
            "WORDS",
            "search them all",
            "search all past conversations for WORDS",
            "sessions:search",
            needs_store=True,
        ),
        _one(
            "export",
            "Sessions",
            "[FILE]",
            "this one as Markdown",
            "show this conversation as Markdown, or write it to FILE",
            "sessions:export",
            needs_store=True,
            completes="files",
        ),
        _one(
            "model",
            "Settings",
            "[NAME]",
            "show or change",
            "show the models, or change the model of this chat",
            "settings:model",
            waits=True,
            completes="models",
        ),
        _one(
            "persona",
            "Settings",
            "[NAME]",
            "show or change",
            "show the personas, or change that of this chat (none: without)",
            "settings:persona",
            completes="personas",
        ),
        _one(
            "flow",
            "Settings",
            "[NAME]",
            "show or change",
            "show how turns are run, or change it for this chat",
            "settings:flow",
            completes="flows",
        ),
        _one(
            "tools",
            "Settings",
            "",
            "list tools",
            "list the tools that the model may use",
            "settings:tools",
        ),
        _one(
            "help",
            "Settings",
            "[NAME]",
            "this, or about one",
            "show all commands, or what one does",
            "help",
            completes="commands",
        ),
        _one("quit", "Settings", "", "leave", "leave (or Ctrl-D)", "turns:quit"),
    )
}
# usage -> effect
HELP = {
    f"{command.name} {args}".strip(): what
    for command in COMMANDS.values()
    for args, _, what in command.usages
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
        run = getattr(import_module(f"thalamus.terminal.slash.{module}"), function)
        run(self._chat, rest.strip())


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
        command = find(name)
        for args, _, what in command.usages:
            yield f"/{f'{name} {args}'.strip():17} {what}"
        return
    if columns is None:
        import shutil

        columns = shutil.get_terminal_size().columns
    groups = dict.fromkeys(command.group for command in COMMANDS.values())
    parts = {group: list(_table(group)) for group in groups}
    left = [*parts["Answers"], *parts["Sessions"]]
    right = [*parts["Memory"], *parts["Settings"]]
    if columns < WIDE:
        yield from [*left, *right]
    else:
        for one, other in zip_longest(left, right, fillvalue=""):
            yield f"{one:{_CELL}}{other}".rstrip()
    yield from KEYS


def _table(group: str) -> Iterator[str]:
    yield group
    for command in COMMANDS.values():
        for args, short, _ in command.usages if command.group == group else ():
            yield f" /{f'{command.name} {args}'.strip():{_USAGE}} {short}"
