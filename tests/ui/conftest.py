"""The full screen without a terminal: keys are pressed and what is shown is read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual import _wait, events
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static

from tests.conftest import NOW
from tests.stored import clean_environment
from thalamus.config import load
from thalamus.terminal.printer import Printer
from thalamus.ui.app import ThalamusApp
from thalamus.ui.composer import Composer
from thalamus.ui.console import Console

SECONDS = 15.0  # that something is waited for at most
# a key is dealt with once the process has been idle so long: twenty times less than Textual's own
IDLE = 0.001


class Driver:
    """Presses keys and waits for what comes of them."""

    def __init__(self, app: ThalamusApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        """Presses keys, one after the other, when the remarks that came before are read."""
        self.app.clear_notifications()
        await self.press_over_remarks(*keys)

    async def press_over_remarks(self, *keys: str) -> None:
        """Presses keys while the remarks that came before are still there."""
        await self._pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Types a text, key by key."""
        await self.press(*({" ": "space"}.get(c, c) for c in text))

    async def paste(self, text: str) -> None:
        """Puts a text where the focus is, all at once."""
        self.app.screen.post_message(events.Paste(text))
        await self._pilot.pause()

    async def click(self, selector: str, offset: tuple[int, int] = (0, 0)) -> None:
        """Clicks something, in its middle or so far from its corner."""
        await self._pilot.click(selector, offset=offset)

    async def resize(self, width: int, height: int) -> None:
        """Gives the terminal another size."""
        await self._pilot.resize_terminal(width, height)

    async def settle(self) -> None:
        """Waits until all that was begun is done and drawn."""
        for _ in range(3):  # what one request brings may ask for another
            await self.until(lambda: not any(one.is_running for one in self.app.workers), "rest")
        self.app.clear_notifications()
        self.app.screen.refresh(layout=True)
        shown: list[str] = []

        def still() -> bool:  # on a busy machine the process looks idle while a layout is to come
            shown.append(self.screen_text())
            return len(shown) > 2 and len(set(shown[-3:])) == 1

        await self.until(still, "a screen that stays as it is")

    async def until(self, met: Callable[[], object], what: str = "") -> None:
        """Waits until something is so."""
        for _ in range(int(SECONDS / 0.02)):
            await self._pilot.pause(0.02)
            if met():
                return
        issues = self.app.chat_page.query_one(Console).text("issues")
        raise AssertionError(f"{what or met} did not come:\n{self.screen_text()}\n{issues}")

    async def see(self, *texts: str) -> None:
        """Waits until texts can be read on the screen."""
        for text in texts:
            await self.until(lambda text=text: text in self.screen_text(), repr(text))

    async def say(self, text: str) -> None:
        """Sends a message or a command, and waits until it is dealt with and remembered."""
        await self.ask(text)
        await self.until(lambda: not self.app.conversation.remembering, "the end of remembering")

    async def ask(self, text: str) -> None:
        """Sends a message or a command, and waits for the answer."""
        page = self.app.chat_page
        self.app.clear_notifications()
        page.query_one(Composer).text = text
        page.query_one(Composer).action_send()
        await self._pilot.pause()
        await self.until(lambda: not page.answering, "an answer")

    async def end(self) -> None:
        """Waits until the application has ended; the pilot would wait for widgets that are gone."""
        for _ in range(int(SECONDS / 0.02)):
            if not self.app.is_running:
                return
            await asyncio.sleep(0.02)
        raise AssertionError("the application did not end")

    def screen_text(self) -> str:
        """What stands on the screen, as lines."""
        lines = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in lines)

    def text(self, selector: str) -> str:
        """What a widget says."""
        widget: Widget = self.app.screen.query_one(selector)
        assert isinstance(widget, Static)
        return str(widget.content)


Scenario = Callable[[Driver], Awaitable[None]]


@pytest.fixture
def drive(home: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ThalamusApp]:
    """Runs a scenario with the application, over the home of the test."""
    for name in os.environ.keys() - clean_environment().keys():
        monkeypatch.delenv(name)
    monkeypatch.setenv("THALAMUS_NOW", NOW)
    monkeypatch.setenv("THALAMUS_TIMEZONE", "UTC")
    monkeypatch.setattr(_wait, "SLEEP_GRANULARITY", IDLE)
    monkeypatch.setattr(_wait, "SLEEP_IDLE", IDLE / 2)

    def run(scenario: Scenario, size: tuple[int, int] = (80, 24), **settings: Any) -> ThalamusApp:
        given = {"home": str(home), "model": "scripted", "embedder": "scripted", "session": "main"}
        config = load(flags=given | settings)

        async def play() -> ThalamusApp:
            with Printer(stream=False, log=None) as printer:
                app = ThalamusApp(config, printer)
                app.animation_level = "none"
                async with app.run_test(size=size, notifications=True) as pilot:
                    driver = Driver(app, pilot)
                    await scenario(driver)
                    if app.is_running:
                        app.simulate_key("ctrl+q")
                        await driver.end()
                return app

        return asyncio.run(play())

    return run
