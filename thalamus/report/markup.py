"""Basic parts of the page: escaped text, and tables of figures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from thalamus.text.visible import visible

Cell = str | int


def plain(text: object) -> str:
    """Escaped text for the page or for an attribute in double quotes."""
    return escape(visible(str(text)), quote=True)


def short(text: str, most: int) -> str:
    """A text on one line, cut to ``most`` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def figures_table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """A table whose first column names its rows; the others are figures. Texts are escaped."""
    head = "".join(f'<th scope="col">{plain(name)}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{plain(first)}</th>'
        + "".join(f'<td class="number">{_figure(cell)}</td>' for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return (
        f'<table class="figures"><caption>{plain(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def folded(summary: str, inner: str, *, is_open: bool = False) -> str:
    """Content that is shown when its summary is opened."""
    return (
        f"<details{' open' if is_open else ''}><summary>{plain(summary)}</summary>{inner}</details>"
    )


def scrolled(label: str, inner: str) -> str:
    """Content that may be wider than the page and scrolls by itself."""
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{plain(label)}">{inner}</div>'
    )


def _figure(cell: Cell) -> str:
    return f"{cell:,}" if isinstance(cell, int) else plain(cell)
