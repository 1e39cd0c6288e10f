"""Pages of a table's rows by time, newest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from thalamus.store.conditions import Both, below

if TYPE_CHECKING:
    from thalamus.store.collection import RowReader
    from thalamus.store.conditions import Where

PAGE = 200  # rows per page


def pages(
    rows: RowReader, table: str, columns: Sequence[str], time: str, key: str, at: Any, where: Where
) -> Iterator[list[Any]]:
    """Pages of rows whose column ``time`` satisfies a condition (``at``). ``key``: the column that
    orders rows of the same time, so that a page continues where the previous one ended."""
    names = tuple(dict.fromkeys((*columns, time, key)))
    order = (f"-{time}", f"-{key}")
    bounds = at
    while True:
        page = rows.select(table, names, {**where, time: bounds}, order, PAGE)
        if page:
            yield page
        if len(page) < PAGE:
            return
        last, moment = page[-1][key], page[-1][time]
        while True:
            rest: dict[str, Any] = {time: moment, key: below(last)}
            if key in where:
                rest[key] = Both(below(last), where[key])
            page = rows.select(table, names, {**where, **rest}, order, PAGE)
            if not page:
                break
            yield page
            last = page[-1][key]
        bounds = Both(below(moment), at)
