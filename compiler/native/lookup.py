"""Texture lookups in a kernel: arguments to memory, a call of the sampling function, the colour back.

A sampler array with a dynamic index asks each of its textures that some lane wants.
"""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.compiler.ir.module import Instruction, Module
from glslc_multi.compiler.ir.types import Type
from glslc_multi.compiler.ir.variables import TextureAccess, Variable
from glslc_multi.compiler.native.arithmetic import HostArithmetic
from glslc_multi.compiler.native.emitter import Value
from glslc_multi.compiler.native.lookup_kinds import LookupKind, kind_of, kinds_of
from glslc_multi.compiler.native.sampling import BY_LEVEL, BY_STEPS, argument_count

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
    """Calls of functions about textures: the kernel's parameters are tables of their addresses and of textures."""

    def __init__(self, arithmetic: HostArithmetic, kinds: Sequence[LookupKind]) -> None:
        self.arithmetic = arithmetic
        #: Of the functions, by their number in the table.
        self.kinds = kinds
        self.emitter = arithmetic.emitter
        #: Lines for the start of the function.
        self.allocas: list[str] = []

    def emit(self, kind: LookupKind, texture: int, mode: int | Value, arguments: Sequence[Value]) -> list[Value]:
        """The colour from a texture of the table, in doubles; arguments are those of `sampling.sampler_text`."""
        emitter = self.emitter
        if not self.allocas:
            counts = {"%arguments": max(map(argument_count, self.kinds)), "%colour": 4, "%mixed": 4}
            self.allocas = [f"  {name} = alloca [{count} x {self.emitter.double}]" for name, count in counts.items()]
        for number, argument in enumerate(arguments):
            emitter.store(argument, self.place("%arguments", number), 8)
        entry = emitter.element(Value("%textures", "ptr"), texture, "ptr")
        descriptor = emitter.load("ptr", entry, 8)
        address = emitter.element(Value("%samplers", "ptr"), self.kinds.index(kind), "ptr")
        function = emitter.load("ptr", address, 8)
        by = mode.text if isinstance(mode, Value) else mode
        emitter.line(f"call void {function.text}({descriptor}, ptr %arguments, ptr %colour, i64 {by})")
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


class LookupCode:
    """Emits the lookups of one kernel."""

    def __init__(self, arithmetic: HostArithmetic, module: Module) -> None:
        self.arithmetic = arithmetic
        self.emitter = arithmetic.emitter
        self.is_fragment = module.stage == "fragment"
        self.places = first_textures(module)
        self.call = TextureCall(arithmetic, kinds_of(module))

    @property
    def allocas(self) -> list[str]:
        """Lines for the start of the function."""
        return self.call.allocas

    def emit(self, lookup: Instruction, operands: list[list[Value]]) -> list[Value]:
        """The colour, or the size, of each lane."""
        access: TextureAccess = lookup.attribute
        kind, given = kind_of(lookup), operands[access.address.index_count :]
        mode, arguments = (
            self._sampled(kind, access, given) if kind.ask == "sample" else (BY_LEVEL, self._counted(access, given))
        )
        if access.address.dynamic_index:
            colour = self._several(kind, access, mode, arguments, operands[0][0])
        else:
            colour = self._one(kind, access, mode, arguments, access.address.offset)
        return [self._narrow(component, lookup.type) for component in colour[: lookup.type.width]]

    # arguments -------------------------------------------------------------------------------
    def _sampled(self, kind: LookupKind, access: TextureAccess, operands: list[list[Value]]) -> tuple[int, list[Value]]:
        """The mode of the call; coordinate, depth, level or bias, offset, steps."""
        coordinate, *extra = ([self.call.wide(component) for component in operand] for operand in operands)
        point = [*coordinate, *(extra.pop(0) if kind.is_shadow else [])]
        zero = self.emitter.doubles(0.0)
        offset = [self.emitter.doubles(float(texels)) for texels in access.offset]
        if access.mode == "lod":
            return BY_LEVEL, [*point, extra[0][0], *offset]
        if access.mode == "grad":
            return BY_STEPS, [*point, zero, *offset, *extra[0], *extra[1]]
        if not self.is_fragment:
            return BY_LEVEL, [*point, zero, *offset]
        bias = extra[0][0] if access.mode == "bias" else zero
        return BY_STEPS, [*point, bias, *offset, *self.call.steps(coordinate[: kind.dimensions])]

    def _counted(self, access: TextureAccess, operands: list[list[Value]]) -> list[Value]:
        """The ints of a fetch or of a question for a size, as doubles, which hold their sums with an offset."""
        emitter = self.emitter
        numbers = [emitter.convert("sitofp", part, emitter.double) for operand in operands for part in operand]
        for axis, texels in enumerate(access.offset):
            numbers[axis] = emitter.binary("fadd", numbers[axis], emitter.doubles(float(texels)))
        return numbers

    def _narrow(self, component: Value, type: Type) -> Value:
        """A double as a float; or as the int with its 32 bits, signed or not."""
        emitter = self.emitter
        if type.kind == "float":
            return emitter.convert("fptrunc", component, emitter.float)
        return emitter.convert("trunc", emitter.convert("fptosi", component, emitter.i64), emitter.i32)

    # calls -----------------------------------------------------------------------------------
    def _one(
        self, kind: LookupKind, access: TextureAccess, mode: int, arguments: list[Value], element: int
    ) -> list[Value]:
        """The colour from one texture of the sampler."""
        variable = access.address.variable
        index = self.places[variable] + max(0, min(element, variable.length - 1))
        return self.call.emit(kind, index, mode, arguments)

    def _several(
        self, kind: LookupKind, access: TextureAccess, mode: int, arguments: list[Value], index: Value
    ) -> list[Value]:
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
            for component, x in enumerate(self._one(kind, access, mode, arguments, element)):
                mixed = emitter.load(emitter.double, place("%mixed", component), 8)
                emitter.store(a.select(here, x, mixed), place("%mixed", component), 8)
            emitter.jump(after)
            emitter.label(after)
        return [emitter.load(emitter.double, place("%mixed", component), 8) for component in range(4)]
