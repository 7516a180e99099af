"""The pictures of the playground in the documentation: `python -m tests.docs.playground_pictures`."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.browser import WEBGL, Browser, browser
from tests.docs.screenshot import IMAGES
from tests.shared_data import PROJECT_ROOT

_SETTLED = "document.getElementById('results').getAttribute('aria-busy') === 'false'"
_MISTAKE = ("0.0), u_shininess", "0), u_shininess")


@contextmanager
def served() -> Iterator[str]:
    """The address of the playground for the examples."""
    command = [sys.executable, "-m", "glslc_multi", "playground", "examples/shaders/09_phong.frag", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT_ROOT) as server:
        assert server.stdout is not None
        found = re.match(r"\S+", server.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            server.send_signal(signal.SIGINT)


def write_pictures() -> None:
    """Renew the pictures."""
    with served() as address, browser(*WEBGL) as window:
        window.open(address)
        window.wait_for(_SETTLED)
        window.point_at(".cm-line:nth-child(14)")
        window.run("document.querySelector('.cm-scroller').scrollLeft = 0")
        _write(window, "playground.png")
        window.click("#linked")
        window.wait_for("document.querySelectorAll('.pane[data-target=vc4] h3.stage').length === 3")
        window.wait_for(_SETTLED)
        window.point_at(".cm-line:nth-child(14)")
        window.run("document.querySelector('.cm-scroller').scrollLeft = 0")
        _write(window, "playground-linked.png")
        window.click("#linked")
        window.wait_for("!document.querySelector('h3.stage')")
        window.run("document.documentElement.style.colorScheme = 'dark'")
        _break(window)
        window.wait_for("document.querySelector('#problems .fix')")
        _write(window, "playground-dark.png")
        window.click("#problems .fix")
        window.resize(390, 844)
        window.run("document.documentElement.style.colorScheme = 'light'")
        window.wait_for(_SETTLED)
        _write(window, "playground-phone.png")


def _break(window: Browser) -> None:
    """A mistake that the compiler can mend."""
    window.click(".cm-content")
    text = "\n".join(window.run("return [...document.querySelectorAll('.cm-line')].map(e => e.textContent)"))
    window.press("\ue009", "a")
    window.press("\ue003")
    window.run("document.execCommand('insertText', false, arguments[0])", text.replace(*_MISTAKE))


def _write(window: Browser, name: str) -> None:
    (IMAGES / name).write_bytes(window.screenshot())


if __name__ == "__main__":
    write_pictures()
