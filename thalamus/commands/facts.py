"""`thalamus facts`: facts over time, and what the store believed at any time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.groups import Group
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
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from thalamus.api import Thalamus
    from thalamus.policy.predicates import PredicateEntry
    from thalamus.records import Fact, Verdict
    from thalamus.store.values import Change

group = Group(
    "List, add and change facts, and show their history. Without a command: `list`.",
    {
        "list": "facts:list_facts",
        "history": "facts:history",
        "add": "facts:add",
        "conflicts": "operation:facts conflicts",
        "end": "operation:facts end",
        "retract": "operation:facts retract",
        "correct": "facts:correct",
        "predicate": "facts:predicate",
        "entities": "facts:entities",
        "merge": "facts:merge",
        "unmerge": "facts:unmerge",
    },
    words="list --subject",
)
AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar="DATE", help="Facts that were true on DATE.")
]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", metavar="DATE", help="Facts that the store believed on DATE."),
]
Reason = Annotated[
    str | None, typer.Option(metavar="TEXT", help="The reason, recorded in the ledger.")
]
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a fact, or a prefix of it.")]


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
    from thalamus.terminal.dates import read_date, read_period
    from thalamus.terminal.lines import fact_line
    from thalamus.terminal.lists import as_lines, print_list

    if history and known_at:
        raise UsageError("--known-at and --history cannot be combined.")
    begin, end = read_period(since, until)
    with engine(config) as thalamus:
        facts = thalamus.facts.find(
            None if redacted else subject,
            predicate=predicate,
            as_of=read_date(as_of, "--as-of"),
            known_at=read_date(known_at, "--known-at"),
            history=history,
            since=begin,
            until=end,
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


@settings(*OWNER, *STORE)
def correct(
    config: Config,
    old: Id,
    new: Annotated[str | None, typer.Argument(metavar="OBJECT", help="The correct object.")] = None,
    begin: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="Actually true since DATE.")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--to", metavar="DATE", help="Actually true until the end of DATE."),
    ] = None,
    reason: Reason = None,
    json: Json = False,
) -> None:
    """Replace a wrong fact by one with the correct object or dates."""
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal.dates import read_date
    from thalamus.terminal.lines import fact_line

    if not (new or begin or until):
        raise UsageError("Give the correct object, --from or --to.")
    with engine(config) as thalamus:
        full = thalamus.store.find_id(old)
        fact = thalamus.facts.correct(
            full,
            new,
            valid_from=read_date(begin, "--from"),
            valid_to=read_date(until, "--to", end=True),
            reason=reason,
        )
        wrong, right = thalamus.facts.get(full), thalamus.facts.get(fact.stored_id)
        if json:
            jsonl.write(right, wrong)
            return
        say(fact_line(right))
        say(f"  instead of {fact_line(wrong)}")


@settings(*OWNER, *STORE)
def predicate(
    config: Config,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="lives_in, likes …")] = None,
    one: Annotated[bool, typer.Option("--one", help="Set it to one value at a time.")] = False,
    many: Annotated[bool, typer.Option("--many", help="Set it to any number of values.")] = False,
    opposite: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Set the predicate that excludes it; '' for none."),
    ] = None,
    spelling: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Add another spelling of it; repeatable."),
    ] = None,
    json: Json = False,
) -> None:
    """List predicates with their source, show one, or change one.

    After a change, prints the facts whose intervals changed because of it.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if one and many:
        raise UsageError("--one and --many cannot be combined.")
    changes = one or many or opposite is not None or spelling
    with engine(config) as thalamus:
        if name is None:
            if changes:
                raise UsageError("Give the NAME of the predicate to change.")
            for entry in thalamus.facts.predicates():
                _show_entry(entry, json)
        elif not changes:
            _show_entry(thalamus.facts.predicate(name), json)
        else:
            cardinality: Literal["one", "many"] | None = "one" if one else "many" if many else None
            _set(name, cardinality, opposite, spelling or [], thalamus, json)


def _set(
    name: str,
    cardinality: Literal["one", "many"] | None,
    opposite: str | None,
    spellings: Sequence[str],
    thalamus: Thalamus,
    json: bool,
) -> None:
    entry, changes = thalamus.facts.set_predicate(
        name, cardinality=cardinality, opposite=opposite, spellings=spellings
    )
    _show_entry(entry, json)
    _show_changes(changes, thalamus, json)


def _show_changes(changes: Sequence[Change], thalamus: Thalamus, json: bool) -> None:
    """Prints the facts whose intervals changed."""
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import fact_line

    for id in dict.fromkeys(change.id for change in changes):
        fact = thalamus.facts.get(id)
        jsonl.write(fact) if json else say(f"  now {fact_line(fact)}")


def _show_entry(entry: PredicateEntry, json: bool) -> None:
    from thalamus.policy.predicates import record as predicate_record
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(predicate_record(entry))
        return
    more = f"  (opposite of {entry.opposite})" if entry.opposite else ""
    spelt = f"  [{', '.join(entry.spellings)}]" if entry.spellings else ""
    details = f"{entry.description}{more}{spelt}"
    say(f"{entry.name:20} {entry.cardinality:4}  {entry.source:8}  {details}")


@settings(*OWNER, *STORE, lists=True)
def entities(config: Config, json: Json = False) -> None:
    """List the subjects of facts, and merged names.

    With --json: an `alias` record for each merged name.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        aliases = thalamus.facts.aliases()
        if json:
            jsonl.write(*aliases)
            return
        for name, whose, count in thalamus.facts.entities():
            say(f"{count:6}  {name}{f'  (of {whose})' if whose else ''}")
        words = {"hand": "means", "name": "is the name of", "apart": "is kept apart from"}
        for alias in aliases:
            whose = f"  (of {alias.user})" if alias.user else ""
            say(f"        {alias.name} {words[alias.reason]} {alias.target}{whose}")


@settings(*OWNER, *STORE)
def merge(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to merge.")],
    into: Annotated[str, typer.Argument(metavar="INTO", help="The name to merge it into.")],
    json: Json = False,
) -> None:
    """Merge two names that mean the same.

    Facts keep the name as it was said, but are shown and found under the other one; their intervals
    are resolved again. `unmerge` undoes it.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if not name.strip() or not into.strip():
        raise UsageError("NAME and INTO must not be empty.")
    with engine(config) as thalamus:
        if thalamus.facts.same_entity(name, into):
            fix = ""
            if fold(name) != fold(into):
                fix = f"To separate them, run `thalamus facts unmerge {name}` first."
            raise UsageError(f"{name!r} and {into!r} are the same name already.", fix=fix)
        _show_changes(thalamus.facts.merge(name, into), thalamus, json)
    if not json:
        say(f"{name} means {into}")


@settings(*OWNER, *STORE)
def unmerge(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name to separate again.")],
    json: Json = False,
) -> None:
    """Undo `merge`, or keep a namesake of the user apart."""
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _show_changes(thalamus.facts.unmerge(name), thalamus, json)
    if not json:
        say(f"{name} is a separate name")
