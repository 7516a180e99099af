"""Rules for outputs, and for the vertices that geometry shaders emit."""

from __future__ import annotations

from glslc_multi.backends.pica200.codegen.machine_ops import EMIT, OPS, SETEMIT, SETEMIT_IF
from glslc_multi.backends.pica200.codegen.register_files import OUTPUTS
from glslc_multi.backends.pica200.codegen.rewrites.strips import Choice
from glslc_multi.backends.pica200.codegen.selection.machine import PUT_TOGETHER, PicaEmitter, with_loaded
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.compiler.codegen.machine import Literal32, Use
from glslc_multi.compiler.codegen.operands import Modifiers, Operand, by_origin, components_of, see_through
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.types import FLOAT

RULES: RuleSet[PicaEmitter] = RuleSet()


# --- Outputs ----------------------------------------------------------------------------------------------------------

#: Where components are undefined.
_ZERO = Operand(Constant(FLOAT, (0.0,)), (0,))


@RULES.rule("store")
def output(e: PicaEmitter, instruction: Instruction) -> None:
    choice = e.target.vertices.get(instruction)
    if isinstance(choice, Choice):
        # The first SETEMIT, then another one instead if the index is another one; a CMP tests two indices.
        index = instruction.operands[-1]
        (_, first), *others = choice.by_index.items()
        e.emit(SETEMIT, emission=first)
        equal = (RELATION_NAMES.index("eq"),) * 2
        for start in range(0, len(others), 2):
            tested = others[start : start + 2]
            numbers = Literal32(tuple(float(number) for number, _ in tested))
            is_pair = len(tested) == 2
            sources = [e.use(index, (0, 0 if is_pair else None)), Use(numbers, (0, 1 if is_pair else None))]
            e.emit(OPS["CMP"], [], sources, relations=equal)
            e.emit(SETEMIT_IF, emissions=tuple(emission for _, emission in tested))
    else:
        # All four components of the register, since each must be written: the last one serves for those missing.
        address = instruction.address
        register = OUTPUTS[e.target.interface.outputs[address.variable, address.offset, address.column]]
        parts = [
            _ZERO if part.is_undefined else part for part in _output_parts(instruction.operands[-1], e.target.modifiers)
        ]
        e.assemble(parts + parts[-1:] * (4 - len(parts)), register)


def _output_parts(value: Value, modifiers: Modifiers) -> list[Operand]:
    """Return where each component comes from: one attribute, a vector that something else needs in one register, else
    its origins."""
    whole = see_through(value, tuple(range(value.type.width)), modifiers)
    parts, base = components_of(value, modifiers), whole.base
    is_read_whole = isinstance(base, Instruction) and base.op in PUT_TOGETHER and _is_read_whole(base)
    if is_read_whole and len(by_origin(with_loaded(parts))) > 1:
        # An undefined component of the vector is never written.
        return [
            part if part.is_undefined else Operand(base, (lane,), whole.negate)
            for part, lane in zip(parts, whole.lanes, strict=True)
        ]
    return parts


_SHUFFLES = frozenset({ops.CONSTRUCT, ops.INSERT, ops.SWIZZLE, ops.FNEG, ops.STORE, ops.PHI})


def _is_read_whole(value: Instruction) -> bool:
    """Whether an operation reads several components of a vector at once."""
    for user in value.users:
        if user.op is ops.FNEG and _is_read_whole(user):
            return True
        if user.op not in _SHUFFLES:
            return True
    return False


# --- Vertices of geometry shaders -------------------------------------------------------------------------------------


@RULES.rule("emit_vertex")
def emission(e: PicaEmitter, instruction: Instruction) -> None:
    vertex = e.target.vertices.get(instruction)
    if vertex is not None:
        e.emit(SETEMIT, emission=vertex)
    e.emit(EMIT)


@RULES.rule("end_primitive")
def end_of_strip(e: PicaEmitter, instruction: Instruction) -> None:
    """The next vertex goes to the first slot, which `strips.py` knows."""
