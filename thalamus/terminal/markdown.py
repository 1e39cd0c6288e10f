"""Markdown as lines for a terminal, by top-level block.

Everything that a model writes is shown and nothing of it takes effect: text that looks like HTML or
like the definition of a link is shown as text, and addresses are shown next to their links.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from io import StringIO
from typing import TYPE_CHECKING, Any

from thalamus.text.visible import visible

if TYPE_CHECKING:
    from rich.segment import Segment

NARROWEST = 10  # least columns of the output
# the terminal's own colors, readable on light and dark backgrounds
_STYLES = {
    "markdown.h1": "bold underline",
    "markdown.h2": "bold",
    "markdown.h3": "bold",
    "markdown.h4": "bold italic",
    "markdown.h6": "italic",
    "markdown.code": "cyan",
    "markdown.code_block": "none",
    "markdown.block_quote": "italic",
    "markdown.item.number": "bold",
    "markdown.table.header": "bold",
    "markdown.table.border": "dim",
    "markdown.link": "underline",
    "markdown.link_url": "dim",
}


def preload() -> None:
    """Imports the libraries for rendering in advance, so that the first token is not delayed."""
    MarkdownRenderer("standard").blocks(["```python", "x = 1", "```"], 80)


class MarkdownRenderer:
    """Renders Markdown for a terminal with the colors of ``color_system`` (rich's name)."""

    def __init__(self, color_system: str | None) -> None:
        self._color_system = color_system

    def blocks(self, source: Sequence[str], width: int) -> list[tuple[int, list[str]]]:
        """The top-level blocks of a text that arrives line by line: the first line of each, and its
        output in lines at most ``width`` columns wide. All but the last are complete: further text
        does not change them."""
        found = []
        blocks = self._split(source)
        ends = [*(start for start, _ in blocks[1:]), len(source)]
        for (start, tokens), end in zip(blocks, ends, strict=False):
            try:
                lines = self._render(tokens, max(width, NARROWEST))
            except Exception:  # unknown content is shown as text
                lines = [visible(line) for line in source[start:end]]
            found.append((start, _trimmed(lines)))
        return found

    def _split(self, source: Sequence[str]) -> list[tuple[int, list[Any]]]:
        """The first line of each top-level block, and its tokens."""
        blocks: list[tuple[int, list[Any]]] = []
        for token in self._parser.parse("\n".join(source)):
            if token.level == 0 and token.nesting >= 0:
                blocks.append((token.map[0] if token.map else 0, []))
            blocks[-1][1].append(token)
        return blocks

    def _render(self, tokens: list[Any], width: int) -> list[str]:
        console, markdown = self._console, self._markdown
        markdown.parsed = list(_with_line_breaks(tokens))
        options = console.options.update(width=width)
        return [self._text(line) for line in console.render_lines(markdown, options, pad=False)]

    def _text(self, line: list[Segment]) -> str:
        """A rendered line with its colors, without trailing spaces."""
        from rich.segment import Segment, Segments

        while line and not line[-1].text.strip():
            line = line[:-1]
        if line:
            last = line[-1]
            line = [*line[:-1], Segment(last.text.rstrip(), last.style)]
        with self._console.capture() as written:
            self._console.print(Segments(line), end="")
        return str(written.get())

    @cached_property
    def _parser(self) -> Any:
        from markdown_it import MarkdownIt

        parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
        return parser.disable("reference")

    @cached_property
    def _console(self) -> Any:
        from rich.console import Console
        from rich.theme import Theme

        return Console(
            file=StringIO(),
            force_terminal=True,
            color_system=self._color_system,  # type: ignore[arg-type]
            theme=Theme(_STYLES),
            legacy_windows=False,
            width=10_000,  # no padding
            highlight=False,
        )

    @cached_property
    def _markdown(self) -> Any:
        from rich.markdown import Heading, Markdown

        class LeftHeading(Heading):
            LEVEL_ALIGN = dict.fromkeys(Heading.LEVEL_ALIGN, "left")

        code = _code()
        own = {
            "heading_open": LeftHeading,
            "list_item_open": _item(),
            "fence": code,
            "code_block": code,
        }

        class Answer(Markdown):
            elements = Markdown.elements | own

        return Answer("", hyperlinks=False)


def color_system() -> str | None:
    """The colors of standard output, by their name in rich; None without colors, control sequences
    or a terminal, and if `NO_COLOR` is set. Text is plain then."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    if (sys.stdout.encoding or "").lower().replace("-", "") != "utf8":
        return None
    from rich.console import Console

    console = Console(file=sys.stdout)
    return None if console.no_color or console.is_dumb_terminal else console.color_system


def _code() -> type:
    """A fenced code block that keeps its fences and is not indented, so that it can be copied."""
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import CodeBlock
    from rich.syntax import Syntax
    from rich.text import Text

    class Fenced(CodeBlock):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            name = "" if self.lexer_name == "text" else self.lexer_name
            yield Text(f"```{name}", style="dim")
            if code := str(self.text).rstrip():
                yield Syntax(
                    code,
                    self.lexer_name,
                    theme="ansi_dark",
                    background_color="default",
                    word_wrap=True,
                )
            yield Text("```", style="dim")

    return Fenced


def _item() -> type:
    """An item of a list whose number keeps its dot."""
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import ListItem
    from rich.segment import Segment

    class Item(ListItem):
        def render_number(
            self, console: Console, options: ConsoleOptions, number: int, last_number: int
        ) -> RenderResult:
            indent = len(str(last_number)) + 3
            within = options.update(width=options.max_width - indent)
            style = console.get_style("markdown.item.number")
            for n, line in enumerate(console.render_lines(self.elements, within, style=self.style)):
                yield Segment(" " * indent if n else f"{number}. ".rjust(indent), style)
                yield from line
                yield Segment.line()

    return Item


def _with_line_breaks(tokens: Sequence[Any]) -> Iterator[Any]:
    """The tokens with the line breaks of the text: models write lists, poems and addresses with
    them."""
    for token in tokens:
        for child in token.children or ():
            if child.type == "softbreak":
                child.type = "hardbreak"
        yield token


def _trimmed(lines: list[str]) -> list[str]:
    """The lines without empty ones at either end."""
    kept = [n for n, line in enumerate(lines) if line.strip()]
    return lines[kept[0] : kept[-1] + 1] if kept else []
