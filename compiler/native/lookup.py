"""Texture lookups in a kernel: arguments to memory, a call of the sampling function, the colour back.

A sampler array with a dynamic index asks each of its textures that some lane wants.
"""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir.module import Module
from compiler.ir.variables import TextureAccess, Variable
from compiler.native.arithmetic import HostArithmetic
from compiler.native.emitter import Value
from compiler.native.sampling import ARGUMENT_COUNT, BY_LEVEL, BY_STEPS

RIGHT, UP = range(2)
#: By direction: the lanes of a quad that steps start from, and where they end.
_STEPS = (((0, 0, 2, 2), (1, 1, 3, 3)), ((0, 1, 0, 1), (2, 3, 2, 3)))


def first_textures(module: Module) -> dict[Variable, int]:
    """The place of each sampler's first texture in the table of textures."""
    places, count = {}, 0
    for variable in module.variables.values():
        if variable.storage == "sampler":
            places[variable] = count
            count += variable.length
    return places


class TextureCall:
    """Calls of the sampling functions, whose addresses and table of textures the function has as parameters."""

    def __init__(self, arithmetic: HostArithmetic) -> None:
        self.arithmetic = arithmetic
        self.emitter = arithmetic.emitter
        #: Lines for the start of the function.
        self.allocas: list[str] = []

    def emit(self, texture: int, mode: int | Value, arguments: Sequence[Value], *, is_cube: bool) -> list[Value]:
        """The colour from a texture of the table, in doubles; arguments are those of `sampling.sampler_text`."""
        emitter = self.emitter
        self._reserve()
        for number, argument in enumerate(arguments):
            emitter.store(argument, self.place("%arguments", number), 8)
        entry = emitter.element(Value("%textures", "ptr"), texture, "ptr")
        descriptor = emitter.load("ptr", entry, 8)
        function = "%sample_cube" if is_cube else "%sample_2d"
        kind = mode.text if isinstance(mode, Value) else mode
        emitter.line(f"call void {function}({descriptor}, ptr %arguments, ptr %colour, i64 {kind})")
        return self.colour()

    def colour(self) -> list[Value]:
        """What the last call has found."""
        return [self.emitter.load(self.emitter.double, self.place("%colour", number), 8) for number in range(4)]

    def steps(self, coordinate: Sequence[Value]) -> list[Value]:
        """What the coordinate grows by to the right and upwards, in each quad."""
        return [self.step(component, direction) for direction in (RIGHT, UP) for component in coordinate]

    def step(self, x: Value, direction: int) -> Value:
        """What `x` grows by in one direction, in each quad."""
        start, end = _STEPS[direction]
        return self.arithmetic.fsub(self.emitter.quads(x, end), self.emitter.quads(x, start))

    def wide(self, component: Value) -> Value:
        """A float as a double."""
        return self.emitter.convert("fpext", component, self.emitter.double)

    def place(self, base: str, number: int) -> Value:
        return self.emitter.element(Value(base, "ptr"), number, self.emitter.double)

    def _reserve(self) -> None:
        if not self.allocas:
            counts = {"%arguments": ARGUMENT_COUNT, "%colour": 4, "%mixed": 4}
            self.allocas = [f"  {name} = alloca [{count} x {self.emitter.double}]" for name, count in counts.items()]


class LookupCode:
    """Emits the lookups of one kernel."""

    def __init__(self, arithmetic: HostArithmetic, module: Module) -> None:
        self.arithmetic = arithmetic
        self.emitter = arithmetic.emitter
        self.is_fragment = module.stage == "fragment"
        self.places = first_textures(module)
        self.call = TextureCall(arithmetic)

    @property
    def allocas(self) -> list[str]:
        """Lines for the start of the function."""
        return self.call.allocas

    def emit(self, access: TextureAccess, operands: list[list[Value]]) -> list[Value]:
        """The colour of each lane."""
        count = access.address.index_count
        index = operands[0][0] if access.address.dynamic_index else None
        mode, arguments = self._arguments(access, operands[count:])
        if index is None:
            colour = self._one(access, mode, arguments, access.address.offset)
        else:
            colour = self._several(access, mode, arguments, index)
        return [self.emitter.convert("fptrunc", component, self.emitter.float) for component in colour]

    # arguments -------------------------------------------------------------------------------
    def _arguments(self, access: TextureAccess, operands: list[list[Value]]) -> tuple[int, list[Value]]:
        """The mode of the call; coordinate, level or bias, steps."""
        coordinate, *extra = ([self.call.wide(component) for component in operand] for operand in operands)
        zero = self.emitter.doubles(0.0)
        if access.mode == "lod":
            return BY_LEVEL, [*coordinate, extra[0][0]]
        if access.mode == "grad":
            return BY_STEPS, [*coordinate, zero, *extra[0], *extra[1]]
        if not self.is_fragment:
            return BY_LEVEL, [*coordinate, zero]
        bias = extra[0][0] if access.mode == "bias" else zero
        return BY_STEPS, [*coordinate, bias, *self.call.steps(coordinate)]

    # calls -----------------------------------------------------------------------------------
    def _one(self, access: TextureAccess, mode: int, arguments: list[Value], element: int) -> list[Value]:
        """The colour from one texture of the sampler."""
        variable = access.address.variable
        place = self.places[variable] + max(0, min(element, variable.length - 1))
        return self.call.emit(place, mode, arguments, is_cube=access.is_cube)

    def _several(self, access: TextureAccess, mode: int, arguments: list[Value], index: Value) -> list[Value]:
        """The colours from the textures that lanes ask for."""
        emitter, a, place = self.emitter, self.arithmetic, self.call.place
        last = access.address.variable.length - 1
        wide = emitter.convert("sext", index, emitter.i64)
        wide = emitter.binary("add", wide, emitter.ints(access.address.offset, "i64"))
        wide = emitter.intrinsic("smax", emitter.i64, wide, emitter.ints(0, "i64"))
        number = emitter.intrinsic("smin", emitter.i64, wide, emitter.ints(last, "i64"))
        for component in range(4):
            emitter.store(emitter.doubles(0.0), place("%mixed", component), 8)
        for element in range(last + 1):
            here = emitter.compare("icmp eq", number, emitter.ints(element, "i64"))
            ask, after = emitter.fresh(), emitter.fresh()
            emitter.branch(emitter.any(here), ask, after)
            emitter.label(ask)
            for component, x in enumerate(self._one(access, mode, arguments, element)):
                mixed = emitter.load(emitter.double, place("%mixed", component), 8)
                emitter.store(a.select(here, x, mixed), place("%mixed", component), 8)
            emitter.jump(after)
            emitter.label(after)
        return [emitter.load(emitter.double, place("%mixed", component), 8) for component in range(4)]
