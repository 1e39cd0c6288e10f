"""`thalamus reflect`: the filter, and what is left to be done for turns that were answered."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import MODELS, OWNER, STORE, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *MODELS, *OWNER, *STORE)
def reflect(
    config: Config,
    pending: Annotated[
        bool, typer.Option("--pending", help="Finish turns that were only answered so far.")
    ] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="With --pending: also those that failed too often.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="With --pending: say nothing when none waits.")
    ] = False,
) -> None:
    """Finds what is worth keeping: reads turn records, asks the model for memories and facts,
    checks them against the turn, writes the records with `reflection`. Nothing is stored yet.

    With --pending no input is read: the turns whose answer was given before anything was learnt
    from them (`turn --background`, a chat that was left at once) are reflected upon and stored.
    """
    from thalamus.errors import UsageError

    if pending:
        _finish(config, retry, quiet)
    elif retry or quiet:
        raise UsageError("--retry and --quiet go with --pending.")
    else:
        run_filter("reflect", config)


def _finish(config: Config, retry: bool, quiet: bool) -> None:
    """Finishes all that is waiting. One process at a time does: each loads its models."""
    import sys

    from thalamus.commands.background import tell_problem
    from thalamus.commands.options import engine
    from thalamus.terminal.lines import counted

    with engine(config) as thalamus:
        done, code = 0, 0
        with thalamus.store.exclusive("finish", wait=True):
            for finished in thalamus.finish_turns(given_up=retry):
                done += finished.turn is not None
                if finished.problem is not None:
                    tell_problem(finished.problem)
                    code = getattr(finished.problem, "code", 1)
        left = len(thalamus.unfinished_turns())
        if done or left:
            say(f"reflect: {counted({'turn': done})} finished, {left} left")
        elif not quiet:
            say("reflect: no turn is waiting")
    if code:
        sys.exit(code)
