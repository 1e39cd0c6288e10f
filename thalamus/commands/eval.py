"""`thalamus eval`: measuring retrieval, comparing two measurements, and measuring what a model
remembers of a conversation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.groups import Suggesting
from thalamus.commands.options import MODELS, MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.evaluation.memory_run import MemoryRun
    from thalamus.evaluation.retrieval_run import RetrievalRun
    from thalamus.evaluation.statements import Choice
    from thalamus.records import Evaluation, MemoryCase, MemoryEvaluation

app = typer.Typer(
    cls=Suggesting,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Measure retrieval on questions with known answers, compare two measurements, and measure"
    " what a model remembers of a conversation.",
)


@app.command()
@settings("embedder", *OWNER, *STORE)
def retrieval(
    config: Config,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The questions, optionally as .gz.")],
    format: Annotated[
        Literal["longmemeval", "locomo", "plain"], typer.Option(help="The format of the file.")
    ] = "plain",
    level: Annotated[
        Literal["session", "turn"] | None,
        typer.Option(help="Rank sessions (default for longmemeval) or turns (otherwise)."),
    ] = None,
    k: Annotated[
        str, typer.Option("-k", metavar="K,K…", help="The cutoffs of the measures.")
    ] = "5,10,20",
    limit: Annotated[
        int | None,
        typer.Option(min=1, max=MOST, metavar="N", help="Ask only the first N questions."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append each result to FILE; resumes.")
    ] = None,
    store_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Create the temporary stores in DIR.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure retrieval on questions with known answers.

    Loads each haystack of the file into a temporary store, asks its questions and prints how much
    of the gold evidence was among the first k results: any@k (at least one), all@k (all of it)
    and recall@k (the share). Your own store is not touched; it is only queried if a plain file
    has no records.

    With --out, an interrupted run is resumed, and `eval compare` compares two runs.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.evaluation.formats import LEVELS
    from thalamus.evaluation.retrieval_run import RetrievalRun

    if store_dir is not None and not store_dir.is_dir():
        raise UsageError(f"invalid --store-dir {str(store_dir)!r}: no such directory")
    plan = RetrievalRun(file, format, level or LEVELS[format], read_ks(k), limit, store_dir)
    with engine(config) as thalamus:
        found = _measure(plan, thalamus, out)
    _tell_evaluation(found, json)


@app.command()
@settings()
def compare(
    config: Config,
    first: Annotated[
        Path, typer.Argument(metavar="FIRST", help="Results written by `eval retrieval --out`.")
    ],
    second: Annotated[
        Path, typer.Argument(metavar="SECOND", help="The results to compare with FIRST.")
    ],
    k: Annotated[
        int | None, typer.Option("-k", min=1, max=MOST, metavar="K", help="Compare recall@K.")
    ] = None,
    json: Json = False,
) -> None:
    """Compare two runs of `eval retrieval`, question by question.

    Lists the questions whose recall@k went up or down from the first run to the second (k is 10,
    or the largest that both have). Questions that are only in one of the files are left out.
    """
    from thalamus.evaluation import results
    from thalamus.evaluation.compare import compare as pair_up
    from thalamus.evaluation.tables import comparison_lines

    one, two = (results.read(path, results.RANKINGS) for path in (first, second))
    if one[0].sha256 != two[0].sha256:
        complain("thalamus: the results are of different files; questions are matched by id")
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


@app.command()
@settings(*MODELS, *STORE)
def memory(
    config: Config,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="The statements [default: the packaged ones]."),
    ] = None,
    half: Annotated[
        Literal["tune", "report", "all"],
        typer.Option(help="The half for tuning, the half for reporting, or both."),
    ] = "all",
    kind: Annotated[
        list[str] | None, typer.Option(metavar="KIND", help="Only this kind; repeatable.")
    ] = None,
    language: Annotated[
        list[str] | None, typer.Option(metavar="LANG", help="Only this language; repeatable.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only the first N cases.")
    ] = None,
    answer: Annotated[
        bool, typer.Option("--answer/--no-answer", help="Let the model answer each message.")
    ] = True,
    show_wrong: Annotated[
        bool, typer.Option("--show-wrong", "-v", help="Print what is wrong or missed.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Append each case to FILE; resumes.")
    ] = None,
    store_dir: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Create the temporary stores in DIR.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure what a model remembers of statements made to it.

    Sends each statement of the file to a chat with an empty store and compares what was stored
    with what should have been: precision, recall, and how many replies refuse or only repeat the
    message. Your own store is not touched.

    With --out, everything that was stored is written with its verdict, and an interrupted run is
    resumed.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.evaluation.memory_run import MemoryRun
    from thalamus.evaluation.memory_tables import memory_lines, wrong_lines
    from thalamus.evaluation.statements import PACKAGED, Choice
    from thalamus.terminal import jsonl

    if store_dir is not None and not store_dir.is_dir():
        raise UsageError(f"invalid --store-dir {str(store_dir)!r}: no such directory")
    choice = Choice(None if half == "all" else half, kind or (), language or (), limit)
    listening = MemoryRun(answer, store_dir)
    with engine(config) as thalamus:
        found, cases = _listen(file or PACKAGED, choice, listening, thalamus, out)
    if show_wrong:
        for line in wrong_lines(cases):
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
        raise UsageError(f"invalid -k {text!r} (expected positive numbers such as 5,10,20)")
    return tuple(found)


def _measure(plan: RetrievalRun, thalamus: Thalamus, out: Path | None) -> Evaluation:
    from thalamus.errors import UsageError
    from thalamus.evaluation import results, retrieval_run
    from thalamus.evaluation.formats import survey
    from thalamus.evaluation.parse import fingerprint
    from thalamus.records import Evaluation
    from thalamus.terminal.interrupts import at_safe_points
    from thalamus.terminal.progress import counting

    sha256 = fingerprint(plan.path)
    read = survey(plan.path, plan.format, plan.level)
    if not read.questions:
        raise UsageError(f"{plan.path} has no question that can be asked.")
    header = Evaluation(
        file=str(plan.path),
        sha256=sha256,
        format=plan.format,
        level=plan.level,
        k=list(plan.ks),
        embedder=retrieval_run.wake_embedder(thalamus),
        left_out=dict(read.left_out.questions),
        references=read.left_out.references,
    )
    total = min(read.questions, plan.limit or read.questions)
    tally = retrieval_run.Tally()
    found = []
    resumed = 0
    with (
        results.writing(out, header, results.RANKINGS) as written,
        counting("asked", "questions", total) as advance,
        at_safe_points() as check_interrupt,
    ):
        for result in retrieval_run.evaluate(plan, thalamus, written.known, tally):
            if result.id in written.known:
                resumed += 1
            else:
                written.add(result)
            found.append(result)
            advance(1)
            check_interrupt()
    return retrieval_run.summed_up(header, found, tally, resumed)


def _listen(
    file: Path, choice: Choice, listening: MemoryRun, thalamus: Thalamus, out: Path | None
) -> tuple[MemoryEvaluation, list[MemoryCase]]:
    from thalamus.evaluation import results, retrieval_run, statements
    from thalamus.evaluation.figures import summed_up
    from thalamus.evaluation.memory_run import play, prompts_fingerprint
    from thalamus.evaluation.parse import fingerprint
    from thalamus.records import MemoryEvaluation
    from thalamus.terminal.interrupts import at_safe_points
    from thalamus.terminal.progress import counting

    sha256 = fingerprint(file)
    cases = statements.chosen(statements.read(file), choice)
    header = MemoryEvaluation(
        file="packaged" if file == statements.PACKAGED else str(file),
        sha256=sha256,
        models=listening.models(thalamus),
        embedder=retrieval_run.wake_embedder(thalamus),
        prompts=prompts_fingerprint(thalamus),
    )
    found = []
    resumed = 0
    with (
        results.writing(out, header, results.KEPT) as written,
        counting("judged", "cases", len(cases)) as advance,
        at_safe_points() as check_interrupt,
    ):
        for case in play(cases, thalamus, listening, written.known):
            if case.id in written.known:
                resumed += 1
            else:
                written.add(case)
            found.append(case)
            advance(1)
            check_interrupt()
    return summed_up(header, found, resumed), found


def _tell_evaluation(found: Evaluation, json: bool) -> None:
    from thalamus.evaluation.tables import evaluation_lines
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(found)
    else:
        for line in evaluation_lines(found):
            say(line)
