"""`thalamus reflect`: the filter, and the work on pending turns."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.filters import run_filter
from thalamus.commands.options import MODELS, PERSONA, STORE, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings("session", *MODELS, *PERSONA, *STORE, filters=True)
def reflect(
    config: Config,
    pending: Annotated[
        bool,
        typer.Option("--pending", help="Finish pending turns: answered, but not reflected on."),
    ] = False,
    retry: Annotated[
        bool, typer.Option("--retry", help="With --pending: retry turns that failed too often.")
    ] = False,
    again: Annotated[
        bool,
        typer.Option(
            "--again",
            help="Replace memories that an earlier version derived by rules.",
        ),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="With --pending: print nothing if none is pending."),
    ] = False,
) -> None:
    """Extract memories and facts from turns.

    Reads turn records from standard input, asks the model for memories and facts, checks them
    against the turn and writes the records back with `reflection`. Stores nothing.

    With --pending, reads no input: reflects on the turns that were answered but not reflected on
    (`turn --background`, a chat that was left early) and stores the result.

    With --again, reads no input: reflects again on turns whose memories an earlier version derived
    by rules rather than from the words of the user or a model. `thalamus undo` undoes it.
    """
    from thalamus.errors import UsageError

    if pending and again:
        raise UsageError("--pending and --again cannot be combined.")
    if pending:
        _finish(config, retry, quiet)
    elif again:
        _read_again(config)
    elif retry or quiet:
        raise UsageError("--retry and --quiet require --pending.")
    else:
        run_filter("reflect", config)


def _read_again(config: Config) -> None:
    """Reflects again on turns whose memories an earlier version derived by rules."""
    import sys

    from thalamus.commands.options import engine
    from thalamus.pipeline.reflect_again import reflect_again
    from thalamus.terminal.lines import counted

    turns = retired = made = 0
    problem = None
    with engine(config) as thalamus:
        for one in reflect_again(thalamus.new_run()):
            problem = problem or one.problem
            turns += one.problem is None
            retired, made = retired + one.retired, made + one.made
    if not turns and problem is None:
        say("reflect: every memory is in the user's words or a model's")
        return
    say(f"reflect: {counted({'turn': turns})} read again, {retired} retired, {made} made")
    if turns:
        say("`thalamus undo` undoes it.")
    if problem is not None:
        complain(f"thalamus: {problem.message} {problem.fix}".strip())
        sys.exit(1)


def _finish(config: Config, retry: bool, quiet: bool) -> None:
    """Finishes all pending turns, in one process at a time because each loads its models."""
    import sys

    from thalamus.commands.background import print_problem
    from thalamus.commands.options import engine
    from thalamus.terminal.lines import counted

    with engine(config) as thalamus:
        count, code = 0, 0
        with thalamus.database.exclusive("finish", wait=True):
            for finished in thalamus.finish_turns(failed=retry):
                count += finished.result is not None
                if finished.problem is not None:
                    print_problem(finished.problem)
                    code = getattr(finished.problem, "code", 1)
        left = len(thalamus.unfinished_turns())
        if count or left:
            say(f"reflect: {counted({'turn': count})} finished, {left} pending")
        elif not quiet:
            say("reflect: no pending turns")
    if code:
        sys.exit(code)
