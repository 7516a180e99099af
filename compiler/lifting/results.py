"""What a lifted program leaves: outputs of the machine as those of the shader."""

from __future__ import annotations

from glslc_multi.compiler.execution.machine_code import MachineCode, Outputs, Slot
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Constant, Value
from glslc_multi.compiler.ir.types import FLOAT, INT
from glslc_multi.compiler.isa.components import COMPONENTS
from glslc_multi.compiler.lifting.interface import Interface
from glslc_multi.compiler.proof.registers import part_of

#: Of a position, in front of its w.
_Z = 2
#: Of a colour.
_ALPHA = 3


def write_results(code: MachineCode, outputs: Outputs, interface: Interface, builder: Builder) -> None:
    """Discard the pixel, or store what the register map says that it has."""
    discarded = code.discarded(outputs)
    if isinstance(discarded, Value) and builder.function.module.stage == "fragment":
        builder.kill(builder.op(ops.ITOB, discarded) if discarded.type is INT else discarded)
    for binding, variable in interface.outputs.items():
        columns: dict[tuple[int, int], list[Value]] = {}
        undefined = Constant.undef(variable.type.scalar)
        # Who does not store alpha reads it as 1.
        missing: list[Value] = [
            float_constant(1.0) if variable.role == "frag_color" and n == _ALPHA else undefined
            for n in range(variable.type.width)
        ]
        for location in binding.locations:
            for offset, letter in enumerate(location.components):
                _, element, column, component = part_of(binding.name, location, offset)
                value = code.output(Slot(location.space, location.index, COMPONENTS.index(letter)), outputs)
                if value is not None:
                    own = columns.setdefault((element, column), missing.copy())
                    own[component] = _as_kind(value, variable.type.kind, builder)
        for (element, column), values in columns.items():
            if code.depth_from_zero and variable.role == "position":
                values[_Z] = builder.op(ops.FSUB, builder.op(ops.FADD, values[_Z], values[_Z]), values[_Z + 1])
            builder.store(variable, builder.construct(*values), element, column)


def _as_kind(value: Value, kind: str, builder: Builder) -> Value:
    """Return a number of the machine as what a variable of a kind holds."""
    if kind == "float":
        return value if value.type is FLOAT else builder.op(ops.ITOF, value)
    whole = builder.op(ops.FTOI, value) if value.type is FLOAT else value
    return builder.op(ops.ITOB, whole) if kind == "bool" else whole
