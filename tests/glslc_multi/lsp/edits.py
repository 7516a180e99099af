"""Random edits of real shaders, with requests in between, through a real client: nothing may be an exception.

    python -m tests.glslc_multi.lsp.edits --count 10000      # the complete campaign

An edit takes out, puts in, doubles or exchanges a piece of the text, as careless hands do.  After each, a few
requests are made at random places, some of them outside of the text.  A finding is an entry of the server's log, an
answer that is an error, or an answer that cannot be: ranges outside of the text, edits that overlap.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from glslc_multi.compiler.records import dataclass, field
from tests.glslc_multi.lsp.client import Editor, editor, real_shaders

_WORDS = (
    "float", "vec4", "(", ")", "{", "}", ";", ",", ".", "=", "+", "++", "?", ":", "[", "]", "#", "\n", "#define X ",
    "#if 1\n", "#endif\n", "#version 300 es\n", "/*", "*/", "//", "\\\n", "\\", '"', "0x", "1.e", "in ", "struct S {",
    "uniform ", "gl_", "\u00e9", "\U0001f600", "\x00", "\t", "\r", "\u2028", "\ud800", "return", "if (", "for (", "x.",
)  # fmt: skip
_NEW_NAMES = ("fresh", "x", "main", "float", "")
#: What a rename may refuse.
_REFUSED = -32803


def edited(text: str, rng: random.Random) -> str:
    """The text after one careless edit."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.choice((1, 1, 3, 20, 200)))
    kind = rng.randrange(5)
    if kind == 0:
        return text[:start] + text[end:]
    if kind == 1:
        return text[:start] + rng.choice(_WORDS) + text[start:]
    if kind == 2:
        return text[:end] + text[start:end] + text[end:]
    if kind == 3:
        other = rng.randrange(len(text) + 1)
        return text[:start] + text[end:other] + text[start:end] + text[max(end, other) :]
    return text[:start] + rng.choice(_WORDS) + text[end:]


@dataclass(slots=True)
class Campaign:
    """One session, and what it has found."""

    session: Editor
    rng: random.Random
    findings: list[str] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)
    done: int = 0

    def run(self, shaders: Sequence[Path], count: int) -> None:
        """So many edits, some in each of the shaders."""
        while self.done < count and not self.findings:
            path = self.rng.choice(shaders)
            self._edit(path, min(self.rng.randrange(1, 12), count - self.done))

    def _edit(self, path: Path, count: int) -> None:
        text, uri = path.read_text(encoding="utf-8"), path.resolve().as_uri()
        self.session.open(uri, text)
        for _ in range(count):
            text = edited(text, self.rng)
            self.done += 1
            self.session.change(uri, text)
            for method, make in self.rng.sample(REQUESTS, 3):
                self._ask(method, make(uri, self._place(text), self.rng), text)
            if self.session.logged:
                self.findings.append(f"{path.name}: {self.session.logged}\n{text!r}")
                return
        self.session.close(uri)

    def _place(self, text: str) -> lsp.Position:
        lines = text.count("\n") + 2
        line = self.rng.randrange(lines) if self.rng.random() < 0.95 else 2**31 - 1
        return lsp.Position(line, self.rng.choice((0, 1, 4, 10, 25, 60, 2**31 - 1)))

    def _ask(self, method: str, params: Any, text: str) -> None:
        self.asked[method] += 1
        start = time.perf_counter()
        try:
            answer = self.session.ask(method, params)
        except JsonRpcException as error:
            if error.code != _REFUSED:
                self.findings.append(f"{method} {params}: {error}\n{text!r}")
            return
        except TimeoutError:
            self.findings.append(f"{method} {params}: no answer\n{text!r}")
            return
        taken = time.perf_counter() - start
        self.slowest[method] = max(self.slowest.get(method, 0.0), taken)
        self.findings += [f"{method} {params}: {problem}\n{text!r}" for problem in problems(answer, text)]


