"""Google Takeout: the activity of Gemini Apps (``MyActivity.json``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from typing import Any

from thalamus.readers.protocol import Utterance
from thalamus.records import Turn
from thalamus.transfer.foreign.archive import Item
from thalamus.transfer.foreign.conversation import ForeignConversation
from thalamus.transfer.foreign.report import Report
from thalamus.transfer.foreign.values import clean, listed, mapped, paragraphs, time_of

_PRODUCTS = re.compile(r"(?:Google )?(?:Gemini|Bard)\b", re.IGNORECASE)
# the titles of prompts begin with a verb, those of other activities with another one
_PROMPT = re.compile(
    r"(?:Prompted(?: with)?|Asked(?: (?:Gemini|Bard))?|Said|Branched|Answered|Typed|Searched"
    r"|Submitted query|Query submitted|Eingegebener Prompt|Υποβλήθηκε το ερώτημα)(?::|\b)\s*"
)
_OTHER = re.compile(r"(?:Created|Used|Added|Gave|Selected|Visited|Viewed|Shared|Deleted)\b")
_CONVERSATION = re.compile(r"gemini\.google\.com/(?:app|gem/\w+)/(?:c/)?([\w-]{6,})")
_REQUESTS, _RESPONSES = {"request", "user query", "prompt"}, {"response", "gemini response"}

_BLOCKS = {"p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "pre"}


def recognize(value: dict[str, Any]) -> bool:
    """True for an activity of Gemini or Bard."""
    if not isinstance(value.get("title"), str):
        return False
    names = [value.get("header"), *listed(value.get("products"))]
    return "safeHtmlItem" in value or any(_PRODUCTS.match(str(name)) for name in names)


def read(items: Iterable[Item], report: Report) -> Iterator[Turn]:
    """Turns in the order of time. An activity seldom names its conversation; those of a day are a
    session, ``gemini:<day>``."""
    found = [(time_of(item.value.get("time")), item) for item in items]
    for at, item in sorted(found, key=lambda pair: pair[0] or ""):
        prompt, answer = _exchange(item.value)
        if not prompt:
            report.left_out["activity that is not a prompt"] += 1
            continue
        name = _CONVERSATION.search(str(item.value.get("titleUrl") or ""))
        session = name[1] if name else (at or "undated")[:10]
        utterances = [Utterance(True, prompt, at, f"{at}\x1f{prompt}")]
        if answer:
            utterances.append(Utterance(False, answer, at, ""))
        for turn in ForeignConversation("gemini", session).turns(utterances, report, None):
            turn.ref = at
            yield turn


def _exchange(value: dict[str, Any]) -> tuple[str, str]:
    """The prompt and the answer; an empty prompt for another activity."""
    title = clean(value.get("title"))
    details = {
        clean(detail.get("name")).lower(): clean(detail.get("value"))
        for detail in map(mapped, listed(value.get("details")))
    }
    request = next((text for name, text in details.items() if name in _REQUESTS), "")
    response = next((text for name, text in details.items() if name in _RESPONSES), "")
    html = value.get("safeHtmlItem")
    answer = paragraphs(_plain(mapped(one)) for one in ([html] if mapped(html) else listed(html)))
    if request:
        return request, response or answer
    verb = _PROMPT.match(title)
    if verb is None and (_OTHER.match(title) or not answer):
        return "", ""
    return title[verb.end() :] if verb else title, answer


def _plain(item: dict[str, Any]) -> str:
    parser = _Text()
    parser.feed(clean(item.get("html") or item.get("htmlValue")))
    parser.close()
    lines = (line.rstrip() for line in "".join(parser.text).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Text(HTMLParser):
    """The text of an answer, with the line breaks of its blocks. ``text``: its parts."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in ("br", "tr"):
            self.text.append("\n")
        elif tag == "li":
            self.text.append("\n- ")
        elif tag in _BLOCKS:
            self.text.append("\n\n")
        elif tag == "td":
            self.text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self.text.append("\n\n")

    def handle_data(self, data: str) -> None:
        self.text.append(data)
