"""`thalamus facts list` and `history`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import (
    OWNER,
    STORE,
    Json,
    ListLimit,
    Redacted,
    Since,
    Until,
    settings,
)
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from thalamus.api import Thalamus
    from thalamus.records import Fact

AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar="DATE", help="Facts that were true on DATE.")
]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", metavar="DATE", help="Facts that the store believed on DATE."),
]


@settings(*OWNER, *STORE, lists=True)
def list_facts(
    config: Config,
    subject: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only about this subject.")
    ] = None,
    predicate: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only with this predicate.")
    ] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    history: Annotated[bool, typer.Option("--history", help="Include ended facts.")] = False,
    since: Since = None,
    until: Until = None,
    limit: ListLimit = None,
    redacted: Redacted = False,
    json: Json = False,
) -> None:
    """List the current facts, by subject and predicate.

    --known-at shows what the store believed on a date, about that date or about --as-of.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal.dates import read_date
    from thalamus.terminal.lines import fact_line
    from thalamus.terminal.lists import as_lines, print_list

    if history and known_at:
        raise UsageError("--known-at and --history cannot be combined.")
    with engine(config) as thalamus:
        facts = thalamus.facts.find(
            None if redacted else subject,
            predicate=predicate,
            as_of=read_date(as_of, "--as-of"),
            known_at=read_date(known_at, "--known-at"),
            history=history,
            since=read_date(since, "--since"),
            until=read_date(until, "--until", until=True),
        )
        facts = _redacted(facts, thalamus, subject) if redacted else facts
        print_list(lambda most: facts[:most], as_lines(fact_line), limit, json=json)
        if not facts and not json:
            _say_none_shown() if redacted else say_none(thalamus)


@settings(*OWNER, *STORE, lists=True)
def history(
    config: Config,
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="The subject of the facts.")],
    as_of: AsOf = None,
    redacted: Redacted = False,
    json: Json = False,
) -> None:
    """Show all facts about a subject, in order of time.

    Includes ended and retracted facts: the time when each was true, the time when it was recorded,
    and below it what the store believed about it earlier.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal.dates import read_date

    with engine(config) as thalamus:
        asked = None if redacted else subject
        facts = thalamus.facts.find(asked, as_of=read_date(as_of, "--as-of"), history=True)
        facts = _redacted(facts, thalamus, subject) if redacted else facts
        facts.sort(key=lambda fact: fact.valid_from or fact.created_at or "")
        if json:
            show(facts, json)
            return
        if not facts:
            _say_none_shown() if redacted else say_none(thalamus, None if as_of else subject)
        from thalamus.terminal.lines import belief_lines, fact_line
        from thalamus.terminal.local import day

        for fact in facts:
            say(f"{fact_line(fact)}  recorded {day(fact.recorded_at)}")
            for line in belief_lines(fact):
                say(f"  {line}")


def _redacted(facts: list[Fact], thalamus: Thalamus, subject: str | None) -> list[Fact]:
    """The facts that a redacted view shows, about a ``subject`` if one is asked for."""
    from thalamus.memory.redaction import RedactedView

    return RedactedView(thalamus.engine).facts(facts, subject)


def _say_none_shown() -> None:
    """Prints on standard error that no fact is shown: not whether there are others."""
    complain("The redacted view shows no such facts.")


def say_none(thalamus: Thalamus, subject: str | None = None) -> None:
    """Prints on standard error that there are no facts: none about ``subject``, none that match, or
    none at all."""
    from thalamus.terminal.lines import quoted

    if not thalamus.facts.find(history=True):
        complain("There are no facts yet. `thalamus memory` lists what is kept as sentences.")
    elif subject is not None:
        about = quoted(subject)
        complain(f"There are no facts about {about}. `thalamus facts entities` lists the subjects.")
    else:
        complain("No facts match.")


def show(facts: Iterable[Fact], json: bool) -> None:
    """Prints facts as records, or one readable line each."""
    if json:
        from thalamus.terminal import jsonl

        for fact in facts:
            jsonl.write(fact)
        return
    from thalamus.terminal.lines import fact_line

    for fact in facts:
        say(fact_line(fact))
