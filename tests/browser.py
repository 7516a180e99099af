"""A real browser without a window, for tests of pages: Chromium through chromedriver, by plain HTTP (W3C WebDriver)."""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import pytest

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--window-size=1400,1000",
)  # fmt: skip
#: The driver is on this computer: no proxy is between.
_DIRECT = build_opener(ProxyHandler({}))
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One window."""

    def __init__(self, server: str, capabilities: dict[str, Any]) -> None:
        self._base = f"{server}/session"
        self._base += "/" + self._call("", {"capabilities": {"alwaysMatch": capabilities}})["sessionId"]

    def open(self, page: Path | str) -> None:
        """A file, or an address."""
        self._call("/url", {"url": page if isinstance(page, str) else page.resolve().as_uri()})

    def resize(self, width: int, height: int) -> None:
        """Of the page itself; narrower than windows may be."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._call("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": size})

    def wait_for(self, condition: str, *arguments: Any, seconds: float = 60) -> Any:
        """The value of an expression, as soon as it is none of those that count as false."""
        end = time.monotonic() + seconds
        while not (value := self.run(f"return {condition}", *arguments)):
            assert time.monotonic() < end, f"this did not come true: {condition}"
            time.sleep(0.05)
        return value

    def run(self, script: str, *arguments: Any) -> Any:
        """The value that a script returns."""
        return self._call("/execute/sync", {"script": script, "args": list(arguments)})

    def point_at(self, selector: str) -> None:
        """Move the pointer to the middle of an element, which is scrolled into sight."""
        element = self._find(selector)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        move = {"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": element}
        self._call("/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def click(self, selector: str) -> None:
        self._call(f"/element/{self._find(selector)[_ELEMENT]}/click", {})

    def press(self, *keys: str) -> None:
        """All of them down, then up again in the other order."""
        actions = [{"type": "keyDown", "value": key} for key in keys]
        actions += [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self._call("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def type(self, text: str) -> None:
        """Keys one after the other, where the keyboard is."""
        for character in text:
            self.press(character)

    def screenshot(self) -> bytes:
        """The window as PNG."""
        return base64.b64decode(self._call("/screenshot"))

    def problems(self) -> list[str]:
        """What the console complains of."""
        return [entry["message"] for entry in self._call("/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def close(self) -> None:
        with _DIRECT.open(Request(self._base, method="DELETE"), timeout=30):
            pass

    def _find(self, selector: str) -> dict[str, str]:
        found: dict[str, str] = self._call("/element", {"using": "css selector", "value": selector})
        return found

    def _call(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._base + path, data, {"Content-Type": "application/json"})
        with _DIRECT.open(request, timeout=60) as answer:
            return json.load(answer)["value"]


#: Flags for WebGL, by the processor.
WEBGL = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")


@contextmanager
def browser(*flags: str) -> Iterator[Browser]:
    """A browser with an empty profile; the test is skipped where there is none."""
    driver, chromium = shutil.which("chromedriver"), shutil.which("chromium")
    if driver is None or chromium is None:
        pytest.skip("chromium and chromedriver are not installed")
    with TemporaryDirectory() as profile:
        server = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            assert server.stdout is not None
            port = next(
                found.group(1) for line in server.stdout if (found := re.search(r"successfully on port (\d+)", line))
            )
            chrome = {"binary": chromium, "args": [*_FLAGS, *flags, f"--user-data-dir={profile}"]}
            window = Browser(
                f"http://127.0.0.1:{port}",
                {"browserName": "chrome", "goog:chromeOptions": chrome, "goog:loggingPrefs": {"browser": "ALL"}},
            )
            try:
                yield window
            finally:
                window.close()
        finally:
            server.terminate()
            server.wait()
