"""Selection of texture lookups and derivatives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from glslc_multi.backends.xenos_family.codegen import machine_ops
from glslc_multi.backends.xenos_family.codegen.register_files import FETCHED
from glslc_multi.backends.xenos_family.codegen.selection.machine import FamilyEmitter, found
from glslc_multi.compiler.codegen.machine import Def, Use, VirtualRegister
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.codegen.selection.emitter import literal
from glslc_multi.compiler.codegen.selection.rules import RuleSet
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.variables import TextureAccess
from glslc_multi.compiler.records import replace

RULES: RuleSet[FamilyEmitter] = RuleSet()


#: Components that one fetch derives.
_PAIR_WIDTH = 2


@RULES.rule("ddx(x)", "ddy(x)")
def derivative(e: FamilyEmitter, instruction: Instruction, x: Value) -> None:
    """A fetch for two components: it finds dx, dy of the first and dx, dy of the second."""
    first = 0 if instruction.op is ops.DDX else 1
    values, register = _in_register(e, x), e.register(instruction)
    for start in range(0, instruction.type.width, _PAIR_WIDTH):
        components = tuple(range(start, min(start + _PAIR_WIDTH, instruction.type.width)))
        source = replace(values, lanes=tuple(values.lanes[component] for component in components))
        differences = Use(FETCHED, tuple(first + 2 * number for number in range(len(components))))
        fields = _valid_only(e, instruction)
        e.emit(machine_ops.GRADIENTS, [Def(register, components)], [source, differences], fields=fields)


#: Levels of detail that fit the field of a fetch: signed sixteenths of 7 bits.
_LEVEL_STEPS, _LEAST_LEVEL, _MOST_LEVEL = 16, -64, 63


@RULES.rule("texture")
def sample(e: FamilyEmitter, instruction: Instruction) -> None:
    access: TextureAccess = instruction.attribute
    interface = e.target.interface
    coordinate, *level = instruction.operands
    source, scale = _on_cube(e, coordinate) if access.is_cube else (_in_register(e, coordinate), None)
    computed = access.mode == "grad" or (interface.stage == "fragment" and access.mode != "lod")
    attributes: dict[str, Any] = {
        "unit": interface.samplers[access.address.variable] + access.address.offset,
        "comp_lod": int(computed),
        "fields": {**(interface.conventions.cube_fields if access.is_cube else {}), **_valid_only(e, instruction)},
    }
    if access.mode == "grad":
        sources = [source, *_in_registers(e, level, scale), found(4)]
        e.emit(machine_ops.SAMPLE_GRADIENTS, [e.define(instruction)], sources, **attributes)
        return
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
    return int(steps) if _LEAST_LEVEL <= steps <= _MOST_LEVEL and steps == int(steps) else None


def _in_register(e: FamilyEmitter, value: Value) -> Use:
    """A source of a fetch: registers only, without sign or absolute value."""
    use = e.use(value)
    if isinstance(use.register, VirtualRegister | Register) and not (use.negate or use.absolute):
        return use
    copied = e.new(value.type.width)
    e.copy(copied, use)
    return Use(copied.register, copied.lanes)


def _valid_only(e: FamilyEmitter, fetch: Instruction) -> dict[str, int]:
    """What a fetch says whose result pixels beside the drawn ones need, too."""
    return {"fetch_valid_only": 0} if fetch in e.target.for_neighbours else {}


def _in_registers(e: FamilyEmitter, steps: Iterable[Value], scale: Use | None) -> list[Use]:
    """Gradients; those of a direction, of which the point on the cube has 1 along the major axis, times 2 `scale`."""
    if scale is None:
        return [_in_register(e, step) for step in steps]
    doubled, found = e.compute("ADDv", scale, _spread(scale, 1)), []
    for step in steps:
        scaled = e.new(3)
        e.compute("MULv", e.use(step), _spread(doubled, 3), into=scaled)
        found.append(Use(scaled.register, scaled.lanes))
    return found


def _on_cube(e: FamilyEmitter, direction: Value) -> tuple[Use, Use]:
    """CUBEv leaves t, s, twice the major axis and the face; s and t become 1 to 2 on their face.

    Beside these coordinates: the reciprocal of twice the axis.
    """
    cube = e.new(4)
    e.compute("CUBEv", e.use(direction, (2, 2, 0, 1)), e.use(direction, (1, 0, 2, 2)), into=cube)
    scale = e.compute("RECIP_IEEE", Use(cube.register, (2,), absolute=True))
    point = Use(cube.register, (0, 1))
    e.compute("MULADDv", point, _spread(scale, 2), literal(1.5, 1.5), into=Def(cube.register, (0, 1)))
    return Use(cube.register, (1, 0, 3)), scale


def _spread(number: Use, width: int) -> Use:
    """One number for each component."""
    return Use(number.register, number.lanes * width)
