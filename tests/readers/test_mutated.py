"""Documents that were damaged or made to do harm: what is read of them, or a clear error."""

from __future__ import annotations

import json
from contextlib import suppress
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.mutations import mutated_bytes
from tests.readers.test_feed import ATOM, RSS
from tests.readers.test_other_formats import MAIL
from tests.readers.test_pdf import make_pdf, says
from thalamus.errors import DocumentError
from thalamus.readers.detect import read_bytes
from thalamus.readers.feed import is_feed, read_feed

pytestmark = pytest.mark.storeless

HTML = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>The pond</title><style>.x"
    "{display:none}</style></head><body><h1>Herons</h1><p style='color:#fff'>At <b>dawn</b>.</p>"
    "<p class=x hidden>no</p><ul><li>one</li></ul><table><tr><td>a</td></tr></table></body></html>"
)
MARKDOWN = (
    "---\ntitle: Herons\ndate: 2026-05-04\ntags: [a, b]\n---\n# Herons\n\nAt *dawn*.\n\n"
    "```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
)
CELLS = [
    {"cell_type": "markdown", "source": ["# Herons\n"], "metadata": {}},
    {"cell_type": "code", "source": "x = 1", "outputs": [{"text": ["1"]}], "metadata": {}},
]
MESSAGE = (
    f'{MAIL}Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain;'
    " charset=utf-8\n\nFour euros.\n--b\nContent-Type: text/html\n\n<p>Four</p>\n--b--\n"
)
JSON_FEED = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Figs",
    "items": [{"id": "1", "url": "https://figs.example/1", "content_html": "<p>x</p>"}],
}
DOCUMENTS = {
    "pond.html": HTML.encode(),
    "pond.md": MARKDOWN.encode(),
    "pond.txt": "Fünf Reiher.\n\nThey fish.".encode("utf-16"),
    "pond.ipynb": json.dumps({"nbformat": 4, "cells": CELLS, "metadata": {}}).encode(),
    "pond.eml": MESSAGE.encode(),
    "pond.pdf": make_pdf(says("Herons.", "They fish."), says("Two."), info=b"/Title(Pond)"),
}
FEEDS = {"atom": ATOM.encode(), "rss": RSS.encode(), "json": json.dumps(JSON_FEED).encode()}
OTHERS = (*DOCUMENTS.values(), *FEEDS.values())
RANDOM = st.randoms(use_true_random=False)


@pytest.mark.parametrize("name", DOCUMENTS)
@given(random=RANDOM)
@settings(max_examples=50)
def test_a_document(name: str, random: Random) -> None:
    data = mutated_bytes(DOCUMENTS[name], random, OTHERS)
    with suppress(DocumentError):
        document = read_bytes(data, name)
        assert msgspec.json.encode(document) and document.pages


@pytest.mark.parametrize("name", FEEDS)
@given(random=RANDOM)
@settings(max_examples=50)
def test_a_feed(name: str, random: Random) -> None:
    data = mutated_bytes(FEEDS[name], random, OTHERS)
    is_feed(data)
    with suppress(DocumentError):
        feed = read_feed(data, "https://figs.example/feed")
        times = [entry.published or "" for entry in feed.entries]
        assert msgspec.json.encode(feed) and times == sorted(times, reverse=True)


# -- what was found so -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "text"),
    [
        ("Date: Mon, 04 May 99999999999 10:00:00 +0200", "99999999999"),
        ("To: a: <x@b>, c@d;, <ida@", "ida"),
        ("To: undisclosed recipients <ida@quist.example", "undisclosed"),
        ('From: "', '"'),
    ],
)
def test_a_mail_with_a_broken_header(header: str, text: str) -> None:
    name = header.partition(":")[0]
    lines = [line for line in MAIL.splitlines() if not line.startswith(name)]
    read = read_bytes("\n".join([*lines, header, "", "Four euros."]).encode(), "bill.eml")
    assert text in read.pages[0].text and "Four euros." in read.pages[0].text
    assert read.title == "Café bill"


def test_a_mail_of_a_fragment_of_html() -> None:
    mail = MAIL + 'Content-Type: text/html\n\n<div dir="ltr">See you on Monday.</div>\n'
    assert "See you on Monday." in read_bytes(mail.encode(), "bill.eml").pages[0].text


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (b"<rss><item><title></body>", 1),
        (b"<feed <entry<title</content<", 1),
        (ATOM.replace("utf-8", "utf-\udcff").encode("utf-8", "surrogateescape"), None),
    ],
)
def test_a_broken_feed(data: bytes, entries: int | None) -> None:
    if entries is None:
        with pytest.raises(DocumentError, match="XML is broken"):
            read_feed(data, "https://figs.example/feed")
        return
    assert len(read_feed(data, "https://figs.example/feed").entries) == entries
