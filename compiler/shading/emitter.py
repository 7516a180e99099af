"""The emitter: an IR builder with constant folding, precision flags and the shuffles lowering needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir import types as ir
from glslc_multi.compiler.ir.fold import fold_components
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.variables import Address, TextureAccess, Variable
from glslc_multi.compiler.shading.conversions import CONVERSIONS
from glslc_multi.compiler.shading.types import Base, Precision

#: One component of a vector, or a scalar (component 0).
Component = tuple[Value, int]

#: Opcodes that compute nothing.
_MOVES = {ops.SELECT, ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT, ops.EXTRACT_DYNAMIC, ops.INSERT_DYNAMIC, ops.PHI}
#: The others but for memory and control flow: their flags say how exactly they compute.
_COMPUTING = frozenset(op for op in ops.OPCODES.values() if op.effect in ("pure", "cross-lane") and op not in _MOVES)
#: The patterns that change nothing, by width.
_IDENTITIES = tuple(tuple(range(width)) for width in range(5))


class TooLarge(Exception):
    """The module would get more instructions than it may have."""

    def __init__(self, span: Span | None) -> None:
        super().__init__()
        self.span = span


class Tally:
    """What the module's code has so far: the variables it uses, and how many more instructions it may have.

    A short text can ask for very many: one assignment of a large struct copies every part of it.
    """

    __slots__ = ("remaining", "variables")

    def __init__(self, limit: int) -> None:
        self.remaining = limit
        #: The variables that code reads, writes or samples.
        self.variables: set[Variable] = set()

    def count(self, instructions: int, span: Span | None) -> None:
        """Take some from what remains."""
        self.remaining -= instructions
        if self.remaining < 0:
            raise TooLarge(span)


class Emitter:
    """Emits instructions at the end of the current block; operations on constants yield constants.

    `precision` holds for the operations that follow: mediump and lowp make them `RELAXED`.
    """

    __slots__ = ("_always", "_exact", "_relaxed", "_tally", "block", "span")

    def __init__(self, block: Block, tally: Tally, *, precise: bool) -> None:
        self.block = block
        #: The part of the source that what follows comes from.
        self.span: Span | None = None
        self._tally = tally
        self._always = PRECISE if precise else 0
        self._exact = 0
        self._relaxed = 0

    # where and how -------------------------------------------------------------------------
    def at_end_of(self, block: Block) -> None:
        self.block = block

    def at_precision(self, precision: Precision | None) -> None:
        """The operations that follow need no more than `precision`."""
        self._relaxed = RELAXED if precision in ("mediump", "lowp") else 0

    def at_exactness(self, is_exact: bool) -> None:
        """Whether the operations that follow are kept as they are."""
        self._exact = PRECISE if is_exact else 0

    # operations ----------------------------------------------------------------------------
    def op(self, opcode: Opcode, *operands: Value, attribute: object = None) -> Value:
        """The result of `opcode`: a constant where all operands are."""
        folded = self._folded(opcode, operands, attribute)
        if folded is not None:
            return folded
        return self._emit(opcode, operands, attribute, self._flags(operands) if opcode in _COMPUTING else 0)

    def number(self, value: float, like: Value) -> Constant:
        """The float `value` in each component of a value as wide as `like`."""
        return Constant.splat(like.type.with_kind("float"), round_to_float32(value))

    def widen(self, value: Value, width: int) -> Value:
        """A scalar repeated `width` times; what is as wide already stays."""
        if value.type.width == width:
            return value
        if isinstance(value, Constant):
            return Constant.splat(value.type.with_width(width), value.components[0])
        return self.op(ops.SWIZZLE, value, attribute=(0,) * width)

    def convert(self, value: Value, source: Base, target: Base) -> Value:
        """The components converted to another basic type (GLSL ES 3.00 section 5.4.1)."""
        opcode = CONVERSIONS.get((source, target))
        return value if opcode is None else self.op(opcode, value)

    def swizzle(self, value: Value, pattern: Sequence[int]) -> Value:
        """These components of `value`; itself when they are all of it in order."""
        pattern = tuple(pattern)
        if pattern == _IDENTITIES[value.type.width]:
            return value
        return self.op(ops.SWIZZLE, value, attribute=pattern)

    def assemble(self, components: Iterable[Component], base: Base) -> Value:
        """One vector of the given components, each converted to `base`; those of ints have a sign."""
        runs: list[tuple[Value, list[int]]] = []
        for value, number in components:
            if runs and runs[-1][0] is value:
                runs[-1][1].append(number)
            else:
                runs.append((value, [number]))
        parts = [
            self.convert(self.swizzle(value, pattern), cast(Base, value.type.kind), base) for value, pattern in runs
        ]
        return parts[0] if len(parts) == 1 else self.op(ops.CONSTRUCT, *parts)

    # memory --------------------------------------------------------------------------------
    def load(self, address: Address, indices: Sequence[Value]) -> Value:
        self._tally.variables.add(address.variable)
        return self._emit(ops.LOAD, indices, address)

    def store(self, address: Address, indices: Sequence[Value], value: Value) -> None:
        self._tally.variables.add(address.variable)
        self._emit(ops.STORE, [*indices, value], address)

    def texture(self, access: TextureAccess, operands: Sequence[Value]) -> Value:
        self._tally.variables.add(access.address.variable)
        return self.op(ops.TEXTURE, *operands, attribute=access)

    def texture_size(self, access: TextureAccess, operands: Sequence[Value]) -> Value:
        self._tally.variables.add(access.address.variable)
        return self.op(ops.TEXTURE_SIZE, *operands, attribute=access)

    # control flow --------------------------------------------------------------------------
    def br(self, target: Block) -> None:
        self.op(ops.BR, attribute=[target])

    def condbr(self, condition: Value, if_true: Block, if_false: Block) -> None:
        self.op(ops.CONDBR, condition, attribute=[if_true, if_false])

    def ret(self) -> None:
        self.op(ops.RET)

    def call(self, callee: Function) -> None:
        self.op(ops.CALL, attribute=callee)

    def kill(self) -> None:
        """Discard the lane."""
        self.op(ops.KILL, Constant(ir.BOOL, (True,)))

    def phi(self, incoming: Sequence[tuple[Value, Block]]) -> Value:
        values, blocks = [value for value, _ in incoming], [block for _, block in incoming]
        phi = Instruction(ops.PHI, values[0].type, values, blocks, span=self.span)
        return self.block.insert_before(self.block.first_non_phi, phi)

    def _emit(self, opcode: Opcode, operands: Sequence[Value], attribute: object, flags: int = 0) -> Value:
        self._tally.count(1, self.span)
        type_ = opcode.infer([operand.type for operand in operands], attribute)
        instruction = Instruction(opcode, type_, operands, attribute, flags=flags, span=self.span)
        return self.block.insert_before(None, instruction)

    def _flags(self, operands: Sequence[Value]) -> int:
        # Half precision would do for floats only: a mediump int may exceed what a half holds exactly.
        return self._always | self._exact | (self._relaxed if operands[-1].type.kind == "float" else 0)

    def _folded(self, opcode: Opcode, operands: Sequence[Value], attribute: object) -> Constant | None:
        """The constant that `opcode` yields, if it does."""
        constants: list[Constant] = []
        for operand in operands:
            if not isinstance(operand, Constant):
                return None
            constants.append(operand)
        if not opcode.has_semantics:
            return None
        type_ = opcode.infer([constant.type for constant in constants], attribute)
        return fold_components(opcode, type_, attribute, [constant.components for constant in constants])
