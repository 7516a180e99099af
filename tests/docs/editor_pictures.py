"""The pictures of the language server in an editor: `python -m tests.docs.editor_pictures`.

Needs Neovim with the recipe of docs/editors.md, and pyte, which is a terminal without a window.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.browser import Browser, browser
from tests.docs.screenshot import IMAGES
from tests.shared_data import PROJECT_ROOT

_COLUMNS, _ROWS = 132, 31
_SHADER = PROJECT_ROOT / "examples" / "shaders" / "11_plasma.frag"
#: What is wrong in the second picture.
_MISTAKE = ("wave + phase", "wav + phase")
_SECONDS = 60.0
_INIT = """
vim.o.termguicolors, vim.o.background, vim.o.number, vim.o.signcolumn = true, "dark", true, "yes"
vim.o.swapfile, vim.o.laststatus = false, 0
for group, colours in pairs({
    NormalFloat = { bg = "#2b3038" }, SignColumn = { bg = "NONE" }, LineNr = { fg = "#6b7280" },
    NonText = { fg = "#3a3f48" }, LspCodeLens = { fg = "#8fd3a0" }, LspCodeLensSeparator = { fg = "#6b7280" } }) do
  vim.api.nvim_set_hl(0, group, colours)
end
vim.api.nvim_create_autocmd("FileType", { pattern = "glsl", callback = function(event)
  local client = vim.lsp.start_client({ name = "glslc_multi", cmd = { "PYTHON", "-m", "glslc_multi", "lsp" },
    root_dir = vim.fn.getcwd(), init_options = { targets = { "agal", "theia", "vc4" } },
    on_attach = function() vim.fn.timer_start(500, vim.lsp.codelens.refresh, { ["repeat"] = -1 }) end })
  vim.lsp.buf_attach_client(event.buf, client)
end })
"""


class _Editor:
    """Neovim, and the screen that it writes."""

    def __init__(self, terminal: int) -> None:
        import pyte

        self._terminal = terminal
        self.screen: Any = pyte.Screen(_COLUMNS, _ROWS)
        self._stream = pyte.ByteStream(self.screen)

    def press(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def wait_for(self, text: str) -> None:
        """Until the text is on the screen, and then until nothing more comes."""
        end = time.monotonic() + _SECONDS
        while not any(text in line for line in self.screen.display):
            assert time.monotonic() < end, "\n".join(self.screen.display)
            self._read(0.2)
        while self._read(2.0):
            pass

    def _read(self, seconds: float) -> bool:
        if not select.select([self._terminal], [], [], seconds)[0]:
            return False
        self._stream.feed(os.read(self._terminal, 1 << 16))
        return True


@contextmanager
def _editing(text: str) -> Iterator[_Editor]:
    with TemporaryDirectory() as folder:
        init, shader = Path(folder) / "init.lua", Path(folder) / _SHADER.name
        init.write_text(_INIT.replace("PYTHON", sys.executable), encoding="utf-8")
        shader.write_text(text, encoding="utf-8")
        process, terminal = pty.fork()
        if not process:
            os.environ.update(TERM="xterm-256color", PYTHONPATH=str(PROJECT_ROOT))
            os.chdir(folder)
            commands = ["-c", "set filetype=glsl syntax=c"]
            os.execvp("nvim", ["nvim", "-u", str(init), *commands, shader.name])
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        try:
            yield _Editor(terminal)
        finally:
            os.kill(process, signal.SIGTERM)
            os.close(terminal)
            os.waitpid(process, 0)


def write_pictures() -> None:
    """Renew the pictures."""
    text = _SHADER.read_text(encoding="utf-8")
    with browser() as window:
        with _editing(text) as editor:
            editor.wait_for("fits on")
            editor.press("/sin(\r:noh | lua vim.lsp.buf.hover()\r")
            editor.wait_for("built-in function")
            _write(window, editor, "editor-costs.png")
        with _editing(text.replace(*_MISTAKE, 1)) as editor:
            editor.wait_for("is not declared")
            editor.press("/wav +\r:noh | lua vim.lsp.buf.code_action()\r")
            editor.wait_for("Fix: ")
            _write(window, editor, "editor-fix.png")


def _write(window: Browser, editor: _Editor, name: str) -> None:
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(_html(editor.screen), encoding="utf-8")
        window.resize(1140, 20 + 19 * _ROWS)
        window.open(page)
        (IMAGES / name).write_bytes(window.screenshot())


def _html(screen: Any) -> str:
    """The screen as a page: runs of cells that look alike."""
    rows = []
    for number in range(_ROWS):
        cells = [screen.buffer[number][column] for column in range(_COLUMNS)]
        rows.append("".join(_run(style, "".join(cell.data for cell in run)) for style, run in groupby(cells, _style)))
    place = "margin:0;padding:10px;overflow:hidden;background:#1c1e22;font:14px/19px DejaVu Sans Mono,monospace"
    return (
        f'<!DOCTYPE html><meta charset="utf-8"><body style="{place}"><pre style="margin:0;font:inherit">'
        + "\n".join(rows)
    )


def _style(cell: Any) -> str:
    front, back = _colour(cell.fg, "#d8dbe0"), _colour(cell.bg, "#1c1e22")
    if cell.reverse:
        front, back = back, front
    weight = ";font-weight:bold" if cell.bold else ""
    line = ";text-decoration:underline" if cell.underscore else ""
    return f"display:inline-block;height:19px;color:{front};background:{back}{weight}{line}"


def _colour(name: str, usual: str) -> str:
    if name == "default":
        return usual
    return f"#{name}" if len(name) == 6 and all(digit in "0123456789abcdef" for digit in name) else name


def _run(style: str, text: str) -> str:
    return f'<span style="{style}">{escape(text)}</span>'


if __name__ == "__main__":
    write_pictures()
