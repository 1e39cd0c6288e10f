"""`thalamus eval`: measurements of retrieval, memory and answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from thalamus.commands.groups import Suggesting
from thalamus.commands.options import MODELS, MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.evaluation.memory_run import MemoryEvaluationRun
    from thalamus.evaluation.retrieval_run import RetrievalEvaluation
    from thalamus.records.evaluations import Evaluation

app = typer.Typer(
    cls=Suggesting,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Measure retrieval on questions with known answers, compare two measurements, and measure"
    " what a model remembers of a conversation, and what it answers.",
)
Format = Annotated[
    Literal["longmemeval", "locomo", "plain"], typer.Option(help="The format of the file.")
]
StoreDir = Annotated[
    Path | None, typer.Option(metavar="DIR", help="Create the temporary stores in DIR.")
]


@app.command()
@settings("embedder", "reranker", *OWNER, *STORE)
def retrieval(
    config: Config,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The questions, optionally as .gz.")],
    format: Format = "plain",
    level: Annotated[
        Literal["session", "turn"] | None,
        typer.Option(help="Rank sessions (default for longmemeval) or turns (otherwise)."),
    ] = None,
    k: Annotated[
        str, typer.Option("-k", metavar="K,K…", help="The cutoffs of the measures.")
    ] = "5,10,20",
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", min=0, max=MOST, metavar="N", help="Ask only the first N questions."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Append each result to FILE; resumes."),
    ] = None,
    store_dir: StoreDir = None,
    json: Json = False,
) -> None:
    """Measure retrieval on questions with known answers.

    Loads each haystack of the file into a temporary store, asks its questions and prints how much
    of the gold evidence was among the first k results: any@k (at least one), all@k (all of it)
    and recall@k (the share). Your own store is not touched; it is only queried if a plain file
    has no records.

    With --output, an interrupted run is resumed, and `eval compare` compares two runs.
    """
    from thalamus.commands.options import engine
    from thalamus.evaluation.formats import LEVELS
    from thalamus.evaluation.retrieval_run import RetrievalEvaluation, RetrievalRun

    _check_directory(store_dir)
    plan = RetrievalRun(file, format, level or LEVELS[format], read_ks(k), limit, store_dir)
    with engine(config) as thalamus:
        evaluation = RetrievalEvaluation(plan, thalamus, out)
        _run(evaluation, "asked", "questions")
    _print_evaluation(evaluation.summary(), json)


@app.command()
@settings(*STORE)
def compare(
    config: Config,
    first: Annotated[
        Path, typer.Argument(metavar="FIRST", help="Results written by `eval retrieval --output`.")
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
    from thalamus.evaluation.compare import compare_files
    from thalamus.terminal.evaluation import comparison_lines

    found = compare_files(first, second, k)
    if not found.one_source:
        complain("thalamus: the results are of different files; questions are matched by id")
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
        int | None,
        typer.Option("--limit", "-n", min=0, max=MOST, metavar="N", help="Only the first N cases."),
    ] = None,
    answer: Annotated[
        bool, typer.Option("--answer/--no-answer", help="Let the model answer each message.")
    ] = True,
    show_wrong: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print wrong and missing entries.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Append each case to FILE; resumes."),
    ] = None,
    store_dir: StoreDir = None,
    json: Json = False,
) -> None:
    """Measure what a model remembers of statements made to it.

    Sends each statement of the file to a chat with an empty store and compares what was stored
    with what should have been: precision, recall, and how many replies refuse or only repeat the
    message. Your own store is not touched.

    With --output, everything that was stored is written with its verdict, and an interrupted run is
    resumed.
    """
    from thalamus.commands.options import engine
    from thalamus.evaluation.memory_run import MemoryEvaluationRun, MemoryRun
    from thalamus.evaluation.statements import Choice

    _check_directory(store_dir)
    choice = Choice(None if half == "all" else half, kind or (), language or (), limit)
    with engine(config) as thalamus:
        run = MemoryRun(answer, store_dir)
        evaluation = MemoryEvaluationRun(file, choice, run, thalamus, out)
        _run(evaluation, "judged", "cases")
    _print_memory(evaluation, show_wrong, json)


@app.command()
@settings(*MODELS, *STORE)
def answers(
    config: Config,
    data: Annotated[Path, typer.Option(metavar="FILE", help="The questions, optionally as .gz.")],
    flows: Annotated[
        str,
        typer.Option(
            metavar="NAME,NAME…", help="The flows; the others are compared with the first."
        ),
    ] = "classic,deliberate",
    format: Format = "plain",
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="Only questions whose ids begin like this; repeatable."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", min=0, max=MOST, metavar="N", help="Ask N questions, spread evenly."
        ),
    ] = None,
    store_dir: StoreDir = None,
    json: Json = False,
) -> None:
    """Measure what the model answers through different flows.

    Loads each haystack of the file into a temporary store and puts its questions to the model
    through each flow, up to the answer: nothing of a question is stored. An answer is right when it
    contains at least half of the content words of the known one; if there is none, when it says
    that it does not know. Your own store is not touched.

    With --json, every answer is printed as it comes, and the figures last.
    """
    from thalamus.commands.options import engine
    from thalamus.evaluation.answers_run import AnswersEvaluation, AnswersRun
    from thalamus.terminal import jsonl
    from thalamus.terminal.evaluation import answer_lines
    from thalamus.terminal.interrupts import at_safe_points
    from thalamus.terminal.progress import counting

    _check_directory(store_dir)
    plan = AnswersRun(data, format, read_flows(flows), limit, tuple(only or ()), store_dir)
    with engine(config) as thalamus:
        for flow in plan.flows:
            thalamus.look_up_models(flow)
        evaluation = AnswersEvaluation(plan, thalamus)
        with (
            counting("judged", "answers", evaluation.total) as advance,
            at_safe_points() as check_interrupt,
        ):
            for result in evaluation.results():
                if json:
                    jsonl.write(result)
                advance(1)
                check_interrupt()
    found = evaluation.summary()
    if json:
        jsonl.write(found)
    else:
        for line in answer_lines(found):
            say(line)


@app.command()
@settings(*OWNER, *STORE)
def persona(
    config: Config,
    questions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Questions, one per line [default: the packaged ones]."),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option("--model", "-m", metavar="MODEL", help="Repeatable.")
    ] = None,
    with_: Annotated[
        Path | None,
        typer.Option("--with", metavar="DIR", help="With the memory in this home directory."),
    ] = None,
    without: Annotated[bool, typer.Option("--without", help="Without any memory.")] = False,
    json: Json = False,
) -> None:
    """Compare the answers of two models, or with and without memory.

    Asks both the same questions. Prints the answers side by side; nothing is judged, and nothing is
    stored. With two --model both have your store. With --with and --without one model is asked with
    the memory in DIR (such as one that a personality was imported into) and without.
    """
    from thalamus.evaluation.persona_run import ask_all, read_questions
    from thalamus.terminal import jsonl
    from thalamus.terminal.evaluation import print_answers
    from thalamus.terminal.progress import counting

    sides = _sides(config, model or [], with_, without)
    asked = read_questions(questions)
    with counting("asked", "questions") as advance:
        found = list(ask_all(asked, sides, advance))
    if not json:
        print_answers(found)
        return
    for answers in found:
        jsonl.write(answers)


def _sides(
    config: Config, models: list[str], home: Path | None, without: bool
) -> list[tuple[str, Config]]:
    """Sides to compare, as names and settings. Raises ``UsageError`` unless it is two or more."""
    from msgspec import structs

    from thalamus.errors import UsageError

    if home is not None and not home.is_dir():
        raise UsageError(f"invalid --with {str(home)!r}: there is no such directory.")
    chosen = [structs.replace(config, model=name, models={}) for name in models] or [config]
    sides: list[tuple[str, Config]] = []
    if home is None and not without:
        sides = [(one.model, one) for one in chosen]
    elif len(models) < 2:
        given = structs.replace(chosen[0], home=str(home)) if home is not None else chosen[0]
        sides = [(f"with {home}" if home is not None else "with your store", given)]
        if without:
            sides.append(("without", structs.replace(chosen[0], memory=False)))
    if len(dict(sides)) < 2:
        fix = "Give --model twice, or one model with --without, and --with for another store."
        raise UsageError("There is nothing to compare.", fix=fix)
    return sides


def _check_directory(store_dir: Path | None) -> None:
    from thalamus.errors import UsageError

    if store_dir is not None and not store_dir.is_dir():
        raise UsageError(f"invalid --store-dir {str(store_dir)!r}: no such directory")


def _run(evaluation: RetrievalEvaluation | MemoryEvaluationRun, verb: str, things: str) -> None:
    """Runs a measurement with a progress bar. Ctrl-C stops it between two results."""
    from thalamus.terminal.interrupts import at_safe_points
    from thalamus.terminal.progress import counting

    with (
        counting(verb, things, evaluation.total) as advance,
        at_safe_points() as check_interrupt,
    ):
        for _ in evaluation.results():
            advance(1)
            check_interrupt()


def read_flows(text: str) -> tuple[str, ...]:
    """The names in ``classic,deliberate``, without duplicates. Raises ``UsageError``."""
    from thalamus.errors import UsageError

    found = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if not all(found):
        raise UsageError(f"invalid --flows {text!r} (expected names such as classic,deliberate)")
    return found


def read_ks(text: str) -> tuple[int, ...]:
    """The numbers in ``5,10,20``, sorted and without duplicates. Raises ``UsageError``."""
    from thalamus.errors import UsageError

    try:
        found = sorted({int(part) for part in text.split(",")})
    except ValueError:
        found = [0]
    if found[0] < 1:
        raise UsageError(f"invalid -k {text!r} (expected positive numbers such as 5,10,20)")
    return tuple(found)


def _print_evaluation(found: Evaluation, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.evaluation import evaluation_lines

    if json:
        jsonl.write(found)
    else:
        for line in evaluation_lines(found):
            say(line)


def _print_memory(evaluation: MemoryEvaluationRun, show_wrong: bool, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.evaluation import memory_lines, wrong_lines

    found = evaluation.summary()
    if show_wrong:
        for line in wrong_lines(evaluation.cases):
            (complain if json else say)(line)
    if json:
        jsonl.write(found)
    else:
        for line in memory_lines(found):
            say(line)
