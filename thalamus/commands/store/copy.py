"""`thalamus store copy`: copies a store to another place, perhaps in another database."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

_PLACE = "A store's folder or file, a backup, or postgresql://USER@HOST/DATABASE."


@settings("home", "tenant")
def copy(
    config: Config,
    source: Annotated[str, typer.Argument(metavar="FROM", help=_PLACE)],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="The same; empty, or with an unfinished copy.")
    ],
    from_tenant: Annotated[
        str, typer.Option(metavar="NAME", help="Tenant to copy from FROM, if not that of TO.")
    ] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Discard an unfinished copy of another store in TO.")
    ] = False,
    json: Json = False,
) -> None:
    """Copy a store to another place: a file or PostgreSQL.

    Copies everything as it is, from one snapshot: history, ledger, signatures, encrypted entries.
    The copy is compared with the source and with its signatures at the end; until then no other
    command uses it. An interrupted copy continues where it stopped. --tenant names the tenant in
    TO; its keys must be those of FROM, and are taken from there if it has none.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted
    from thalamus.terminal.progress import counting

    with engine(config) as thalamus, counting("copied", "rows") as advance:
        report = thalamus.store.copy(
            source, target, source_tenant=from_tenant, force=force, progress=advance
        )
    if report.restarted:
        complain("thalamus: FROM has changed since the copy was begun: it was begun again")
    if json:
        data = {"store": report.store, "counts": report.counts, "resumed": report.resumed}
        jsonl.write(Event(name="copied", at=thalamus.clock.stamp(), data=data))
    else:
        say(f"copied: {counted(report.counts)}")
