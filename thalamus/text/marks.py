"""Marks of writing that are not part of what is said: bullets, Markdown emphasis, the time and name
before a chat message, emoji next to a name, invisible characters."""

from __future__ import annotations

import re
import unicodedata

from thalamus.text.quotes import Span

# zero width, direction and soft hyphen; not the joiners that scripts and emoji are written with
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_BULLET = re.compile(r"^[ \t]*(?:(?:[-–*+•·◦▪‣]|\[[ xX]\]|#{1,6})[ \t]+)+", re.M)
_NUMBER = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+", re.M)
_EMPHASIS = re.compile(
    r"(?<![\w*~`])(\*{1,3}|_{1,3}|~~|`{1,3})(?=\S)([^\n]{0,200}?\S)\1(?![\w*~`])"
)
_EMPHASIS_MARKS = "*_~`"

_MONTH = r"[^\W\d_]{3,10}\.?"
DATE = (
    rf"(?:\d{{1,4}}[./-]\d{{1,2}}(?:[./-]\d{{1,4}})?\.?|\d{{1,2}}\.? {_MONTH}(?:,? \d{{2,4}})?"
    rf"|{_MONTH} {{1,2}}\d{{1,2}}(?:,? \d{{4}})?|\d{{1,2}}/{_MONTH}/\d{{4}})"
)
TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[.,]\d+)?(?:\s?[AaPp]\.?\s?[Mm]\.?)?(?:\s?Uhr)?"
# a date and time in one line, with a word such as "at" between
STAMP = rf"{DATE}(?:,|T)?(?:\s[^\W\d_]{{1,3}}\.?)?\s*{TIME}"
_STAMPED = re.compile(rf"^\s*\[{STAMP}\]\s*(?:[^\s:]+(?: [^\s:]+){{0,4}}:\s)?")


def without_invisible(text: str) -> str:
    """The text without characters that cannot be seen."""
    return _INVISIBLE.sub("", text)


def is_item(line: str) -> bool:
    """True if a line begins with a bullet or a number."""
    return bool(_BULLET.match(line) or _NUMBER.match(line))


def is_list(text: str) -> bool:
    """True if several lines of a text begin with a bullet or a number. A single number is not a
    mark: "3. Mai"."""
    return sum(map(is_item, text.splitlines())) > 1


def without_bullets(text: str, numbered: bool) -> str:
    """The text without bullets and signs of a heading before its lines; if it is ``numbered``,
    without the numbers of its lines."""
    text = _BULLET.sub("", text)
    return _NUMBER.sub("", text) if numbered else text


def without_marks(text: str, numbered: bool = False) -> str:
    """The text as it is said; ``numbered``: it comes from a list that may have numbers."""
    text = without_bullets(_STAMPED.sub("", without_invisible(text)), numbered)
    previous = ""
    while previous != text:  # emphasis within emphasis
        previous, text = text, _EMPHASIS.sub(r"\2", text)
    return text.strip()


def name_without_marks(text: str) -> str:
    """A name without marks, and without the emoji around it unless it consists of them."""
    name = without_marks(text)
    bare = _trimmed(_trimmed(name)[::-1])[::-1]
    return bare or name or text


def without_emoji(text: str) -> str:
    """The text without symbols such as emoji and flags."""
    return " ".join("".join(" " if _is_emoji(letter) else letter for letter in text).split())


def copied(span: Span, text: str) -> str:
    """The words of a span with the punctuation behind them, without marks."""
    start = len(text[: span.start].rstrip(_EMPHASIS_MARKS))
    end = len(text) - len(text[span.end :].lstrip(_EMPHASIS_MARKS))
    return without_marks(Span(start, end).with_end(text), is_list(text))


def _trimmed(text: str) -> str:
    """The text without emoji and spaces at its beginning."""
    place = 0
    while place < len(text) and (_is_emoji(text[place]) or text[place].isspace()):
        place += 1
    return text[place:]


def _is_emoji(letter: str) -> bool:
    """True for a pictograph, a flag's letter, a skin colour or what joins or styles them."""
    return (
        (letter >= "\u2190" and unicodedata.category(letter) == "So")
        or "\U0001f3fb" <= letter <= "\U0001f3ff"
        or letter in "\u200d\ufe0e\ufe0f\u20e3"
        or "\U000e0020" <= letter <= "\U000e007f"
    )
