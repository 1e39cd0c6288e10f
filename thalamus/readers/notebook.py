"""Jupyter notebooks: the texts and the code of their cells, without the results."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import msgspec

from thalamus.errors import DocumentError
from thalamus.readers.markdown import read_markdown
from thalamus.readers.protocol import ReadDocument
from thalamus.readers.text import read_text


class _Cell(msgspec.Struct):
    cell_type: str = ""
    source: str | list[str] = ""


class _Notebook(msgspec.Struct):
    cells: list[_Cell]
    metadata: dict[str, Any] = {}


def read_notebook(data: bytes, name: str) -> ReadDocument:
    """Reads a notebook as Markdown. A file that is none is read as text. Raises
    ``DocumentError``."""
    try:
        notebook = msgspec.json.decode(data, type=_Notebook)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return read_text(data, name)
    except RecursionError:
        raise DocumentError(name, "it is nested too deeply") from None
    texts = [_text(cell) for cell in notebook.cells]
    markdown = "\n\n".join(text for text in texts if text)
    return read_markdown(markdown.encode("utf-8", "replace"), PurePath(name).name)


def _text(cell: _Cell) -> str:
    source = cell.source if isinstance(cell.source, str) else "".join(cell.source)
    if not source.strip():
        return ""
    return source if cell.cell_type != "code" else f"```\n{source}\n```"
