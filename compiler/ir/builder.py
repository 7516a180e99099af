"""The builder: makes instructions at one place of a function, types inferred by the opcode table.

It checks what it is given (a `SignatureError` names the fault), folds nothing and remembers only the
place, the span and the flags that new instructions get.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import BOOL, FLOAT, INT, Type
from glslc_multi.compiler.ir.variables import Address, TextureAccess, TextureMode, Variable


def float_constant(*components: float) -> Constant:
    """A float scalar or vector; the components are rounded to float32."""
    return Constant(FLOAT.with_width(len(components)), tuple(round_to_float32(c) for c in components))


def int_constant(*components: int) -> Constant:
    return Constant(INT.with_width(len(components)), components)


def bool_constant(*components: bool) -> Constant:
    return Constant(BOOL.with_width(len(components)), components)


class Builder:
    """Appends to `block`, or inserts before `insertion_point` where that is set."""

    __slots__ = ("block", "flags", "insertion_point", "span")

    def __init__(self, block: Block, insertion_point: Instruction | None = None) -> None:
        self.block = block
        self.insertion_point = insertion_point
        self.span: Span | None = None
        self.flags = 0

    @classmethod
    def before(cls, instruction: Instruction) -> Builder:
        """A builder whose instructions precede `instruction` and inherit its span and flags."""
        if instruction.block is None:
            raise ValueError("the instruction is in no block")
        builder = cls(instruction.block, instruction)
        builder.span = instruction.span
        builder.flags = instruction.flags
        return builder

    @property
    def function(self) -> Function:
        return self.block.function

    def at_end_of(self, block: Block) -> None:
        """Go on at the end of `block`."""
        self.block = block
        self.insertion_point = None

    def op(self, opcode: Opcode, *operands: Value, attribute: object = None) -> Instruction:
        """An instruction of any opcode but phi."""
        type = opcode.infer([operand.type for operand in operands], attribute)
        instruction = Instruction(opcode, type, operands, attribute, flags=self.flags, span=self.span)
        return self.block.insert_before(self.insertion_point, instruction)

    def phi(self, type: Type, incoming: Sequence[tuple[Value, Block]] = ()) -> Instruction:
        """A phi at the head of the current block; operands may be added later with `add_incoming`."""
        phi = Instruction(ops.PHI, type, (), [], flags=self.flags, span=self.span)
        for value, block in incoming:
            phi.add_incoming(value, block)
        self.block.insert_before(self.block.first_non_phi, phi)
        return phi

    # shuffles ------------------------------------------------------------------------------
    def swizzle(self, value: Value, pattern: Sequence[int]) -> Instruction:
        return self.op(ops.SWIZZLE, value, attribute=tuple(pattern))

    def extract(self, value: Value, component: int) -> Value:
        """One component; a scalar is its own only component."""
        return value if value.type.is_scalar else self.swizzle(value, (component,))

    def splat(self, scalar: Value, width: int) -> Value:
        """`scalar` in every component of a vector of `width`."""
        return scalar if width == 1 else self.swizzle(scalar, (0,) * width)

    def insert(self, vector: Value, scalar: Value, component: int) -> Instruction:
        return self.op(ops.INSERT, vector, scalar, attribute=component)

    def construct(self, *parts: Value) -> Value:
        """The parts' components as one vector; a single part is itself."""
        return parts[0] if len(parts) == 1 else self.op(ops.CONSTRUCT, *parts)

    # memory, textures ----------------------------------------------------------------------
    def load(
        self,
        variable: Variable,
        index: Value | int = 0,
        column: Value | int = 0,
    ) -> Instruction:
        """Load an element; an index or column is a number or an int value."""
        address, indices = _address(variable, index, column)
        return self.op(ops.LOAD, *indices, attribute=address)

    def store(self, variable: Variable, value: Value, index: Value | int = 0, column: Value | int = 0) -> Instruction:
        address, indices = _address(variable, index, column)
        return self.op(ops.STORE, *indices, value, attribute=address)

    def texture(
        self,
        sampler: Variable,
        coordinate: Value,
        *extra: Value,
        mode: TextureMode = "auto",
        index: Value | int = 0,
        offset: tuple[int, ...] = (),
    ) -> Instruction:
        """Sample; `extra` is a depth to compare with, then the bias, the level or the two gradients, as `mode` says."""
        address, indices = _address(sampler, index, 0)
        return self.op(ops.TEXTURE, *indices, coordinate, *extra, attribute=TextureAccess(address, mode, offset))

    def texture_size(self, sampler: Variable, level: Value, index: Value | int = 0) -> Instruction:
        """The size of a level."""
        address, indices = _address(sampler, index, 0)
        return self.op(ops.TEXTURE_SIZE, *indices, level, attribute=TextureAccess(address))

    # control flow --------------------------------------------------------------------------
    def br(self, target: Block) -> Instruction:
        return self.op(ops.BR, attribute=[target])

    def condbr(self, condition: Value, if_true: Block, if_false: Block) -> Instruction:
        return self.op(ops.CONDBR, condition, attribute=[if_true, if_false])

    def ret(self) -> Instruction:
        return self.op(ops.RET)

    def call(self, callee: Function) -> Instruction:
        return self.op(ops.CALL, attribute=callee)

    def kill(self, condition: Value) -> Instruction:
        return self.op(ops.KILL, condition)


def _address(variable: Variable, index: Value | int, column: Value | int) -> tuple[Address, list[Value]]:
    indices = [part for part in (index, column) if isinstance(part, Value)]
    address = Address(
        variable,
        offset=index if isinstance(index, int) else 0,
        column=column if isinstance(column, int) else 0,
        dynamic_index=isinstance(index, Value),
        dynamic_column=isinstance(column, Value),
    )
    return address, indices
