"""`thalamus facts add`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thalamus.records import Fact, Verdict


@settings("embedder", *OWNER, *STORE)
def add(
    config: Config,
    subject: Annotated[
        str, typer.Argument(metavar="SUBJECT", help="A person or thing: user, Ana …")
    ],
    predicate: Annotated[
        str, typer.Argument(metavar="PREDICATE", help="lives_in, likes, works_at …")
    ],
    object: Annotated[str, typer.Argument(metavar="OBJECT", help="Lisbon, short answers …")],
    begin: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="True since DATE.")
    ] = None,
    end: Annotated[
        str | None, typer.Option("--to", metavar="DATE", help="True until the end of DATE.")
    ] = None,
    quote: Annotated[
        str | None, typer.Option(metavar="TEXT", help="The text that states it.")
    ] = None,
    personal: Annotated[
        bool, typer.Option("--personal", help="Mark it as personal: it is stored encrypted.")
    ] = False,
    json: Json = False,
) -> None:
    """Add a fact.

    If the predicate has one value at a time (lives_in, works_at …), the previous fact is ended and
    printed. With --json: the fact, then a verdict for each fact that was ended or already existed.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import RecordProblem, UsageError
    from thalamus.records import Fact
    from thalamus.terminal.dates import read_date

    names = {"SUBJECT": subject, "PREDICATE": predicate, "OBJECT": object}
    "".join(names.values()).encode()  # raises for what ``cli`` then names: bytes that are not UTF-8
    for name, value in names.items():
        if not value.strip():
            raise UsageError(f"{name} is empty")
    fact = Fact(
        subject=subject.strip(),
        predicate=predicate.strip(),
        object=object.strip(),
        valid_from=read_date(begin, "--from"),
        valid_to=read_date(end, "--to", end=True),
        quote=quote or None,
        sensitivity="personal" if personal else "normal",
    )
    if fact.valid_from and fact.valid_to and fact.valid_from >= fact.valid_to:
        raise UsageError("--to must be later than --from.")
    with engine(config) as thalamus:
        try:
            kept, verdicts = thalamus.facts.add(fact)
        except RecordProblem as problem:
            raise UsageError(f"{problem.field.upper()} {problem.problem}.") from None
        _print_result(kept, verdicts, json)


def _print_result(kept: Fact, verdicts: Sequence[Verdict], json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import fact_line

    if json:
        jsonl.write(kept, *verdicts)
        return
    say(fact_line(kept))
    for verdict in verdicts:
        say(f"  {verdict.content}: {verdict.reason}")
