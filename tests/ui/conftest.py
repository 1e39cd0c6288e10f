"""The full screen without a terminal: keys are pressed and what is shown is read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static

from tests.conftest import NOW
from thalamus.config import load
from thalamus.terminal.printer import Printer
from thalamus.ui.app import ThalamusApp
from thalamus.ui.composer import Composer
from thalamus.ui.console import Console

SECONDS = 15.0  # that something is waited for at most


class Driver:
    """Presses keys and waits for what comes of them."""

    def __init__(self, app: ThalamusApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        """Presses keys, one after the other."""
        await self._pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Types a text, key by key."""
        await self._pilot.press(*({" ": "space"}.get(c, c) for c in text))

    async def click(self, selector: str, offset: tuple[int, int] = (0, 0)) -> None:
        """Clicks something, in its middle or so far from its corner."""
        await self._pilot.click(selector, offset=offset)

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
        page = self.app.chat_page
        page.query_one(Composer).text = text
        page.query_one(Composer).action_send()
        await self._pilot.pause()
        await self.until(lambda: not page.answering, "an answer")
        await self.until(lambda: not self.app.conversation.remembering, "the end of remembering")

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
    for name in [name for name in os.environ if name.startswith("THALAMUS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("THALAMUS_NOW", NOW)
    monkeypatch.setenv("THALAMUS_TIMEZONE", "UTC")
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")

    def run(scenario: Scenario, size: tuple[int, int] = (80, 24), **settings: Any) -> ThalamusApp:
        given = {"home": str(home), "model": "scripted", "embedder": "scripted", "session": "main"}
        config = load(flags=given | settings)

        async def play() -> ThalamusApp:
            with Printer(stream=False, log=None) as printer:
                app = ThalamusApp(config, printer)
                async with app.run_test(size=size, notifications=True) as pilot:
                    driver = Driver(app, pilot)
                    await scenario(driver)
                    if app.is_running:
                        await pilot.press("ctrl+q")
                        await driver.until(lambda: not app.is_running, "the end")
                return app

        return asyncio.run(play())

    return run
