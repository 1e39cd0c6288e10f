"""`thalamus session resume`: continues a past conversation."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import PERSONA, RECALL, STORE, settings
from thalamus.config import Config

OptionalId = Annotated[
    str | None,
    typer.Argument(metavar="ID", help="The id of a session, its title, or the beginning of one."),
]


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
