"""Acts on one session."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from thalamus.operations import Act
from thalamus.terminal.sessions import session_line


class Rename(Struct, frozen=True):
    """The session and its title."""

    id: Annotated[
        str,
        Meta(title="ID", description="The id of a session, its title, or the beginning of one."),
    ]
    title: Annotated[list[str], Meta(title="TITLE…", description="The title; '' removes it.")]


RENAME = Act(
    Rename,
    lambda t, given: [t.sessions.rename(given.id, " ".join(given.title))],
    lambda found: map(session_line, found),
    ("user",),
)
