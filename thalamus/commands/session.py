"""`thalamus session`: past conversations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.groups import Group
from thalamus.commands.options import (
    MOST,
    PERSONA,
    RECALL,
    STORE,
    Json,
    ListLimit,
    Since,
    Until,
    search_text,
    settings,
)
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.api import Thalamus
    from thalamus.records import Session, SessionMatch, Turn

group = Group(
    "List, search, show, resume, rename and export past conversations. Without a command: `list`.",
    {
        "list": "session:list_sessions",
        "search": "session:search",
        "show": "session:show",
        "resume": "session:resume",
        "rename": "operation:session rename",
        "export": "session:export",
    },
    words="search",
)
FOUND = 20  # passages
Id = Annotated[
    str,
    typer.Argument(metavar="ID", help="The id of a session, its title, or the beginning of one."),
]
OptionalId = Annotated[
    str | None,
    typer.Argument(metavar="ID", help="The id of a session, its title, or the beginning of one."),
]


@settings("user", *STORE, lists=True)
def list_sessions(
    config: Config,
    since: Since = None,
    until: Until = None,
    limit: ListLimit = None,
    json: Json = False,
) -> None:
    """List the sessions, the newest first.

    Each is shown with the time of its last turn, the number of turns, its title or first message,
    and its id. With --json: `session` records.
    """
    from functools import partial

    from thalamus.commands.options import engine
    from thalamus.terminal.dates import read_period
    from thalamus.terminal.lists import as_lines, print_list
    from thalamus.terminal.sessions import session_line

    with engine(config) as thalamus:
        begin, end = read_period(since, until)
        read = partial(thalamus.sessions.find, since=begin, until=end)
        if not print_list(read, as_lines(session_line), limit, json=json) and not json:
            complain("No sessions match." if begin or end else "There are no sessions yet.")


@settings("user", *STORE, lists=True)
def search(
    config: Config,
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="The words to search for.")],
    since: Since = None,
    until: Until = None,
    limit: ListLimit = None,
    json: Json = False,
) -> None:
    """Search all sessions by words, best first.

    Messages, answers and titles are searched. With --json: `session_match` records. The first
    20 are listed unless --limit is given; with --json, all.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal.dates import read_period
    from thalamus.terminal.lists import print_list
    from thalamus.terminal.sessions import print_match

    query = search_text(words)
    begin, end = read_period(since, until)
    with engine(config) as thalamus:

        def read(most: int) -> list[SessionMatch]:
            return thalamus.sessions.search(query, most, since=begin, until=end)

        def show(found: Sequence[SessionMatch]) -> None:
            for match in found:
                print_match(match, query)

        if not print_list(read, show, limit, json=json, usual=FOUND) and not json:
            complain("No sessions match.")


def _last(thalamus: Thalamus) -> Session:
    from thalamus.commands.last_turn import no_turns

    for session in thalamus.sessions.find(1):
        return session
    raise no_turns()


@settings("user", *STORE)
def show(
    config: Config,
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="The id of a session, its title, or the beginning of one [default: the last].",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", min=0, max=MOST, metavar="N", help="Only the last N turns; 0: all."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show a conversation from its beginning.

    With --json: `turn` records.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal.lists import print_list
    from thalamus.terminal.sessions import heading, print_turn

    with engine(config) as thalamus:
        session = thalamus.sessions.get(id) if id is not None else _last(thalamus)

        def read(most: int) -> list[Turn]:
            return thalamus.sessions.turns(session.id, most)

        def show(turns: Sequence[Turn]) -> None:
            for line in heading(session):
                say(line)
            for turn in turns:
                print_turn(turn)

        print_list(read, show, limit, json=json, last=True)
        _say_hidden(session)


@settings("user", *STORE)
def export(
    config: Config,
    id: Id,
    file: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="The file; - (default) is stdout."),
    ] = "-",
    format: Annotated[
        Literal["markdown", "json"],
        typer.Option("--format", help="markdown for reading, json for turn records."),
    ] = "markdown",
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing file without a message.")
    ] = False,
) -> None:
    """Write a conversation to a file, as Markdown or as `turn` records.

    An existing file is replaced once everything is written.
    """
    from thalamus.commands.options import engine
    from thalamus.records.json_line import to_line
    from thalamus.terminal.files import replacing
    from thalamus.text.visible import visible

    with engine(config) as thalamus:
        session = thalamus.sessions.get(id)
        with replacing(file, force=force) as output:
            if format == "json":
                for turn in thalamus.sessions.turns(session.id):
                    output.write(to_line(turn))
            else:
                for line in thalamus.sessions.export(session.id):
                    output.write(f"{visible(line)}\n".encode())
        _say_hidden(session)


def _say_hidden(session: Session) -> None:
    """Reports how many turns are left out because they cannot be decrypted here."""
    if session.unreadable:
        from thalamus.terminal.lines import counted

        number = counted({"turn": session.unreadable})
        complain(f"{number} left out: they are encrypted, and their key is not here.")


@settings("flow", *RECALL, *PERSONA, *STORE)
def resume(config: Config, id: OptionalId = None) -> None:
    """Continue a session; without an id, choose it from a list.

    Without a terminal, prints the command that does it.
    """
    import shlex

    from msgspec import structs

    from thalamus.commands.chat import chosen_session, start
    from thalamus.commands.options import engine
    from thalamus.terminal import streams

    with engine(config) as thalamus:
        session = chosen_session(thalamus) if id is None else thalamus.sessions.get(id)
    if not streams.typed():
        streams.say(f"thalamus chat --session {shlex.quote(session.id)}")
        return
    origin = {**config.origin, "session": "flag"}
    start(structs.replace(config, session=session.id, origin=origin))
