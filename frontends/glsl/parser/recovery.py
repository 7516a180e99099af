"""Where parsing goes on after a mistake."""

from __future__ import annotations

from glslc_multi.frontends.glsl.parser.failure import (
    Refusal,
    SyntaxFailure,
    begins_declaration,
    begins_item,
    begins_line,
    open_bracket,
)
from glslc_multi.frontends.glsl.parser.terminals import END


def next_item(failure: SyntaxFailure, start: int, are_blocks: bool) -> int:
    """Find where to go on in a block or structure whose item began at `start`.

    That is after the next ';', or before a '}' that closes the list, a '{' where blocks are items, or a token that
    surely begins the next item.  A ';' in the head of a `for` or in braces is none of these.
    """
    state, at, braces = failure.state, failure.at, 0
    terminals = state.terminals
    if failure.semicolon_is_missing and at > start:
        return at
    # A '{' that was refused by name opens a list of values, not a block.
    refused = at if isinstance(failure, Refusal) else None
    opener = open_bracket(state, at, ")")
    parentheses = int(opener is not None and opener > start and terminals[opener - 1] == "for")
    while (terminal := terminals[at]) != END:
        is_item = begins_item(state, at) or (terminal == "{" and are_blocks and at != refused)
        if is_item and at > start and not braces:
            break
        if terminal == "(" and (parentheses or terminals[at - 1] == "for"):
            parentheses += 1
        elif terminal == ")" and parentheses:
            parentheses -= 1
        braces += (terminal == "{") - (terminal == "}")
        at += 1
        if terminal == ";" and not parentheses and not braces:
            break
    return at


def next_declaration(failure: SyntaxFailure, start: int) -> int:
    """Find where to go on at global scope: before a token that surely begins a declaration, outside of braces.

    Everything else, such as the statements after a '}' too many, says nothing new.
    """
    state, at, braces = failure.state, failure.at, 0
    terminals = state.terminals
    while (terminal := terminals[at]) != END:
        is_boundary = begins_line(state, at) or terminals[at - 1] in (";", "}")
        if at > start and braces == 0 and is_boundary and begins_declaration(state, at):
            break
        braces = max(0, braces + (terminal == "{") - (terminal == "}"))
        at += 1
    return at
