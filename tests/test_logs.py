"""The log: whatever a message quotes, no control character reaches a terminal."""

from __future__ import annotations

import pytest

from thalamus.logs import logger

QUOTED = "\x1b[31mred\u202e"


def test_control_characters_are_made_visible(caplog: pytest.LogCaptureFixture) -> None:
    log = logger("thalamus.tests")
    assert logger("thalamus.tests").filters == log.filters
    log.warning("it says %s", QUOTED)
    try:
        raise ValueError(QUOTED)
    except ValueError:
        log.exception("100 % failed")
    first, rest = caplog.text.split("\n", 1)
    assert first.endswith("it says \\u001b[31mred\\u202e")
    assert "100 % failed\nTraceback" in rest
    assert rest.endswith("ValueError: \\u001b[31mred\\u202e\n")
