"""`thalamus facts`: what is known, what was known, and a new statement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

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
    help="List facts (`list`, which may be left out), add one, or show how they changed.",
)

AsOf = Annotated[str | None, typer.Option("--as-of", help="What held on this date.")]


@app.command("list")
@settings(*OWNER, *STORE)
def list_facts(
    config: Config,
    subject: Annotated[str | None, typer.Option(help="Only about this subject.")] = None,
    predicate: Annotated[str | None, typer.Option(help="Only with this predicate.")] = None,
    as_of: AsOf = None,
    history: Annotated[
        bool, typer.Option("--history", help="Also the facts that no longer hold.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="At most this many.")] = None,
    json: Json = False,
) -> None:
    """Lists the facts that hold, by subject and predicate."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        facts = thalamus.facts(subject, as_of=_moment(as_of), history=history)
        if predicate:
            from thalamus.policy.revise import predicate_name

            wanted = predicate_name(predicate)
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
    """Shows all facts about a subject, ended ones too, in the order of the world: when each held,
    and when it was recorded."""
    from thalamus.commands.options import engine
    from thalamus.policy.revise import starts, subject_name

    with engine(config) as thalamus:
        facts = thalamus.facts(subject_name(subject), as_of=_moment(as_of), history=True)
        show(sorted(facts, key=starts), json, recorded=True)


@app.command()
@settings("embedder", *OWNER, *STORE)
def add(
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
        _add(fact, thalamus, json)


def show(facts: Iterable[Fact], json: bool, recorded: bool = False) -> None:
    """Prints facts as records, or one readable line each."""
    if json:
        from thalamus.terminal import jsonl

        for fact in facts:
            jsonl.write(fact)
        return
    from thalamus.terminal.plain import day, fact_line

    for fact in facts:
        print(fact_line(fact) + (f"  recorded {day(fact.recorded_at)}" if recorded else ""))


def _moment(as_of: str | None) -> str | None:
    if as_of is None:
        return None
    from thalamus.commands.dates import read_date

    return read_date(as_of, "--as-of")


def _add(fact: Fact, thalamus: Thalamus, json: bool) -> None:
    from thalamus.records import Fact, Verdict
    from thalamus.terminal import jsonl
    from thalamus.terminal.plain import fact_line, statement

    known = set()
    if thalamus.open_store() is not None:
        known = {old.id for old in thalamus.facts(history=True)}
    id = getattr(thalamus.remember([fact])[0], "id", None) or ""
    kept = thalamus.store.get(id)
    assert isinstance(kept, Fact)
    verdicts: list[Verdict] = []
    if id in known:
        reason, rule = "it is known already", "same_fact"
        verdicts.append(
            Verdict(decision="exists", reason=reason, rule=rule, id=id, content=statement(kept))
        )
    else:
        verdicts += _ended(id, thalamus)
    if json:
        jsonl.write(kept)
        for verdict in verdicts:
            jsonl.write(verdict)
        return
    print(fact_line(kept))
    for verdict in verdicts:
        print(f"  {verdict.content}: {verdict.reason}")


def _ended(id: str, thalamus: Thalamus) -> list:  # type: ignore[type-arg]
    """A verdict for each fact that the fact ``id`` brought to an end."""
    from thalamus.records import Fact, Verdict
    from thalamus.terminal.plain import day, statement

    verdicts = []
    for link in thalamus.store.links(id):
        old = thalamus.store.get(link.target)
        if link.relation == "supersedes" and link.source == id and isinstance(old, Fact):
            reason = f"held until {day(old.valid_to)}"
            verdicts.append(
                Verdict(
                    decision="supersede",
                    reason=reason,
                    rule="one_valued",
                    id=old.id,
                    content=statement(old),
                )
            )
    return verdicts
