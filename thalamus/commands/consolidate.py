"""`thalamus consolidate`: the slow loop."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct

from thalamus.commands.options import MOST, OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal import jsonl
from thalamus.terminal.insights import insight_line, reflection_lines
from thalamus.terminal.lines import counted
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.memory.retention.prune import PruneResult
    from thalamus.pipeline.consolidate import ConsolidateOptions, Step
    from thalamus.pipeline.crystallize import Crystallized
    from thalamus.pipeline.jobs import JobResult
    from thalamus.records import Issue
    from thalamus.records.reports import DeepReflection
    from thalamus.store.jobs import JobState

app = typer.Typer(rich_markup_mode=None, add_completion=False)
PAUSE = 2.0  # seconds between two checks with --watch
MODEL = ("model", "embedder")
# those that need no option
STEPS: Sequence[Step] = ("extract", "crystallize", "merge", "summarize")


class Options(Struct):
    """Options of `consolidate`."""

    prune: Annotated[
        bool, typer.Option("--prune", help="Finally retire memories, as `prune` does.")
    ] = False
    within: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Time for extract, and for summarize: 90s, 10m, 2h [default: 10m].",
        ),
    ] = None
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", "-n", min=0, max=MOST, metavar="N", help="Crystallize at most N turns."
        ),
    ] = None
    watch: Annotated[
        bool, typer.Option("--watch", help="Keep crystallizing new turns until Ctrl-C.")
    ] = False
    retry: Annotated[bool, typer.Option("--retry", help="Include turns that failed too often.")] = (
        False
    )
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="With `-` or merge: print the results; store nothing."),
    ] = False


@app.command()
@settings(*MODEL, *OWNER, *STORE)
def consolidate(
    config: Config,
    steps: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[STEP…]",
            help="Only extract, crystallize, merge or summarize; `-` reads turns from stdin.",
        ),
    ] = None,
    given: Options = Options(),
    json: Json = False,
) -> None:
    """Extract from imports, conclude insights, summarize sessions.

    \b
    extract      extract memories and facts from imported turns, the newest first
    crystallize  conclude insights from what was said on different days
    merge        merge insights that share a concept, with their combined strength
    summarize    summarize sessions that have been idle for a day

    Runs these steps in order, or only those given. No memory is retired without --prune. With the
    setting `network: true` it first reads the sources that are due, if no steps are given.
    `thalamus undo` undoes each step separately.

    Most turns have no connection with earlier ones and cost no model call. An insight is kept only
    if its sources support it.

    With `-` this is a filter: it reads turn records and writes the insights concluded from them, as
    JSON lines. The turns must be in the store; those that were worked on before yield nothing. With
    --json: insight and `deep_reflection` records, and an event for each other step that changed
    something.
    """
    from thalamus.commands.options import engine

    named = steps or []
    _check(named, given)
    with engine(config) as thalamus:
        if named == ["-"]:
            _filter(thalamus, given.dry_run)
        elif given.dry_run:
            _show_merge(thalamus.insights.merge(dry_run=True), json)
        else:
            chosen = ["crystallize"] if given.watch else named or STEPS
            if config.network and not (named or given.watch):
                _crawl(thalamus, json)
            _run(thalamus, _loop_options(config, chosen, given), given.watch, json)


def _check(steps: Sequence[str], given: Options) -> None:
    """Raises ``UsageError`` for an unknown step, and for what cannot be combined."""
    from thalamus.commands.options import wrong_choice
    from thalamus.errors import UsageError

    wrong = [step for step in steps if step not in (*STEPS, "-")]
    if wrong:
        raise wrong_choice("STEP", wrong[0], (*STEPS, "-"))
    of_crystallize = bool(given.limit or given.watch or given.retry)
    if "-" in steps and (len(steps) > 1 or given.prune or of_crystallize or given.within):
        raise UsageError(
            "`-` cannot be combined with steps, --within, --prune, --limit, --watch or --retry."
        )
    if given.dry_run and steps not in (["-"], ["merge"]):
        fix = "thalamus export … | thalamus consolidate - --dry-run"
        raise UsageError("--dry-run requires `-` or merge.", fix=fix)
    if given.dry_run and (given.prune or of_crystallize):
        raise UsageError("--dry-run cannot be combined with other options.")
    if given.watch and (given.prune or steps not in ([], ["crystallize"])):
        raise UsageError("--watch cannot be combined with other steps.")
    if given.within and steps and not {"extract", "summarize"}.intersection(steps):
        raise UsageError("--within requires extract or summarize.")
    if of_crystallize and steps and "crystallize" not in steps:
        raise UsageError("--limit and --retry require crystallize.")


def _loop_options(config: Config, steps: Sequence[str], given: Options) -> ConsolidateOptions:
    from thalamus.memory.retention.prune import PruneOptions
    from thalamus.pipeline.consolidate import WITHIN, ConsolidateOptions

    chosen: list[Step] = [step for step in STEPS if step in steps]
    return ConsolidateOptions(
        steps=[*chosen, "prune"] if given.prune else chosen,
        within=WITHIN if given.within is None else _seconds(given.within),
        limit=given.limit,
        failed=given.retry,
        prune=PruneOptions(most=config.max_memories),
    )


def _seconds(within: str) -> float:
    """Seconds in the value of --within. Raises ``UsageError``."""
    from thalamus.clock import days_in
    from thalamus.errors import UsageError

    days = days_in(within.strip(), "smh")
    if days is None:
        raise UsageError(f"invalid --within {within!r} (expected 90s, 10m or 2h)")
    return days * 86_400


def _filter(thalamus: Thalamus, dry_run: bool) -> None:
    """Insights from the turns on standard input. Raises ``BadRecord`` for a turn that is not
    stored."""
    from thalamus.errors import BadRecord, NothingFound
    from thalamus.records import Turn

    _complain_if_too_small(thalamus)
    for number, turn in jsonl.records(Turn):
        try:
            if turn.id is None:
                raise NothingFound("a turn without an id", fix="Store it first: `thalamus store`.")
            result = thalamus.insights.crystallize_turn(turn, dry_run=dry_run)
        except NothingFound as error:
            problem = f"`id`: {turn.id or '(none)'} is not in the store"
            raise BadRecord(number, problem, "id", fix=error.fix) from None
        jsonl.write(*result.insights)
        _warn(result.issues)


def _run(thalamus: Thalamus, options: ConsolidateOptions, watch: bool, json: bool) -> None:
    """Runs the steps; with ``watch`` until interrupted."""
    import time

    from thalamus.commands.background import finish_some
    from thalamus.commands.hnsw_indexes import keep

    report = _Report(options, thalamus.clock.stamp(), json)
    waiting = thalamus.insights.count_jobs()
    if "crystallize" in options.steps and (waiting.get("waiting") or waiting.get("failed")):
        _complain_if_too_small(thalamus)
    if "prune" in options.steps:
        finish_some(thalamus, most=None)
    while True:
        for step, result in thalamus.insights.consolidate(options):
            report.add(step, result)
        if not watch:
            break
        time.sleep(PAUSE)
    report.close(thalamus.insights.count_jobs(), thalamus.insights.count_not_extracted())
    if "prune" in options.steps:
        keep(thalamus)
    if report.code:
        thalamus.close()
        sys.exit(report.code)


def _crawl(thalamus: Thalamus, json: bool) -> None:
    """Reads the sources that are due; one that cannot be read does not stop the other steps."""
    from thalamus.commands.sources import print_crawl

    if thalamus.open_store() is not None:
        print_crawl(partial(thalamus.sources.crawl, due=True, summary=False), json)


class _Report:
    """Prints the results of steps, and finally a summary of all. ``code``: the exit status."""

    def __init__(self, options: ConsolidateOptions, now: str, json: bool) -> None:
        self.code = 0
        self._now = now
        self._json = json
        self._steps = [*options.steps]
        self._made = 0  # memories and facts
        self._extracted = self._turns = self._insights = 0
        self._parts: list[str] = []

    def add(self, step: Step, result: Any) -> None:
        """Adds the result of a step, ``extract`` and ``crystallize`` of one turn."""
        if step in ("extract", "crystallize"):
            self._add_turn(step, result)
        elif step == "merge":
            self._add_merge(result)
        else:
            self._add_pruned("pruned" if step == "prune" else "sessions_summarized", result)

    def _add_turn(self, step: Step, finished: JobResult[Any]) -> None:
        from thalamus.commands.background import print_problem

        if finished.problem is not None:
            print_problem(finished.problem)
            self.code = int(getattr(finished.problem, "code", 1))
        elif finished.result is not None and step == "extract":
            self._extracted += 1
            self._made += sum(one.decision == "add" for one in finished.result.stored)
        elif finished.result is not None:
            self._turns += 1
            self._insights += len(finished.result.insights)
            _show_insights(finished.result, self._json)

    def _add_merge(self, report: DeepReflection) -> None:
        if report.groups or self._steps == ["merge"]:
            _show_merge(report, self._json)
        if report.merged:
            self._parts.append(f"{counted({'group': report.merged})} merged")

    def _add_pruned(self, name: str, result: PruneResult) -> None:
        from thalamus.commands.prune import result_event, result_parts

        _warn(result.issues)
        self._parts += result_parts(result)
        if result.batch and self._json:
            jsonl.write(result_event(name, result, self._now))

    def close(self, jobs: Mapping[JobState, int], imported: int) -> None:
        """Prints the summary; ``jobs``: number of turns to crystallize, by state; ``imported``: of
        imported turns to extract from."""
        if self._json or self._steps == ["merge"]:
            return
        parts = self._parts
        if self._extracted or ("extract" in self._steps and imported):
            waiting = f" ({imported:,} waiting)" if imported else ""
            made = f"{self._made:,} extracted from {counted({'turn': self._extracted})}"
            parts = [f"{made}{waiting}", *parts]
        if "crystallize" in self._steps:
            parts = [*self._crystallized(jobs.get("waiting", 0), jobs.get("failed", 0)), *parts]
        complain(f"consolidate: {', '.join(parts) or 'nothing to do'}")

    def _crystallized(self, waiting: int, failed: int) -> Iterator[str]:
        if self._turns or waiting or failed:
            yield f"{counted({'turn': self._turns})} done"
            yield counted({"insight": self._insights})
        if waiting:
            yield f"{waiting} waiting"
        if failed:
            yield f"{failed} failed too often (--retry includes them)"


def _show_insights(result: Crystallized, json: bool) -> None:
    for insight in result.insights:
        if json:
            jsonl.write(insight)
        else:
            say(insight_line(insight))
    sys.stdout.flush()
    _warn(result.issues)


def _show_merge(report: DeepReflection, json: bool) -> None:
    if json:
        jsonl.write(report)
        return
    for line in reflection_lines(report):
        say(line)


def _warn(issues: Sequence[Issue]) -> None:
    for problem in issues:
        complain(f"thalamus: {problem.message}")


def _complain_if_too_small(thalamus: Thalamus) -> None:
    model = thalamus.insights.too_small_to_crystallize()
    if model:
        complain(
            f"consolidate: {model} is too small to conclude anything and is not asked;"
            " the turns wait for a larger model"
        )
