"""Errors: what a caller says is handed on as it is."""

from __future__ import annotations

import errno
import json

import pytest

from thalamus import errors
from thalamus.errors import (
    BadRecord,
    CannotWrite,
    ConnectionsBusy,
    InvalidOperation,
    ServerBusy,
    ThalamusError,
    UsageError,
    WrongArgument,
)

pytestmark = pytest.mark.storeless

ODD = 'echo \'{"record":"turn"}\' {0} {x!r} } {'


def test_words_of_a_caller_are_no_template() -> None:
    for error in (UsageError(ODD, fix=ODD), BadRecord(3, ODD, fix=ODD), ThalamusError(ODD)):
        assert ODD in error.message
        assert error.advice in (ODD, "")


@pytest.mark.parametrize(
    "kind", [kind for kind in vars(errors).values() if isinstance(kind, type)], ids=str
)
def test_every_error_can_be_printed_as_a_record(kind: type) -> None:
    if not issubclass(kind, ThalamusError):
        return
    arguments = (3, ODD) if kind is BadRecord else (ODD, ODD)
    arguments = (3, ODD, ODD) if kind is InvalidOperation else arguments
    arguments = (ODD, ODD, 4) if kind in (ConnectionsBusy, ServerBusy) else arguments
    arguments = (ODD, ODD, ODD, ODD) if kind is WrongArgument else arguments
    arguments = (ODD, OSError(errno.EACCES, ODD)) if kind is CannotWrite else arguments
    error = kind(*arguments)
    assert isinstance(error.code, int) and json.dumps([error.message, error.advice, error.name])
