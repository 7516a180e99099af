"""The words that the host puts into the uniform stream, in the order in which a program reads them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.backends.vc4.codegen.abi import DRIVER_WORDS
from glslc_multi.compiler.codegen.machine import Lanes, Literal32, MachineInstruction, Uniform
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass


@dataclass(frozen=True, slots=True)
class StreamSlot:
    """One word of the stream: its kind and source as text, and the uniform that it is a component of, if any."""

    kind: str
    source: str
    uniform: Uniform | None = None
    component: int = 0


STREAM_ADDRESS = StreamSlot("stream_address", "")


def _stream_variable() -> Variable:
    from glslc_multi.compiler.ir.types import INT

    return Variable("stream_address", "uniform", INT)


#: Stands for the address of the stream itself.
STREAM_VARIABLE = _stream_variable()


def stream_slots(word: Sequence[MachineInstruction]) -> Iterator[StreamSlot]:
    """What the instructions of a word take from the stream: shared reads count once."""
    seen: list[tuple[Uniform | Literal32, Lanes]] = []
    for instruction in word:
        for use in instruction.uses:
            if isinstance(use.register, (Uniform, Literal32)) and (use.register, use.lanes) not in seen:
                seen.append((use.register, use.lanes))
                yield _slot_of(use.register, use.lanes)
        for kind, source in instruction.attributes.get("slots", ()):
            yield StreamSlot(kind, source)


def _slot_of(operand: Uniform | Literal32, lanes: Sequence[int | None]) -> StreamSlot:
    if isinstance(operand, Literal32):
        return StreamSlot("constant", f"0x{operand.values[0]:08x}")
    variable, component = operand.variable, lanes[0] or 0
    if variable in DRIVER_WORDS:
        return StreamSlot(variable.role, "")
    if variable is STREAM_VARIABLE:
        return STREAM_ADDRESS
    if variable.role.startswith("buffer "):
        return StreamSlot("buffer", variable.role.removeprefix("buffer "))
    column, row = operand.column, component
    if variable.is_matrix and variable.layout == "rows":
        column, row = row, column
    return StreamSlot("uniform", f"{variable.name}[{operand.offset}].{column}.{'xyzw'[row]}", operand, component)
