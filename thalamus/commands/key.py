"""`thalamus key`: the store key, a new one, and signing a store anew."""

from __future__ import annotations

from typing import Annotated

import typer

from thalamus.commands.options import STORE, Json, settings
from thalamus.config import Config
from thalamus.terminal.streams import complain, say

app = typer.Typer(
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
    help="The store key: where it is (show), a new one (rotate), signing a store anew"
    " (adopt), making what is encrypted of somebody unreadable (shred).",
)
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


@app.command()
@settings(*STORE)
def show(config: Config, json: Json = False) -> None:
    """Tells where the key is, its fingerprint, and whether it is the one that signed the store.
    The key itself is never shown."""
    from thalamus.commands.options import engine
    from thalamus.records import Event
    from thalamus.security.store_state import key_state
    from thalamus.terminal import jsonl

    with engine(config) as thalamus:
        state = key_state(thalamus)
        if json:
            jsonl.write(Event(name="key", at=thalamus.clock.stamp(), data=state))
            return
    say(f"place        {state['place']}")
    say(f"fingerprint  {state['fingerprint'] or 'no key yet: the first write makes it'}")
    say(f"store        {state['store']}")


@app.command()
@settings(*STORE)
def rotate(config: Config, json: Json = False) -> None:
    """Makes a new key and signs the store with it, after it was verified with the present one.

    When this is interrupted, run it again. A head that was kept for `verify --against` is of no
    use afterwards.
    """
    from thalamus.commands.options import engine
    from thalamus.security.store_state import rotate_key

    with engine(config) as thalamus:
        _tell(rotate_key(thalamus), thalamus.clock.stamp(), json)


@app.command()
@settings(*STORE)
def adopt(config: Config, yes: Yes = False, json: Json = False) -> None:
    """Signs the store anew with the present key, as it is: for a store that came from another
    machine, or whose key is lost. What was changed before can never be found afterwards. Where
    the store itself is lost, begins a new one."""
    from thalamus.commands.options import engine
    from thalamus.security.store_state import is_lost
    from thalamus.security.store_state import sign_again as adopt_store

    with engine(config) as thalamus:
        if is_lost(thalamus):
            lost = f"There was a store at {config.store_dir}: what it remembered is not there."
            _ask(lost, "Begin a new one?", yes)
        else:
            _ask(
                f"Everything in {thalamus.store.path} is trusted as it is found: whatever was"
                " edited, removed or inserted until now will look genuine ever after.",
                "Sign it anew?",
                yes,
            )
        _tell(adopt_store(thalamus), thalamus.clock.stamp(), json)


@app.command()
@settings(*STORE)
def shred(
    config: Config,
    subject: Annotated[str, typer.Argument(help="A user, or whom facts are about.")] = "user",
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Destroys the key of a subject: what is encrypted of it can never be read again, in the store
    and in every backup of it. Exit status 4 when there is no such key."""
    from thalamus.clock import Clock
    from thalamus.errors import NothingFound
    from thalamus.records import Event
    from thalamus.security.keys import StoreKeys
    from thalamus.terminal import jsonl

    keys = StoreKeys(config)
    held = keys.held()
    there = list(held.subjects) if held else []
    found = [name for name in _names_of(subject, config) if name in there]
    if not found:
        fix = f"There are keys of: {', '.join(there)}." if there else "There are none."
        raise NothingFound(f"the key of {subject}", fix=fix)
    _ask(
        f"Everything encrypted of {', '.join(found)} becomes unreadable for ever, in backups too.",
        "Shred the key?",
        yes,
    )
    for name in found:
        keys.shred(name)
    if json:
        at = Clock.from_environment().stamp()
        jsonl.write(Event(name="key_shredded", at=at, data={"subjects": found}))
    else:
        say(f"The key of {', '.join(found)} is gone.")


def _names_of(subject: str, config: Config) -> list[str]:
    """The names under which a subject's content may be encrypted: also those that mean the same."""
    from thalamus.commands.options import engine
    from thalamus.memory.entities import names_of

    with engine(config) as thalamus:
        opened = thalamus.open_store()
        names = names_of(opened, subject) if opened else []
    return list(dict.fromkeys([subject, *(name.casefold() for name in (subject, *names))]))


def _ask(warning: str, question: str, yes: bool) -> None:
    """Says what will happen, and asks on a terminal; elsewhere ``--yes`` must be given."""
    from thalamus.errors import Interrupted, UsageError
    from thalamus.terminal import streams

    complain(warning)
    if yes:
        return
    if not streams.can_ask():
        raise UsageError("Nobody can be asked here.", fix="Give --yes to go on.")
    if not streams.agreed(question):
        raise Interrupted()


def _tell(done: dict[str, str], at: str, json: bool) -> None:
    from thalamus.records import Event
    from thalamus.terminal import jsonl

    if json:
        jsonl.write(Event(name=f"key_{done['what']}", at=at, data=done))
    else:
        say(f"Signed with the key {done['key']}; before: {done['before'] or 'not signed'}.")
