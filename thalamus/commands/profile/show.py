"""`thalamus profile show`."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say, width


@settings(*OWNER, *STORE)
def show(
    config: Config,
    why: Annotated[
        bool, typer.Option("--why", help="Show below each line where it came from.")
    ] = False,
    json: Json = False,
) -> None:
    """Show who the user is, as every prompt says it.

    Prints a line for each known thing, the most important first, with the ids of its sources;
    `thalamus why ID` explains each. With --json: a `profile` record; with --why, an `origin` record
    for each id after it.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.explain import tree
    from thalamus.terminal.profile import profile_lines
    from thalamus.terminal.tree import lines

    with engine(config) as thalamus:
        profile = thalamus.facts.profile()
        ids = [id for line in profile.lines for id in line.ids]
        if json:
            jsonl.write(profile, *map(thalamus.why, ids if why else ()))
            return
        if not profile.lines:
            complain("Nothing is known about the user yet.")
            return
        if not why:
            for text in profile_lines(profile):
                say(text)
            return
        room = max(0, (width() or 0) - 2) or None
        for line in profile.lines:
            say(line.text)
            for id in line.ids:
                for text in lines(tree(thalamus.why(id)), room):
                    say(f"  {text}")
