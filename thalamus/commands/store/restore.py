"""`thalamus store restore`: replaces the store by a backup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus


@settings(*STORE)
def restore(
    config: Config,
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file written by `thalamus store backup`.")
    ],
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Replace an existing store without asking.")
    ] = False,
    json: Json = False,
) -> None:
    """Restore the store from a backup.

    An existing store is kept under another name. Other processes may keep working: they see the old
    state, then the restored one. A backup does not contain the store key: if it is needed and
    missing, a warning explains what to do; with --json, the event has `missing_key` and
    `unreadable`.
    """
    from pathlib import Path

    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.terminal import jsonl
    from thalamus.terminal.lines import counted

    path = Path(file)
    with engine(config) as thalamus:
        live = thalamus.store.place
        counts = thalamus.store.inspect_backup(path)
        if thalamus.store.exists() and not yes:
            _ask(live, counted(counts))
        kept = thalamus.store.restore(path)
        lacking, warnings = _lacking(thalamus)
        if json:
            made = {"path": live, "counts": counts, "kept": str(kept) if kept else None}
            data = {**made, **lacking}
            jsonl.write(Event(name="restored", at=thalamus.clock.stamp(), data=data))
        else:
            say(f"restored to {live}: {counted(counts)}")
            if kept is not None:
                say(f"The previous store is kept as {kept}")
        for warning in warnings:
            complain(f"thalamus: {warning}")


def _ask(live: str, what: str) -> None:
    """Asks for confirmation on a terminal; elsewhere ``--yes`` must be given."""
    from thalamus.errors import Interrupted, UsageError
    from thalamus.terminal import streams

    if not streams.can_ask():
        raise UsageError(f"There is already a store at {live}.", fix="Give --yes to replace it.")
    if not streams.agreed(f"Replace the store at {live} with {what}? The old one is kept."):
        raise Interrupted()


def _lacking(thalamus: Thalamus) -> tuple[dict[str, object], list[str]]:
    """The missing keys of the restored store, as data and as warnings with advice."""
    from thalamus.errors import ThalamusError

    try:
        signed_by, where = thalamus.keys.signer()
        unreadable = thalamus.keys.count_unreadable()
        state = thalamus.keys.state()
    except ThalamusError as error:  # restored, but its key or head cannot be read
        return {}, [f"{error.message}\n  {error.advice}"]
    warnings = []
    if where == "former":
        warnings.append(
            "The backup was signed with a previous key: the store can be read, but not written to."
            "\n  `thalamus key rotate` signs it with the current key."
        )
    elif where == "missing":
        warnings.append(
            f"The key that signed this store ({signed_by}) is not here: the store can be read, but"
            f" not written to.\n  {_advice(thalamus.config, state)}"
            " If it is lost, `thalamus key adopt` signs the store with a key of this machine."
        )
    if unreadable:
        one = unreadable == 1
        entries = "1 encrypted entry" if one else f"{unreadable:,} encrypted entries"
        where_kept = (
            "Encryption keys are kept with the key that signs, in the same file or keyring."
            if where == "missing"
            else "They were destroyed by `thalamus key shred`, or are on another machine."
        )
        keys = "its key" if one else "their keys"
        warnings.append(f"{entries} cannot be read without {keys}.\n  {where_kept}")
    missing = signed_by if where == "missing" else None
    return {"missing_key": missing, "unreadable": unreadable}, warnings


def _advice(config: Config, state: dict[str, str]) -> str:
    """The advice for bringing the key to this machine."""
    if config.key_store == "none":
        return "Set `key_store: file`, and copy it to where `thalamus key show` then says."
    if config.key_store == "keyring":
        return f"Copy it from the keyring of the machine that made the backup to {state['place']}."
    advice = f"Copy it from the machine that made the backup to {state['place']}"
    if state["fingerprint"]:
        return f"{advice}, after moving the other key that is there out of the way."
    return f"{advice}."
