"""The table of everything that was said and concluded. Each row opens to what it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from thalamus.report.content import ReportRow, RowLink
from thalamus.report.markup import plain, short

_SUMMARY = 220  # characters of a text while its row is closed
_LINKED = 90  # of a text that is linked to
_HEADS = (("at", "When"), ("kind", "Kind"), ("text", "What"), ("recalled", "Recalled"))


def table(rows: Sequence[ReportRow]) -> str:
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


def _row(row: ReportRow) -> str:
    return (
        f'<tr id="row-{plain(row.id)}">'
        f'<td class="at {row.kind}" data-kind="{row.kind}">'
        f'<time datetime="{plain(row.at)}">{plain(row.day)}</time></td>'
        f'<td class="kind"><span class="badge {row.kind}">{row.kind}</span></td>'
        f'<th scope="row" class="text">{_opened(row)}</th>'
        f'<td class="recalled number">{row.recalled or ""}</td></tr>\n'
    )


def _opened(row: ReportRow) -> str:
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
    told = " · ".join(plain(f"{name} {value}") for name, value in row.details.items() if value)
    parts.append(
        f'<p class="details"><code>{plain(row.id)}</code>{" · " if told else ""}{told}</p>'
    )
    return "".join(parts) + "</details>"


def _link(link: RowLink) -> str:
    if not link.text:
        return f"<code>{plain(link.id)}</code>"
    return f'<a href="#row-{plain(link.id)}"><bdi>{plain(short(link.text, _LINKED))}</bdi></a>'
