"""`thalamus facts`: what is true, what was true, what was believed, and a new statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands import facts_changing, facts_names, facts_timeline
from thalamus.commands.groups import DefaultsToList
from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config

if TYPE_CHECKING:
    from collections.abc import Iterable

    from thalamus.engine import Thalamus
    from thalamus.records import Fact

app = typer.Typer(
    cls=DefaultsToList,
    rich_markup_mode=None,
    add_completion=False,
    help="List facts (`list`, which may be left out), add or change one, or show how they changed.",
)

AsOf = Annotated[str | None, typer.Option("--as-of", help="What held on this date.")]
KnownAt = Annotated[
    str | None, typer.Option("--known-at", help="What the store believed on this date.")
]


@app.command("list")
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
    limit: Annotated[int | None, typer.Option(min=1, help="At most this many.")] = None,
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
            wanted = thalamus.store.predicates().name(predicate)
            facts = [fact for fact in facts if fact.predicate == wanted]
        show(facts[:limit], json)


@app.command()
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
        from thalamus.terminal.plain import belief_lines, day, fact_line

        for fact in facts:
            print(f"{fact_line(fact)}  recorded {day(fact.recorded_at)}")
            for line in belief_lines(fact):
                print(f"  {line}")


def _assert(
    config: Config,
    subject: Annotated[str, typer.Argument(help="Whom or what it is about: user, Ana …")],
    predicate: Annotated[str, typer.Argument(help="lives_in, likes, works_at …")],
    object: Annotated[str, typer.Argument(help="Lisbon, short answers …")],
    begin: Annotated[str | None, typer.Option("--from", help="Since when it holds.")] = None,
    end: Annotated[str | None, typer.Option("--to", help="Until when it held.")] = None,
    quote: Annotated[str | None, typer.Option(help="The words it is taken from.")] = None,
    json: Json = False,
) -> None:
    """Adds a fact. Where a predicate has one value at a time (lives_in, works_at …) the fact that
    held before is ended, and told. With --json: the fact, then one verdict for each fact that
    was ended or was there already."""
    from thalamus.commands.dates import read_date
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.records import Fact

    names = {"SUBJECT": subject, "PREDICATE": predicate, "OBJECT": object}
    for name, value in names.items():
        if not value.strip():
            raise UsageError(f"{name} is empty.")
    fact = Fact(
        subject=subject.strip(),
        predicate=predicate.strip(),
        object=object.strip(),
        valid_from=read_date(begin, "--from"),
        valid_to=read_date(end, "--to"),
        quote=quote or None,
    )
    if fact.valid_from and fact.valid_to and fact.valid_from >= fact.valid_to:
        raise UsageError("--to must be later than --from.")
    with engine(config) as thalamus:
        _tell(fact, thalamus, json)


app.command("assert")(settings("embedder", *OWNER, *STORE)(_assert))
app.command("add", help="The same as `assert`.")(settings("embedder", *OWNER, *STORE)(_assert))
facts_changing.register(app)
facts_names.register(app)
facts_timeline.register(app)


def show(facts: Iterable[Fact], json: bool) -> None:
    """Prints facts as records, or one readable line each."""
    if json:
        from thalamus.terminal import jsonl

        for fact in facts:
            jsonl.write(fact)
        return
    from thalamus.terminal.plain import fact_line

    for fact in facts:
        print(fact_line(fact))


def _tell(fact: Fact, thalamus: Thalamus, json: bool) -> None:
    from thalamus.records import Fact
    from thalamus.stages.store import tell_fact
    from thalamus.terminal import jsonl
    from thalamus.terminal.plain import fact_line

    told, verdicts = tell_fact(fact, thalamus.context)
    kept = thalamus.store.get(told.id or "")
    assert isinstance(kept, Fact)
    verdicts = [verdict for verdict in verdicts if verdict.decision != "add"]
    if json:
        jsonl.write(kept, *verdicts)
        return
    print(fact_line(kept))
    for verdict in verdicts:
        print(f"  {verdict.content}: {verdict.reason}")
