"""Varyings of a linked pair that share registers become parts of one array of vec4.

In: a stage before its functions are inlined, and the places of its varyings (`varyings.py`).  Out: the
varyings are local variables, which the fragment stage fills from the array when it starts, and of which the vertex
stage makes the array when it ends.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.agal.codegen.varyings import Element, VaryingPlace, are_shared, linked_places
from glslc_multi.backends.agal.isa.registers import COMPONENTS
from glslc_multi.compiler.diagnostics import Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT, VEC4
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.options import LinkedInterface
from glslc_multi.compiler.passes.base import ModulePass, PassContext
from glslc_multi.compiler.records import dataclass, replace

#: The array of all registers.
NAME = "$varyings"
_UNDEFINED = Constant.undef(FLOAT)


@dataclass(frozen=True, slots=True)
class ShareRegisters(ModulePass):
    """See the module's text."""

    name = "agal-shared-varyings"
    description = "makes an array of varyings of which some share registers"
    preserves_control_flow = True

    linked: LinkedInterface | None = None

    def run_on_module(self, module: Module, context: PassContext) -> bool:
        places = linked_places(self.linked) if self.linked is not None else {}
        if not are_shared(places):
            return False
        _share(module, places)
        context.forget_all(module, self)
        return True


def _share(module: Module, places: Mapping[Element, VaryingPlace]) -> None:
    count = 1 + max(place.register for place in places.values())
    varyings = [v for v in module.variables.values() if v.storage == "varying" and v.outer_kind == "float"]
    shared = module.add_variable(Variable(NAME, "varying", VEC4, dims=(count,), precision="highp"))
    shadows = {variable: module.add_variable(_shadow(variable)) for variable in varyings}
    spans = _turn_to_shadows(module, shadows)
    by_name = {variable.name: shadow for variable, shadow in shadows.items()}
    if module.stage == "fragment":
        _read(module, shared, by_name, places)
    else:
        # Store all registers where a vertex stage ends.
        for end in [i for i in module.main.instructions() if i.op is ops.RET]:
            registers: dict[int, list[Element]] = {}
            for element, place in places.items():
                registers.setdefault(place.register, []).append(element)
            for register, elements in registers.items():
                _write_register(
                    module, end, shared, register, by_name, {element: places[element] for element in elements}, spans
                )


def _shadow(variable: Variable) -> Variable:
    name, precision = f"{variable.name}$shared", variable.precision
    return Variable(name, "local", variable.type, columns=variable.columns, dims=variable.dims, precision=precision)


def _turn_to_shadows(module: Module, shadows: Mapping[Variable, Variable]) -> dict[Element, Span | None]:
    """Let all code use the local variables; where it last writes each column."""
    spans: dict[Element, Span | None] = {}
    for function in module.functions.values():
        for instruction in function.instructions():
            if instruction.op not in (ops.LOAD, ops.STORE) or instruction.address.variable not in shadows:
                continue
            address = instruction.address
            spans[address.variable.name, address.offset, address.column] = instruction.span
            instruction.attribute = replace(address, variable=shadows[address.variable])
    return spans


def _read(
    module: Module, shared: Variable, shadows: Mapping[str, Variable], places: Mapping[Element, VaryingPlace]
) -> None:
    """Fill the local variables of a fragment stage; components that nothing reads are undefined."""
    builder = Builder(module.main.entry, module.main.entry.first_non_phi)
    for (name, element, column), place in places.items():
        shadow = shadows.get(name)
        if shadow is None:
            continue
        register = builder.load(shared, place.register)
        parts: list[Value] = [_UNDEFINED] * shadow.type.width
        for component in range(place.width):
            parts[place.first + component] = builder.extract(register, place.start + component)
        builder.store(shadow, builder.construct(*parts), element, column)


def _write_register(
    module: Module,
    end: Instruction,
    shared: Variable,
    register: int,
    shadows: Mapping[str, Variable],
    places: Mapping[Element, VaryingPlace],
    spans: Mapping[Element, Span | None],
) -> None:
    if any(name in module.variables and name not in shadows for name, _, _ in places):
        # An int, which has a register of its own.
        return
    builder = Builder.before(end)
    parts: list[Value] = [_UNDEFINED] * len(COMPONENTS)
    for (name, element, column), place in places.items():
        if name not in shadows:
            continue
        builder.span = spans.get((name, element, column))
        value = builder.load(shadows[name], element, column)
        for component in range(place.width):
            parts[place.start + component] = builder.extract(value, place.first + component)
    if len(places) > 1:
        # What has no meaning is a copy of its neighbour, and not a component that nobody else needs.
        used = max(place.start + place.width for place in places.values())
        parts[used:] = [parts[used - 1]] * (len(parts) - used)
    builder.store(shared, builder.construct(*parts), register)
