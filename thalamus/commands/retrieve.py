"""`thalamus retrieve`: the filter, and a question to the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import MOST_RESULTS, OWNER, STORE, Json, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus, Vector
    from thalamus.records import Evidence

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", "embedder", *OWNER, *STORE)
def retrieve(
    config: Config,
    question: Annotated[
        str | None,
        typer.Argument(metavar="QUESTION", help="A question; if omitted, filter turn records."),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "-k", "--limit", min=1, max=MOST_RESULTS, metavar="N", help="Return at most N results."
        ),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(metavar="MODE", help="Search in: all, memory, facts, history or document."),
    ] = "all",
    type: Annotated[
        list[str] | None, typer.Option("--type", metavar="TYPE", help="Only this type; repeatable.")
    ] = None,
    topic: Annotated[str | None, typer.Option(metavar="TOPIC", help="Only this topic.")] = None,
    scope: Annotated[
        str | None,
        typer.Option(metavar="SCOPE", help="Only this scope: core, episodic or archival."),
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what was said on or after DATE.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only what was said before DATE.")
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of", metavar="DATE", help="Search as of DATE: leave out what came later."
        ),
    ] = None,
    embedding: Annotated[
        str | None,
        typer.Option(metavar="@FILE", help="Use the question's embedding in FILE, a JSON list."),
    ] = None,
    json: Json = False,
    fail_empty: Annotated[
        bool, typer.Option("--fail-empty", help="Exit with status 4 when nothing is found.")
    ] = False,
) -> None:
    """Add evidence to turns, or query the memory directly.

    With a question, prints the evidence found for it. Without one, reads turn records from
    standard input and writes them back with `evidence`: results for the session's saved plan and
    for the message itself.

    --session limits a question to one session, and sets the session of turns that have none.
    """
    from thalamus.commands.options import engine

    if question is None:
        from thalamus.commands.filters import run_filter

        run_filter("retrieve", config)
        return
    options: dict[str, object] = {
        "mode": mode,
        "types": type or [],
        "topic": topic,
        "scope": scope,
        "since": since,
        "until": until,
        "as_of": as_of,
    }
    with engine(config) as thalamus:
        found = ask(question, options, k, embedding, thalamus)
        show(found, json)
        if not found and fail_empty:
            from thalamus.errors import NothingFound

            raise NothingFound(f"“{question}”")


def ask(
    question: str,
    options: dict[str, object],
    k: int | None,
    embedding: str | None,
    thalamus: Thalamus,
) -> list[Evidence]:
    """The evidence for a question with these options. Raises ``UsageError`` for a bad one."""
    from typing import get_args

    import msgspec
    from msgspec import structs

    from thalamus.commands.dates import read_date
    from thalamus.commands.vector_file import read_vector
    from thalamus.errors import UsageError
    from thalamus.records import Instruction, Mode, Scope

    if not question.strip():
        raise UsageError("The question is empty.")
    for name in ("since", "until", "as_of"):
        given = options[name]
        assert given is None or isinstance(given, str)
        options[name] = read_date(given, f"--{name.replace('_', '-')}")
    for name, choices in (("mode", get_args(Mode)), ("scope", get_args(Scope))):
        if options[name] is not None and options[name] not in choices:
            raise wrong_choice(f"--{name}", str(options[name]), choices)
    limit = k or thalamus.config.max_memory_results
    try:
        instruction = msgspec.convert({**options, "query": question, "limit": limit}, Instruction)
    except msgspec.ValidationError as error:
        raise UsageError(str(error).replace("$.", "--")) from None
    where = structs.replace(
        thalamus.here(),
        session=thalamus.config.session if "session" in thalamus.config.origin else None,
        now=instruction.as_of or thalamus.clock.stamp(),
    )
    vector: Vector | None = None
    if embedding is not None:
        vector = read_vector(embedding, thalamus)
    before = len(thalamus.failures)
    found = thalamus.retrieve(
        question, limit=limit, instruction=instruction, where=where, vector=vector
    )
    for _, failure in thalamus.failures[before:]:
        complain(f"thalamus: searched full text only: {failure}")
        if advice := getattr(failure, "advice", ""):
            complain(f"  {advice}")
    return found


def show(found: list[Evidence], json: bool) -> None:
    """Prints evidence as records, or one readable line each."""
    from thalamus.terminal import jsonl

    for item in found:
        if json:
            jsonl.write(item)
        else:
            text = " ".join(item.text.split())
            if item.stale:
                text += f"  (no longer: {item.stale})"
            say(f"{item.score:.2f}  {(item.at or '')[:10]:10}  {item.kind:8}  {text}  [{item.id}]")
    if not found and not json:
        complain("No results.")
