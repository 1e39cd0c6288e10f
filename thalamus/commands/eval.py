"""`thalamus eval`: how well questions are answered, which of two ways does it better, and what a
model remembers of what is said to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.options import MODELS, MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.records import Evaluation

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Measure retrieval on questions whose answers are known, and compare two measurements;"
    " measure what a model remembers of a conversation.",
)


@app.command()
@settings("embedder", *OWNER, *STORE)
def retrieval(
    config: Config,
    file: Annotated[Path, typer.Argument(help="The questions; .gz is unpacked.")],
    format: Annotated[
        Literal["longmemeval", "locomo", "plain"], typer.Option(help="What the file is.")
    ] = "plain",
    level: Annotated[
        Literal["session", "turn"] | None,
        typer.Option(help="What is ranked; by default sessions for longmemeval, else turns."),
    ] = None,
    k: Annotated[
        str, typer.Option("-k", help="How many of the first count, such as 5,10,20.")
    ] = "5,10,20",
    limit: Annotated[
        int | None, typer.Option(min=1, max=MOST, help="Only so many questions, from the first on.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write each result here as it is there; resumes.")
    ] = None,
    store_dir: Annotated[
        Path | None, typer.Option(help="Where the temporary stores are made.")
    ] = None,
    json: Json = False,
) -> None:
    """Stores each haystack of the file in a temporary store, asks its questions and prints how
    often the gold was among the first: any@k (at least one of it), all@k (all of it) and recall@k
    (how much of it). Your own memory is not touched; only a plain file without records is asked
    of it.

    With --out a run that was stopped is continued, and `eval compare` tells two runs apart.
    """
    from thalamus.api import LEVELS, RetrievalRun
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal.interrupts import at_safe_points
    from thalamus.terminal.progress import counting

    if store_dir is not None and not store_dir.is_dir():
        raise UsageError(f"--store-dir: there is no folder {store_dir}")
    plan = RetrievalRun(file, format, level or LEVELS[format], read_ks(k), limit, store_dir)
    with engine(config) as thalamus:
        evaluation = thalamus.evaluate_retrieval(plan, out)
        with (
            counting("asked", "questions", evaluation.total) as advance,
            at_safe_points() as check_interrupt,
        ):
            for _ in evaluation.results():
                advance(1)
                check_interrupt()
    _tell_evaluation(evaluation.summary(), json)


@app.command()
@settings()
def compare(
    config: Config,
    first: Annotated[Path, typer.Argument(help="Results that `eval retrieval --out` wrote.")],
    second: Annotated[Path, typer.Argument(help="The results to compare with them.")],
    k: Annotated[
        int | None, typer.Option("-k", "--k", min=1, max=MOST, help="Compare recall at this k.")
    ] = None,
    json: Json = False,
) -> None:
    """Tells which questions the second run won and lost against the first: those whose recall@k
    (k is 10, or the most that both have) went up or down. Questions that are only in one of the
    files are left out."""
    from thalamus.api import compare_files
    from thalamus.terminal.retrieval_tables import comparison_lines

    found = compare_files(first, second, k)
    if not found.one_source:
        complain("thalamus: these are of two files; questions with one id are taken for the same")
    if not json:
        for line in comparison_lines(found):
            say(line)
        return
    from thalamus.clock import Clock
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    data = {
        "k": found.k,
        **found.figures(),
        "test": "exact two-sided sign test",
        "types": {name: found.of_type(name).figures() for name in found.types()},
        "first_only": found.first_only,
        "second_only": found.second_only,
        "changed": found.changed,
        "questions_won": found.won,
        "questions_lost": found.lost,
    }
    jsonl.write(Event(name="compared", at=Clock.from_environment().stamp(), data=data))


@app.command()
@settings(*MODELS, *STORE)
def memory(
    config: Config,
    file: Annotated[
        Path | None,
        typer.Argument(help="The statements; by default those that come with Thalamus."),
    ] = None,
    half: Annotated[
        Literal["tune", "report", "all"],
        typer.Option(help="The half to tune with, the half to report, or both."),
    ] = "all",
    kind: Annotated[
        list[str] | None, typer.Option(help="Only this kind; may be given several times.")
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option(help="Only this language; may be given several times.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Only so many cases, from the first on.")
    ] = None,
    answer: Annotated[
        bool, typer.Option("--answer/--no-answer", help="Whether the model answers each message.")
    ] = True,
    show_wrong: Annotated[
        bool, typer.Option("--show-wrong", "-v", help="Print what is wrong and what is missed.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="Write each case here as it is done; resumes.")
    ] = None,
    store_dir: Annotated[
        Path | None, typer.Option(help="Where the temporary stores are made.")
    ] = None,
    json: Json = False,
) -> None:
    """Says each statement of the file to a chat with an empty memory and compares what it kept
    with what should be kept: how much of it is right (precision), how much of what is wanted was
    found (recall), and how many replies refuse or only repeat what was said. Your own memory is
    not touched.

    With --out everything that was kept is written with its verdict, and a run that was stopped
    is continued.
    """
    from thalamus.api import Choice, MemoryRun
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.terminal import jsonl
    from thalamus.terminal.interrupts import at_safe_points
    from thalamus.terminal.memory_tables import memory_lines, wrong_lines
    from thalamus.terminal.progress import counting

    if store_dir is not None and not store_dir.is_dir():
        raise UsageError(f"--store-dir: there is no folder {store_dir}")
    choice = Choice(None if half == "all" else half, kind or (), language or (), limit)
    listening = MemoryRun(answer, store_dir)
    with engine(config) as thalamus:
        evaluation = thalamus.evaluate_memory(file, choice, listening, out)
        with (
            counting("judged", "cases", evaluation.total) as advance,
            at_safe_points() as check_interrupt,
        ):
            for _ in evaluation.results():
                advance(1)
                check_interrupt()
    found = evaluation.summary()
    if show_wrong:
        for line in wrong_lines(evaluation.cases):
            (complain if json else say)(line)
    if json:
        jsonl.write(found)
    else:
        for line in memory_lines(found):
            say(line)


def read_ks(text: str) -> tuple[int, ...]:
    """``5,10,20`` as numbers, in order and each once. Raises ``UsageError``."""
    from thalamus.errors import UsageError

    try:
        found = sorted({int(part) for part in text.split(",")})
    except ValueError:
        found = [0]
    if found[0] < 1:
        raise UsageError(f"-k: {text!r} is no list of numbers from 1 on, such as 5,10,20")
    return tuple(found)


def _tell_evaluation(found: Evaluation, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.retrieval_tables import evaluation_lines

    if json:
        jsonl.write(found)
    else:
        for line in evaluation_lines(found):
            say(line)
