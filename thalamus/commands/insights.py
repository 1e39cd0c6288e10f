"""`thalamus insights`: conclusions from what was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.groups import Group
from thalamus.commands.options import OWNER, STORE, Json, Limit, search_text, settings, wrong_choice
from thalamus.config import Config
from thalamus.terminal.streams import complain, say, width
from thalamus.text.analyzer import fold

if TYPE_CHECKING:
    from thalamus.records import Insight

group = Group(
    "List, show, search and reject insights, and undo their merging. Without a command: `list`.",
    {
        "list": "insights:list_insights",
        "show": "insights:show",
        "tree": "insights:tree",
        "search": "insights:search",
        "reject": "operation:insights reject",
        "undo": "insights:undo",
    },
    words="search",
)
Id = Annotated[str, typer.Argument(metavar="ID", help="The id of an insight, or a prefix of it.")]


@settings(*OWNER, *STORE, lists=True)
def list_insights(
    config: Config,
    topic: Annotated[
        str | None, typer.Option(metavar="TOPIC", help="Only those that connect this concept.")
    ] = None,
    status: Annotated[
        str,
        typer.Option(
            metavar="STATUS",
            help="active (default), archived, quarantined, rejected, unsupported or all.",
        ),
    ] = "active",
    min_strength: Annotated[
        float, typer.Option(min=0, metavar="N", help="Only those with at least this strength.")
    ] = 0.0,
    json: Json = False,
) -> None:
    """List insights, the strongest first.

    Only active ones, which are recalled, unless --status is given.
    """
    from thalamus.commands.options import engine
    from thalamus.records import INSIGHT_STATUSES
    from thalamus.terminal import jsonl
    from thalamus.terminal.insights import insight_line

    if status not in (*INSIGHT_STATUSES, "all"):
        raise wrong_choice("--status", status, (*INSIGHT_STATUSES, "all"))
    with engine(config) as thalamus:
        wanted = None if status == "all" else status
        found = thalamus.insights.find(status=wanted, topic=topic, least_strength=min_strength)
        for insight in found:
            if json:
                jsonl.write(insight)
            else:
                say(insight_line(insight))
        if not found and not json:
            complain(_why_empty(thalamus.insights.find(status=None), topic))


def _why_empty(others: Sequence[Insight], topic: str | None) -> str:
    """Message if no insight matches; ``others`` are all that exist."""
    from thalamus.terminal.choices import unknown

    if not others:
        return "There are no insights yet."
    topics = dict.fromkeys(concept for one in others for concept in one.concepts)
    if topic is None or fold(topic) in map(fold, topics):
        return "No insights match."
    return unknown("No insight is about", topic, topics)


@settings(*STORE)
def show(config: Config, id: Id, json: Json = False) -> None:
    """Show every field of an insight, and its sources.

    With --json: the insight, then its links.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.insights import insight_fields
    from thalamus.terminal.lines import one_line

    with engine(config) as thalamus:
        insight = thalamus.insights.get(id)
        if json:
            jsonl.write(insight, *thalamus.store.links(insight.stored_id))
            return
        for line in insight_fields(insight):
            say(line)
        for source in insight.sources:
            known = thalamus.store.describe(source)
            say(f"{'rests on':12}  {known.kind} {one_line(known.text, 100)}  [{source}]")


@settings(*STORE)
def tree(config: Config, id: Id, json: Json = False) -> None:
    """Show the sources of an insight, down to the words that were said.

    With --json: one nested `origin` record.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl
    from thalamus.terminal.explain import tree as as_tree
    from thalamus.terminal.tree import lines

    with engine(config) as thalamus:
        origin = thalamus.insights.tree(id)
        if json:
            jsonl.write(origin)
            return
        for line in lines(as_tree(origin), width()):
            say(line)


@settings("embedder", *OWNER, *STORE, lists=True)
def search(
    config: Config,
    words: Annotated[list[str], typer.Argument(metavar="QUERY…", help="The words to search for.")],
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Search active insights by words and by meaning, best first.

    With --json: evidence records.
    """
    from msgspec import structs

    from thalamus.commands.options import engine
    from thalamus.commands.retrieve import show as show_evidence

    with engine(config) as thalamus:
        where = structs.replace(thalamus.here(), kinds=("insight",))
        found = thalamus.recall(search_text(words), limit=limit, where=where)
        for _, failure in thalamus.failures:
            complain(f"thalamus: searched full text only: {failure}")
        show_evidence(found, json)


@settings(*STORE)
def undo(
    config: Config,
    batch: Annotated[
        str | None,
        typer.Argument(metavar="BATCH", help="The id of a merge, or a prefix [default: last]."),
    ] = None,
    json: Json = False,
) -> None:
    """Undo a merge of `consolidate`.

    The insights that were merged are active again. With --json: an event.
    """
    from thalamus.commands.options import engine
    from thalamus.commands.undo import show
    from thalamus.errors import NothingMatches
    from thalamus.pipeline.merge_insights import undo_reflection

    with engine(config) as thalamus:
        merge = batch or undo_reflection(thalamus.store.batches(undoable=True))
        if merge is None:
            raise NothingMatches("There is no merge of insights to undo.")
        show(thalamus.undo(merge), json)
