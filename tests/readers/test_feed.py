"""Feeds: entries with their addresses and dates, newest first."""

from datetime import date, timedelta

import pytest

from thalamus.errors import DocumentError
from thalamus.readers.feed import ENTRIES, is_feed, read_feed
from thalamus.readers.sandbox import read_feed_with_limit

pytestmark = pytest.mark.storeless

URL = "https://figs.example/feed"
ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Feigen &amp; mehr</title>
<entry><title>Alt</title><link href="https://figs.example/old"/><updated>2026-03-01T10:00:00Z</updated></entry>
<entry><title>Neu</title><link href="https://figs.example/new"/><updated>2026-04-01T10:00:00+02:00</updated>
<content type="html">&lt;p&gt;Die ganze Geschichte.&lt;/p&gt;</content></entry>
</feed>"""
RSS = """<rss version="2.0"><channel><title>Figs</title>
<item><title>One</title><link>https://figs.example/one</link><description>Short.</description></item>
<item><title>No link</title></item></channel></rss>"""


def test_atom():
    feed = read_feed(ATOM.encode(), URL)
    assert feed.title == "Feigen & mehr"
    assert [(one.link, one.published) for one in feed.entries] == [
        ("https://figs.example/new", "2026-04-01T08:00:00Z"),
        ("https://figs.example/old", "2026-03-01T10:00:00Z"),
    ]
    assert "Die ganze Geschichte." in feed.entries[0].content
    assert read_feed_with_limit(ATOM.encode(), URL, 30) == feed


def test_rss():
    feed = read_feed(RSS.encode(), URL)
    assert [(one.link, one.title, one.content) for one in feed.entries] == [
        ("https://figs.example/one", "One", "Short."),
        ("", "No link", ""),
    ]


def test_other_data_is_no_feed(tmp_path):
    secret = tmp_path / "secret.xml"
    secret.write_text(RSS)
    external = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "file://{secret}">]>' + RSS.replace(
        "Short.", "&x;"
    )
    for data in (
        b"",
        b"<html><body>Hello</body></html>",
        str(secret).encode(),
        b"https://figs.example/",
    ):
        with pytest.raises(DocumentError):
            read_feed(data, URL)
    assert "figs.example/one" not in "".join(
        e.content for e in read_feed(external.encode(), URL).entries
    )
    assert is_feed(ATOM.encode()) and is_feed(RSS.encode()) and not is_feed(b"<html>")


def test_the_newest_of_many_are_read_whatever_their_order():
    items = "".join(
        f"<item><title>Post {n}</title><link>https://tides.example/{n}</link>"
        f"<pubDate>{day:%a, %d %b %Y} 10:00:00 GMT</pubDate></item>"
        for n, day in ((n, date(2020, 1, 1) + timedelta(days=n)) for n in range(ENTRIES + 9))
    )
    data = f"<rss version='2.0'><channel><title>Tides</title>{items}</channel></rss>".encode()
    found = read_feed(data, "feed.xml").entries
    assert len(found) == ENTRIES and found[0].title == f"Post {ENTRIES + 8}"
