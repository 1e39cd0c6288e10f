"""`thalamus facts list` and `history`: what is true, what was true, and what was believed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from thalamus.api import Thalamus
    from thalamus.records import Fact

AsOf = Annotated[str | None, typer.Option("--as-of", help="What held on this date.")]
KnownAt = Annotated[
    str | None, typer.Option("--known-at", help="What the store believed on this date.")
]


@settings(*OWNER, *STORE)
def list_facts(
    config: Config,
    subject: Annotated[str | None, typer.Option(help="Only about this subject.")] = None,
    predicate: Annotated[str | None, typer.Option(help="Only with this predicate.")] = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    history: Annotated[
        bool, typer.Option("--history", help="Also the facts that no longer hold.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, max=MOST, help="At most this many.")] = None,
    json: Json = False,
) -> None:
    """Lists the facts that hold, by subject and predicate. --known-at asks what the store believed
    on a date, about that date or about --as-of."""
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if history and known_at:
        raise UsageError("--known-at and --history do not go together.")
    with engine(config) as thalamus:
        facts = thalamus.facts(
            subject,
            as_of=read_date(as_of, "--as-of"),
            known_at=read_date(known_at, "--known-at"),
            history=history,
        )
        if predicate:
            wanted = thalamus.predicates().name(predicate)
            facts = [fact for fact in facts if fact.predicate == wanted]
        show(facts[:limit], json)
        if not facts and not json:
            say_none(thalamus)


@settings(*OWNER, *STORE)
def history(
    config: Config,
    subject: Annotated[str, typer.Argument(help="Whom or what the facts are about.")],
    as_of: AsOf = None,
    json: Json = False,
) -> None:
    """Shows all facts about a subject, ended and retracted ones too, in the order of the world:
    when each held, when it was recorded, and what was believed of it before."""
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        facts = thalamus.facts(subject, as_of=read_date(as_of, "--as-of"), history=True)
        facts.sort(key=lambda fact: fact.valid_from or fact.created_at or "")
        if json:
            show(facts, json)
            return
        if not facts:
            say_none(thalamus)
        from thalamus.terminal.lines import belief_lines, day, fact_line

        for fact in facts:
            say(f"{fact_line(fact)}  recorded {day(fact.recorded_at)}")
            for line in belief_lines(fact):
                say(f"  {line}")


def say_none(thalamus: Thalamus) -> None:
    """Says, on standard error, that there are no facts, or none that were asked for."""
    complain("No facts match." if thalamus.facts(history=True) else "No facts are known yet.")


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
