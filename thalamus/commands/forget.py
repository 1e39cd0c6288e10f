"""`thalamus forget`: deletes something for good, with all that rests on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal import streams
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from thalamus.api import ForgetReport, Thalamus
    from thalamus.terminal.erase import StepLine

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@settings(*OWNER, *STORE)
def forget(
    config: Config,
    ids: Annotated[
        list[str] | None, typer.Argument(help="Ids of turns, memories, facts, documents, plans.")
    ] = None,
    subject: Annotated[
        str | None, typer.Option(help="Facts about it, and all that names it.")
    ] = None,
    query: Annotated[str | None, typer.Option(help="All that holds these words.")] = None,
    session: Annotated[str | None, typer.Option(help="A whole session.")] = None,
    source: Annotated[
        str | None, typer.Option(help="A document, by path, title, id or SHA-256.")
    ] = None,
    about: Annotated[
        str | None, typer.Option(help="What speaks of it, in whatever form of its words.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    no_input: Annotated[bool, typer.Option("--no-input", help="Never ask; fail instead.")] = False,
    prove: Annotated[
        str | None, typer.Option(help="Write a signed receipt to this file (- for stdout).")
    ] = None,
    finish: Annotated[
        bool, typer.Option("--finish", help="Do what an interrupted forget left to be done.")
    ] = False,
    check_receipt: Annotated[
        str | None, typer.Option(help="Check a receipt; with --query, whether it covers a text.")
    ] = None,
    json: Json = False,
) -> None:
    """Deletes something for good: the rows and all that rests on them, their vectors and words in
    the indexes, what the ledger says of them, SQLite's log and free pages. Then every file of the
    store is searched for what may be left; exit status 1 when anything is. Nothing found: 4.

    With --json: one verdict per thing that goes, then an `event` record that says how it went.
    """
    from thalamus.api import ForgetOptions
    from thalamus.commands.options import engine
    from thalamus.terminal.erase import StepLine, show_report, show_unfinished

    if check_receipt is not None:
        _check(check_receipt, query, config)
        return
    if prove not in (None, "-"):
        check_target(Path(prove))
    with engine(config) as thalamus, StepLine() as step:
        if finish:
            show_unfinished(thalamus.finish_forgetting(progress=step))
            return
        asked = _Asking(json, ask=not yes, possible=not no_input)
        options = ForgetOptions(
            ids=tuple(ids or ()),
            subject=subject,
            query=query,
            session=session,
            source=source,
            about=about,
            dry_run=dry_run,
            prove=prove is not None,
        )
        confirm = None if dry_run else asked.confirm(step)
        report = thalamus.forget(options, confirm=confirm, progress=step)
        step.clear()
        if dry_run:
            asked.show(report)
        _finish(report, prove, thalamus, json)
    show_report(report, json, thalamus.clock.stamp())


class _Asking:
    """Shows what goes, and asks."""

    def __init__(self, json: bool, ask: bool, possible: bool) -> None:
        self._json = json
        self._ask = ask
        self._possible = possible

    def show(self, report: ForgetReport) -> None:
        from thalamus.terminal.erase import show_plan

        show_plan(report, self._json)

    def confirm(self, step: StepLine) -> Callable[[ForgetReport], bool]:
        from thalamus.errors import Interrupted, UsageError

        def confirmed(report: ForgetReport) -> bool:
            step.clear()
            self.show(report)
            if not self._ask:
                return True
            if not (self._possible and streams.can_ask()):
                raise UsageError("Nothing was deleted.", fix="Give --yes to delete all of this.")
            if not streams.agreed("Delete all of this for good?"):
                complain("Nothing was deleted.")
                raise Interrupted()
            return True

        return confirmed


def _finish(report: ForgetReport, prove: str | None, thalamus: Thalamus, json: bool) -> None:
    if report.receipt is None or prove is None:
        return
    if prove == "-":
        streams.write_bytes(report.receipt)
        return
    try:
        Path(prove).write_bytes(report.receipt)
    except OSError as error:  # what it proves cannot be done again
        streams.write_bytes(report.receipt)
        why = f"{prove} cannot be written ({error.strerror}): the receipt is on standard output."
        complain(f"thalamus: {why}")


def check_target(path: Path) -> None:
    """Raises ``UsageError`` when no receipt can be written there."""
    import os

    from thalamus.errors import UsageError

    folder = path.absolute().parent
    if not path.name or path.is_dir() or not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise UsageError(f"--prove: no file can be written at {str(path)!r}. Nothing was deleted.")


def _check(file: str, text: str | None, config: Config) -> None:
    """Tells whether a receipt is whole, who signed it, and whether it covers a text."""
    from pathlib import Path

    from thalamus.api import covers, verify_receipt
    from thalamus.errors import NothingFound, ThalamusError, UsageError
    from thalamus.terminal.streams import read_input

    try:
        data = read_input() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None
    problems = verify_receipt(data)
    if problems:
        raise ThalamusError(f"{file}: {problems[0]}")
    from thalamus.terminal.erase import show_receipt

    show_receipt(data, config)
    if text is not None:
        found = covers(data, text)
        if not found:
            raise NothingFound("that text in the receipt")
        say(f"covers the text: {', '.join(found)}")
