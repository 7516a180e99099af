"""Texture lookups in a kernel: arguments to memory, a call of the sampling function, the colour back.

A sampler array with a dynamic index asks each of its textures that some lane wants.
"""

from __future__ import annotations

from backends.host.arithmetic import HostArithmetic
from backends.host.emitter import Value
from backends.host.sampling import ARGUMENT_COUNT, BY_LEVEL, BY_STEPS
from compiler.ir.module import Module
from compiler.ir.variables import TextureAccess, Variable

#: Lanes of a quad to the right and upwards, and where they start from.
_STEPS = (((0, 0, 2, 2), (1, 1, 3, 3)), ((0, 1, 0, 1), (2, 3, 2, 3)))


def first_textures(module: Module) -> dict[Variable, int]:
    """The place of each sampler's first texture in the table of textures."""
    places, count = {}, 0
    for variable in module.variables.values():
        if variable.storage == "sampler":
            places[variable] = count
            count += variable.length
    return places


class LookupCode:
    """Emits the lookups of one kernel."""

    def __init__(self, arithmetic: HostArithmetic, module: Module) -> None:
        self.arithmetic = arithmetic
        self.emitter = arithmetic.emitter
        self.is_fragment = module.stage == "fragment"
        self.places = first_textures(module)
        #: Lines for the start of the function.
        self.allocas: list[str] = []

    def emit(self, access: TextureAccess, operands: list[list[Value]]) -> list[Value]:
        """The colour of each lane."""
        count = access.address.index_count
        index = operands[0][0] if access.address.dynamic_index else None
        self._reserve()
        mode = self._store_arguments(access, operands[count:])
        colour = self._one(access, mode, access.address.offset) if index is None else self._several(access, mode, index)
        return [self.emitter.convert("fptrunc", component, self.emitter.float) for component in colour]

    def _reserve(self) -> None:
        if not self.allocas:
            counts = {"%arguments": ARGUMENT_COUNT, "%colour": 4, "%mixed": 4}
            self.allocas = [f"  {name} = alloca [{count} x {self.emitter.double}]" for name, count in counts.items()]

    # arguments -------------------------------------------------------------------------------
    def _store_arguments(self, access: TextureAccess, operands: list[list[Value]]) -> int:
        """Coordinate, level or bias, steps; returns the mode of the call."""
        emitter = self.emitter
        coordinate, *extra = ([self._wide(component) for component in operand] for operand in operands)
        zero = emitter.doubles(0.0)
        if access.mode == "lod":
            self._store([*coordinate, extra[0][0]])
            return BY_LEVEL
        if access.mode == "grad":
            self._store([*coordinate, zero, *extra[0], *extra[1]])
            return BY_STEPS
        if not self.is_fragment:
            self._store([*coordinate, zero])
            return BY_LEVEL
        steps = [self._step(component, *lanes) for lanes in _STEPS for component in coordinate]
        self._store([*coordinate, extra[0][0] if access.mode == "bias" else zero, *steps])
        return BY_STEPS

    def _wide(self, component: Value) -> Value:
        return self.emitter.convert("fpext", component, self.emitter.double)

    def _step(self, x: Value, start: tuple[int, ...], end: tuple[int, ...]) -> Value:
        return self.arithmetic.fsub(self.emitter.quads(x, end), self.emitter.quads(x, start))

    def _store(self, vectors: list[Value]) -> None:
        for number, vector in enumerate(vectors):
            self.emitter.store(vector, self._place("%arguments", number), 8)

    def _place(self, base: str, number: int) -> Value:
        return self.emitter.element(Value(base, "ptr"), number, self.emitter.double)

    # calls -----------------------------------------------------------------------------------
    def _one(self, access: TextureAccess, mode: int, element: int) -> list[Value]:
        """The colour from one texture of the sampler."""
        emitter, variable = self.emitter, access.address.variable
        place = self.places[variable] + max(0, min(element, variable.length - 1))
        entry = emitter.element(Value("%textures", "ptr"), place, "ptr")
        texture = emitter.load("ptr", entry, 8)
        function = "%sample_cube" if access.is_cube else "%sample_2d"
        emitter.line(f"call void {function}({texture}, ptr %arguments, ptr %colour, i64 {mode})")
        return [emitter.load(emitter.double, self._place("%colour", number), 8) for number in range(4)]

    def _several(self, access: TextureAccess, mode: int, index: Value) -> list[Value]:
        """The colours from the textures that lanes ask for."""
        emitter, a = self.emitter, self.arithmetic
        last = access.address.variable.length - 1
        wide = emitter.convert("sext", index, emitter.i64)
        wide = emitter.binary("add", wide, emitter.ints(access.address.offset, "i64"))
        wide = emitter.intrinsic("smax", emitter.i64, wide, emitter.ints(0, "i64"))
        number = emitter.intrinsic("smin", emitter.i64, wide, emitter.ints(last, "i64"))
        for component in range(4):
            emitter.store(emitter.doubles(0.0), self._place("%mixed", component), 8)
        for element in range(last + 1):
            here = emitter.compare("icmp eq", number, emitter.ints(element, "i64"))
            ask, after = emitter.fresh(), emitter.fresh()
            emitter.branch(emitter.any(here), ask, after)
            emitter.label(ask)
            for component, x in enumerate(self._one(access, mode, element)):
                mixed = emitter.load(emitter.double, self._place("%mixed", component), 8)
                emitter.store(a.select(here, x, mixed), self._place("%mixed", component), 8)
            emitter.jump(after)
            emitter.label(after)
        return [emitter.load(emitter.double, self._place("%mixed", component), 8) for component in range(4)]
