"""Answers to the same questions side by side, as a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from thalamus.records.evaluations import PersonaAnswers
from thalamus.text.visible import visible


def show(found: Sequence[PersonaAnswers]) -> None:
    """Prints a table with a column for each side. Respects NO_COLOR and COLUMNS."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_lines=True)
    table.add_column("question")
    for name in found[0].answers if found else ():
        table.add_column(Text(visible(name)))
    for row in found:
        cells = (row.question, *row.answers.values())
        table.add_row(*(Text(visible(cell)) for cell in cells))
    Console(file=sys.stdout, highlight=False).print(table)
