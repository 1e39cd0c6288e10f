"""Every failure that a user can meet.

A class's docstring is its message (``{0}``-style fields are filled from the arguments), its
``code`` is the process's exit code, its ``name`` is stable for scripts and ``fix`` says what to
do: nothing is filled into that, so that a caller may quote in it what it likes. ``cli.py`` is the
one place that turns them into output and an exit status.
"""

from __future__ import annotations

import inspect
from typing import ClassVar

REPORT = "THALAMUS_LOG_LEVEL=debug shows where it happened; please report it."


class ThalamusError(Exception):
    """{0}"""

    code: ClassVar[int] = 1
    name: ClassVar[str] = "failure"
    fix: str = ""

    def __init__(self, *args: object, fix: str | None = None) -> None:
        super().__init__(*args)
        if fix is not None:
            self.fix = fix

    @property
    def message(self) -> str:
        """The class's docstring with the arguments filled in."""
        return inspect.cleandoc(type(self).__doc__ or "{0}").format(*self.args)

    @property
    def advice(self) -> str:
        """What the user can do about it, or an empty string."""
        return self.fix

    def __str__(self) -> str:
        return self.message


class UsageError(ThalamusError):
    """{0}"""

    code = 2
    name = "usage"


class ConfigError(ThalamusError):
    """The configuration is wrong: {0}"""

    code = 2
    name = "config"
    fix = "Run `thalamus config show` to see where each value comes from."


class PromptError(ThalamusError):
    """The prompt template {0} is wrong: {1}"""

    code = 2
    name = "prompt"
    fix = "Mend the file, or remove it to use the packaged template; `thalamus config check` tells."


class OutputFailed(ThalamusError):
    """Standard output cannot be written: {0}."""

    code = 1
    name = "output_failed"
    fix = "What was stored before stays stored. Send the output elsewhere, to /dev/null for none."


class BadRecord(ThalamusError):
    """Line {0}: {1}"""

    code = 3
    name = "bad_record"
    fix = "`thalamus schema` lists the records, `thalamus schema NAME` shows one."

    def __init__(self, line: int, problem: str, field: str = "", fix: str | None = None) -> None:
        super().__init__(line, problem, fix=fix)
        self.line = line
        self.field = field


class NothingFound(ThalamusError):
    """Nothing found for {0}."""

    code = 4
    name = "nothing_found"


class ForgetIncomplete(ThalamusError):
    """Not everything is gone: {0}"""

    code = 1
    name = "forget_incomplete"
    fix = "`thalamus forget --finish` does what is left to do in the store; see the report."


class NoStore(ThalamusError):
    """There is no store at {0}."""

    code = 10
    name = "no_store"
    fix = "The first `thalamus store`, `ingest`, `turn` or `chat` makes one; or set THALAMUS_HOME."


class StoreDamaged(ThalamusError):
    """The store at {0} cannot be read: {1}"""

    code = 10
    name = "store_damaged"
    fix = "Bring back a copy with `thalamus restore BACKUP`; the damaged file is left as it is."


class StoreTooNew(ThalamusError):
    """The store at {0} was written by a newer Thalamus (schema {1})."""

    code = 10
    name = "store_too_new"
    fix = "Upgrade Thalamus on this machine."


class StoreBusy(ThalamusError):
    """Another process kept the store at {0} busy for {1} seconds."""

    code = 11
    name = "store_busy"
    fix = "Try again, or raise `busy_timeout` in the configuration."


class StoreFull(ThalamusError):
    """The store at {0} cannot be written: {1}"""

    code = 1
    name = "store_full"
    fix = (
        "Free some space or mend the permissions, then run the command again; what was stored"
        " before is unharmed."
    )


class ModelUnreachable(ThalamusError):
    """The model {0} cannot be reached: {1}"""

    code = 12
    name = "model_unreachable"


class ModelMissing(ThalamusError):
    """The model {0} is not there: {1}"""

    code = 13
    name = "model_missing"


class NoChatModel(ModelMissing):
    """There is no chat model on this machine yet."""

    fix = (
        "Either install Ollama (https://ollama.com) and pull a model: `ollama pull qwen3:4b`. Or"
        " have a tiny one in this process: `pip install 'thalamus-memory[local]'`, then"
        " `thalamus models pull smollm2`. Or name one with --model (ollama:NAME,"
        " llamacpp:PATH.gguf, openai:NAME, scripted)."
    )


class ModelFailed(ThalamusError):
    """The model {0} failed: {1}"""

    code = 1
    name = "model_failed"


class NotEmbedded(ThalamusError):
    """Most of what is remembered has no vectors by {0} yet, so words alone are searched."""

    code = 1
    name = "not_embedded"
    fix = "`thalamus reindex --embed` makes them; it can be interrupted and resumed."


class CassetteMiss(ThalamusError):
    """The cassette {0} has no recording of this call.
    {1}"""

    code = 13
    name = "cassette_miss"
    fix = "Record it again with THALAMUS_CASSETTE_MODE=record."


class BadKey(ThalamusError):
    """The key is wrong: {0}"""

    code = 14
    name = "bad_key"


class Tampered(ThalamusError):
    """The store was changed by something else than Thalamus: {0}."""

    code = 1
    name = "tampered"
    fix = (
        "`thalamus verify` names what was changed. Nothing is written until a backup is brought"
        " back, or `thalamus key adopt` accepts the store as it is."
    )


class NotSigned(ThalamusError):
    """The store is not signed yet."""

    code = 1
    name = "not_signed"
    fix = "The next write signs it as it is then found; `thalamus key adopt` does so at once."


class DocumentError(ThalamusError):
    """{0} could not be read: {1}"""

    code = 1
    name = "document"

    def __init__(self, path: object, reason: str, kind: str = "broken") -> None:
        super().__init__(path, reason)
        self.kind = kind
        self.reason = reason


# What a model raises that cannot be used as things are. Whatever can go on without one survives
# these and nothing else: a damaged store or a bug is told as what it is.
MODEL_ERRORS: tuple[type[ThalamusError], ...] = (
    ModelUnreachable,
    ModelMissing,
    ModelFailed,
    CassetteMiss,
    BadKey,  # a server's
    UsageError,  # a name that is not a model's
    ConfigError,  # a setting that the model needs
    PromptError,  # the template that it is asked with
)


class Interrupted(ThalamusError):
    """Interrupted."""

    code = 130
    name = "interrupted"
