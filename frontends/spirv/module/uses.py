"""Where a type that no target has is used: types have no place in the source, what needs them has."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.diagnostics.catalogue import spirv as messages
from glslc_multi.compiler.spirv.code import Instruction, Invalid, kinds_of
from glslc_multi.compiler.spirv.grammar.model import IDS
from glslc_multi.frontends.spirv.module.contents import Contents


def point_at_use(contents: Contents, invalid: Invalid) -> None:
    """Let a message about a type name the first variable of it, and stand at the first line that needs it."""
    type_ = invalid.at
    if invalid.entry is not messages.NOT_SUPPORTED or not isinstance(type_, Instruction):
        return
    if not type_.name.startswith("OpType"):
        return
    # What needs a declaration, at first hand or at any other, in order, with its line.
    needed = {type_.result}
    for user in contents.with_lines():
        if needed.isdisjoint({user.type, *_ids(user)}):
            continue
        if user.result:
            needed.add(user.result)
        name = contents.name_of(user.result) if user.name == "OpVariable" else ""
        if name and "notes" not in invalid.values:
            invalid.values["notes"] = (f"'{name}' needs it",)
        if user.line is not None:
            invalid.at = user
            return


def _ids(instruction: Instruction) -> Iterator[int]:
    for kind, value in kinds_of(instruction.row, instruction.operands):
        if kind in IDS and isinstance(value, int):
            yield value
