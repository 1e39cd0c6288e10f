"""The words of a reply that are meant for the reader.

Thoughts in any of the forms of ``reply_forms``, marks of the chat template and a dialogue that the
model carries on by itself are left out. All of these are ordinary text in code, and in a
conversation that mentions such marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from thalamus.models.protocol import Message, TokenSink
from thalamus.models.reply_forms import (
    CLOSING,
    END,
    FORMS,
    HARMONY,
    HARMONY_BEGINS,
    HARMONY_CUT,
    HARMONY_END,
    HARMONY_SHOWN,
    HEADER,
    LONGEST_HEADER,
    OPENERS,
    OTHER_LABELS,
    OTHER_SPEAKER,
    OWN_LABEL,
    OWN_LABELS,
    OWN_SPEAKER,
    PARTIAL,
    WRAPPING,
    WRAPPING_END,
)

_SENTENCE_ENDS = tuple(".!?。！？…)”\"'")
_BLANK = (" ", "\t")
_NOT_AFTER_TAG = "`'\"”),.;:|/=-–—"
_CANDIDATE = re.compile(r"[<◁\[\n`]")
_LISTED = re.compile(r"\n[ \t]*(?:[-*] )?\w[\w ]{0,20}:")
_LABEL = re.compile(r"\b(?:user|human|assistant)\s*:", re.IGNORECASE)
_OPENING_QUOTE = re.compile(r"[`“„«(]\Z|(?:^|[\s(])[\"']\Z")


class _Mark(Struct, frozen=True):
    """Something that is not shown, and what begins where it ends. ``thoughts``: thoughts up to this
    pattern; ``stops``: nothing, the reply is over. ``orphan``: all before it was thoughts."""

    end: int
    thoughts: re.Pattern[str] | None = None
    stops: bool = False
    orphan: bool = False


class _Undecided(Exception):
    """The text that follows decides."""


class VisibleReply:
    """Collects a reply as it arrives and passes on the visible text.

    ``sink`` gets the visible text of each piece as soon as what follows cannot hide it. For a piece
    of which nothing is shown it gets an empty text, so that it can stop the model. ``messages``:
    the request, for what it mentions. ``structured``: a JSON reply, in which only thoughts before
    it and marks after it count. ``inside``: the template begins the thoughts in the prompt.
    """

    def __init__(
        self,
        sink: TokenSink | None = None,
        messages: Sequence[Message] = (),
        structured: bool = False,
        inside: bool = False,
    ) -> None:
        self._sink = sink
        dialogue = [message.content for message in messages if message.role != "system"]
        self._mentioned = any(mentions_marks(text) for text in dialogue)
        self._in_dialogue = bool(dialogue and _LABEL.search(dialogue[-1]))
        self._structured = structured
        self._text = ""
        self._at = 0  # all text before this is decided
        self._final = self._cut = False
        self._shown: list[str] = []
        self._new: list[str] = []
        self._thoughts: list[str] = []
        self._thought_end = CLOSING if inside else None
        self._thought_begin = 0
        self._may_be_text = inside  # thoughts that never end were text
        self._thought = self._began = self._stopped = self._fenced = self._ticked = False
        self.called = False  # the reply had a call of a tool in a channel
        self.orphan = False  # the reply had the end of thoughts without their beginning

    def feed(self, piece: str) -> None:
        """Adds the next piece of the reply."""
        self._text += piece
        self._advance()
        self._pass_on(bool(piece))

    def think(self, piece: str) -> None:
        """Adds a piece of thoughts that the server sends separately from the reply."""
        self._thoughts.append(piece)
        if self._sink is not None:
            self._sink("")

    def close(self, cut: bool = False) -> str:
        """Ends the reply. Returns its visible text, without an unfinished block of thoughts.
        ``cut``: the reply was cut off, perhaps within a mark."""
        held_back = self._text[self._at :].lstrip()
        if cut and self._thought_end is None and not OTHER_SPEAKER.match(held_back):
            self._text = self._text[: self._at]
        self._final, self._cut = True, cut
        self._advance()
        if self._thought_end is not None:
            if self._may_be_text and not cut:
                self._show(self._text[self._thought_begin :])
            else:
                self._thoughts.append(self._text[self._at :])
        self._pass_on(False)
        return "".join(self._shown)

    def thoughts(self) -> str | None:
        """The thoughts of a closed reply; None if there are none."""
        return "".join(self._thoughts).strip() or None

    def _advance(self) -> None:
        try:
            while self._at < len(self._text) and not self._stopped:
                if self._thought_end is not None:
                    self._read_thoughts(self._thought_end)
                elif self._began:
                    self._read_text()
                else:
                    self._read_beginning()
        except _Undecided:
            return

    def _pass_on(self, arrived: bool) -> None:
        text = "".join(self._new)
        self._new.clear()
        if self._sink is not None and (text or arrived):
            self._sink(text)

    def _show(self, text: str) -> None:
        self._shown.append(text)
        self._new.append(text)

    def _take(self, end: int) -> None:
        """Shows the text up to ``end``."""
        text, self._at = self._text[self._at : end], end
        self._show(text)

    def _pass_over(self, mark: _Mark, start: int) -> None:
        """Leaves out a mark at ``start``."""
        if mark.orphan:
            self._thoughts.append("".join(self._shown))
            self._shown.clear()
            self._new.clear()
            self._began, self._thought, self.orphan = False, True, True
        self._at, self._stopped = mark.end, mark.stops
        if mark.thoughts is not None:
            self._thought_end, self._thought_begin = mark.thoughts, start
            is_tag = self._text.startswith("<", start) and "|" not in self._text[start : mark.end]
            self._may_be_text = is_tag and (self._began or self._mentioned)

    # -- thoughts ---------------------------------------------------------------------------------

    def _read_thoughts(self, pattern: re.Pattern[str]) -> None:
        found = pattern.search(self._text, self._at)
        if self._mentioned:  # the thoughts may mention the mark of their end
            ends = list(pattern.finditer(self._text, self._at))
            last = ends[-1] if ends and self._final else None
            found = next((end for end in ends if self._is_alone(end)), last)
        if found is None:
            raise _Undecided
        self._thoughts.append(f"{self._text[self._at : found.start()]}\n")
        self._at, self._thought_end, self._thought = found.end(), None, True

    def _is_alone(self, mark: re.Match[str]) -> bool:
        """True for a mark at the beginning or the end of a line."""
        if mark.start() == mark.end() or _last(self._text[: mark.start()]) in ("\n", ""):
            return True
        after = self._text[mark.end() :].lstrip(" \t")
        if not after and not self._final:
            raise _Undecided
        return after[:1] in ("\n", "")

    def _opening(self, start: int) -> _Mark | None:
        """Thoughts that begin at ``start``."""
        text = self._text
        if text.startswith(HARMONY_BEGINS, start):
            return self._channel(start)
        opens = not (self._began or self._thought)
        for form in FORMS:
            found = form.begin.match(text, start)
            if found is None or (form.opens_reply and not opens):
                continue
            if form.end is not None:
                return _Mark(found.end(), form.end)
            if not self._is_opening(found.end()):
                return None
            return _Mark(found.end(), re.compile(f"</{re.escape(found['tag'])}>", re.IGNORECASE))
        if not self._final and opens and self._may_become(start, OPENERS):
            raise _Undecided
        self._wait_for_mark(start)
        return None

    def _is_opening(self, end: int) -> bool:
        """False for a tag, ending at ``end``, that is only mentioned, as in "<think> is a tag"."""
        after = self._text[end : end + 40].lstrip(" \t")
        if not after:
            if not self._final:
                raise _Undecided
            return not self._began and not self._mentioned
        spaced = self._text[end] in _BLANK
        if self._began or self._mentioned:
            return after[0] == "\n" or (not spaced and after[0].isalpha())
        return not (after[0] in _NOT_AFTER_TAG or (spaced and after[0].islower()))

    def _channel(self, start: int) -> _Mark | None:
        """The header of a Harmony channel."""
        found = HARMONY.match(self._text, start)
        if found is not None:
            self.called = self.called or " to=" in found[0]
            return _Mark(found.end(), None if found[1] in HARMONY_SHOWN else HARMONY_END)
        if self._final:
            cut = HARMONY_CUT.match(self._text, start)
            return _Mark(len(self._text), stops=True) if cut else None
        if len(self._text) - start < LONGEST_HEADER:
            raise _Undecided
        return None

    # -- the beginning of a reply, where nothing has been shown yet --------------------------------

    def _read_beginning(self) -> None:
        rest = self._text[self._at :].lstrip()
        start = len(self._text) - len(rest)
        if not rest and not self._final:
            raise _Undecided
        mark = self._opening(start) or self._header(start) if rest else None
        if mark is not None:
            self._pass_over(mark, start)
            return
        self._began = True
        if self._thought:
            self._at = start
        else:
            self._take(start)

    def _header(self, start: int) -> _Mark | None:
        """A mark of the template before the reply, or around the answer after thoughts."""
        if self._mentioned:
            return None
        found = HEADER.match(self._text, start)
        if found is None and self._thought:
            found = WRAPPING.match(self._text, start)
        if found is None and not self._structured and not self._in_dialogue:
            found = OWN_LABEL.match(self._text, start)
        if found is not None:
            if found.end() == len(self._text) and not self._final:
                raise _Undecided
            return _Mark(found.end())
        end = END.match(self._text, start)
        if end is not None and not self._text[end.end() :].strip():
            if not self._final:
                raise _Undecided
            return _Mark(len(self._text), stops=True)
        if not self._final and self._may_become(start, OWN_LABELS):
            raise _Undecided
        self._wait_for_mark(start)
        return None

    # -- the text ---------------------------------------------------------------------------------

    def _read_text(self) -> None:
        """Shows text up to the next mark, and leaves that out."""
        found = _CANDIDATE.search(self._text, self._at)
        if found is None:
            self._take(len(self._text))
            return
        start, mark = found.start(), None
        if start > self._at:
            self._take(start)
        if found[0] == "`":
            self._read_ticks()
            return
        if not (self._fenced or self._ticked):
            mark = self._line(start) if found[0] == "\n" else self._mark(start)
        if mark is not None:
            self._pass_over(mark, start)
            return
        self._ticked = self._ticked and found[0] != "\n"
        self._take(start + 1)

    def _read_ticks(self) -> None:
        """Follows code: fences, and spans within a line."""
        end = self._at
        while self._text.startswith("`", end):
            end += 1
        if end == len(self._text) and not self._final:
            raise _Undecided
        if end - self._at >= 3 and not self._text[: self._at].rpartition("\n")[2].strip():
            self._fenced = not self._fenced
        elif not self._fenced:
            self._ticked = not self._ticked
        self._take(end)

    def _mark(self, start: int) -> _Mark | None:
        """A mark within the text."""
        mark = None
        if not self._mentioned:
            if not self._structured:
                mark = self._opening(start) or self._wrapping_end(start)
            if not self._structured or "".join(self._shown).lstrip()[:1] not in ("{", "["):
                mark = mark or self._orphan(start)
        mark = mark or self._end(start)
        if mark is None:
            self._wait_for_mark(start)
        return mark

    def _wrapping_end(self, start: int) -> _Mark | None:
        found = WRAPPING_END.match(self._text, start) if self._thought else None
        if found is None or self._text[found.end() :].strip():
            return None
        if not self._final:
            raise _Undecided
        return _Mark(len(self._text), stops=True)

    def _orphan(self, start: int) -> _Mark | None:
        """The end of thoughts that the template began in the prompt."""
        found = CLOSING.match(self._text, start)
        if found is None:
            return None
        before = self._text[:start]
        if found["tag"] and f"<{found['tag']}>".lower() in before.lower():
            return None
        quoted = before[-1:] in _BLANK or _OPENING_QUOTE.search(before[-2:])
        if quoted and _last(before) not in ("\n", ""):
            return None
        return _Mark(found.end(), orphan=True)

    def _end(self, start: int) -> _Mark | None:
        """The end of the turn: a mark right after the text, at the end of a line or before another
        mark."""
        text = self._text
        found = END.match(text, start)
        if found is None:
            return None
        before, last = text[:start], _last(text[:start])
        is_tag = found[0].lower() == "</s>" and "<s>" in "".join(self._shown)
        if is_tag or _OPENING_QUOTE.search(before[-2:]):
            return None
        if (self._mentioned or before[-1:] in _BLANK) and last not in ("\n", *_SENTENCE_ENDS):
            return None
        after = text[found.end() :].lstrip(" \t")
        if not after or (self._mentioned and not after.strip()):
            if not self._final:
                raise _Undecided
            return _Mark(len(text), stops=True)
        if self._mentioned:
            return None
        attached = before[-1:] not in _BLANK and last in _SENTENCE_ENDS
        if attached or after[0] == "\n" or END.match(after):
            if self._continues(after.lstrip()):
                return _Mark(len(text) - len(after.lstrip()))
            return _Mark(len(text), stops=True)
        if PARTIAL.match(after):
            if not self._final:
                raise _Undecided
            return _Mark(len(text), stops=True)
        return None

    def _continues(self, rest: str) -> bool:
        """True if another channel of the same reply follows."""
        if not self._final and any(mark.startswith(rest) for mark in HARMONY_BEGINS):
            raise _Undecided
        return rest.startswith(HARMONY_BEGINS)

    def _line(self, start: int) -> _Mark | None:
        """A line break after which the model writes the user's next message."""
        if self._structured or self._in_dialogue:
            return None
        rest = self._text[start:].lstrip()
        line = len(self._text) - len(rest)
        label = OTHER_SPEAKER.match(self._text, line)
        if label is None:
            if not self._final and self._may_become(line, OTHER_LABELS, ignore_case=True):
                raise _Undecided
            return None
        shown = "".join(self._shown).rstrip()
        if shown[-1:] in ("", ":", "：") or OWN_SPEAKER.search(shown):
            return None
        if OWN_SPEAKER.search(self._text, label.end()):
            return _Mark(len(self._text), stops=True)
        if not self._final:
            raise _Undecided
        words = self._text[label.end() :].strip()
        is_message = not words or " " in words or words.endswith(_SENTENCE_ENDS) or self._cut
        if not shown.endswith(_SENTENCE_ENDS) or not is_message or _LISTED.search(words):
            return None
        return _Mark(len(self._text), stops=True)

    def _may_become(self, start: int, words: Sequence[str], ignore_case: bool = False) -> bool:
        rest = self._text[start:]
        if ignore_case:
            return any(word.lower().startswith(rest.lower()) for word in words)
        return any(word.startswith(rest) for word in words)

    def _wait_for_mark(self, start: int) -> None:
        if not self._final and PARTIAL.match(self._text, start):
            raise _Undecided


def _last(text: str) -> str:
    """The last character of a text that is not a blank; empty for none."""
    return text.rstrip(" \t")[-1:]


def mentions_marks(text: str) -> bool:
    """True for a text about marks such as ``<think>``."""
    if CLOSING.search(text) or END.search(text):
        return True
    return any(form.begin.search(text) for form in FORMS if not form.opens_reply)
