"""How fast the static page of the playground is, in headless Chromium: `python -m benchmarks.playground`.

In: `build/playground`, which `make playground` makes.  Out: seconds, the median of several runs: from opening the page
with an empty profile to the first code, and to that of all targets; from a key to the new code of the target in focus,
and of all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from statistics import median

from tests.browser import WEBGL, Browser, browser
from tests.glslc_multi.playground.static import built_folder, static_server

_RUNS, _KEYS = 3, 9
_CONTROL, _END = "\ue009", "\ue010"
_FIRST = "document.querySelectorAll('.pane [role=option]').length"
_ALL = "document.getElementById('results').getAttribute('aria-busy') === 'false'"
#: Notes when the pane in focus is filled anew, and when everything has been, after the key that is pressed next.
_NOTE = """
    const noted = window.noted = {};
    const busy = document.getElementById('results'), begin = performance.now();
    const code = new MutationObserver(() => { noted.first ??= performance.now() - begin; });
    code.observe(document.querySelector('.pane.focus .body'), {childList: true});
    const all = new MutationObserver(() => {
        if (busy.getAttribute('aria-busy') === 'true') noted.begun = true;
        else if (noted.begun) noted.all ??= performance.now() - begin;
    });
    all.observe(busy, {attributes: true});
"""


def measure() -> Iterator[tuple[str, float]]:
    """What was measured, and its median."""
    cold = []
    for _ in range(_RUNS):
        with static_server(built_folder()) as address, browser(*WEBGL) as window:
            cold.append(_open(window, address))
            keys = [_press(window) for _ in range(_KEYS)]
    yield "cold, to the first code", median(first for first, _ in cold)
    yield "cold, to the code of all targets", median(every for _, every in cold)
    yield "after a key, to the code of the target in focus", median(first for first, _ in keys)
    yield "after a key, to the code of all targets and the picture", median(every for _, every in keys)


def _open(window: Browser, address: str) -> tuple[float, float]:
    begin = time.perf_counter()
    window.open(address)
    window.wait_for(_FIRST)
    first = time.perf_counter() - begin
    window.wait_for(_ALL)
    return first, time.perf_counter() - begin


def _press(window: Browser) -> tuple[float, float]:
    """A blank at the end of the text: the program is compiled anew."""
    window.wait_for("document.documentElement.dataset.offline")
    window.click(".cm-content")
    window.press(_CONTROL, _END)
    window.run(_NOTE)
    window.press(" ")
    noted = window.wait_for("window.noted.all && window.noted")
    return noted["first"] / 1000, noted["all"] / 1000


if __name__ == "__main__":
    for what, seconds in measure():
        print(f"| {what} | {seconds:.2f} |", flush=True)
