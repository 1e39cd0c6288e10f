"""All errors that a user can get.

A class's docstring is its message (``{0}``-style fields are filled from the arguments), ``code`` is
the process's exit code, ``name`` is stable for scripts, and ``fix`` is the remedy, in which no
fields are filled, so that a caller may quote anything in it. Only ``cli.py`` turns errors into
output and an exit status.
"""

from __future__ import annotations

import errno
import inspect

FULL = (errno.ENOSPC, errno.EDQUOT)  # error numbers of a disk without room
REPORT = "THALAMUS_LOG_LEVEL=debug shows where it happened; please report it."


class ThalamusError(Exception):
    """{0}"""

    code: int = 1
    name: str = "failure"
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
        """The advice for the user, or an empty string."""
        return self.fix

    def __str__(self) -> str:
        return self.message


class UsageError(ThalamusError):
    """{0}"""

    code = 2
    name = "usage"


class CannotWrite(UsageError):
    """Cannot write {0}: {1}."""

    def __init__(self, path: object, error: OSError) -> None:
        super().__init__(path, error.strerror or error, fix=write_advice(error.errno))
        if error.errno in FULL:  # of the disk, not of the command line
            self.code, self.name = StoreFull.code, StoreFull.name


_INTACT = "then run the command again. Everything stored so far is intact."
_WRITE_ADVICE = {
    errno.ENOENT: "Create the directory first, or choose another one.",
    errno.ENOTDIR: "Part of this path is a file: choose another directory.",
    errno.EISDIR: "This is a directory: give the name of a file.",
    errno.EACCES: "Check the permissions, or choose another place.",
    errno.EPERM: "Check the permissions, or choose another place.",
    errno.EROFS: "This file system is read-only: choose another place.",
    errno.ENOSPC: f"Free disk space, {_INTACT}",
    errno.EDQUOT: f"Free disk space, {_INTACT}",
}


def write_advice(code: int | None) -> str:
    """The remedy for a failed write, from the error number of the system."""
    return _WRITE_ADVICE.get(code or 0, f"Free disk space or check the disk, {_INTACT}")


class WrongArgument(UsageError):
    """`{0}` {1}."""

    name = "wrong_argument"

    def __init__(self, argument: str, problem: str, method: str, kind: str) -> None:
        fix = f"{method} takes {argument}: {kind}; `help({method})` describes it."
        super().__init__(argument, problem, fix=fix)


class ConfigError(ThalamusError):
    """Invalid configuration: {0}"""

    code = 2
    name = "config"


class UnknownSetting(ConfigError):
    """Invalid configuration: {0}"""

    fix = "`thalamus config show` lists the settings."


class InvalidOperation(ThalamusError):
    """Operation {0} (`{1}`): {2}"""

    code = 2
    name = "invalid_world_operations"
    fix = "None of the operations was applied. `thalamus schema world` prints the fields."

    def __init__(self, number: int, path: str, problem: str) -> None:
        super().__init__(number, path, problem)
        self.number = number
        self.path = path
        self.problem = problem


class PromptError(ThalamusError):
    """Invalid prompt template {0}: {1}"""

    code = 2
    name = "prompt"
    fix = "Fix the file, or remove it to use the packaged one; `thalamus config check` checks it."


class OutputFailed(ThalamusError):
    """Cannot write to standard output: {0}."""

    code = 1
    name = "output_failed"
    fix = "Everything stored so far is kept. Send the output to a place that can be written."


class BadRecord(ThalamusError):
    """Line {0}: {1}"""

    code = 3
    name = "bad_record"
    fix = "`thalamus schema` lists the records, `thalamus schema NAME` prints the schema of one."

    def __init__(self, line: int, problem: str, field: str = "", fix: str | None = None) -> None:
        super().__init__(line, problem, fix=fix)
        self.line = line
        self.field = field


class BadField(ThalamusError):
    """`{0}`: {1}"""

    code = 3
    name = "bad_record"

    def __init__(self, field: str, problem: str, fix: str | None = None) -> None:
        super().__init__(field, problem, fix=fix)
        self.field = field


class RecordProblem(BadField, ValueError):
    """`{0}`: {1}"""

    def __init__(self, field: str, problem: str, index: int = 0) -> None:
        super().__init__(field, problem)
        self.problem = problem
        self.index = index  # of the record in its batch

    @property
    def message(self) -> str:
        """The field and its problem; a caller may name the field more exactly."""
        return f"`{self.field}`: {self.problem}"


class NothingFound(ThalamusError):
    """Cannot find {0}."""

    code = 4
    name = "nothing_found"


