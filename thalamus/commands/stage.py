"""`thalamus stage`: the filters of the routed and the deliberate flow, and the list of stages."""

from __future__ import annotations

from thalamus.commands.filters import run_filter
from thalamus.commands.groups import Group
from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say_text

group = Group(
    "Run one stage of the routed or the deliberate flow as a filter. Without a name: `list`.",
    {
        "list": "stage:list_stages",
        "route": "stage:route",
        "gather": "stage:gather",
        "act": "stage:act",
        "topics": "stage:topics",
        "draft": "stage:draft",
        "search-plan": "stage:search_plan",
    },
)


@settings("session", "model", *OWNER, *STORE, filters=True)
def route(config: Config) -> None:
    """Decide what a message needs: context, world or answer.

    Reads turn records from standard input, looks up the last messages and what is remembered of the
    current project, asks the model once, and writes the records back with `route`, `context`,
    `world` and `tool_calls`.
    """
    run_filter("route", config)


@settings("session", "model", *OWNER, *STORE, filters=True)
def gather(config: Config) -> None:
    """Build the context of an answer, in rounds.

    Reads turn records from standard input. If their `route` is `context` or missing, it recalls
    what the message asks for, asks the model up to three times what is missing, and writes the
    records back with `context` and `evidence`. Other records are written back unchanged.
    """
    run_filter("gather", config)


@settings("session", "model", *OWNER, *STORE, filters=True)
def act(config: Config) -> None:
    """Do what a message asks for, with tools.

    Reads turn records from standard input. If their `route` is `world` or missing, the model calls
    the tools that the stage may use; the records are written back with `tool_calls`, and with
    changes of the world state and proposed memories, which `store` carries out. Other records are
    written back unchanged.
    """
    run_filter("act", config)


@settings("session", "model", *OWNER, *STORE, filters=True)
def topics(config: Config) -> None:
    """Find the topics of an exchange.

    Reads turn records from standard input, asks the model for the topics of the exchange, and
    writes the records back with operations that merge them into the world state. `store` carries
    them out.
    """
    run_filter("topics", config)


@settings("session", "model", *OWNER, *STORE, filters=True)
def draft(config: Config) -> None:
    """Answer briefly without memory, as a first draft.

    Reads turn records from standard input, asks the model once, and writes the records back with
    `draft`. It is not the answer: `search-plan` derives searches from it, and `answer` sees it next
    to their results. Stores nothing.
    """
    run_filter("draft", config)


@settings("session", "model", *OWNER, *STORE, filters=True)
def search_plan(config: Config) -> None:
    """Plan what to look up for a message and its draft.

    Reads turn records from standard input, asks the model what to search for, and writes the
    records back with `search_plan`: at most three instructions, which `retrieve` executes besides
    the message itself. Stores nothing.
    """
    run_filter("search_plan", config)


@settings(*STORE)
def list_stages(config: Config, json: Json = False) -> None:
    """List the stages that a flow may name.

    Each is shown with the fields of the turn that it reads and writes. Those of plugins are the
    last. With --json: a `stage` record for each.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        stages = thalamus.stages()
        longest = max(len(stage.name) for stage in stages)
        for stage in stages:
            if json:
                jsonl.write(stage)
                continue
            role = f"model {stage.role}" if stage.role else "no chat model"
            say_text(f"{stage.name:{longest}}  {role}")
            say_text(f"  reads   {', '.join(stage.reads) or '-'}")
            say_text(f"  writes  {', '.join(stage.writes) or '-'}")
