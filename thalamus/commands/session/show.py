"""`thalamus session show` and `export`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.options import MOST, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.api import Thalamus
    from thalamus.records import Session, Turn

Id = Annotated[
    str,
    typer.Argument(metavar="ID", help="The id of a session, its title, or the beginning of one."),
]


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
