"""Chromium without a window, driven by the DevTools protocol over two pipes."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

COMMAND = shutil.which("chromium") or shutil.which("chromium-browser") or ""
_OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *(
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--no-default-browser-check",
    ),
    *("--disable-dev-shm-usage", "--remote-debugging-pipe", "--hide-scrollbars"),
)


class Chromium:
    """One browser with one page. ``messages``: what the page wrote to its console, what it raised,
    and what its policy blocked; ``requests``: the addresses that it asked for."""

    def __init__(self, profile: Path) -> None:
        given, self._send = os.pipe()
        self._receive, taken = os.pipe()

        def places() -> None:
            first, second = os.dup(given), os.dup(taken)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(
            [COMMAND, *_OPTIONS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=places,
            close_fds=False,
        )
        os.close(given)
        os.close(taken)
        self._number, self._rest = 0, b""
        self.messages: list[str] = []
        self.requests: list[str] = []
        self._events: list[str] = []
        self._page: str | None = None
        target = self.call("Target.getTargets")["targetInfos"]
        page = next(one["targetId"] for one in target if one["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page, flatten=True)
        self._page = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        self._page = None
        self.call("Browser.close")
        self._process.wait(10)
        os.close(self._send)
        os.close(self._receive)

    # -- the protocol -----------------------------------------------------------------------------

    def call(self, method: str, **parameters: Any) -> Any:
        """The result of a method; events that come before it are noted."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._page is not None:
            message["sessionId"] = self._page
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._receive, 1 << 20)
            assert part, "Chromium has ended"
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self._note(message["method"], message["params"])
        return message

    def _note(self, method: str, told: dict[str, Any]) -> None:
        self._events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(told["request"]["url"])
        elif method == "Log.entryAdded":
            self.messages.append(told["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.messages.append(str(told["args"]))
        elif method == "Runtime.exceptionThrown":
            self.messages.append(str(told["exceptionDetails"]))

    # -- the page ---------------------------------------------------------------------------------

    def look(self, width: int, height: int, *, dark: bool = False, script: bool = True) -> None:
        """How wide the window is, whether the system is dark, whether scripts run."""
        phone = width < 600
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)

    def open(self, page: Path, fragment: str = "") -> None:
        """Opens a file; returns when it is loaded."""
        for address in ("about:blank", page.as_uri() + fragment):  # else only the fragment changes
            self._events.clear()
            self.call("Page.navigate", url=address)
            while "Page.loadEventFired" not in self._events:
                self._read()

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Returns when an expression is true."""
        limit = time.monotonic() + 10
        while not self.ask(f"Boolean({expression})"):
            assert time.monotonic() < limit, expression
            time.sleep(0.02)

    def type(self, text: str) -> None:
        """Types a text into what has the focus."""
        self.call("Input.insertText", text=text)

    def press(self, key: str, code: int) -> None:
        """Presses a key, named as in the DOM."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
            )

    def picture(self, path: Path, *, whole: bool = False) -> None:
        """Writes a picture of what is visible, or of the whole page."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        path.write_bytes(base64.b64decode(shot["data"]))

    def accessibility(self) -> list[dict[str, Any]]:
        """What a screen reader is told, flat."""
        return list(self.call("Accessibility.getFullAXTree")["nodes"])
