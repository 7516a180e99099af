"""What the machine cannot do, said before code is made."""

from __future__ import annotations

from glslc_multi.backends.theia.codegen.legalize import LEGAL
from glslc_multi.backends.theia.codegen.rewrites.scene_inputs import SOURCES, source_of
from glslc_multi.backends.theia.codegen.settings import Settings
from glslc_multi.backends.theia.codegen.value_ranges import LIMIT, Ranges
from glslc_multi.backends.theia.isa.conventions import TARGET_NAME
from glslc_multi.backends.theia.isa.numbers import LARGEST, SMALLEST, pattern_of, value_of
from glslc_multi.compiler.codegen.machine import Literal32, MachineFunction, MachineInstruction
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import (
    ALWAYS_OUT_OF_RANGE,
    NOT_EXPRESSIBLE,
    NUMBER_OUT_OF_RANGE,
    NUMBER_VANISHES,
    RANGE_LEFT,
    WRONG_SCENE_TYPE,
)
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Function, Instruction, Module

_DERIVATIVES = (ops.DDX, ops.DDY)


def scene_types(module: Module, bound: dict[str, str], sink: DiagnosticSink) -> None:
    """Names of the scene's values have these values' types."""
    for variable in module.variables.values():
        name = source_of(variable, bound)
        if name is None or variable.role:
            continue
        expected = SOURCES[name].type
        if variable.type is not expected or variable.is_array or variable.is_matrix:
            found = variable.outer_type if variable.is_matrix else variable.type.name
            found += f"[{variable.length}]" if variable.is_array else ""
            sink.report(WRONG_SCENE_TYPE, variable.span, name=variable.name, expected=expected, found=found)


def operations(module: Module, settings: Settings, sink: DiagnosticSink) -> None:
    """Operations and addresses that no rule selects."""
    for instruction in (each for function in module.functions.values() for each in function.instructions()):
        construct = _refused(instruction) or (None if settings.has_memory else _too_new(instruction))
        if construct is not None:
            sink.report(NOT_EXPRESSIBLE, instruction.span, target=TARGET_NAME, construct=construct)


def _too_new(instruction: Instruction) -> str | None:
    """What v1.2 has no instruction for: it reads texels before the shader runs, and writes pixels after it."""
    if instruction.op is ops.TEXTURE:
        return "a texture lookup with --variant=v1.2: theia_TextureColor is what the firmware looked up"
    return "discard with --variant=v1.2, which writes every pixel" if instruction.op is ops.KILL else None


def _refused(instruction: Instruction) -> str | None:
    op = instruction.op
    if op in _DERIVATIVES:
        return "differences between neighbouring pixels"
    if op in (ops.LOAD, ops.STORE) and instruction.address.is_dynamic:
        return f"an index into {instruction.address.variable.length} elements that is not constant"
    if op is ops.STORE:
        value = instruction.operands[-1]
        if isinstance(value, Constant) and value.is_undef:
            return None
        if instruction.address.variable.role == "frag_depth":
            return "a depth that the shader computes"
        colour = (instruction.address.variable.location or 0) + instruction.address.offset
        return "more than one colour" if colour else None
    if op is ops.FTOI:
        # What is left of ints: an index, whose access is refused.
        return None
    return None if op in LEGAL else f"the operation '{op.name}'"


def overflows(function: Function, ranges: Ranges, sink: DiagnosticSink) -> None:
    """Values that can leave what the machine can hold, each where that first happens, once for a span."""
    seen: set[Span | None] = set()
    for instruction in function.instructions():
        if instruction.span in seen or not ranges.leaves_range(instruction):
            continue
        seen.add(instruction.span)
        found = ranges.unbounded(instruction)
        is_certain = found.low >= LIMIT or found.high < -LIMIT
        entry = ALWAYS_OUT_OF_RANGE if is_certain else RANGE_LEFT
        sink.report(entry, instruction.span, target=TARGET_NAME, low=-round(LIMIT), high=round(LIMIT))


def numbers(function: MachineFunction, sink: DiagnosticSink) -> None:
    """Numbers of the code that the machine's format cannot hold."""
    for instruction in function.instructions():
        for use in instruction.uses:
            if isinstance(use.register, Literal32):
                for value in use.register.values:
                    _check_number(value, instruction, sink)
        immediate = instruction.attributes.get("immediate")
        if isinstance(immediate, float):
            _check_number(immediate, instruction, sink)


def _check_number(value: float | None, instruction: MachineInstruction, sink: DiagnosticSink) -> None:
    if value is None:
        return
    low, high = value_of(SMALLEST), value_of(LARGEST)
    if not low <= value <= high:
        sink.report(
            NUMBER_OUT_OF_RANGE, instruction.span, target=TARGET_NAME, value=f"{value:g}", low=low, high=round(high)
        )
    elif value and pattern_of(value) == 0:
        sink.report(NUMBER_VANISHES, instruction.span, target=TARGET_NAME, value=f"{value:g}")
