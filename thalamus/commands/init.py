"""`thalamus init`: the setup, up to the first conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from thalamus.commands.options import OWNER, STORE, settings
from thalamus.config import Config
from thalamus.extras import installed
from thalamus.terminal.streams import complain, say

if TYPE_CHECKING:
    from thalamus.api import Thalamus
    from thalamus.records.installation import Model
    from thalamus.terminal.first_steps import Answers, Present

app = typer.Typer(rich_markup_mode=None, add_completion=False)

FILE = """\
# The settings of Thalamus. `thalamus config show` lists all of them with their meaning and where
# each value comes from; `thalamus config set NAME VALUE` changes one here and keeps these lines.

# The model that answers: auto (the first that is found), ollama:NAME, llamacpp:PATH.gguf or
# openai:NAME. Roles may have others, e.g. `thalamus config set models.reflect ollama:qwen3:4b`.
model: auto
"""


@app.command()
@settings("model", *OWNER, *STORE)
def init(
    config: Config,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Your name.")] = None,
    language: Annotated[
        str | None, typer.Option(metavar="LANGUAGE", help="The language of answers.")
    ] = None,
    assistant: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The assistant, such as: 'You are Gwen. Be brief.'"),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Accept the recommendations and ask nothing.")
    ] = False,
    no_input: Annotated[
        bool, typer.Option("--no-input", help="Ask and download nothing, keep what is set.")
    ] = False,
    no_chat: Annotated[bool, typer.Option("--no-chat", help="Do not begin a chat.")] = False,
) -> None:
    """Set up Thalamus: find a model, say who you are, and begin to chat.

    Looks for the models of Ollama and for model files in the usual places, and recommends one.
    Where none is large enough to remember well, offers to download one; where there is none at
    all, a tiny one, or says how to get one and what works without.
    Asks for your name and, with a model, the language of answers and who the assistant is; Enter
    skips each. Writes the configuration file, or changes the setting in
    an existing one, and remembers the rest. Can be run again at any time.
    """
    from thalamus.commands.options import engine
    from thalamus.terminal import streams
    from thalamus.terminal.first_steps import LATER, Answers, ask_who

    answers = Answers(
        _named_model(config), name, language, assistant, asks=_asks(yes, no_input), yes=yes
    )
    with engine(config) as thalamus:
        present = _present(config, thalamus)
        if answers.model is None:
            answers.model = _model(thalamus, answers, present)
        else:
            _check_model(config, answers.model)
        with_model = bool(answers.model or present.model)
        ask_who(answers, present, with_model)
        _write_settings(config, answers, present)
        _remember(thalamus, answers)
    config = _as_written(config)
    _say_models(config)
    if config.embedder == "auto":
        complain("For other languages than English: thalamus models pull multilingual (72 MB)")
    if not with_model:
        complain(LATER)
    elif answers.asks and not no_chat and streams.typed():
        _chat(config)
    else:
        complain("`thalamus chat` begins a conversation.")


def _asks(yes: bool, no_input: bool) -> bool:
    from thalamus.terminal import streams

    return not yes and not no_input and streams.can_ask()


def _named_model(config: Config) -> str | None:
    """The model given as an option."""
    return config.model if config.origin.get("model") == "flag" else None


def _present(config: Config, thalamus: Thalamus) -> Present:
    from thalamus.memory.standing.context import standing_context
    from thalamus.terminal.first_steps import Present

    values = thalamus.facts.profile_values()
    user, agent = config.user or None, config.agent or None
    standing = standing_context(thalamus.new_run(), user, agent, config.persona)
    return Present(
        model=config.model if config.model != "auto" else "",
        name=", ".join(values.get("name", ())),
        language=", ".join(values.get("language", ())),
        assistant=" ".join(line.text for line in standing.of("persona")),
    )


def _check_model(config: Config, name: str) -> None:
    """Raises ``UsageError`` for an invalid model name."""
    from thalamus.diagnostics import new_problems
    from thalamus.errors import UsageError

    for found in new_problems(config.home, {}, {"model": name}):
        if found.state == "problem":
            raise UsageError(found.detail, fix=found.fix)
        complain(f"thalamus: {found.detail} {found.fix}".rstrip())


def _model(thalamus: Thalamus, answers: Answers, present: Present) -> str | None:
    """The chosen model, or one that was pulled because none was found; None keeps the setting."""
    from thalamus.errors import NoChatModel
    from thalamus.terminal.first_steps import WITHOUT_MODEL, choose_model

    found = thalamus.models.chat()
    complain(f"Looked for {thalamus.models.searched()}.")
    if answers.asks and (pulled := _pull_better(thalamus, found, answers)):
        return pulled
    best = thalamus.models.recommended(found)
    chosen = choose_model(found, best, answers, present)
    if chosen is not None:
        _check_model(thalamus.config, chosen)
    if chosen is not None or best is not None or present.model:
        return chosen
    missing = NoChatModel()
    complain(str(missing))
    pulled = _pull_tiny(thalamus, found, answers)
    if pulled is None:
        complain(WITHOUT_MODEL)
        complain(missing.advice)
    return pulled


def _pull_better(thalamus: Thalamus, found: list[Model], answers: Answers) -> str | None:
    """The name of a model that remembers well, if none of those found does and one was pulled."""
    model = thalamus.models.better(found)
    if model is None:
        return None
    complain("No chat model here is large enough to note what changes, and what that replaces.")
    with_ollama = " with Ollama" if model.name.startswith("ollama:") else ""
    size = f"{(model.size or 0) / 1e9:.1f} GB"
    name = model.name.partition(":")[2]
    if not answers.sure(f"Download {name}{with_ollama} ({size}), which remembers well?"):
        return None
    return _pull(thalamus, model)


def _pull_tiny(thalamus: Thalamus, found: list[Model], answers: Answers) -> str | None:
    """The name of the tiny model of the catalogue, if it was pulled."""
    model = next((one for one in found if one.state == "to pull"), None)
    if model is None or not installed("xllamacpp"):
        return None  # the advice names the package
    name = model.name.partition(":")[2]
    size = f"{(model.size or 0) / 1e6:,.0f} MB"
    if not answers.sure(f"Download {name}, a tiny one to try things out ({size})?"):
        return None
    return _pull(thalamus, model)


def _pull(thalamus: Thalamus, model: Model) -> str | None:
    """The name of a model that was downloaded; None, after saying why, if it was not."""
    from thalamus.errors import ThalamusError
    from thalamus.terminal.progress import downloading

    name = model.name.removeprefix("llamacpp:")
    try:
        with downloading(name) as progress:
            return thalamus.models.pull(name, complain, progress)
    except ThalamusError as error:
        complain(f"thalamus: {error}")
        if error.advice:
            complain(f"  {error.advice}")
        return None


# -- writing ---------------------------------------------------------------------------------------


def _write_settings(config: Config, answers: Answers, present: Present) -> None:
    """Creates the configuration file, or sets the model in the existing one, after asking if
    another model is set. Raises ``ConfigError``."""
    from thalamus.config import read_file, user_file
    from thalamus.config_file import set_value, write_new
    from thalamus.terminal.changed_settings import check_change

    path = user_file(config)
    if write_new(path, FILE):
        say(f"wrote {path}")
    current = str(read_file(path).get("model", "auto"))
    if answers.model is None or answers.model == current:
        return
    given = config.origin.get("model") == "flag"
    if current != "auto" and not given and not answers.sure(f"Use it instead of {current}?"):
        complain(f"The model is still {current}.")
        return
    check = check_change(config.home, lambda warning: complain(f"thalamus: {warning}"))
    set_value(path, "model", answers.model, check)


def _remember(thalamus: Thalamus, answers: Answers) -> None:
    """Stores the answers as the user's own words. An answer that cannot be stored is asked for
    again if possible; otherwise raises ``UsageError``."""
    from functools import partial

    from thalamus.pipeline.tell_assistant import tell_assistant
    from thalamus.terminal.first_steps import until_right

    if answers.assistant:
        tell = partial(tell_assistant, run=thalamus.new_run())
        for memory in until_right("assistant", tell, answers) or ():
            say(f"remembered: {memory.content}")
    for field in ("name", "language"):
        if getattr(answers, field):
            until_right(field, partial(_set_profile, thalamus, field), answers)
            if getattr(answers, field):
                say(f"remembered: {field} {getattr(answers, field)}")
    for _, failure in thalamus.failures:
        complain(f"thalamus: {failure}")


def _set_profile(thalamus: Thalamus, field: str, value: str) -> None:
    thalamus.facts.set_profile(**{field: value})


def _as_written(config: Config) -> Config:
    """The settings after the file was written."""
    from thalamus.config import load

    flags = {
        name: getattr(config, name) for name, place in config.origin.items() if place == "flag"
    }
    return load(flags)


def _say_models(config: Config) -> None:
    """Prints the models in use; nothing without a chat model, which was reported before."""
    from thalamus.commands.options import engine
    from thalamus.errors import ThalamusError

    with engine(config) as thalamus:
        try:
            model = thalamus.models.name()
            say(f"model {model}, embedder {thalamus.models.embedder()}")
        except ThalamusError as error:
            if config.model != "auto":
                complain(f"thalamus: {error}")


def _chat(config: Config) -> None:
    from thalamus.commands.chat import own_session, start

    start(own_session(config))
