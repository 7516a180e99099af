"""Selection of texture lookups and derivatives."""

from __future__ import annotations

from typing import Any

from backends.adreno.codegen import machine_ops
from backends.adreno.codegen.machine_ops import SCALAR, VECTOR
from backends.adreno.codegen.register_files import FETCHED, GENERAL, R
from backends.adreno.codegen.rule_set import RULES, Emit, found, interface_of, literal
from compiler.codegen.machine import Def, Lanes, Use, VirtualRegister
from compiler.codegen.registers import Register
from compiler.codegen.select import Emitter
from compiler.ir import ops
from compiler.ir.module import Constant, Instruction, Value
from compiler.ir.variables import TextureAccess
from compiler.records import replace


@RULES.rule(ops.DDX, ops.DDY)
def derivative(instruction: Instruction) -> Emit:
    """A fetch for two components: it finds dx, dy of the first and dx, dy of the second."""
    first = 0 if instruction.op is ops.DDX else 1

    def emit(e: Emitter) -> None:
        values, register = _in_register(e, instruction.operands[0]), e.register(instruction)
        for start in range(0, instruction.type.width, 2):
            components = tuple(range(start, min(start + 2, instruction.type.width)))
            source = replace(values, lanes=tuple(values.lanes[component] for component in components))
            differences = Use(FETCHED, tuple(first + 2 * number for number in range(len(components))))
            e.emit(machine_ops.GRADIENTS, [Def(register, components)], [source, differences])

    return emit


#: Levels of detail that fit the field of a fetch: signed sixteenths of 7 bits.
_LEVEL_STEPS, _LEVEL_RANGE = 16, range(-64, 64)


@RULES.rule(ops.TEXTURE)
def sample(instruction: Instruction) -> Emit | None:
    access: TextureAccess = instruction.attribute
    if access.mode == "grad" or access.address.is_dynamic:
        return None
    return lambda e: _sample(e, instruction, access)


def _sample(e: Emitter, instruction: Instruction, access: TextureAccess) -> None:
    interface = interface_of(e)
    coordinate, *level = instruction.operands
    source = _cube_coordinates(e, coordinate) if access.is_cube else _in_register(e, coordinate)
    computed = interface.stage == "fragment" and access.mode != "lod"
    attributes: dict[str, Any] = {
        "unit": interface.samplers[access.address.variable] + access.address.offset,
        "comp_lod": int(computed),
    }
    steps = _constant_level(level[0]) if level else 0
    if steps is not None:
        e.emit(machine_ops.SAMPLE, [e.define(instruction)], [source, found(4)], lod_bias=steps, **attributes)
    else:
        sources = [source, _in_register(e, level[0]), found(4)]
        e.emit(machine_ops.SAMPLE_LEVEL, [e.define(instruction)], sources, **attributes)


def _constant_level(level: Value) -> int | None:
    """A level of detail in the steps that a fetch holds; None where it does not."""
    if not isinstance(level, Constant) or not isinstance(level.components[0], int | float):
        return None
    steps = level.components[0] * _LEVEL_STEPS
    return int(steps) if steps == int(steps) and int(steps) in _LEVEL_RANGE else None


def _in_register(e: Emitter, value: Value) -> Use:
    """A source of a fetch: registers only, without sign or absolute value."""
    use = e.use(value)
    is_register = isinstance(use.register, VirtualRegister) or (
        isinstance(use.register, Register) and use.register.file is R
    )
    if is_register and not (use.negate or use.absolute):
        return use
    copied = e.temporary(value.type.width, GENERAL)
    lanes: Lanes = tuple(range(value.type.width))
    e.copy(Def(copied, lanes), use)  # type: ignore[arg-type]
    return Use(copied, lanes)


def _cube_coordinates(e: Emitter, direction: Value) -> Use:
    """CUBEv leaves t, s, twice the major axis and the face; s and t become 1 to 2 on their face."""
    cube, scale = e.temporary(4, GENERAL), e.temporary(1, GENERAL)
    e.emit(VECTOR["CUBEv"], [Def(cube, (0, 1, 2, 3))], [e.use(direction, (2, 2, 0, 1)), e.use(direction, (1, 0, 2, 2))])
    e.emit(SCALAR["RECIP_IEEE"], [Def(scale)], [Use(cube, (2,), absolute=True)])
    middle = literal(1.5, 1.5)
    e.emit(VECTOR["MULADDv"], [Def(cube, (0, 1))], [Use(cube, (0, 1)), Use(scale, (0, 0)), middle])
    return Use(cube, (1, 0, 3))
