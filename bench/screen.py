"""The full screen measured without a terminal, over the configured store. Prints one JSON object.

python screen.py frame          milliseconds from the start of the process to the first frame
python screen.py keys DATASET   milliseconds from a key in the search field until it is shown,
                                and until what it finds is
"""

from __future__ import annotations

import time

BEGIN = time.perf_counter()

import asyncio  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402
from collections.abc import AsyncIterator  # noqa: E402
from contextlib import asynccontextmanager  # noqa: E402
from pathlib import Path  # noqa: E402
from typing import Any  # noqa: E402

SIZE = (120, 40)
QUESTIONS = 5  # that are typed, after one to warm up
PATIENCE = 60.0  # seconds for one answer


@asynccontextmanager
async def screen() -> AsyncIterator[Any]:
    """The application, running."""
    from thalamus.config import load
    from thalamus.terminal.printer import Printer
    from thalamus.ui.app import ThalamusApp

    with Printer(stream=False, log=None) as printer:
        app = ThalamusApp(load(flags={"model": "scripted"}), printer)
        async with app.run_test(size=SIZE) as pilot:
            yield pilot
            await app.action_quit()


async def frame() -> dict[str, Any]:
    """Until everything of the first page was painted."""
    async with screen() as pilot:
        await painted(pilot.app.chat_page)
        return {"frame": [(time.perf_counter() - BEGIN) * 1000]}


async def keys(folder: str) -> dict[str, Any]:
    """The words of some questions, key by key, as fast as they are shown."""
    from textual import events
    from textual.widgets import Input

    questions = json.loads((Path(folder) / "questions.json").read_bytes())[: QUESTIONS + 1]
    shown: list[float] = []
    found: list[float] = []
    async with screen() as pilot:
        await pilot.press("f2", "slash")
        page = pilot.app.screen
        field = page.query_one("#search", Input)
        for number, question in enumerate(questions):
            field.value = ""
            for letter in question["text"][:30]:
                began, before = time.perf_counter(), field.value
                pilot.app.post_message(events.Key("space" if letter == " " else letter, letter))
                await until(lambda before=before: field.value != before)
                await painted(field)
                if number:
                    shown.append((time.perf_counter() - began) * 1000)
            wanted = field.value.strip()
            await until(lambda wanted=wanted: page.listed == wanted)
            if number:
                found.append((time.perf_counter() - began) * 1000)
    return {"shown": shown, "found": found}


async def painted(widget: Any) -> None:
    """Waits until the screen was painted as it is now."""
    done = asyncio.Event()
    widget.call_after_refresh(done.set)
    await done.wait()


async def until(met: Any) -> None:
    """Waits until something is so."""
    end = time.monotonic() + PATIENCE
    while not met():
        if time.monotonic() > end:
            raise SystemExit("the screen did not follow")
        await asyncio.sleep(0.001)


if __name__ == "__main__":
    verb, *given = sys.argv[1:]
    print(json.dumps(asyncio.run({"frame": frame, "keys": keys}[verb](*given))))
