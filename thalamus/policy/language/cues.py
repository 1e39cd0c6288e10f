"""What a language brings to the reading of corrections: its cue words, as alternatives of patterns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cues:
    """``opens`` and ``closes`` announce a correction at the beginning and at the end of a message;
    ``surely`` does so anywhere, but only half. ``rather`` are adverbs that make a statement the
    better one, ``since`` those that make it the later one.

    ``is_`` stands before the right thing without being part of it ("it's", "he is called"), ``not_``
    before the wrong one, ``but`` between the two. ``after_all`` and ``cancelled`` take back what was
    said; ``stays`` says that nothing comes of it, where that is announced.
    """

    opens: str
    closes: str
    rather: str
    surely: str
    since: str
    is_: str
    not_: str
    but: str
    after_all: str
    cancelled: str
    stays: str


@dataclass(frozen=True)
class ReplacementCues:
    """The narrower cue words of a correction that may go back to anything that was remembered.

    ``opens`` announces it, ``is_`` stands before the right thing, ``not_`` before the wrong one,
    ``but`` between the two. ``meant`` names both ("I wrote … but meant …"), with ``{w}`` for words.
    """

    opens: str
    is_: str
    not_: str
    but: str
    meant: str | None = None
