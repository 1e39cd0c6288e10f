"""`thalamus session rename`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.commands.session.show import Id
from thalamus.config import Config
from thalamus.terminal.streams import say


@settings("user", *STORE)
def rename(
    config: Config,
    id: Id,
    title: Annotated[list[str], typer.Argument(metavar="TITLE…", help="The title; '' removes it.")],
    json: Json = False,
) -> None:
    """Give a session a title, by which it is listed and found.

    The id does not change. With --json: the `session` record.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.sessions import session_line

    with engine(config) as thalamus:
        session = thalamus.sessions.rename(id, " ".join(title))
        if json:
            jsonl.write(session)
        else:
            say(session_line(session))
