"""Answers on a terminal as Markdown: what stands on the screen while they come, and in the end."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len, chop_cells

from thalamus.terminal.markdown import MarkdownRenderer, color_system
from thalamus.terminal.plain_answer import PlainAnswer
from thalamus.terminal.streamed_answer import StreamedAnswer

ANSWER = """\
# Fig trees

They like **sun** and `lime`, see [the book](https://example.org/figs).
They <b>hate</b> frost. 無花果は日当たりの良い場所を好みますので南側に植えてください 🌳

1. Dig a hole.
2. Plant it:
   - deep enough
   - not too deep

```python
def water(days):
    return days % 3 == 0  # every third day
```

| month | litres |
|-------|-------:|
| May   | 5      |
| a month with a long name | 12 |

> Patience.

[1]: https://example.org/sources
"""


class Screen:
    """A terminal as far as an answer needs one: the lines above the screen stay as they are."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.columns, self.rows = columns, rows
        self.lines = [""]
        self.at = 0  # the line of the cursor
        self.column = 0
        self.rewritten = 0  # the most lines that one write went up

    def size(self) -> os.terminal_size:
        return os.terminal_size((self.columns, self.rows))

    def write(self, data: str) -> None:
        for part in re.findall("\x1b\\[[0-9;?]*[A-Za-z]|\n|\r|[^\x1b\n\r]+", data):
            self._do(part)

    def _do(self, part: str) -> None:
        if part == "\n":
            self._next_line()
        elif part == "\r":
            self.column = 0
        elif part.startswith("\x1b["):
            self._control(part[2:-1], part[-1])
        else:
            self._put(part)

    def _control(self, number: str, name: str) -> None:
        if name == "A":
            self.rewritten = max(self.rewritten, int(number))
            self.at = max(self.at - int(number), len(self.lines) - self.rows, 0)
        elif name in "KJ":
            line = self.lines[self.at]
            self.lines[self.at] = chop_cells(line, self.column)[0] if self.column else ""
            if name == "J":
                del self.lines[self.at + 1 :]
        else:
            assert name == "m", f"a terminal was sent {name}"

    def _put(self, text: str) -> None:
        for char in text:
            if self.column + cell_len(char) > self.columns:
                self._next_line()
            line = self.lines[self.at]
            kept = chop_cells(line, self.column)[0] if self.column else ""
            rest = line[len(kept) + 1 :] if cell_len(line) > self.column else ""
            self.lines[self.at] = kept + char + rest
            self.column += cell_len(char)

    def _next_line(self) -> None:
        self.at, self.column = self.at + 1, 0
        if self.at == len(self.lines):
            self.lines.append("")


def stream(parts: Iterable[str], screen: Screen, drawing: float = 0.0) -> StreamedAnswer:
    """An answer that came in these parts, on a machine that takes so many seconds to draw it."""
    clock = count(step=drawing)
    renderer = MarkdownRenderer("standard")
    answer = StreamedAnswer(renderer, screen.write, screen.size, lambda: next(clock))
    for part in parts:
        answer.add(part)
    return answer


def words(text: str) -> list[str]:
    return re.findall(r"\S+|\s+", text)


def whole(text: str, columns: int = 80) -> list[str]:
    """The lines of an answer that comes all at once."""
    screen = Screen(columns, 500)
    stream([text], screen).end()
    return screen.lines


@pytest.mark.parametrize("columns", [80, 40])
def test_an_answer_is_rendered_and_fits(columns: int) -> None:
    screen = Screen(columns)
    stream(words(ANSWER), screen).end()
    text = "\n".join(line.rstrip() for line in screen.lines)
    assert "# Fig" not in text and "**" not in text  # it is no source any more
    for said in ("Fig trees", "<b>hate</b>", "1. Dig a hole.", "• deep enough", "def water(days):"):
        assert said in text
    unwrapped = text.replace("\n", "")
    assert (
        "[1]: https://example.org/sources" in unwrapped
        and "(https://example.org/figs)" in unwrapped
    )
    assert "南側に植えてください 🌳" in unwrapped
    assert max(cell_len(line) for line in screen.lines) < columns
    assert [line.rstrip() for line in screen.lines] == [x.rstrip() for x in whole(ANSWER, columns)]


def test_the_first_word_is_there_at_once_and_every_word_that_follows() -> None:
    screen = Screen()
    answer = stream([], screen)
    for number, word in enumerate(["Hello", " there,", " **my", " friend**"], 1):
        answer.add(word)
        assert "Hello there, my friend".startswith(screen.lines[0].replace("*", ""))
        assert len(screen.lines[0].split()) == number
    assert screen.rewritten == 0


def test_a_slow_machine_is_not_busy_with_drawing() -> None:
    screen = Screen()
    written: list[str] = []
    screen.write = written.append  # type: ignore[method-assign]
    answer = stream(["word "] * 100, screen, drawing=0.1)
    assert 2 < len(written) < 40
    answer.end()
    screen = Screen()
    stream(words(ANSWER), screen, drawing=0.1).end()
    assert screen.lines == whole(ANSWER)


def test_what_is_ended_is_never_written_again() -> None:
    """A long answer on a small screen: nothing above the last block is touched."""
    screen = Screen(60, 10)
    paragraphs = [f"Paragraph {n} has *some* words." for n in range(30)]
    answer = stream(words("\n\n".join(paragraphs)), screen)
    assert screen.rewritten <= 2
    answer.end()
    assert [line for line in screen.lines if line] == [p.replace("*", "") for p in paragraphs]


def test_a_block_longer_than_the_screen_stays_in_order() -> None:
    screen = Screen(40, 8)
    code = "\n".join(f"line_{n} = {n}" for n in range(40))
    stream(words(f"Look:\n\n```python\n{code}\n```\n\nDone."), screen).end()
    found = [line.rstrip() for line in screen.lines]
    assert screen.rewritten < 8
    assert found == ["Look:", "", "```python", *code.split("\n"), "```", "", "Done.", ""]


def test_what_a_model_writes_cannot_control_the_terminal() -> None:
    screen = Screen()
    stream(
        ["\x1b[2J\x1b]0;title\x07", "```sh\n\x1b[31mred\n```", "\x9b1A[x](\x1b]8;;y)"], screen
    ).end()
    text = "\n".join(screen.lines)
    assert "\\u001b[2J" in text and "\\u009b1A" in text


def test_a_terminal_that_gets_narrower_loses_nothing() -> None:
    screen = Screen(80)
    text = "A paragraph of some words that fill more than one line of a terminal with many columns."
    answer = stream(words(f"First.\n\n{text}"), screen)
    screen.columns = 40
    answer.add(" More.")
    answer.end()
    assert " ".join("\n".join(screen.lines).split()).endswith("with many columns. More.")


def test_an_interrupted_answer_ends_its_line() -> None:
    screen = Screen()
    stream(["One **two"], screen).stop()
    assert screen.lines == ["One **two", ""]
    stream([], screen).stop()
    assert screen.lines == ["One **two", ""]


PARTS = st.sampled_from(
    [*words(ANSWER), "```", "\n\n", "- ", "* ", "|", "`", "**", "日本", "    ", "\t"]
)


@settings(max_examples=60)
@given(st.lists(PARTS, max_size=40), st.data())
def test_any_text_in_any_parts_ends_as_if_it_came_at_once(
    parts: list[str], data: st.DataObject
) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    screen = Screen(50, 400)
    stream(pieces, screen, data.draw(st.sampled_from([0.0, 0.1]))).end()
    assert [line.rstrip() for line in screen.lines] == [x.rstrip() for x in whole(text, 50)]


@pytest.mark.parametrize(
    ("name", "value", "plain"),
    [("NO_COLOR", "1", True), ("TERM", "dumb", True), ("TERM", "xterm-256color", False)],
)
def test_text_is_plain_where_it_has_to_be(
    name: str, value: str, plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal:
        encoding = "utf-8"
        isatty: Callable[..., bool] = staticmethod(lambda: True)

    for other in ("NO_COLOR", "COLORTERM", "FORCE_COLOR"):
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", Terminal())
    assert (color_system() is None) == plain
    monkeypatch.setattr(Terminal, "isatty", staticmethod(lambda: False))
    assert color_system() is None


def test_a_plain_answer_is_broken_between_words() -> None:
    said = "stands in the garden, and the 日本語 tea is in the tin."
    text = f"The fig tree\n{said}\n\n    water(days=3)"
    lines = ["The fig tree", "stands in the garden,", "and the 日本語 tea is", "in the tin."]
    whole = "\n".join([*lines, "", "    water(days=3)", ""])
    for step in (1, 3, 7, len(text)):
        shown: list[str] = []
        answer = PlainAnswer(shown.append, lambda: 21)
        for start in range(0, len(text), step):
            answer.add(text[start : start + step])
        answer.end()
        assert "".join(shown) == whole
    piped: list[str] = []
    answer = PlainAnswer(piped.append, lambda: None)
    answer.add("one wo")
    assert piped == ["one wo"]  # at once, as it is
