"""`thalamus prune`: retires expired memories; suitable for cron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from thalamus.commands.options import MODELS, MOST, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.memory.retention.prune import PruneOptions, PruneResult
    from thalamus.policy.retention import Rule
    from thalamus.records import Event, Verdict

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Options(Struct):
    """Options of `prune`."""

    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print a verdict on each memory; change nothing.")
    ] = False
    rules: Annotated[
        bool, typer.Option("--rules", help="Print the retention rules in effect; change nothing.")
    ] = False
    type: Annotated[
        list[str] | None, typer.Option("--type", metavar="TYPE", help="Only this type; repeatable.")
    ] = None
    max_memories: Annotated[
        int | None, typer.Option(min=1, max=MOST, metavar="N", help="Keep at most N memories.")
    ] = None
    sessions: Annotated[
        bool, typer.Option("--sessions", help="Also summarize sessions idle for a day.")
    ] = False
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Summarize by key sentences, without a model.")
    ] = False
    embed: Annotated[bool, typer.Option("--embed", help="Also compute missing embeddings.")] = False
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing if there is nothing to do.")
    ] = False


@app.command()
@settings(*MODELS, *STORE)
def prune(
    config: Config,
    given: Options = Options(),
    json: Json = False,
) -> None:
    """Summarize and retire expired memories.

    Retires the memories that have expired by the retention rule of their type, and the least
    valuable ones if there are too many. They are summarized first, can be restored with `thalamus
    undo` for `undo_days`, and are deleted after that. Deletes the logs of stages that are older
    than `log_days`. Prints one line. Afterwards builds or extends the HNSW indexes of a large store
    if needed.

    With --json: a verdict for each retired memory (with --dry-run for every memory), then an event.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.memory.retention.prune import PruneOptions
    from thalamus.terminal.choices import check_types

    if given.embed and (given.dry_run or given.rules):
        raise UsageError("--embed cannot be combined with --dry-run or --rules.")
    with engine(config) as thalamus:
        if given.rules:
            _show_rules(thalamus, json)
            return
        most = config.max_memories if given.max_memories is None else given.max_memories
        types = check_types(thalamus, given.type)
        options = PruneOptions(types, most, given.sessions, not given.no_model)
        if given.dry_run:
            _show_verdicts(thalamus, options, json)
            return
        from thalamus.commands.background import finish_some
        from thalamus.commands.hnsw_indexes import keep as keep_hnsw
        from thalamus.errors import NoChatModel
        from thalamus.terminal import jsonl

        if not given.no_model:
            finish_some(thalamus, most=None)
        result = thalamus.memories.prune(options, jsonl.write if json else None)
        for problem in result.issues:
            if given.quiet and problem.message == NoChatModel().message:
                continue  # key sentences are meant to do without one
            complain(f"thalamus: {problem.stage}: {problem.message}")
        embedded = _embed(thalamus) if given.embed else 0
        _print_result(result, embedded, thalamus, given.quiet, json)
        keep_hnsw(thalamus)


def _embed(thalamus: Thalamus) -> int:
    """Computes missing embeddings; returns their number."""
    from thalamus.errors import UsageError
    from thalamus.terminal.progress import counting

    name, total = thalamus.store.count_missing_embeddings()
    if name == "none":
        raise UsageError("No embedder is configured.", fix="Select one with --embedder.")
    with counting("embedded", "entries", total) as advance:
        return thalamus.store.embed_missing(advance)


def _show_rules(thalamus: Thalamus, json: bool) -> None:
    from msgspec.structs import asdict

    from thalamus.records.installation import RetentionRule
    from thalamus.terminal import jsonl

    for rule in thalamus.rules.values():
        if json:
            jsonl.write(RetentionRule(**asdict(rule)))
            continue
        decay = f"; value halves in {rule.half_life:g} days"
        say(f"{rule.kind:18}  {rule.scope:8}  {_period(rule)}{decay if rule.pressure else ''}")


_THEN = {"drop": "retired", "compress": "summarized", "demote": "lowered in importance"}
_SINCE = {
    "days": "it was last mentioned",
    "active": "its topic was last mentioned",
    "window": "its topic was last mentioned",
}


def _period(rule: Rule) -> str:
    """The retention period of a rule, and what follows it, in words."""
    if rule.keep == "forever":
        return "kept until there are too many memories" if rule.pressure else "kept forever"
    longer = ", or as long as it stays relevant" if rule.keep == "window" else ""
    kept = f"kept for {rule.days} days after {_SINCE[rule.keep]}{longer}"
    always = "" if rule.pressure else ", however many memories there are"
    return f"{kept}{always}, then {_THEN[rule.then]}"


def _show_verdicts(thalamus: Thalamus, options: PruneOptions, json: bool) -> None:
    from thalamus.terminal import jsonl

    for verdict in thalamus.memories.would_prune(options):
        if json:
            jsonl.write(verdict)
        else:
            say(_line(verdict))
    if not json and (logs := thalamus.memories.count_old_logs()):
        from thalamus.terminal.lines import counted

        say(f"and delete {counted({'stage log': logs})} (older than `log_days`)")


def _line(verdict: Verdict) -> str:
    """``drop       expired on 2026-05-01: The user …  [mem_…]``."""
    from thalamus.terminal.lines import one_line

    id = f"  [{verdict.id}]" if verdict.id else ""
    content = f": {one_line(verdict.content, 80)}" if verdict.content else ""
    decision = {"add": "summarize", "forget": "delete"}.get(verdict.decision, verdict.decision)
    return f"{decision:9}  {verdict.reason}{content}{id}"


def _print_result(
    result: PruneResult, embedded: int, thalamus: Thalamus, quiet: bool, json: bool
) -> None:
    from thalamus.terminal import jsonl

    if json:
        event = result_event("pruned", result, thalamus.clock.stamp())
        event.data["embedded"] = embedded
        jsonl.write(event)
        return
    parts = result_parts(result) + ([f"{embedded:,} embedded"] if embedded else [])
    if parts:
        undo = f"; undo with `thalamus undo {result.batch}`" if result.batch else ""
        say(f"prune: {', '.join(parts)}, {result.kept:,} kept{undo}")
    elif not quiet:
        say(f"prune: nothing to do, {result.kept:,} kept")


def result_event(name: str, result: PruneResult, at: str) -> Event:
    """The numbers of a result, as an event."""
    from msgspec.structs import asdict

    from thalamus.records import Event

    data = {name: value for name, value in asdict(result).items() if name != "issues"}
    return Event(name=name, at=at, data=data)


def result_parts(result: PruneResult) -> list[str]:
    """``2 dropped``, ``1 session summarized``: what a result says was done."""
    from thalamus.terminal.lines import counted

    compressed = f"{result.compressed:,} compressed into {counted({'summary': result.summaries})}"
    parts = {
        compressed: result.compressed,
        f"{result.dropped:,} dropped": result.dropped,
        f"{result.demoted:,} demoted": result.demoted,
        f"{counted({'session': result.sessions})} summarized": result.sessions,
        f"{result.purged:,} deleted permanently": result.purged,
        f"{counted({'stage log': result.logs})} deleted": result.logs,
    }
    return [part for part, count in parts.items() if count]
