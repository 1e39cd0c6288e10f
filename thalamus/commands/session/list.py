"""`thalamus session list` and `search`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, ListLimit, Since, Until, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.records import SessionMatch

FOUND = 20  # passages


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
    from thalamus.terminal.dates import read_date
    from thalamus.terminal.lists import as_lines, print_list
    from thalamus.terminal.sessions import session_line

    with engine(config) as thalamus:
        begin, end = read_date(since, "--since"), read_date(until, "--until", until=True)
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
    from thalamus.terminal.dates import read_date
    from thalamus.terminal.lists import print_list
    from thalamus.terminal.sessions import print_match

    query = " ".join(words)
    begin, end = read_date(since, "--since"), read_date(until, "--until", until=True)
    with engine(config) as thalamus:

        def read(most: int) -> list[SessionMatch]:
            return thalamus.sessions.search(query, most, since=begin, until=end)

        def show(found: Sequence[SessionMatch]) -> None:
            for match in found:
                print_match(match, query)

        if not print_list(read, show, limit, json=json, usual=FOUND) and not json:
            complain("No sessions match.")
