"""The shader's interface: GLSL's global variables as IR variables.

Uniforms, attributes and inputs are read where they are.  What a stage writes is a local variable
during lowering, its *shadow*; `main` copies each shadow to the output once, at its end.  Only what the
reachable code uses becomes part of the module.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count

from glslc_multi.compiler.ir import variables as ir
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.shading.frag_coord import MovedCoordinate
from glslc_multi.compiler.shading.lvalues import LeafMemory, Slot
from glslc_multi.compiler.shading.memory import Names, leaf_shapes, local_slot
from glslc_multi.compiler.shading.outputs import Output
from glslc_multi.frontends.glsl.symbols import Stage, VariableSymbol
from glslc_multi.frontends.glsl.types import ArrayType

#: Storage of a built-in variable by its role.
_ROLE_STORAGE: dict[str, ir.Storage] = {
    "position": "output",
    "point_size": "output",
    "frag_color": "output",
    "frag_data": "output",
    "frag_depth": "output",
    "frag_coord": "input",
    "front_facing": "input",
    "point_coord": "input",
    "position_in": "input",
    "instance_id": "input",
    "vertex_id": "input",
    "primitive_id": "input",
    "clip_distance": "output",
    "clip_distance_in": "input",
    "vertices_in": "input",
    "depth_range": "uniform",
}
#: Storage of all other global variables by their qualifier.
_STORAGE: dict[str, ir.Storage] = {
    "attribute": "attribute",
    "uniform": "uniform",
    "varying": "varying",
    "output": "output",
    "local": "local",
    "const": "local",
}


class Interface:
    """The slots of all global variables of one shader."""

    __slots__ = ("_stage", "_variables", "coordinate", "is_invariant", "names", "outputs", "slots")

    def __init__(self, stage: Stage, symbols: Iterable[VariableSymbol], *, all_invariant: bool) -> None:
        symbols = list(symbols)
        # Fragment outputs without a location take the first free ones; their role follows from where they go.
        outputs = [symbol for symbol in symbols if symbol.storage == "output"]
        taken = {
            place for output in outputs if output.location is not None for place in _places(output, output.location)
        }
        for output in outputs:
            if output.location is None:
                output.location = next(n for n in count() if taken.isdisjoint(_places(output, n)))
                taken.update(_places(output, output.location))
            is_first = output.location == 0 and not isinstance(output.type, ArrayType)
            output.role = "frag_color" if is_first else "frag_data"
        self._stage = stage
        #: Outsiders know interface variables by their names, so locals of the same name must yield.
        self.names = Names(symbol.outer_name for symbol in symbols)
        self._variables: list[ir.Variable] = []
        self.outputs: list[Output] = []
        #: gl_FragCoord by the shader's conventions.
        self.coordinate: MovedCoordinate | None = None
        self.slots: dict[VariableSymbol, Slot] = {}
        #: Whether some output must not depend on how the rest is compiled (section 4.6).
        self.is_invariant = False
        for symbol in symbols:
            self.slots[symbol] = self._slot(symbol, all_invariant)

    def register(self, module: Module, used: set[ir.Variable]) -> None:
        """Add the variables in `used` to the module, in the order of their declaration."""
        for variable in self._variables:
            if variable in used:
                module.add_variable(variable)

    def _slot(self, symbol: VariableSymbol, all_invariant: bool) -> Slot:
        storage = interface_storage(symbol, self._stage)
        if storage == "local":
            return local_slot(symbol.name, symbol.type, symbol.precision, symbol.span, self._variables.append)
        variables = list(_interface_variables(symbol, storage))
        self._variables.extend(variables)
        if symbol.conventions:
            coordinate = variables[0]
            name = self.names.unique(f"{symbol.name}$moved")
            slot = local_slot(name, symbol.type, symbol.precision, symbol.span, self._variables.append)
            self.coordinate = MovedCoordinate(slot.leaves[0].variable, coordinate, symbol.conventions)
            self._variables.append(self.coordinate.height)
            return slot
        if not variables[0].is_written_by(self._stage):
            return Slot(tuple(LeafMemory(variable) for variable in variables))
        for variable in variables:
            variable.invariant = variable.invariant or all_invariant
            self.is_invariant = self.is_invariant or variable.invariant
        name = self.names.unique(f"{symbol.name}$out")
        slot = local_slot(name, symbol.type, symbol.precision, symbol.span, self._variables.append)
        shadows = [memory.variable for memory in slot.leaves]
        self.outputs.extend(Output(shadow, output) for shadow, output in zip(shadows, variables, strict=True))
        return slot


def _places(output: VariableSymbol, location: int) -> range:
    return range(location, location + (output.type.length if isinstance(output.type, ArrayType) else 1))


def interface_storage(symbol: VariableSymbol, stage: Stage) -> ir.Storage:
    """What kind of IR variable a global variable becomes; "local" when it is no part of the interface."""
    if symbol.storage == "attribute" and stage == "geometry":
        return "input"
    return _ROLE_STORAGE[symbol.role] if symbol.role else _STORAGE[symbol.storage]


def _interface_variables(symbol: VariableSymbol, storage: ir.Storage) -> Iterator[ir.Variable]:
    location = symbol.location
    for shape in leaf_shapes(symbol.type, symbol.precision):
        variable = shape.variable(symbol.outer_name, "sampler" if shape.type.contains_sampler else storage, symbol.span)
        variable.role, variable.invariant, variable.location = symbol.role, symbol.invariant, location
        # How a leaf of a varying is interpolated; a member of a block may say so itself.
        word = symbol.interpolation
        if symbol.block is not None and symbol.block.has_instance:
            member = shape.path.removeprefix("[]").split(".")[1].removesuffix("[]")
            word = symbol.block.interpolations[member][0]
        variable.interpolation = "" if word == "smooth" else word
        if location is not None:
            # A pinned struct or array takes consecutive locations, one for each element and column.
            location += variable.length * variable.columns
        yield variable
