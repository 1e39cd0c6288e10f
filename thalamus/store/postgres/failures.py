"""Conversion of PostgreSQL's errors to Thalamus's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from thalamus.errors import (
    BadField,
    ConfigError,
    NoTables,
    StoreBusy,
    StoreFull,
    StoreUnreachable,
    ThalamusError,
    TimeLimit,
)
from thalamus.store_url import PASSWORD_ADVICE

SERVER = 16  # oldest supported version of PostgreSQL
VECTOR = (0, 8)  # oldest supported version of pgvector
LOST = "the connection was lost; nothing was written"
# what a server says that has no connection left: libpq does not tell the code of the error (53300)
NO_SLOTS = (
    *("too many connections", "too many clients", "connection slots"),
    "no more connections allowed",  # PgBouncer
)
POOLER = "a pooler before the server gives each transaction another connection"
POOLER_ADVICE = (
    "Let the pooler keep connections for a session (PgBouncer: `pool_mode = session`), or give the"
    " address of the server itself."
)
AGAIN = "Run it again."
READ_ONLY = "This server can only be read, as a replica: give the address of the primary."
SPACE = "Free disk space on the server, then run it again. Everything stored so far is intact."
RIGHTS_ADVICE = "The owner of the database grants them with `thalamus store init URL --grant ROLE`."
TIME_LIMITS = (
    errors.QueryCanceled,
    errors.TransactionTimeout,
    errors.IdleInTransactionSessionTimeout,
)
CONTENT = "a character that PostgreSQL cannot store (NUL, or half of a surrogate pair)"


@contextmanager
def translated(place: str, busy_timeout: float) -> Iterator[None]:
    """Converts PostgreSQL's errors to Thalamus's own."""
    try:
        yield
    except (errors.LockNotAvailable, errors.DeadlockDetected) as error:
        raise StoreBusy(place, f"{busy_timeout:g}") from error
    except TIME_LIMITS as error:
        raise TimeLimit(place, first_line(error)) from error
    except errors.DiskFull as error:
        raise StoreFull(place, first_line(error), fix=SPACE) from error
    except errors.ReadOnlySqlTransaction as error:
        raise StoreFull(place, first_line(error), fix=READ_ONLY) from error
    except (errors.UndefinedTable, errors.InvalidSchemaName) as error:
        raise NoTables(place) from error
    except errors.InsufficientPrivilege as error:
        if error.diag.source_function != "aclcheck_error":  # a row of another tenant: a bug
            raise
        raise StoreUnreachable(place, first_line(error), fix=RIGHTS_ADVICE) from error
    except (errors.UntranslatableCharacter, errors.CharacterNotInRepertoire) as error:
        raise BadField("text", f"holds {CONTENT}") from error
    except psycopg.OperationalError as error:
        raise unreachable(place, error) from error
    except psycopg.DataError as error:
        if "NUL" not in str(error):
            raise
        raise BadField("text", f"holds {CONTENT}") from error


def unreachable(place: str, error: Exception) -> ThalamusError:
    """The error of a connection that could not be opened, or was lost."""
    if isinstance(error, ThalamusError):
        return error
    reason = first_line(error)
    if isinstance(error, psycopg.ProgrammingError):  # in the address: no server was asked
        return ConfigError(f"store: {reason}")
    return StoreUnreachable(place, reason, fix=_advice(reason))


def first_line(error: Exception) -> str:
    """The message of an error in one line, without the prefix that psycopg adds."""
    text = str(error).strip() or type(error).__name__
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # of several addresses of a host the last one is as good as the first
    return lines[0].removeprefix("connection failed: ").removeprefix("connection is bad: ")


def _advice(reason: str) -> str | None:
    """Advice on a refusal, or None for the usual one, also when the server answers in a language
    other than English."""
    text = reason.lower()
    if "password" in text:
        return PASSWORD_ADVICE
    if "role " in text or "database " in text:
        return f"Check the user and the database in the address. {PASSWORD_ADVICE}"
    return None


def check_versions(server: int, vector: str | None, place: str) -> None:
    """Raises ``StoreUnreachable`` for a server or a pgvector that is too old. ``server``: as libpq
    has it, 160004 for 16.4."""
    if server // 10_000 < SERVER:
        found = f"{server // 10_000}.{server % 10_000}"
        problem = f"the server is PostgreSQL {found}, and {SERVER} or newer is needed"
        raise StoreUnreachable(place, problem, fix="Upgrade the server, or use another one.")
    needed = ".".join(map(str, VECTOR))
    if vector is None:
        problem = f"the extension pgvector is missing, and {needed} or newer is needed"
        fix = "Install pgvector on the server, then `CREATE EXTENSION vector` in the database."
        raise StoreUnreachable(place, problem, fix=fix)
    if tuple(int(part) for part in vector.split(".")[:2]) < VECTOR:
        problem = f"pgvector is {vector}, and {needed} or newer is needed"
        fix = "Upgrade pgvector on the server, then `ALTER EXTENSION vector UPDATE`."
        raise StoreUnreachable(place, problem, fix=fix)
