"""`thalamus store join`: joins two names of one user, agent, session or project."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from thalamus.commands.options import OWNER, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say


@settings("home", "tenant", *OWNER)
def join(
    config: Config,
    kind: Annotated[
        Literal["user", "agent", "session", "project"],
        typer.Argument(metavar="KIND", help="user, agent, session or project."),
    ],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name that is given up.")],
    into: Annotated[
        str, typer.Argument(metavar="[INTO]", help="The name that stays; without it, NAME itself.")
    ] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be joined, without doing it.")
    ] = False,
    json: Json = False,
) -> None:
    """Join two names of a user, agent, session or project.

    Everything stored under NAME is from then on stored under INTO. Without INTO, what an older
    version stored under another Unicode form of NAME is joined with the rest. This cannot be
    undone: make a backup first if the names may belong to two people.

    Two tenants are joined with `export` and `import`.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted

    with engine(config) as thalamus:
        joined = thalamus.store.join(kind, name, into or None, dry_run=dry_run)
    if json:
        data = {"kind": joined.kind, "name": joined.name, "counts": joined.counts}
        event = "to_join" if dry_run else "names_joined"
        jsonl.write(Event(name=event, at=thalamus.clock.stamp(), data=data))
    elif joined.counts:
        begin = "would be joined" if dry_run else "joined"
        say(f"{begin} under {joined.name}: {counted(joined.counts)}")
    else:
        say(f"There is nothing to join: {joined.name} is stored in one form only.")
