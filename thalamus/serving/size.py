"""Replies of a size that clients take: long texts are cut, then the last entries are left out, and
the reply says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thalamus.policy.prompt_budget import estimate_tokens
from thalamus.records.json_line import to_line

# of a result, and of its text form: clients take 25,000 for both
MOST_TOKENS = 10_000
LENGTHS = (4000, 2000, 1000, 500, 250)  # characters to which texts are cut, as few as needed
BRIEF = 1000  # characters of a text in the text form: longer ones stand only in the result
LEFT_OUT = "left_out"  # field of a result with what is missing


def fitted(result: dict[str, Any], longest: int | None = None) -> dict[str, Any]:
    """A result in at most ``MOST_TOKENS``, with texts of at most ``longest`` characters."""
    lengths = [length for length in LENGTHS if longest is None or length < longest]
    for most in (longest, *lengths):
        notes: list[str] = []
        found: dict[str, Any] = _with_short_texts(result, most, notes)
        if fits(found):
            break
    while not fits(found) and (entries := _longest_list(found)):
        whole = entries[:]

        def enough(count: int, entries: list[Any] = entries, whole: list[Any] = whole) -> bool:
            entries[:] = whole[:count]
            return fits(found)

        entries[:] = whole[: _most(enough, len(whole) - 1)]
        notes.append(f"the last {len(whole) - len(entries)} of {len(whole)} entries")
    return {**found, LEFT_OUT: _in_words(notes)} if notes else found


def text_form(result: dict[str, Any]) -> str:
    """A result as text, for clients that read no structured content."""
    return to_line(fitted(result, BRIEF)).decode().rstrip("\n")


def shortened(text: str, advice: str) -> str:
    """A text in at most ``MOST_TOKENS``, with a note about what is left out."""
    kept = _most(lambda count: estimate_tokens(text[:count]) <= MOST_TOKENS, len(text))
    if kept == len(text):
        return text
    left = f"{len(text) - kept:,} of {len(text):,} characters are left out"
    return f"{text[:kept].rstrip()}\n\n[{left}. {advice}]"


def fits(value: Any) -> bool:
    """True if a JSON value has at most ``MOST_TOKENS``, with room for a note."""
    return estimate_tokens(to_line(value).decode()) < MOST_TOKENS


def _most(enough: Callable[[int], bool], most: int) -> int:
    """The largest count up to ``most`` that is small enough, at least 0."""
    least = 0
    if enough(most):
        return most
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if enough(middle) else (least, middle - 1)
    return least


def _with_short_texts(value: Any, most: int | None, notes: list[str]) -> Any:
    """A copy of a JSON value with its texts cut to ``most`` characters, each with a note."""
    if isinstance(value, dict):
        return {name: _with_short_texts(item, most, notes) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_short_texts(item, most, notes) for item in value]
    if isinstance(value, str) and most is not None and len(value) > most:
        notes.append(f"all but {most} characters of {{}}")
        return f"{value[: most - 1]}…"
    return value


def _longest_list(found: dict[str, Any]) -> list[Any] | None:
    """The longest list of entries in a result."""
    lists = [value for value in found.values() if isinstance(value, list) and value]
    return max(lists, key=lambda entries: len(to_line(entries)), default=None)


def _in_words(notes: list[str]) -> str:
    """Notes as one sentence, with the texts counted that are cut alike."""
    words = []
    for note in dict.fromkeys(notes):
        count = notes.count(note)
        words.append(note.format(f"{count} text{'s'[: count > 1]}"))
    return f"Left out: {'; '.join(words)}."
