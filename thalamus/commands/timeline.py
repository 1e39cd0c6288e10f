"""`thalamus timeline`: events in order of time, and the intervals of facts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from thalamus.commands.options import MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.records import TimelineKind
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus

KINDS: tuple[str, ...] = get_args(TimelineKind)

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*OWNER, *STORE)
def timeline(
    config: Config,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Begin at DATE.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="End before DATE.")] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help=f"Only this kind ({', '.join(KINDS)}); repeatable."),
    ] = None,
    topic: Annotated[
        str | None, typer.Option(metavar="TOPIC", help="Only about this topic or concept.")
    ] = None,
    subject: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only facts and entries about NAME.")
    ] = None,
    facts: Annotated[
        bool, typer.Option("--facts", help="Only draw the facts, as bars over time.")
    ] = False,
    predicate: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --facts: only with this predicate.")
    ] = None,
    limit: Annotated[
        int, typer.Option(min=1, max=MOST, metavar="N", help="Show the last N events.")
    ] = 100,
    json: Json = False,
) -> None:
    """Show what happened, in order of time.

    Turns, memories, the beginnings and ends of facts, documents, insights and prunes, under the
    days of your time zone; below them the intervals of the facts, as bars as wide as the terminal
    or COLUMNS. With --json: a `timeline_item` record per line.

    With --facts, only the bars, of all facts including ended ones. With --json: the facts with
    their `beliefs`.
    """
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine, wrong_choice
    from thalamus.errors import UsageError
    from thalamus.memory.timeline import TimelineQuery
    from thalamus.terminal import jsonl
    from thalamus.terminal.events_in_time import lines

    begin, end = read_date(since, "--since"), read_date(until, "--until")
    if begin and end and begin >= end:
        raise UsageError("--until must be later than --since.")
    if facts and (kind or topic):
        raise UsageError("--facts cannot be combined with --kind and --topic.")
    if predicate and not facts:
        raise UsageError("--predicate requires --facts.")
    for name in kind or ():
        if name not in KINDS:
            raise wrong_choice("--kind", name, KINDS)
    kinds: Any = tuple(dict.fromkeys(kind or ()))
    query = TimelineQuery(begin, end, kinds, topic, subject, limit)
    with engine(config) as thalamus:
        if facts:
            _draw_facts(thalamus, subject, predicate, (begin, end), json)
            return
        items = thalamus.memories.timeline(query)
        if json:
            jsonl.write(*items)
            return
        if not items:
            complain("thalamus: no events match")
            return
        for line in lines(items, thalamus.clock.stamp(), *_screen()):
            say(line)
        if len(items) == limit:
            complain(f"thalamus: the last {limit:,} are shown; --limit shows more")


def _draw_facts(
    thalamus: Thalamus,
    subject: str | None,
    predicate: str | None,
    period: tuple[str | None, str | None],
    json: bool,
) -> None:
    """Draws the intervals of facts within a period."""
    from thalamus.commands.facts.list import say_none
    from thalamus.terminal import jsonl
    from thalamus.terminal.timeline import bars, draw

    found = thalamus.facts.timeline(subject, predicate)
    if json:
        jsonl.write(*found)
        return
    if not found:
        say_none(thalamus, None if predicate else subject)
    for line in draw(bars(found), thalamus.clock.stamp(), *period, *_screen()):
        say(line)


def _screen() -> tuple[int, bool]:
    """Width of the terminal, and whether it is limited to ASCII."""
    import os
    import shutil

    utf = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    plain = not (sys.stdout.isatty() and utf) or bool(os.environ.get("NO_COLOR"))
    return shutil.get_terminal_size((80, 24)).columns, plain
