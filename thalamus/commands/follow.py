"""Live events of a running chat in another terminal, for `thalamus trace --follow`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thalamus.config import Config
    from thalamus.serving.watching import Seen
    from thalamus.terminal.live_view import LiveView


def follow(config: Config, session: str | None, since_start: bool, json: bool) -> None:
    """Shows what running chats do until Ctrl-C; with ``session``, only those whose session begins
    with it."""
    from thalamus.errors import Interrupted
    from thalamus.serving.watching import Watch
    from thalamus.terminal.live_view import LiveView
    from thalamus.terminal.streams import complain

    view = None if json else LiveView()
    try:
        with Watch(config, since_start=since_start) as found:
            for seen in found:
                if seen.what != "event":
                    _say(seen, view)
                elif session is None or (seen.event and _is_of(seen.event.session, session)):
                    _show(seen, view)
    except KeyboardInterrupt:  # the normal way to end it
        complain("Stopped following.")
        sys.exit(Interrupted.code)


def _is_of(name: str | None, wanted: str) -> bool:
    """True for an event of the session that is followed."""
    return name is not None and name.startswith(wanted)


def _show(seen: Seen, view: LiveView | None) -> None:
    from thalamus.terminal import jsonl

    assert seen.event is not None
    if view is None:
        jsonl.write(seen.event)
    else:
        view.show(seen.event)


def _say(seen: Seen, view: LiveView | None) -> None:
    """Prints on standard error which chats are running."""
    from thalamus.terminal.streams import complain

    message = {
        "none": "Waiting for a chat … Ctrl-C ends.",
        "found": f"Following the chat of process {seen.pid}.",
        "ended": f"The chat of process {seen.pid} ended.",
    }[seen.what]
    if view is None:
        complain(message)
    else:
        view.say(message)
