"""`thalamus metrics`: how well the memory serves, in figures with targets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import say

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*STORE)
def metrics(
    config: Config,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="Only what happened since DATE (2026-05-08, 7d, yesterday)."
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(
            metavar="DATE",
            help="Only what happened before DATE, or until the end of a time in words.",
        ),
    ] = None,
    eval: Annotated[
        Path | None,
        typer.Option(
            "--eval", metavar="FILE", help="Results that `eval retrieval --output` wrote."
        ),
    ] = None,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="Print the text format of Prometheus.")
    ] = False,
    json: Json = False,
) -> None:
    """Show how well the memory serves: figures with their targets.

    Recall of relevant memories (from the file of an evaluation), tools compared with their fixed
    order, corrections per 100 turns, times of storing and retrieving, the shares of what was used,
    quarantined and unusable, refusals by reason, and times and tokens of each stage. All but the
    recall comes from the ledger; an imported ledger gives the same. With --json: a `metrics`
    record.
    """
    from thalamus.commands.options import engine
    from thalamus.errors import UsageError
    from thalamus.evaluation.compare import mean_recall
    from thalamus.terminal import jsonl
    from thalamus.terminal.dates import read_period
    from thalamus.terminal.metrics import metric_lines
    from thalamus.terminal.streams import say_text
    from thalamus.transfer.prometheus import prometheus_text

    if json and prometheus:
        raise UsageError("--json and --prometheus cannot be combined.")
    begin, end = read_period(since, until)
    recall = mean_recall(eval) if eval is not None else None
    with engine(config) as thalamus:
        found = thalamus.metrics(begin, recall, until=end)
    if json:
        jsonl.write(found)
    elif prometheus:
        say_text(prometheus_text(found).removesuffix("\n"))
    else:
        for line in metric_lines(found):
            say(line)
