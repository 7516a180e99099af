"""Shrinks a failing shader: the smallest text, found by deletion, that still fails the same way.

`reduce(source, fails)` needs only a predicate; candidates that no longer compile simply do not fail
the same way.  It deletes runs of lines, then statements, replaces bracketed expressions by parts of
themselves, and deletes runs of tokens, until nothing more can go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

Predicate = Callable[[str], bool]
_TOKEN = re.compile(r"\s+|\w+(?:\.\w+)*|.", re.DOTALL)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def reduce(source: str, fails: Predicate) -> str:
    """A small text for which `fails` still holds; `fails(source)` must hold."""
    if not fails(source):
        raise ValueError("the shader does not fail to begin with")
    while True:
        lines = delete_runs(source.splitlines(keepends=True), fails)
        tokens = _simplify(_TOKEN.findall("".join(lines)), fails)
        smaller = "".join(delete_runs(tokens, fails))
        if len(smaller) >= len(source):
            return smaller
        source = smaller


def delete_runs(parts: list[str], fails: Predicate) -> list[str]:
    """Delta debugging: delete ever smaller runs of parts, as long as the rest fails."""
    run = max(1, len(parts) // 2)
    while run:
        start = 0
        while start < len(parts):
            candidate = parts[:start] + parts[start + run :]
            if fails("".join(candidate)):
                parts = candidate
            else:
                start += run
        run //= 2
    return parts


def _simplify(tokens: list[str], fails: Predicate) -> list[str]:
    """Apply, place by place, the first smaller variant that still fails, until there is none."""
    position = 0
    while position < len(tokens):
        for candidate in _variants(tokens, position):
            if len(candidate) < len(tokens) and fails("".join(candidate)):
                tokens = candidate
                break
        else:
            position += 1
    return tokens


def _variants(tokens: list[str], start: int) -> Iterator[list[str]]:
    """Smaller token lists that change something at `start`."""
    if tokens[start].isspace():
        return
    head = tokens[:start]
    statement = _end_of_statement(tokens, start)
    if statement:
        yield head + tokens[statement:]
    if tokens[start] not in _CLOSING:
        return
    end = _end_of_group(tokens, start)
    if not end:
        return
    inside = tokens[start + 1 : end - 1]
    if tokens[start] == "{":
        yield head + inside + tokens[end:]
        return
    if tokens[start] == "(":
        # A call or group becomes one of its arguments, with or without the name in front.
        for part in _arguments(inside):
            yield [*head, "(", *part, ")", *tokens[end:]]
            if start and re.match(r"\w", tokens[start - 1]):
                yield [*tokens[: start - 1], "(", *part, ")", *tokens[end:]]
        yield [*head, "(", *_operand(inside), ")", *tokens[end:]]
        return
    yield [*head, "[", "0", "]", *tokens[end:]]


def _end_of_group(tokens: list[str], start: int) -> int:
    """The place after the bracket that closes the one at `start`; 0 when there is none."""
    depth = 0
    for index in range(start, len(tokens)):
        if tokens[index] in _CLOSING:
            depth += 1
        elif tokens[index] in _CLOSING.values():
            depth -= 1
            if depth == 0:
                return index + 1
    return 0


def _end_of_statement(tokens: list[str], start: int) -> int:
    """The place after the `;` or block that ends a statement starting at `start`; 0 when none starts."""
    before = "".join(tokens[:start]).rstrip()
    if before and before[-1] not in ";{}":
        return 0
    position = start
    while position < len(tokens):
        if tokens[position] == ";":
            return position + 1
        if tokens[position] in _CLOSING:
            block = tokens[position] == "{"
            position = _end_of_group(tokens, position)
            if block or not position:
                return position
            continue
        position += 1
    return 0


def _arguments(inside: list[str]) -> list[list[str]]:
    """The parts between top-level commas, when there are several or one."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in inside:
        depth += (token in _CLOSING) - (token in _CLOSING.values())
        if token == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _operand(inside: list[str]) -> list[str]:
    """What stands before the first top-level operator, or all of it."""
    depth = 0
    for index, token in enumerate(inside):
        depth += (token in _CLOSING) - (token in _CLOSING.values())
        if depth == 0 and index and token in "+-*/<>=!&|^?":
            return inside[:index]
    return inside
