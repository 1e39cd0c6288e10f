"""`thalamus consolidate`: concluding insights from turns, and merging those that say the same."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.pipeline.crystallize import Crystallized

app = typer.Typer(rich_markup_mode=None, add_completion=False)
PAUSE = 2.0  # seconds between two looks with --watch
MODEL = ("model", "embedder")


@app.command()
@settings(*MODEL, *OWNER, *STORE)
def consolidate(
    config: Config,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[-]", help="`-` reads turn records from standard input instead."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Work on at most N turns.")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on with new turns until Ctrl-C.")
    ] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="Also take turns that failed too often.")
    ] = False,
    merge: Annotated[
        bool, typer.Option("--merge", help="Merge insights that are about the same instead.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="With `-` or --merge: print the results; store nothing."),
    ] = False,
    json: Json = False,
) -> None:
    """Conclude insights from what was said on different days.

    Works on the turns that were stored since and wait for it. Most are connected with nothing and
    cost no model call. An insight is kept only if what it says stands in what it rests on.

    With `-` this is a filter: turn records in, the insights concluded from them out, as JSON
    lines. The turns must be stored; one that was done before gives nothing. With --json: insight
    records.

    With --merge, insights that share a concept become one, as strong as they are together.
    `thalamus insights undo` takes a merge back. With --json: a `deep_reflection` record.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError

    if source not in (None, "-"):
        raise UsageError(f"invalid argument {source!r}: only `-` for standard input")
    if dry_run and not (source or merge):
        fix = "thalamus export … | thalamus consolidate - --dry-run"
        raise UsageError("--dry-run requires `-` or --merge.", fix=fix)
    if (source or merge) and (limit or watch or retry or (source and merge)):
        raise UsageError("`-`, --merge, and --limit, --watch and --retry cannot be combined.")
    with engine(config) as thalamus:
        if merge:
            _merge(thalamus, dry_run, json)
        elif source:
            _filter(thalamus, dry_run)
        else:
            _work(thalamus, limit, watch, retry, json)


def _merge(thalamus: Thalamus, dry_run: bool, json: bool) -> None:
    """Merges insights, or shows which would be."""
    from thalamus.terminal import jsonl
    from thalamus.terminal.insights import reflection_lines

    report = thalamus.insights.merge(dry_run=dry_run)
    if json:
        jsonl.write(report)
        return
    for line in reflection_lines(report):
        say(line)


def _filter(thalamus: Thalamus, dry_run: bool) -> None:
    """Insights of the turns on standard input. Raises ``BadRecord`` for one that is not stored."""
    from thalamus.errors import BadRecord, NothingFound
    from thalamus.records import Turn
    from thalamus.terminal import jsonl

    small = thalamus.insights.too_small_to_crystallize()
    if small:
        complain(_too_small(small))
    for number, turn in jsonl.records(Turn):
        try:
            done = thalamus.insights.crystallize_turn(turn, dry_run=dry_run)
        except NothingFound as error:
            problem = f"`id`: {turn.id or '(none)'} is not in the store"
            raise BadRecord(number, problem, "id", fix=error.fix) from None
        jsonl.write(*done.insights)
        _warn(done)


def _work(thalamus: Thalamus, limit: int | None, watch: bool, retry: bool, json: bool) -> None:
    """Works on what waits; with ``watch`` until it is interrupted."""
    import time

    small = thalamus.insights.too_small_to_crystallize()
    if small:
        complain(_too_small(small))
        return
    done, made, code = 0, 0, 0
    while True:
        for found in thalamus.insights.crystallize(limit, failed=retry):
            if found.problem is not None:
                code = _complain(found.problem)
            elif found.result is not None:
                done += 1
                made += len(found.result.insights)
                _show(found.result, json)
        if not watch:
            break
        time.sleep(PAUSE)
    _report(done, made, thalamus, json)
    if code:
        thalamus.close()
        sys.exit(code)


def _show(found: Crystallized, json: bool) -> None:
    from thalamus.terminal import jsonl
    from thalamus.terminal.insights import insight_line

    for insight in found.insights:
        if json:
            jsonl.write(insight)
        else:
            say(insight_line(insight))
    sys.stdout.flush()
    _warn(found)


def _warn(found: Crystallized) -> None:
    for problem in found.issues:
        complain(f"thalamus: {problem.message}")


def _complain(problem: Exception) -> int:
    """Reports why a turn could not be worked on; the exit status of that."""
    from thalamus.commands.background import print_problem

    print_problem(problem)
    return int(getattr(problem, "code", 1))


def _report(done: int, made: int, thalamus: Thalamus, json: bool) -> None:
    from thalamus.terminal.lines import counted

    left = thalamus.insights.count_jobs()
    waiting, failed = left.get("waiting", 0), left.get("failed", 0)
    if json and done:
        return
    if not (done or waiting or failed):
        complain("consolidate: no turns wait")
        return
    told = f"consolidate: {counted({'turn': done})} done, {counted({'insight': made})}"
    told += f", {waiting} waiting" if waiting else ""
    told += f", {failed} failed too often (--retry takes them)" if failed else ""
    complain(told)


def _too_small(model: str) -> str:
    return (
        f"consolidate: {model} is too small to conclude anything and is not asked;"
        " the turns wait for a larger model"
    )
