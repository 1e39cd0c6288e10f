"""`thalamus session list` and `search`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import MOST, MOST_RESULTS, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say


@settings("user", *STORE)
def list_sessions(
    config: Config,
    limit: Annotated[
        int | None,
        typer.Option("-k", "--limit", min=1, max=MOST, metavar="N", help="Only the last N."),
    ] = None,
    json: Json = False,
) -> None:
    """List the sessions, the newest first.

    Each is shown with the time of its last turn, the number of turns, its title or first message,
    and its id. With --json: `session` records.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.sessions import session_line

    with engine(config) as thalamus:
        found = thalamus.sessions.find(limit)
        if json:
            jsonl.write(*found)
            return
        for session in found:
            say(session_line(session))
        if not found:
            complain("There are no sessions yet.")


@settings("user", *STORE)
def search(
    config: Config,
    words: Annotated[list[str], typer.Argument(metavar="WORDS…", help="The words to search for.")],
    limit: Annotated[
        int,
        typer.Option("-k", "--limit", min=1, max=MOST_RESULTS, metavar="N", help="At most N."),
    ] = 20,
    json: Json = False,
) -> None:
    """Search all sessions by words, best first.

    Messages, answers and titles are searched. With --json: `session_match` records.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.sessions import print_match

    query = " ".join(words)
    with engine(config) as thalamus:
        found = thalamus.sessions.search(query, limit)
        if json:
            jsonl.write(*found)
            return
        for match in found:
            print_match(match, query)
        if not found:
            complain("No sessions match.")
