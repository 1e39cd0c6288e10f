"""`thalamus forget`: permanent deletion of something with everything derived from it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from msgspec import Struct

from thalamus.commands.options import OWNER, STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal import streams
from thalamus.terminal.streams import complain

if TYPE_CHECKING:
    from collections.abc import Callable

    from thalamus.memory.forget.erase import ForgetOptions, ForgetReport
    from thalamus.terminal.progress import StepLine

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Options(Struct):
    """Options of `forget`."""

    subject: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Facts about NAME and everything that mentions it."),
    ] = None
    query: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Everything that contains TEXT.")
    ] = None
    session: Annotated[
        str | None,
        typer.Option("--session", "-s", metavar="NAME", help="Everything in this session."),
    ] = None
    source: Annotated[
        str | None, typer.Option(metavar="DOC", help="A document, by path, title, id or SHA-256.")
    ] = None
    about: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Everything about TEXT, in any form of its words."),
    ] = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be deleted, delete nothing.")
    ] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False
    no_input: Annotated[bool, typer.Option("--no-input", help="Fail instead of asking.")] = False
    prove: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write a signed receipt to FILE (- for stdout)."),
    ] = None
    finish: Annotated[bool, typer.Option("--finish", help="Finish an interrupted forget.")] = False
    everything: Annotated[
        bool, typer.Option("--everything", help="Erase the whole memory of the tenant, with keys.")
    ] = False
    confirm: Annotated[
        str | None,
        typer.Option(metavar="TENANT", help="With --everything: confirm the name of the tenant."),
    ] = None
    check_receipt: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Check a receipt; with --query, whether it covers TEXT."),
    ] = None

    def selected(self) -> bool:
        """True if an option selects something to delete."""
        return bool(self.subject or self.query or self.session or self.source or self.about)

    def erases_alone(self, config: Config) -> bool:
        """True if --everything is combined with nothing but --confirm and --no-input."""
        shared = {name for name, origin in config.origin.items() if origin == "flag"}
        other = self.dry_run or self.yes or self.finish or self.selected()
        receipts = self.prove is not None or self.check_receipt is not None
        return not (other or receipts or shared & set(OWNER))


@app.command()
@settings(*OWNER, *STORE, blank=("prove", "confirm"))
def forget(
    config: Config,
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ID…",
            help="Ids of turns, memories, facts, documents, plans; short: mem_01jv9y.",
        ),
    ] = None,
    given: Options = Options(),
    json: Json = False,
) -> None:
    """Delete something permanently, with everything derived from it.

    Deletes the rows, their vectors, their words in the indexes, their mentions in the ledger, and
    SQLite's log and free pages; then searches every file of the store for remains. Exit status 1 if
    anything is left, 4 if nothing was found to delete.

    With --everything, erases the whole store of a tenant with its keys, after its name was typed.

    Other processes may keep working: they see an empty store. Backups and other files that contain
    the same words are named and kept. With --json: a verdict for each thing deleted, then an event
    with the result.
    """
    from thalamus.errors import UsageError
    from thalamus.memory.forget.erase import ForgetOptions

    if given.everything:
        from thalamus.commands.erase_all import erase_all

        if ids or not given.erases_alone(config):
            raise UsageError("--everything can only be combined with --confirm and --no-input.")
        erase_all(config, given.confirm, json, possible=not given.no_input)
        return
    if given.confirm is not None:
        raise UsageError("--confirm requires --everything.")
    if given.check_receipt is not None:
        _check(given.check_receipt, given.query, config)
    elif given.finish:
        if ids or given.selected() or given.dry_run or given.prove is not None:
            raise UsageError("--finish erases what was deleted before, and selects nothing.")
        _finish(config)
    else:
        options = ForgetOptions(
            ids=tuple(ids or ()),
            subject=given.subject,
            query=given.query,
            session=given.session,
            source=given.source,
            about=given.about,
            dry_run=given.dry_run,
            prove=given.prove is not None,
        )
        asking = Asking(json, ask=not given.yes, possible=not given.no_input)
        forget_selected(options, asking, given.prove, config)


def forget_selected(
    options: ForgetOptions, asking: Asking, prove: str | None, config: Config
) -> None:
    """Deletes, and writes a receipt to ``prove`` if one is requested; on standard output it stands
    alone."""
    from contextlib import nullcontext, redirect_stdout

    from thalamus.commands.options import engine
    from thalamus.errors import NothingFound, UsageError
    from thalamus.terminal.erase import nothing_to_forget, show_report
    from thalamus.terminal.progress import StepLine

    if prove not in (None, "-"):
        check_target(Path(prove))
    if prove == "-" and asking.json:
        raise UsageError("--json and --prove - cannot be combined.", fix="Give --prove a file.")
    aside = redirect_stdout(sys.stderr) if prove == "-" else nullcontext()
    with engine(config) as thalamus, StepLine() as step:
        confirm = None if options.dry_run else asking.confirm(step)
        with aside:
            try:
                report = thalamus.forget(options, confirm=confirm, progress=step)
                asking.show_deleted()
            except NothingFound as error:
                raise nothing_to_forget(options, error) from None
            step.clear()
            if options.dry_run:
                asking.show(report)
                if not asking.json:
                    complain("Nothing was deleted (--dry-run).")
        if report.receipt is not None and prove is not None:
            _write_receipt(report.receipt, prove)
    if report.done and config.key_store == "none":
        complain("thalamus: without a key (`key_store: none`) an import can bring this back")
    with aside:  # after the receipt: it raises an error if something is left
        show_report(report, asking.json, thalamus.clock.stamp())


def _finish(config: Config) -> None:
    from thalamus.commands.options import engine
    from thalamus.terminal.erase import show_unfinished
    from thalamus.terminal.progress import StepLine

    with engine(config) as thalamus, StepLine() as step:
        show_unfinished(thalamus.finish_forgetting(progress=step))


class Asking:
    """Shows what would be deleted and asks for confirmation."""

    def __init__(self, json: bool, ask: bool, possible: bool) -> None:
        self.json = json
        self._ask = ask
        self._possible = possible
        self._agreed: ForgetReport | None = None

    def show(self, report: ForgetReport) -> None:
        from thalamus.terminal.erase import show_plan

        show_plan(report, self.json)

    def show_deleted(self) -> None:
        """Shows what was deleted without confirmation. Not before the deletion: a reader that
        closes the pipe ends the command."""
        if self._agreed is not None:
            self.show(self._agreed)

    def confirm(self, step: StepLine) -> Callable[[ForgetReport], bool]:
        from thalamus.errors import Interrupted, UsageError

        def confirmed(report: ForgetReport) -> bool:
            step.clear()
            if not self._ask:
                self._agreed = report
                return True
            self.show(report)
            if not (self._possible and streams.can_ask()):
                problem = "Cannot ask for confirmation here. Nothing was deleted."
                raise UsageError(problem, fix="Give --yes to delete all of this.")
            if not streams.agreed("Delete all of this permanently?"):
                complain("Nothing was deleted.")
                raise Interrupted()
            return True

        return confirmed


def _write_receipt(receipt: bytes, prove: str) -> None:
    if prove == "-":
        streams.write_bytes(receipt)
        return
    try:
        Path(prove).write_bytes(receipt)
    except OSError as error:  # the receipt cannot be created again
        streams.write_bytes(receipt)
        why = f"cannot write {prove} ({error.strerror}): the receipt is on standard output"
        complain(f"thalamus: {why}")


def check_target(path: Path) -> None:
    """Raises ``UsageError`` if no receipt can be written there."""
    import os

    from thalamus.errors import UsageError

    folder = path.absolute().parent
    if not path.name or path.is_dir() or not (folder.is_dir() and os.access(folder, os.W_OK)):
        raise UsageError(f"invalid --prove {str(path)!r}: cannot write there. Nothing was deleted.")


def _check(file: str, text: str | None, config: Config) -> None:
    """Reports whether a receipt is intact, who signed it, and whether it covers a text."""
    from thalamus.errors import ThalamusError, UsageError
    from thalamus.security.receipts import verify_receipt
    from thalamus.terminal.erase import show_covered, show_receipt

    try:
        data = streams.read_input() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UsageError(f"Cannot read {file}: {error.strerror}.") from None
    problems = verify_receipt(data)
    if problems:
        raise ThalamusError(f"{file}: {problems[0]}")
    show_receipt(data, config)
    if text is not None:
        show_covered(data, text)
