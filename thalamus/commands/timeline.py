"""`thalamus timeline`: events in order of time, and the intervals of facts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer
from msgspec import Struct

from thalamus.commands.options import MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.records.timelines import TimelineKind
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.api import Thalamus
    from thalamus.memory.views.timeline import TimelineQuery
    from thalamus.records.timelines import TimelineItem

KINDS: tuple[str, ...] = get_args(TimelineKind)

LISTED = 100  # events

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Options(Struct):
    """Options of `timeline`."""

    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Begin at DATE (2026-05-08, 7d, yesterday).")
    ] = None
    until: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="End before DATE, or at the end of a time in words."),
    ] = None
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help=f"Only this kind ({', '.join(KINDS)}); repeatable."),
    ] = None
    topic: Annotated[
        str | None, typer.Option(metavar="TOPIC", help="Only about this topic or concept.")
    ] = None
    subject: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only facts and entries about NAME.")
    ] = None
    facts: Annotated[
        bool, typer.Option("--facts", help="Only draw the facts, as bars over time.")
    ] = False
    predicate: Annotated[
        str | None, typer.Option(metavar="NAME", help="With --facts: only with this predicate.")
    ] = None
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", min=0, max=MOST, metavar="N", help="Show the last N; 0: all."
        ),
    ] = None

    def query(self) -> TimelineQuery:
        """The events to list. Raises ``UsageError`` for options that cannot be combined."""
        from thalamus.commands.options import wrong_choice
        from thalamus.errors import UsageError
        from thalamus.memory.views.timeline import TimelineQuery
        from thalamus.terminal.dates import read_period

        begin, end = read_period(self.since, self.until)
        if self.facts and (self.kind or self.topic or self.limit is not None):
            raise UsageError("--facts cannot be combined with --kind, --topic and --limit.")
        if self.predicate and not self.facts:
            raise UsageError("--predicate requires --facts.")
        for name in self.kind or ():
            if name not in KINDS:
                raise wrong_choice("--kind", name, KINDS)
        kinds: Any = tuple(dict.fromkeys(self.kind or ()))
        return TimelineQuery(begin, end, kinds, self.topic, self.subject)


@app.command()
@settings(*OWNER, *STORE, lists=True)
def timeline(config: Config, given: Options = Options(), json: Json = False) -> None:
    """Show what happened, in order of time.

    Turns, memories, the beginnings and ends of facts, documents, insights and prunes, under the
    days of your time zone; below them the intervals of the facts, as bars as wide as the terminal
    or COLUMNS. With --json: a `timeline_item` record per line.

    The last 100 events are shown unless --limit is given; with --json, all.

    With --facts, only the bars, of all facts including ended ones. With --json: the facts with
    their `beliefs`.
    """
    from thalamus.commands.options import engine

    query = given.query()
    with engine(config) as thalamus:
        if given.facts:
            _draw_facts(thalamus, query, given.predicate, json)
        else:
            _list_events(thalamus, query, given.limit, json)


def _list_events(thalamus: Thalamus, query: TimelineQuery, limit: int | None, json: bool) -> None:
    """Lists events under their days."""
    from msgspec import structs

    from thalamus.terminal.lists import print_list
    from thalamus.terminal.timeline import event_lines

    def read(most: int) -> list[TimelineItem]:
        return thalamus.memories.timeline(structs.replace(query, limit=most))

    def show(items: Sequence[TimelineItem]) -> None:
        for line in event_lines(items, thalamus.clock.stamp(), *_screen()):
            say(line)

    shown = print_list(read, show, limit, json=json, usual=LISTED, last=True)
    if not shown and not json:
        complain("thalamus: no events match")


def _draw_facts(
    thalamus: Thalamus, query: TimelineQuery, predicate: str | None, json: bool
) -> None:
    """Draws the intervals of facts within the period of the query."""
    from thalamus.commands.facts import say_none
    from thalamus.terminal import jsonl
    from thalamus.terminal.timeline import bars, draw, within

    period = query.since, query.until
    found = within(thalamus.facts.timeline(query.subject, predicate), *period)
    if json:
        jsonl.write(*found)
        return
    if not found:
        say_none(thalamus, None if predicate else query.subject)
    for line in draw(bars(found), thalamus.clock.stamp(), *period, *_screen()):
        say(line)


def _screen() -> tuple[int, bool]:
    """Width of the terminal, and whether it is limited to ASCII."""
    import os
    import shutil

    utf = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    plain = not (sys.stdout.isatty() and utf) or bool(os.environ.get("NO_COLOR"))
    return shutil.get_terminal_size((80, 24)).columns, plain
