"""Long texts in lists for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Run = Callable[..., Any]


def test_a_message_as_long_as_a_book_is_a_document(run: Run) -> None:
    text = "The heron waits by the weir. " * 4_000
    for done in (run("turn", input=text), run("turn", "-", input=text)):
        assert (done.code, done.stdout) == (2, "")
        assert "The message is too long: 11" in done.stderr and "thalamus ingest" in done.stderr
    assert run("turn", input=text[:3_000]).code == 0


def test_a_list_cuts_a_long_memory_and_json_has_the_whole(run: Run) -> None:
    content = "The heron waits. " * 5_000
    [kept] = run("store", input=json.dumps({"record": "memory", "content": content})).records
    for command in (("memory",), ("retrieve", "heron"), ("memory", "search", "heron")):
        line = run(*command).stdout
        assert len(line) < 1_200 and "… " in line and line.endswith(f"[{kept['id']}]\n")
    assert run("memory", "--json").records[0]["content"] == content
    assert run("retrieve", "--json", "heron").records[0]["text"].strip() == content.strip()
