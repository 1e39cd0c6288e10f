"""The questions of `thalamus init`, and their answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from thalamus.errors import UsageError
from thalamus.terminal import streams
from thalamus.terminal.lines import one_line
from thalamus.terminal.streams import complain
from thalamus.text.width import columns

if TYPE_CHECKING:
    from thalamus.records.installation import Model

T = TypeVar("T")
TRIES = 3  # times to ask again
SHOWN = 12  # models listed
NAME_WORDS, NAME_COLUMNS = 2, 30  # of a reply that is taken for a name without asking back
_NO_NAME = re.compile(r"[^\w\s.'’\-·・]|\d")  # signs of a sentence, in any script
WITHOUT_MODEL = (
    "Without one, Thalamus keeps what you say, word for word, and finds it again: `thalamus turn"
    " TEXT` keeps, `thalamus ingest FILE` reads documents, `thalamus retrieve QUESTION` finds. It"
    " cannot answer, and of what you say it understands plain statements only."
)
LATER = (
    "Once there is a model, run `thalamus init` again to choose it and to say who the assistant is."
)


class Answers(Struct):
    """Answers, typed or given as options; None: no change. ``asks``: the user can be asked;
    ``yes``: every question is answered with yes."""

    model: str | None = None
    name: str | None = None
    language: str | None = None
    assistant: str | None = None
    asks: bool = False
    yes: bool = False

    def sure(self, question: str) -> bool:
        """True if something may be done that was not requested explicitly."""
        return self.yes or (self.asks and streams.agreed(question))


class Present(Struct, frozen=True):
    """Present values, shown with each question and kept by default."""

    model: str = ""
    name: str = ""
    language: str = ""
    assistant: str = ""


def choose_model(
    models: Sequence[Model], best: Model | None, answers: Answers, present: Present
) -> str | None:
    """The name of the model to use; None for no change. Raises ``UsageError``."""
    ready = [model for model in models if model.state == "ready"]
    if not answers.asks:
        return best.name if best is not None and (answers.yes or not present.model) else None
    if not ready:
        return None
    complain("Chat models on this machine:")
    for number, model in enumerate(ready[:SHOWN], 1):
        complain(_model_line(number, model, best))
    if len(ready) > SHOWN:
        complain(f"  and {len(ready) - SHOWN} more; any of them can be typed by its name")
    default = present.model or (best.name if best is not None else ready[0].name)
    for _ in range(TRIES):
        typed = streams.reply(f"Model, by its number or name [{_shown(default, ready)}]:")
        if not typed:
            return default if default != present.model else None
        if not typed.isdecimal():
            path = Path(typed).expanduser()
            return f"llamacpp:{path.resolve()}" if path.suffix == ".gguf" else typed
        if 1 <= int(typed) <= len(ready):
            return ready[int(typed) - 1].name
        complain(f"There is no number {typed}: choose 1 to {len(ready)}.")
    raise UsageError("No model was chosen.", fix="Name it: thalamus init --model ollama:NAME.")


def _model_line(number: int, model: Model, best: Model | None) -> str:
    size = f"{model.size / 1e9:.1f} GB" if model.size else ""
    mark = "  (recommended)" if best is not None and model.name == best.name else ""
    name = one_line(model.name.replace(f"{Path.home()}/", "~/"))
    return f"  {number:2}  {name:40} {size:>8}{mark}"


def _shown(name: str, ready: Sequence[Model]) -> str:
    """The number of a model, or its name if it is not in the list."""
    numbers = {model.name: str(number) for number, model in enumerate(ready, 1)}
    return numbers.get(name, name)


def ask_who(answers: Answers, present: Present, with_model: bool) -> None:
    """Asks for missing answers: the name and, if a model is there to follow them, the language of
    answers and the assistant. Enter keeps the present value."""
    if not answers.asks:
        return
    if answers.name is None:
        answers.name = _name(present)
    if not with_model:
        return
    if answers.language is None:
        question = "The language of answers, such as German"
        answers.language = _reply(question, present.language)
    if answers.assistant is None:
        question = "Who the assistant is, such as: You are Gwen. Be brief."
        answers.assistant = _reply(question, present.assistant)


def _reply(question: str, now: str) -> str | None:
    kept = f"Enter keeps “{one_line(now, 60)}”" if now else "Enter skips"
    return streams.reply(f"{question} ({kept}):") or None


def _name(present: Present) -> str | None:
    """The typed name. It is stored as typed, so a reply that may be a sentence is confirmed, or the
    name alone is asked for."""
    typed = _reply("Your name, as you want to be called", present.name)
    for _ in range(TRIES):
        if typed is None or _is_plain_name(typed):
            return typed
        if streams.agreed(f"All of this will be stored as your name: “{one_line(typed)}”. Right?"):
            return typed
        typed = _reply("Then only the name, such as Ana", present.name)
    complain("No name was stored; `thalamus profile set name=NAME` stores one.")
    return None


def _is_plain_name(text: str) -> bool:
    words = len(text.split())
    return words <= NAME_WORDS and columns(text) <= NAME_COLUMNS and not _NO_NAME.search(text)


def until_right(field: str, keep: Callable[[str], T], answers: Answers) -> T | None:
    """Stores an answer; asks again for one that cannot be stored, and skips it on Enter or after
    some attempts. Raises ``UsageError`` if nobody can be asked."""
    for _ in range(TRIES):
        try:
            return keep(getattr(answers, field))
        except UsageError as error:
            if not answers.asks:
                raise
            complain(f"{error}\n  {error.advice}".rstrip())
        setattr(answers, field, streams.reply(f"Again, or Enter to skip it ({field}):") or None)
        if getattr(answers, field) is None:
            return None
    setattr(answers, field, None)
    return None