def problems(answer: Any, text: str) -> Iterator[str]:
    """What cannot be in an answer."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for place in _ranges(answer):
        start, end = (place.start.line, place.start.character), (place.end.line, place.end.character)
        if start > end or end[0] >= len(lines) or end[1] > len(lines[end[0]].encode("utf-16-le", "surrogatepass")) // 2:
            yield f"{place} is no range of the text"
    if isinstance(answer, list | tuple) and all(isinstance(each, lsp.TextEdit) for each in answer):
        ends = [(0, 0)]
        for each in sorted(answer, key=lambda edit: (edit.range.start.line, edit.range.start.character)):
            if (each.range.start.line, each.range.start.character) < ends[-1]:
                yield f"{each} overlaps another edit"
            ends.append((each.range.end.line, each.range.end.character))


def _ranges(answer: Any) -> Iterator[lsp.Range]:
    """The ranges in this very text that an answer names."""
    if isinstance(answer, lsp.Range):
        yield answer
    elif isinstance(answer, list | tuple):
        for each in answer:
            yield from _ranges(each)
    elif hasattr(answer, "__attrs_attrs__") and not isinstance(answer, lsp.Location):
        for attribute in answer.__attrs_attrs__:
            yield from _ranges(getattr(answer, attribute.name))


def _document(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


_Make = Callable[[str, lsp.Position, random.Random], Any]
_WHOLE = lsp.Range(lsp.Position(0, 0), lsp.Position(10**6, 0))
_OPTIONS = lsp.FormattingOptions(4, True)
#: Every request, and what makes its parameters.
REQUESTS: tuple[tuple[str, _Make], ...] = (
    (lsp.TEXT_DOCUMENT_HOVER, lambda uri, place, _: lsp.HoverParams(_document(uri), place)),
    (lsp.TEXT_DOCUMENT_COMPLETION, lambda uri, place, _: lsp.CompletionParams(_document(uri), place)),
    (lsp.TEXT_DOCUMENT_SIGNATURE_HELP, lambda uri, place, _: lsp.SignatureHelpParams(_document(uri), place)),
    (lsp.TEXT_DOCUMENT_DEFINITION, lambda uri, place, _: lsp.DefinitionParams(_document(uri), place)),
    (
        lsp.TEXT_DOCUMENT_REFERENCES,
        lambda uri, place, rng: lsp.ReferenceParams(lsp.ReferenceContext(rng.random() < 0.5), _document(uri), place),
    ),
    (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, lambda uri, place, _: lsp.DocumentHighlightParams(_document(uri), place)),
    (lsp.TEXT_DOCUMENT_PREPARE_RENAME, lambda uri, place, _: lsp.PrepareRenameParams(_document(uri), place)),
    (
        lsp.TEXT_DOCUMENT_RENAME,
        lambda uri, place, rng: lsp.RenameParams(_document(uri), place, rng.choice(_NEW_NAMES)),
    ),
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lambda uri, place, _: lsp.DocumentSymbolParams(_document(uri))),
    (lsp.TEXT_DOCUMENT_FORMATTING, lambda uri, place, _: lsp.DocumentFormattingParams(_document(uri), _OPTIONS)),
    (
        lsp.TEXT_DOCUMENT_RANGE_FORMATTING,
        lambda uri, place, _: lsp.DocumentRangeFormattingParams(
            _document(uri), lsp.Range(lsp.Position(0, 0), place), _OPTIONS
        ),
    ),
    (
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lambda uri, place, _: lsp.CodeActionParams(_document(uri), _WHOLE, lsp.CodeActionContext([])),
    ),
    (lsp.TEXT_DOCUMENT_INLAY_HINT, lambda uri, place, _: lsp.InlayHintParams(_document(uri), _WHOLE)),
    (lsp.TEXT_DOCUMENT_CODE_LENS, lambda uri, place, _: lsp.CodeLensParams(_document(uri))),
)


def main() -> int:
    """Run the campaign and say what it found."""
    parser = argparse.ArgumentParser(description="random edits of real shaders in the language server")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    found = parser.parse_args()
    with editor({"targets": ["agal"]}) as session:
        campaign = Campaign(session, random.Random(found.seed))
        # Whoever interrupts it hears how far it came.
        with suppress(KeyboardInterrupt):
            campaign.run(real_shaders(), found.count)
    print(f"{campaign.done} edits, {sum(campaign.asked.values())} requests, {len(campaign.findings)} findings")
    for method, seconds in sorted(campaign.slowest.items(), key=lambda row: -row[1]):
        print(f"{1000 * seconds:7.0f} ms at most: {method} ({campaign.asked[method]} requests)")
    for finding in campaign.findings:
        print(finding)
    return bool(campaign.findings)


if __name__ == "__main__":
    sys.exit(main())
