"""`thalamus eval`: how well questions are answered, and which of two ways does it better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.options import MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.engine import Thalamus
    from thalamus.evaluation.running import Plan
    from thalamus.records import Evaluation

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Measure retrieval on questions whose answers are known, and compare two measurements.",
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
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.evaluation.choose import LEVELS
    from thalamus.evaluation.running import Plan

    if store_dir is not None and not store_dir.is_dir():
        raise UsageError(f"--store-dir: there is no folder {store_dir}")
    plan = Plan(file, format, level or LEVELS[format], read_ks(k), limit, store_dir)
    with engine(config) as thalamus:
        found = _measure(plan, thalamus, out)
    _tell_evaluation(found, json)


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
    from thalamus.evaluation import results
    from thalamus.evaluation.comparing import compare as pair_up
    from thalamus.evaluation.tables import comparison_lines

    one, two = results.read(first), results.read(second)
    if one[0].sha256 != two[0].sha256:
        complain("thalamus: these are of two files; questions with one id are taken for the same")
    found = pair_up(one, two, k or min(10, max(one[0].k), max(two[0].k)))
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


def _measure(plan: Plan, thalamus: Thalamus, out: Path | None) -> Evaluation:
    from thalamus.errors import UsageError
    from thalamus.evaluation import results, running
    from thalamus.evaluation.choose import survey
    from thalamus.evaluation.reading import fingerprint
    from thalamus.records import Evaluation
    from thalamus.terminal.console import counting
    from thalamus.terminal.interrupting import at_safe_points

    sha256 = fingerprint(plan.path)
    read = survey(plan.path, plan.format, plan.level)
    if not read.questions:
        raise UsageError(f"{plan.path}: there is no question in it that could be asked.")
    header = Evaluation(
        file=str(plan.path),
        sha256=sha256,
        format=plan.format,
        level=plan.level,
        k=list(plan.ks),
        embedder=running.wake_embedder(thalamus),
        left_out=dict(read.left_out.questions),
        references=read.left_out.references,
    )
    total = min(read.questions, plan.limit or read.questions)
    tally = running.Tally()
    found = []
    resumed = 0
    with (
        results.writing(out, header) as written,
        counting("asked", "questions", total) as advance,
        at_safe_points() as check_interrupt,
    ):
        for result in running.evaluate(plan, thalamus, written.known, tally):
            if result.id in written.known:
                resumed += 1
            else:
                written.add(result)
            found.append(result)
            advance(1)
            check_interrupt()
    return running.summed_up(header, found, tally, resumed)


def _tell_evaluation(found: Evaluation, json: bool) -> None:
    from thalamus.evaluation.tables import evaluation_lines
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(found)
    else:
        for line in evaluation_lines(found):
            say(line)