class NothingMatches(NothingFound):
    """{0}"""


class ForgetIncomplete(ThalamusError):
    """The deletion is incomplete: {0}"""

    code = 1
    name = "forget_incomplete"
    fix = "See the report; `thalamus forget --finish` finishes the deletion in the store."


class NoStore(ThalamusError):
    """There is no store at {0}."""

    code = 10
    name = "no_store"
    fix = "The first `thalamus store`, `ingest`, `turn` or `chat` creates it. Or set THALAMUS_HOME."


class NoTables(NoStore):
    """There are no tables in {0}."""

    fix = "The owner of the database creates them with `thalamus store init URL`."


class OldTables(NoTables):
    """The tables in {0} are those of an older Thalamus (version {1})."""

    fix = "The owner of the database migrates them with `thalamus store init URL`."


class UnsafeRole(ThalamusError):
    """The store must not be used as {0}, for whom row level security does not hold."""

    code = 2
    name = "unsafe_role"
    fix = "Use it as another role, created with `thalamus store init URL --grant ROLE`."


class UnsafeTables(ThalamusError):
    """The store in {0} must not be used: row level security of the table {1} is off or changed."""

    code = 2
    name = "unsafe_tables"
    fix = (
        "Tenants might see each other's rows. The owner of the database switches it on again with"
        " `thalamus store init URL`."
    )


class StoreUnreachable(ThalamusError):
    """Cannot reach the store in {0}: {1}"""

    code = 15
    name = "store_unreachable"
    fix = "Check the address, and that the server is running and accepts connections."


class UnfinishedCopy(ThalamusError):
    """The store at {0} is an unfinished copy of {1}."""

    code = 10
    name = "unfinished_copy"
    fix = "Run the same `thalamus store copy` again: it continues where it stopped."


class CopyDiffers(ThalamusError):
    """The copy at {0} differs from its source: {1}"""

    code = 1
    name = "copy_differs"
    fix = (
        "Run `thalamus doctor --signatures` on the source, then the copy again, which starts over."
    )


class StoreDamaged(ThalamusError):
    """Cannot read the store at {0}: {1}"""

    code = 10
    name = "store_damaged"
    fix = "Restore a backup with `thalamus store restore BACKUP`; the damaged file is kept."


class StoreTooNew(ThalamusError):
    """The store at {0} was written by a newer Thalamus (schema {1})."""

    code = 10
    name = "store_too_new"
    fix = "Upgrade Thalamus on this machine."


class StoreMigrated(StoreTooNew):
    """A newer Thalamus has migrated the store at {0} (schema {1}) since this program opened it."""

    name = "store_migrated"
    fix = "Nothing was written. Restart this program; if that does not help, upgrade Thalamus."


class StoreTooOld(ThalamusError):
    """The store at {0} was written by a Thalamus from before 0.1.0 (schema {1})."""

    code = 10
    name = "store_too_old"
    fix = (
        "Run `thalamus export` with the Thalamus that wrote it, move the store away, then read the"
        " export with `thalamus import`."
    )


class StoreBusy(ThalamusError):
    """The store at {0} was locked by another process for {1} seconds."""

    code = 11
    name = "store_busy"
    fix = "Try again, or raise `busy_timeout` in the configuration."


class ConnectionsBusy(StoreBusy):
    """All {2} connections to {0} were in use for {1} seconds."""

    fix = "Try again, or raise `store_connections` in the configuration."


class ServerBusy(StoreBusy):
    """The server of the store in {0} had no connection left for {1} seconds: {2}"""

    fix = (
        "Try again, or raise `max_connections` of the server or the limit of this role; other"
        " processes may need fewer (`store_connections`)."
    )


class TimeLimit(StoreBusy):
    """The server of the store in {0} ended this: {1}"""

    fix = (
        "Nothing was written. Raise `statement_timeout`, `transaction_timeout` or"
        " `idle_in_transaction_session_timeout` for this role on the server."
    )


class StoreFull(ThalamusError):
    """Cannot write to {0}: {1}."""

    code = 1
    name = "store_full"

    def __init__(
        self, path: object, reason: object, cause: int | None = None, fix: str | None = None
    ) -> None:
        super().__init__(path, reason, fix=write_advice(cause) if fix is None else fix)
        self.cause = cause


class IndexUnusable(ThalamusError):
    """Cannot use the search index: {0}."""

    name = "index_unusable"
    fix = (
        "Free disk space if there is none. Searches read the store meanwhile; `thalamus store"
        " reindex` writes the index anew."
    )


