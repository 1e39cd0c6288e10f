"""`thalamus retrieve`: the filter, and queries of the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct, structs

from thalamus.commands.options import (
    PERSONA,
    STORE,
    FailEmpty,
    Json,
    Limit,
    Metadata,
    Redacted,
    Since,
    Until,
    settings,
    wrong_choice,
)
from thalamus.config import Config
from thalamus.terminal.streams import complain, say, say_text, width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thalamus.api import Thalamus
    from thalamus.records import Evidence, Instruction, Turn

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Search(Struct):
    """Options that narrow down the search for a question."""

    limit: Limit = None
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="MODE", help="Search in: all (default), memory, facts, history or document."
        ),
    ] = None
    type: Annotated[
        list[str] | None, typer.Option("--type", metavar="TYPE", help="Only this type; repeatable.")
    ] = None
    topic: Annotated[str | None, typer.Option(metavar="TOPIC", help="Only this topic.")] = None
    scope: Annotated[
        str | None,
        typer.Option(metavar="SCOPE", help="Only this scope: core, episodic or archival."),
    ] = None
    metadata: Metadata = None
    since: Since = None
    until: Until = None
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", metavar="DATE", help="Search as of DATE, without later entries."),
    ] = None
    embedding: Annotated[
        str | None,
        typer.Option(
            metavar="@FILE",
            help="Use the question's embedding in FILE, a JSON list; @- reads stdin.",
        ),
    ] = None
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what makes up each result's score.")
    ] = False
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="FORM", help="prompt: the notes as a model sees them."),
    ] = None

    def given(self) -> list[str]:
        """The options in use, as they are typed."""
        return [
            f"--{name.replace('_', '-')}" for name, value in structs.asdict(self).items() if value
        ]

    def instruction(self, question: str, limit: int) -> Instruction:
        """The query as an instruction of a plan. Raises ``UsageError`` for invalid values."""
        from typing import get_args

        import msgspec

        from thalamus.records import Instruction, Mode, Scope
        from thalamus.terminal.dates import read_date, read_period

        mode = self.mode or "all"
        for option, value, choices in (
            ("--mode", mode, get_args(Mode)),
            ("--scope", self.scope, get_args(Scope)),
        ):
            if value is not None and value not in choices:
                raise wrong_choice(option, value, choices)
        begin, end = read_period(self.since, self.until)
        values = {
            "mode": mode,
            "query": question,
            "limit": limit,
            "types": self.type or [],
            "topic": self.topic,
            "scope": self.scope,
            "since": begin,
            "until": end,
            "as_of": read_date(self.as_of, "--as-of"),
        }
        return msgspec.convert(values, Instruction)


@app.command()
@settings(
    *("session", "project", "embedder", "reranker", "min_relevance", "min_score"),
    *PERSONA,
    *STORE,
    filters=True,
    recalls=True,
)
def retrieve(
    config: Config,
    question: Annotated[
        str | None,
        typer.Argument(
            metavar="QUESTION", help="A question; if omitted or -, read text or turn records."
        ),
    ] = None,
    search: Search = Search(),
    redacted: Redacted = False,
    json: Json = False,
    fail_empty: FailEmpty = False,
) -> None:
    """Add evidence to turns, or query the memory directly.

    With a question, as an argument or as plain text on standard input, prints the evidence found
    for it, with scores that order it: the best result has 1, unless it is a past question or no
    longer true. Otherwise reads turn records from standard input and writes them back with
    `evidence`: results for the session's saved plan and for the message itself; of the options,
    only --redacted, --fail-empty and the shared ones apply.

    --session limits a question to one session, and sets the session of turns that have none.

    If no result has enough to do with the question, nothing is printed: --min-relevance sets the
    limit. Results far behind the best are left out: --min-score sets the share of its score. Those
    that have little to do with the question are marked (weak); `relevance` in the records gives the
    value of each. With --fail-empty the exit status says whether anything is left.

    --explain shows what each signal (words, meaning, time …) adds to the score of a result; with
    --json as `explanation`.
    """
    from thalamus.errors import UsageError
    from thalamus.records import Turn
    from thalamus.terminal import jsonl, streams

    options = search.given()
    if question is not None and question != "-":
        _answer_question(question, search, config, json, fail_empty, redacted)
        return
    given = iter(()) if options and streams.typed() else jsonl.text_or_records(Turn)
    if isinstance(given, str):
        _answer_question(given, search, config, json, fail_empty, redacted)
    elif options:
        raise UsageError(f"{options[0]} requires a QUESTION.", fix="Turn records bring their own.")
    else:
        _filter_turns((turn for _, turn in given), config, fail_empty, redacted)


def _filter_turns(turns: Iterator[Turn], config: Config, fail_empty: bool, redacted: bool) -> None:
    from thalamus.commands.filters import run_over
    from thalamus.errors import NothingMatches

    found = 0

    def count(turn: Turn) -> None:
        nonlocal found
        found += len(turn.evidence)

    run_over("retrieve", config, turns, count, redacted=redacted)
    if fail_empty and not found:
        raise NothingMatches("Found nothing for any of the turns.")


def _answer_question(
    question: str, search: Search, config: Config, json: bool, fail_empty: bool, redacted: bool
) -> None:
    from thalamus.commands.options import engine
    from thalamus.errors import NothingMatches, UsageError
    from thalamus.terminal.choices import unknown_topic

    if not question.strip():
        raise UsageError("The question is empty.")
    if search.format not in (None, "prompt"):
        raise UsageError(f"invalid --format {search.format!r} (choose prompt)")
    if search.format and json:
        raise UsageError("--format prompt and --json cannot be combined.")
    for option, other in (("--format prompt", search.format), ("--redacted", redacted)):
        if search.explain and other:
            raise UsageError(f"--explain and {option} cannot be combined.")
    with engine(config) as thalamus:
        found = _evidence(question, search, thalamus, redacted)
        empty = "" if found else unknown_topic(thalamus, search.topic, redacted)
        empty = empty or "No results. --min-relevance 0 also shows what is less relevant."
        if search.format and found:
            say_text(thalamus.prompt_block(question, found))
            return
    if not found and fail_empty:
        raise NothingMatches(f"Found nothing for “{question}”.")
    show(found, json, empty, search.explain)


def _evidence(question: str, search: Search, thalamus: Thalamus, redacted: bool) -> list[Evidence]:
    """The evidence for a question. Failures on the way are reported on standard error."""
    from msgspec import structs

    from thalamus.commands.vector_file import read_vector
    from thalamus.terminal.choices import check_types, metadata_pairs

    check_types(thalamus, search.type, redacted)
    config = thalamus.config
    limit = search.limit or config.max_memory_results
    instruction = search.instruction(question, limit)
    where = structs.replace(
        thalamus.here(),
        session=config.session if "session" in config.origin else None,
        now=instruction.as_of or thalamus.clock.stamp(),
        metadata=metadata_pairs(search.metadata, redacted),
    )
    vector = read_vector(search.embedding, thalamus) if search.embedding is not None else None
    before = len(thalamus.failures)
    found = thalamus.recall(
        question,
        limit=limit,
        instruction=instruction,
        where=where,
        vector=vector,
        redacted=redacted,
        explain=search.explain,
    )
    for stage, failure in thalamus.failures[before:]:
        what = "ranked without the reranker" if stage == "rerank" else "searched full text only"
        complain(f"thalamus: {what}: {failure}")
        if advice := getattr(failure, "advice", ""):
            complain(f"  {advice}")
    return found


def show(found: list[Evidence], json: bool, empty: str = "", explain: bool = False) -> None:
    """Prints evidence as records, or as one readable line each, with ``explain`` what makes up its
    score below it; without any, prints ``empty`` or a default message."""
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import evidence_line

    for item in found:
        if json:
            jsonl.write(item)
        elif explain:
            from thalamus.terminal.explain import score_tree
            from thalamus.terminal.tree import lines

            for line in lines(score_tree(item), width()):
                say(line)
        else:
            say(evidence_line(item))
    if not found and not json:
        complain(empty or "No results.")
