"""Several explanations in one file: a page for each target, one of which is shown at a time.

In: the pages by name, and why other targets have none.  Out: HTML that needs nothing else.  Each page stays as it is,
in a frame of its own, so that its script and its keys know nothing of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

_STYLE = """
:root { color-scheme: light dark; } body { margin: 0; background: light-dark(#fbfbf9, #16181c); height: 100vh; display: flex; flex-direction: column; font: 14px/1.45 system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 6px; padding: 8px 18px; } nav button { font: inherit; color: inherit; padding: 2px 12px; border: 1px solid light-dark(#d9dbe0, #343942); border-radius: 4px; background: none; cursor: pointer; }
nav button[aria-pressed=true] { background: light-dark(#dbe8f4, #2b3d4f); border-color: light-dark(#5b8dbb, #4d7ca8); }
nav span { opacity: .7; padding: 3px 0; } iframe { flex: 1; border: 0; width: 100%; } iframe[hidden] { display: none; }
"""  # noqa: E501
_SCRIPT = """
"use strict";
const buttons = [...document.querySelectorAll("nav button")], frames = [...document.querySelectorAll("iframe")];
function show(number) {
  buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(index === number)));
  frames.forEach((frame, index) => { frame.hidden = index !== number; });
}
buttons.forEach((button, index) => button.addEventListener("click", () => show(index)));
if (buttons.length) show(0);
"""


def book(title: str, pages: Mapping[str, str], refusals: Mapping[str, str]) -> str:
    """The file; `refusals` are the targets without a page, with the reason."""
    buttons = "".join(f"<button>{escape(name)}</button>" for name in pages)
    reasons = "".join(f"<span>{escape(name)}: {escape(reason)}</span>" for name, reason in refusals.items())
    frames = "".join(
        f'<iframe title="{escape(name)}" srcdoc="{escape(text)}" hidden></iframe>' for name, text in pages.items()
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n"
        f'<body><nav aria-label="targets">{buttons}{reasons}</nav>{frames}<script>{_SCRIPT}</script></body></html>\n'
    )