class ModelUnreachable(ThalamusError):
    """Cannot reach the model {0}: {1}"""

    code = 12
    name = "model_unreachable"


class ModelMissing(ThalamusError):
    """The model {0} is not available: {1}"""

    code = 13
    name = "model_missing"


class NoChatModel(ModelMissing):
    """There is no chat model on this machine yet."""

    @property
    def advice(self) -> str:
        """Ways to get a model; the package that runs one in this process only if it is missing."""
        from thalamus.extras import install_command, installed

        first = "" if installed("xllamacpp") else f"`{install_command('local')}`, then "
        return (
            "Install Ollama (https://ollama.com) and pull a model: `ollama pull qwen3:4b`. Or run"
            f" one in this process: {first}`thalamus models pull qwen3-4b` (2.5 GB), or `thalamus"
            " models pull smollm2` (98 MB, to try things out). Or select one with --model"
            " (ollama:NAME, llamacpp:PATH.gguf, openai:NAME, scripted)."
        )


class ModelFailed(ThalamusError):
    """The model {0} failed: {1}"""

    code = 1
    name = "model_failed"


class PromptTooLong(ModelFailed):
    """The model {0} failed: {1}"""

    name = "prompt_too_long"
    fix = "Shorten the message, lower `token_budget`, or give the model a larger context."

    def __init__(self, model: str, words: str, learned: bool = False) -> None:
        super().__init__(model, words)
        self.learned = learned  # the model is known to take less than before


class ModelBusy(ModelFailed):
    """The model {0} is busy: {1}"""

    name = "model_busy"
    fix = "Try again later."

    def __init__(self, model: str, words: str, wait: float | None = None) -> None:
        super().__init__(model, words)
        self.wait = wait  # seconds that the server asks to wait


class NotEmbedded(ThalamusError):
    """Most entries have no embedding of {0} yet; only full text is searched."""

    code = 1
    name = "not_embedded"
    fix = "`thalamus store reindex --embed` computes them; it can be interrupted and resumed."


class ConceptsLag(ThalamusError):
    """The concepts of the new entries could not be computed ({0})."""

    code = 1
    name = "concepts_lag"
    fix = "`thalamus store reindex --concepts` computes them."


class CassetteMiss(ThalamusError):
    """The cassette {0} has no recording of this call.
    {1}"""

    code = 13
    name = "cassette_miss"
    fix = "Record it again with THALAMUS_CASSETTE_MODE=record."


class BadKey(ThalamusError):
    """Invalid key: {0}"""

    code = 14
    name = "bad_key"


class Tampered(ThalamusError):
    """The store was changed by something other than Thalamus: {0}."""

    code = 1
    name = "tampered"
    fix = (
        "`thalamus doctor --signatures` lists the changes. Nothing is written until a backup is"
        " restored, or `thalamus key adopt` accepts the store as it is."
    )


class NotSigned(ThalamusError):
    """The store is not signed yet."""

    code = 1
    name = "not_signed"
    fix = "The next write signs it as it is; `thalamus key adopt` does so now."


class DocumentError(ThalamusError):
    """Cannot read {0}: {1}"""

    code = 1
    name = "document"

    def __init__(self, path: object, reason: str, kind: str = "broken") -> None:
        super().__init__(path, reason)
        self.kind = kind
        self.reason = reason


class UnreadablePath(DocumentError):
    """Cannot read {0}: {1}"""

    code = 2
    name = "usage"

    def __init__(self, path: object, reason: str, kind: str = "unreadable") -> None:
        super().__init__(path, reason, kind)


class WebError(DocumentError):
    """Cannot read {0}: {1}"""

    name = "web"

    def __init__(
        self, url: object, reason: str, kind: str = "unreachable", wait: float | None = None
    ) -> None:
        super().__init__(url, reason, kind)
        self.wait = wait  # seconds after which the server allows another request


class Refused(WebError):
    """Cannot read {0}: {1}"""

    name = "refused"

    def __init__(self, url: object, reason: str) -> None:
        super().__init__(url, reason, "refused")


# Errors of a model that cannot be used. Code that also works without a model catches only these: a
# damaged store or a bug is reported as such.
MODEL_ERRORS: tuple[type[ThalamusError], ...] = (
    ModelUnreachable,
    ModelMissing,
    ModelFailed,
    CassetteMiss,
    BadKey,  # a server's
    UsageError,  # an invalid model name
    ConfigError,  # a setting that the model needs
    PromptError,  # the template of its prompt
)


class Interrupted(ThalamusError):
    """Interrupted."""

    code = 130
    name = "interrupted"
