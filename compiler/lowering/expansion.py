"""Expansion: an operation becomes others that compute the same, as rows of a table say.

A `Row` names an opcode, the opcodes that its expansion uses, and a function that makes it.  An opcode may
have several rows.  Which opcodes *remain* is up to the caller; of the rows of an opcode that does not, the one
counts that leads to such opcodes the soonest.  An opcode without such a row stays as it is: another
lowering, or the target's own diagnostics, will see it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.fold import fold
from glslc_multi.compiler.ir.module import PRECISE, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import OPCODES, Opcode
from glslc_multi.compiler.ir.types import Kind
from glslc_multi.compiler.records import dataclass

_KINDS: dict[type, Kind] = {bool: "bool", int: "int", float: "float"}


@dataclass(frozen=True, slots=True)
class Row:
    """An expansion of `opcode`; `make(emit, *operands)` returns the value that takes its place."""

    opcode: Opcode
    uses: frozenset[Opcode]
    make: Callable[..., Value]


def row(opcode: Opcode, uses: str, make: Callable[..., Value]) -> Row:
    """A row whose opcodes are given by name, separated by blanks."""
    return Row(opcode, frozenset(OPCODES[name] for name in uses.split()), make)


class Emitter:
    """Makes instructions before the one that is expanded; what may not remain is expanded at once, and numbers are
    computed."""

    __slots__ = ("_expander", "builder", "original", "precise")

    def __init__(self, expander: Expander, original: Instruction) -> None:
        self._expander = expander
        self.original = original
        self.builder = Builder.before(original)
        #: Whether only rewrites that are exact in IEEE arithmetic will do.
        self.precise = expander.is_precise(original)

    def op(self, opcode: Opcode, *operands: Value) -> Value:
        chosen = self._expander.row_of(opcode)
        if chosen is not None:
            return chosen.make(self, *operands)
        made = self.builder.op(opcode, *operands)
        constant = fold(made)
        if constant is None:
            return made
        made.erase()
        return constant

    def number(self, value: bool | int | float, like: Value) -> Constant:
        """`value` in as many components as `like` has; of its own kind, a float unless written as an int or bool."""
        return Constant.splat(like.type.with_kind(_KINDS[type(value)]), value)

    def swizzle(self, value: Value, pattern: Iterable[int]) -> Value:
        return self.builder.swizzle(value, tuple(pattern))

    def component(self, value: Value, component: int) -> Value:
        return self.builder.extract(value, component)

    def components(self, value: Value) -> list[Value]:
        return [self.component(value, component) for component in range(value.type.width)]

    def splat(self, scalar: Value, like: Value) -> Value:
        """`scalar` as wide as `like`."""
        return self.builder.splat(scalar, like.type.width)

    def construct(self, parts: Iterable[Value]) -> Value:
        return self.builder.construct(*parts)

    def add(self, x: Value, y: Value) -> Value:
        return self.op(ops.FADD, x, y)

    def sub(self, x: Value, y: Value) -> Value:
        return self.op(ops.FSUB, x, y)

    def mul(self, x: Value, y: Value) -> Value:
        return self.op(ops.FMUL, x, y)

    def select(self, condition: Value, if_true: Value, if_false: Value) -> Value:
        return self.op(ops.SELECT, condition, if_true, if_false)


class Expander:
    """Applies a table of rows to whatever may not remain; it keeps nothing of a function, so that one serves all."""

    __slots__ = ("_chosen", "_precise")

    def __init__(self, rows: Iterable[Row], may_remain: Callable[[Opcode], bool], *, precise: bool = False) -> None:
        # The row of each opcode that may not remain but can be expanded. In rounds: a row counts once all it uses is
        # had. So expansions end, and the shortest path wins.
        chosen: dict[Opcode, Row] = {}
        pending = [entry for entry in list(rows) if not may_remain(entry.opcode)]
        progress = True
        while progress:
            had = set(chosen)
            ready = [entry for entry in pending if all(use in had or may_remain(use) for use in entry.uses)]
            for entry in ready:
                chosen.setdefault(entry.opcode, entry)
            pending = [entry for entry in pending if entry.opcode not in chosen]
            progress = bool(ready)
        self._chosen = chosen
        self._precise = precise

    def row_of(self, opcode: Opcode) -> Row | None:
        """The row to expand `opcode` by; None where it stays."""
        return self._chosen.get(opcode)

    def is_precise(self, instruction: Instruction) -> bool:
        return self._precise or bool(instruction.flags & PRECISE)

    def expand(self, instruction: Instruction) -> bool:
        """Put its expansion in the place of `instruction`; False where it stays."""
        chosen = self.row_of(instruction.op)
        if chosen is None:
            return False
        value = chosen.make(Emitter(self, instruction), *instruction.operands)
        instruction.replace_all_uses_with(value)
        instruction.erase()
        return True

    def expand_all(self, function: Function) -> bool:
        """Expand what the function holds; True when anything changed."""
        progress = False
        for instruction in function.instructions():
            if instruction.op in self._chosen:
                progress |= self.expand(instruction)
        return progress
