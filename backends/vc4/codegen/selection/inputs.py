"""The start of a program: inputs are read, in the order in which the hardware delivers them.

In: selected code, and its registers for inputs.  Out: code at its start that fills them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glslc_multi.backends.vc4.codegen.machine_ops import IN_B, LOAD_IMMEDIATE, OUT, PAYLOAD_W, PAYLOAD_Z, PORT, R5
from glslc_multi.backends.vc4.codegen.selection.emitter import QpuEmitter, literal
from glslc_multi.backends.vc4.codegen.selection.special_functions import reciprocal
from glslc_multi.backends.vc4.isa.fixed_function import DEPTH_STEPS, VPM_READ_LIMIT, vpm_setup
from glslc_multi.backends.vc4.isa.registers import VARYING_READ, VPM, VPM_SETUP
from glslc_multi.compiler.codegen.interface import Component
from glslc_multi.compiler.codegen.machine import Def, MachineInstruction, Use, VirtualRegister

_X, _Y, _FACE = PORT[41], PORT[IN_B + 41], PORT[IN_B + 42]


def read_inputs(e: QpuEmitter) -> None:
    """Insert the code that reads inputs before that of the function."""
    copies: list[MachineInstruction] = []
    e.made, e.span = copies, None
    e.interface.keep_read(e.inputs)
    if e.interface.is_fragment:
        _read_varyings(e)
        for part, target in list(e.inputs.items()):
            read = _PAYLOAD.get(part[0].role)
            if read is not None:
                e.span = target.span
                read(e, part, Def(target))
    else:
        _read_attributes(e)
    e.function.entry.instructions[:0] = copies


# ------------------------------------------------------------------------------------------- attributes
def _read_attributes(e: QpuEmitter) -> None:
    """Rows of the VPM up to the last one that is used; unused ones in between are read, too, and the first one in any
    case: a shader record has an array, and what it fetches must be read."""
    parts: list[Component | None] = [*e.interface.rows] or [None]
    for number, part in enumerate(parts):
        if number % VPM_READ_LIMIT == 0:
            setup = vpm_setup(number, min(len(parts) - number, VPM_READ_LIMIT))
            e.emit(LOAD_IMMEDIATE, [Def(OUT[VPM_SETUP])], [], immediate=setup, queue="vpm read")
        target = None if part is None else e.inputs.get(part)
        e.span = None if target is None else target.span
        e.alu("mov", None if target is None else Def(target), Use(PORT[VPM]), effect=True, queue="vpm read")


# ------------------------------------------------------------------------------------------- fragments
def _read_varyings(e: QpuEmitter) -> None:
    """The interpolated part times w, plus the other part, which each read loads to r5.  Of what is flat, as ints are,
    the other part is the whole: the word that the vertex shader has left.

    Those that the hardware puts in front of the shader's own are in the queue whether or not the shader reads them.
    """
    interface = e.interface
    parts: list[tuple[VirtualRegister | None, bool]] = [(None, False)] * interface.first_varying
    for part, target in e.inputs.items():
        if part[0].role == "point_coord":
            parts[part[3]] = target, False
    parts += [(e.inputs.get(part), part[0].is_flat) for part in interface.varyings]
    interpolated = Use(PORT[VARYING_READ])
    for result, is_flat in parts:
        if result is None:
            e.alu("mov", None, interpolated, effect=True, queue="varying")
        elif is_flat:
            e.span = result.span
            e.alu("mov", None, interpolated, effect=True, queue="varying")
            e.alu("mov", Def(result), Use(R5))
        else:
            e.span = result.span
            scaled = e.new()
            e.alu("fmul", scaled, interpolated, Use(PAYLOAD_W), effect=True, queue="varying")
            e.alu("fadd", Def(result), Use(scaled.register), Use(R5))


def _frag_coord(e: QpuEmitter, part: Component, target: Def) -> None:
    component = part[3]
    if component < 2:
        e.alu("fadd", target, e.compute("itof", Use((_X, _Y)[component])), literal(0.5))
    elif component == 2:
        e.alu("fmul", target, e.compute("itof", Use(PAYLOAD_Z)), literal(1.0 / DEPTH_STEPS))
    else:
        reciprocal(e, target, Use(PAYLOAD_W))


def _front_facing(e: QpuEmitter, part: Component, target: Def) -> None:
    """0 becomes ~0."""
    e.alu("sub", target, e.compute("mov", Use(_FACE)), literal(1))


_PAYLOAD: Mapping[str, Callable[[QpuEmitter, Component, Def], None]] = {
    "frag_coord": _frag_coord,
    "front_facing": _front_facing,
}
