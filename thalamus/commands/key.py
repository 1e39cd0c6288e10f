"""`thalamus key`: the store key, a new one, and signing a store anew."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="The store key: where it is (show), a new one (rotate), signing a store anew (adopt).",
)
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command()
@settings(*STORE)
def show(config: Config, json: Json = False) -> None:
    """Tells where the key is, its fingerprint, and whether it is the one that signed the store.
    The key itself is never shown."""
    from thalamus.commands.options import engine
    from thalamus.integrity import key_state
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        state = key_state(thalamus)
        if json:
            jsonl.write(Event(name="key", at=thalamus.clock.stamp(), data=state))
            return
    print(f"place        {state['place']}")
    print(f"fingerprint  {state['fingerprint'] or 'no key yet: the first write makes it'}")
    print(f"store        {state['store']}")


@app.command()
@settings(*STORE)
def rotate(config: Config, json: Json = False) -> None:
    """Makes a new key and signs the store with it, after it was verified with the present one.

    When this is interrupted, run it again. A head that was kept for `verify --against` is of no
    use afterwards.
    """
    from thalamus.commands.options import engine
    from thalamus.integrity import rotate as rotate_key

    with engine(config) as thalamus:
        _tell(rotate_key(thalamus), thalamus.clock.stamp(), json)


@app.command()
@settings(*STORE)
def adopt(config: Config, yes: Yes = False, json: Json = False) -> None:
    """Signs the store anew with the present key, as it is: for a store that came from another
    machine, or whose key is lost. What was changed before can never be found afterwards."""
    from thalamus.commands.options import engine
    from thalamus.errors import Interrupted, UsageError
    from thalamus.integrity import adopt as adopt_store

    with engine(config) as thalamus:
        path = thalamus.store.path
        warning = (
            f"Everything in {path} is trusted as it is found: whatever was edited, removed or"
            " inserted until now will look genuine ever after."
        )
        print(warning, file=sys.stderr)
        if not yes:
            if not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise UsageError("Nobody can be asked here.", fix="Give --yes to sign it anew.")
            print("Sign it anew? [y/N] ", end="", file=sys.stderr, flush=True)
            if sys.stdin.readline().strip().lower() not in ("y", "yes"):
                raise Interrupted()
        _tell(adopt_store(thalamus), thalamus.clock.stamp(), json)


def _tell(done: dict[str, str], at: str, json: bool) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(Event(name=f"key_{done['what']}", at=at, data=done))
    else:
        print(f"Signed with the key {done['key']}; before: {done['before'] or 'not signed'}.")
