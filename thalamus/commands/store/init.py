"""`thalamus store init`: creates or migrates the tables in a PostgreSQL database."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from thalamus.commands.options import Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say


@settings("home")
def init(
    config: Config,
    url: Annotated[str, typer.Argument(metavar="URL", help="The database, for its owner.")],
    grant: Annotated[
        str | None,
        typer.Option(
            "--grant", metavar="ROLE", help="Let this role use the tables; create it if missing."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Create the tables in a PostgreSQL database, or migrate them.

    All tenants share them, so this is done once for a database, by its owner, and again after an
    upgrade of Thalamus. Indexes, views and row level security are restored if they were dropped or
    switched off. Stores are used by another role, which may only read and write rows: `--grant
    ROLE` gives it what it needs, and creates the role if it is missing.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        tables = thalamus.store.initialize(url, grant)
        if json:
            data: dict[str, Any] = {"place": tables.place, "version": tables.version}
            data |= {"before": tables.former, "repaired": tables.repaired}
            role = {} if grant is None else {"role": grant, "role_made": tables.role_made}
            jsonl.write(Event(name="tables_made", at=thalamus.clock.stamp(), data=data | role))
            return
    state = {"": "made", tables.version: "are up to date"}.get(tables.former, "migrated")
    say(f"{tables.place}: tables {state}, version {tables.version}")
    for part in tables.repaired:
        say(f"repaired: {part}")
    if grant is not None:
        say(f"{grant} {'was made, and ' if tables.role_made else ''}may use them")
