"""The table of all records. Each row opens to show its origins."""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.report.content import Row, RowLink
from thalamus.report.markup import plain, short

_SUMMARY = 220  # characters of a text in a closed row
_LINKED = 90  # characters of a linked text
_HEADS = (("at", "When"), ("kind", "Kind"), ("text", "What"), ("recalled", "Recalled"))


def table(rows: Sequence[Row]) -> str:
    """The table, newest first; the script sorts, filters and pages it."""
    heads = "".join(
        f'<th scope="col" class="{key}" data-key="{key}"'
        + (' aria-sort="descending"' if key == "at" else "")
        + f">{name}</th>"
        for key, name in _HEADS
    )
    return (
        '<table id="table" class="records"><caption class="unseen">Turns, memories, facts and'
        f" insights</caption><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(map(_row, rows))}</tbody></table>"
    )


def _row(row: Row) -> str:
    return (
        f'<tr id="row-{plain(row.id)}">'
        f'<td class="at {row.kind}" data-kind="{row.kind}">'
        f'<time datetime="{plain(row.at)}">{plain(row.day)}</time></td>'
        f'<td class="kind"><span class="badge {row.kind}">{row.kind}</span></td>'
        f'<th scope="row" class="text">{_opened(row)}</th>'
        f'<td class="recalled number">{row.recalled or ""}</td></tr>\n'
    )


def _opened(row: Row) -> str:
    status = f' <span class="status">{plain(row.status)}</span>' if row.status else ""
    closed = short(row.text, _SUMMARY)
    parts = [f"<details><summary><bdi>{plain(closed)}</bdi>{status}</summary>"]
    if closed != row.text:
        parts.append(f"<p><bdi>{plain(row.text)}</bdi></p>")
    if row.answer:
        parts.append(f'<p class="answer"><b>Answer:</b> <bdi>{plain(row.answer)}</bdi></p>')
    parts += [f"<blockquote><bdi>{plain(quote)}</bdi></blockquote>" for quote in row.quotes]
    if row.links:
        items = "".join(f"<li>{plain(link.words)} {_link(link)}</li>" for link in row.links)
        more = f"<li>and {row.more:,} more</li>" if row.more else ""
        parts.append(f"<ul>{items}{more}</ul>")
    details = " · ".join(plain(f"{name} {value}") for name, value in row.details.items() if value)
    parts.append(
        f'<p class="details"><code>{plain(row.id)}</code>{" · " if details else ""}{details}</p>'
    )
    return "".join(parts) + "</details>"


def _link(link: RowLink) -> str:
    if not link.text:
        return f"<code>{plain(link.id)}</code>"
    return f'<a href="#row-{plain(link.id)}"><bdi>{plain(short(link.text, _LINKED))}</bdi></a>'
