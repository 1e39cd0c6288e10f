"""`thalamus session resume`: a chat that goes on in a past conversation."""

from __future__ import annotations

from thalamus.commands.options import PERSONA, RECALL, STORE, settings
from thalamus.commands.session.show import Id
from thalamus.config import Config


@settings("flow", *RECALL, *PERSONA, *STORE)
def resume(config: Config, id: Id) -> None:
    """Chat on in a session.

    Where there is no terminal to chat at, prints the command that does it.
    """
    import shlex

    from msgspec import structs

    from thalamus.commands.options import engine
    from thalamus.terminal import streams

    with engine(config) as thalamus:
        session = thalamus.session_details(id)
    if not streams.typed():
        streams.say(f"thalamus chat --session {shlex.quote(session.id)}")
        return
    from thalamus.commands.chat import start

    origin = {**config.origin, "session": "flag"}
    start(structs.replace(config, session=session.id, origin=origin))
