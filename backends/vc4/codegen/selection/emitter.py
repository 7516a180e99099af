"""The emitter of the QPU: every component of a value is a register of its own, constants are small or in the stream.

An operand is a register, a small immediate, or a word of the uniform stream (a uniform, or a literal as its word).
Inputs of the program get their registers here, component by component; `inputs.py` emits the code that fills them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from glslc_multi.backends.vc4.codegen.abi import Interface
from glslc_multi.backends.vc4.codegen.machine_ops import GENERAL, IMM, JUMP, MOV, PORT, R4, operation
from glslc_multi.backends.vc4.isa.instructions import SMALL_IMMEDIATES, Condition, word_of_float
from glslc_multi.backends.vc4.isa.registers import VARYING_READ
from glslc_multi.compiler.codegen.interface import Component
from glslc_multi.compiler.codegen.machine import (
    Def,
    Lanes,
    Literal32,
    MachineFunction,
    MachineInstruction,
    Uniform,
    Use,
    VirtualRegister,
)
from glslc_multi.compiler.codegen.operands import Operand, see_through
from glslc_multi.compiler.codegen.selection.emitter import Emitter, SelectionTarget
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.fold import SHUFFLES
from glslc_multi.compiler.ir.module import Constant, Instruction, Value

if TYPE_CHECKING:
    from glslc_multi.compiler.analysis.ranges import Interval, ValueRanges


class QpuTarget(SelectionTarget):
    """What selection needs to know of the target."""

    values = GENERAL
    operations: ClassVar = {"JUMP": JUMP}
    move = MOV

    def __init__(self, rules: RuleSet[Any], interface: Interface) -> None:
        self.rules = rules
        self.interface = interface


def word_of(number: float | int | bool | None) -> int:
    """The word of a constant; 0 for an undefined one."""
    if isinstance(number, bool):
        return 0xFFFFFFFF if number else 0
    if isinstance(number, int):
        return number & 0xFFFFFFFF
    return 0 if number is None else word_of_float(number)


def literal(number: float | int | bool | None) -> Use:
    """An operand of this number."""
    word = word_of(number)
    # -0 counts as 0.
    word = 0 if word == 0x80000000 and isinstance(number, float) else word
    code = SMALL_IMMEDIATES.get(word)
    if code is None:
        return Use(Literal32((word,)))
    return Use(IMM[code])


#: The component of a texture lookup that is all four as bytes of a word.
TEXEL = 4
_STREAM_WORDS = (Uniform, Literal32)
_ALWAYS = Condition.ALWAYS


def is_stream(use: Use) -> bool:
    """Whether an operand takes a word of the uniform stream."""
    return isinstance(use.register, _STREAM_WORDS)


class QpuEmitter(Emitter[QpuTarget]):
    """See the module's text."""

    __slots__ = ("_ranges", "inputs", "interface", "parts")

    def __init__(self, target: QpuTarget, function: MachineFunction) -> None:
        super().__init__(target, function)
        self.interface = target.interface
        self._ranges: ValueRanges | None = None
        #: Registers of the components of attributes, varyings and built-in inputs.
        self.inputs: dict[Component, VirtualRegister] = {}
        #: Registers of the components of values with several: texture lookups, loads at variable indices.
        self.parts: dict[Instruction, dict[int, VirtualRegister]] = {}

    def is_wanted(self, value: Value) -> bool:
        return value in self.parts or super().is_wanted(value)

    def range_of(self, value: Value, user: Instruction) -> Interval:
        """The numbers that an operand can be; computed when it is first called."""
        if self._ranges is None:
            from glslc_multi.compiler.analysis.manager import AnalysisManager
            from glslc_multi.compiler.analysis.ranges import value_ranges

            assert user.block is not None
            function = user.block.function
            self._ranges = value_ranges(function, AnalysisManager(function))
        return self._ranges.of(value)[0]

    def use_operand(self, operand: Operand) -> Use:
        return self._use(operand.base, operand.lanes[0])

    def _use(self, base: Value, lane: int | None) -> Use:
        """A component of what no shuffle made."""
        if isinstance(base, Constant):
            return literal(None if lane is None else base.components[lane])
        assert isinstance(base, Instruction) and lane is not None
        if base.op is ops.LOAD:
            address, variable = base.address, base.address.variable
            if address.is_dynamic:
                return Use(self.part(base, lane))
            if variable.storage == "uniform":
                return Use(Uniform(variable, address.offset, address.column), (lane,))
            part = variable, address.offset, address.column, lane
            if part not in self.inputs:
                self.inputs[part] = self.temporary(1, GENERAL)
                self.inputs[part].name = variable.name
            return Use(self.inputs[part])
        if base.op is ops.TEXTURE:
            return Use(self.part(base, lane))
        return Use(self.register(base))

    def part(self, value: Instruction, lane: int) -> VirtualRegister:
        """The register of one component."""
        parts = self.parts.setdefault(value, {})
        if lane not in parts:
            parts[lane] = self.temporary(1, GENERAL)
            parts[lane].span = value.span
        return parts[lane]

    # code ----------------------------------------------------------------------------------
    def use(self, value: Value, lanes: Lanes | None = None, *, width: int | None = None) -> Use:
        return self.read(value, (lanes or (0,))[0])

    def number(self, number: float, width: int = 1) -> Use:
        return literal(number)

    def read(self, value: Value, component: int | None = 0) -> Use:
        """A component of a value."""
        if isinstance(value, Instruction) and value.op in SHUFFLES:
            return self.use_operand(see_through(value, (component,), self.target.modifiers))
        return self._use(value, component)

    def alu(
        self,
        name: str,
        target: Def | None,
        *sources: Use,
        sets_flags: bool = False,
        cond: Condition = _ALWAYS,
        keeps: bool = False,
        effect: bool = False,
        **attributes: Any,
    ) -> MachineInstruction:
        """An operation of one ALU; `keeps` says that the destination is written in part."""
        reads_flags = cond is not _ALWAYS
        if reads_flags:
            attributes["cond"] = cond
        if attributes or sets_flags or effect or keeps:
            op = operation(
                name,
                sets_flags=sets_flags,
                reads_flags=reads_flags,
                reads_varying=any(use.register is PORT[VARYING_READ] for use in sources),
                effect=effect,
                plain=not (attributes or keeps),
            )
        else:
            op = operation(name)
        return self.emit(
            op,
            # Later passes change operands, so that none may be shared.
            [] if target is None else [Def(target.register, target.lanes)],
            [Use(use.register, use.lanes, extra=use.extra) for use in self._legal(sources)],
            conditional=target is not None and (keeps or reads_flags),
            **attributes,
        )

    def compute(self, name: str, *uses: Use, into: Def | None = None, width: int = 1) -> Use:
        result = into or self.new()
        self.alu(name, result, *uses)
        return Use(result.register)

    def _legal(self, sources: Sequence[Use]) -> Sequence[Use]:
        """Sources that one instruction can read: one word of the stream, one small immediate."""
        if len(sources) < 2 or isinstance(sources[0].register, VirtualRegister):
            return sources
        legal: list[Use] = []
        for use in sources:
            if any(_conflict(use, other) for other in legal):
                use = self.compute("mov", use)
            legal.append(use)
        return legal

    def special(self, waddr: int, source: Use) -> Use:
        """The result of a special function, in r4 until the next one."""
        self.alu("mov", Def(R4), source, waddr=waddr)
        return Use(R4)


def _conflict(one: Use, other: Use) -> bool:
    """Whether no instruction can read both."""
    if (one.register, one.lanes) == (other.register, other.lanes):
        return False
    both_immediates = _is_immediate(one) and _is_immediate(other)
    return both_immediates or (is_stream(one) and is_stream(other))


def _is_immediate(use: Use) -> bool:
    return getattr(use.register, "file", None) is IMM
