"""`thalamus key`: shows, rotates and replaces the keys of the store."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.groups import Suggesting
from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

app = typer.Typer(
    cls=Suggesting,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="Show, rotate or replace the keys of the store.",
)
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Proceed without asking.")]


@app.command()
@settings(*STORE)
def show(config: Config, json: Json = False) -> None:
    """Show the place and fingerprint of the store key.

    Also shows whether this key signed the store. The key itself is never shown.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        state = thalamus.keys.state()
        if json:
            jsonl.write(Event(name="key", at=thalamus.clock.stamp(), data=state))
            return
        signed = thalamus.open_store() is not None and bool(thalamus.keys.signer()[0])
    none = "no key here" if signed else "no key yet: the first write creates it"
    say(f"place        {state['place']}")
    say(f"fingerprint  {state['fingerprint'] or none}")
    say(f"store        {state['store']}")


@app.command()
@settings(*STORE)
def rotate(config: Config, json: Json = False) -> None:
    """Create a new store key and sign the store with it.

    The store is verified with the current key first. If this is interrupted, run it again. Heads
    printed by `doctor --signatures --head` become invalid.
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        _print_signing(thalamus.keys.rotate(), thalamus.clock.stamp(), json)


@app.command()
@settings(*STORE)
def adopt(config: Config, yes: Yes = False, json: Json = False) -> None:
    """Sign the store as it is with the current key.

    For a store from another machine, or one whose key is lost. Changes made before can never be
    detected afterwards. If the store itself is lost, starts a new one.
    """
    from thalamus.commands.options import engine

    with engine(config) as thalamus:
        if thalamus.keys.store_is_lost:
            lost = f"The store at {config.store_place} is missing, with everything it remembered."
            _ask(lost, "Start a new one?", yes)
        else:
            _ask(
                f"Everything in {thalamus.store.place} will be trusted as it is: rows edited,"
                " removed or inserted until now can no longer be detected.",
                "Sign it?",
                yes,
            )
        _print_signing(thalamus.keys.adopt(), thalamus.clock.stamp(), json)


@app.command()
@settings(*STORE)
def encrypt(config: Config, json: Json = False) -> None:
    """Encrypt what is personal and was stored as plain text.

    Also encrypts the turns and other sources that personal entries were made of, then erases the
    plain words from the store's files. `doctor` reports whether there is anything to encrypt. If
    this is interrupted, run it again. Exit status 1 if plain words are left in the store; backups
    that contain them are named and kept.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted
    from thalamus.terminal.progress import StepLine

    with engine(config) as thalamus, StepLine() as step:
        report = thalamus.keys.encrypt(progress=step)
        at = thalamus.clock.stamp()
    for problem in [*report.left, *(f"plain words in {file}" for file in report.residue)]:
        complain(f"thalamus: left: {problem}; run `thalamus key encrypt` again")
    for file in report.copies:
        complain(f"thalamus: {file} contains the plain words")
    if json:
        data = {"counts": report.counts, "left": report.left, "residue": report.residue}
        jsonl.write(Event(name="key_encrypted", at=at, data=data | {"copies": report.copies}))
    else:
        say(f"Encrypted {counted(report.counts)}." if report.counts else "Nothing to encrypt.")
    if report.left or report.residue:
        raise typer.Exit(1)


@app.command()
@settings(*STORE)
def shred(
    config: Config,
    subject: Annotated[
        str, typer.Argument(metavar="SUBJECT", help="A user, or a subject of facts.")
    ] = "user",
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Destroy the encryption key of a subject.

    Encrypted entries of the subject can never be read again, in the store or in any backup. Exit
    status 4 if there is no such key.
    """
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        found = thalamus.keys.of_subject(subject)
        _ask(
            f"Everything encrypted of {', '.join(found)} becomes unreadable, in backups too.",
            "Shred the key?",
            yes,
        )
        thalamus.keys.shred(found)
        at = thalamus.clock.stamp()
    if json:
        jsonl.write(Event(name="key_shredded", at=at, data={"subjects": found}))
    else:
        say(f"Destroyed the key of {', '.join(found)}.")


def _ask(warning: str, question: str, yes: bool) -> None:
    """Prints a warning and asks on a terminal; elsewhere ``--yes`` must be given."""
    from thalamus.errors import Interrupted, UsageError
    from thalamus.terminal import streams

    complain(warning)
    if yes:
        return
    if not streams.can_ask():
        raise UsageError("Cannot ask for confirmation here.", fix="Give --yes to proceed.")
    if not streams.agreed(question):
        raise Interrupted()


def _print_signing(data: dict[str, str], at: str, json: bool) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(Event(name=f"key_{data['what']}", at=at, data=data))
    else:
        say(f"Signed with key {data['key']}; before: {data['before'] or 'not signed'}.")
