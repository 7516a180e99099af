"""Functions of one or two interpolated numbers: each can be read from an image, whatever its operations are.

In: a block.  Out: the largest values that depend on one or two components of varyings and on the host, grouped by these
components; four numbers of a group make an image.  What combiners can do with the colour of the vertices, affine
functions and clamps of them, is left to them while the colour has room.

Then the module computes an image's values of the output of the rasteriser that is its coordinate, in the place of the
varyings.  A varying that is promised to lie in other limits than 0 to 1 is brought there at the vertices.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host, PreambleWriter
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import TIMES_W, values_below
from glslc_multi.backends.pica200.codegen.fragment.read.walk import is_output
from glslc_multi.backends.pica200.codegen.output_semantics import RASTERISER
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.compiler.analysis.affine import AffineArithmetic, Part, Term
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.records import dataclass, field

#: An image has two axes.
_AXES = 2
_COORDINATE = f"{RASTERISER}texcoord"
_SHUFFLES = frozenset((ops.SWIZZLE, ops.INSERT, ops.CONSTRUCT))
#: Operations whose degree is that of their operands added up, or that of the largest of them.
_PRODUCTS = frozenset((ops.FMUL, ops.DOT, ops.FMAD, ops.FMIX))
_SUMS = _SHUFFLES | {ops.FADD, ops.FSUB, ops.FNEG, ops.FMAX, ops.FMIN, ops.FCLAMP, ops.FSATURATE, ops.FABS}
_NO_POLYNOMIAL = 99
_UNIT = Interval(0.0, 1.0)


@dataclass(slots=True)
class Image:
    """An image: what its coordinate is, and of what values it has the components."""

    parts: tuple[Part, ...]
    values: list[Instruction] = field(default_factory=list)

    @property
    def width(self) -> int:
        """How many channels are in use."""
        return sum(value.type.width for value in self.values)


class _Functions:
    """What each value of a block depends on."""

    def __init__(self, block: Iterable[Instruction], host: Host, others: Collection[Instruction]) -> None:
        self._host = host
        self._others = others
        self._parts: dict[Value, frozenset[Part]] = {}
        #: Of polynomials with clamps.
        self.degrees: dict[Value, int] = {}
        for instruction in block:
            parts = self._parts_of(instruction)
            if parts:
                self._parts[instruction] = parts
                self.degrees[instruction] = self._degree(instruction)

    def parts(self, value: Value) -> frozenset[Part] | None:
        """The components of varyings that a value depends on; None where it depends on more, or on anything else."""
        return self._parts.get(value)

    def _degree(self, value: Instruction) -> int:
        if value.op is ops.LOAD:
            return 1
        degrees = [self.degrees.get(operand, 0) for operand in value.operands]
        if value.op is ops.FDIV:
            return degrees[0] if not degrees[1] else _NO_POLYNOMIAL
        if value.op in _PRODUCTS:
            return sum(degrees)
        return max(degrees) if value.op in _SUMS else _NO_POLYNOMIAL

    def _parts_of(self, instruction: Instruction) -> frozenset[Part] | None:
        is_plain = instruction.op is ops.LOAD or (instruction.op.is_pure and instruction.op.has_semantics)
        if not is_plain or not instruction.type.width or instruction in self._others or self._host.is_host(instruction):
            return None
        if instruction.op is ops.LOAD:
            return _limited(_loaded(instruction, part) for part in range(instruction.type.width))
        if instruction.op in _SHUFFLES:
            return _limited(self._of_source(*source(instruction, part)) for part in range(instruction.type.width))
        return _limited(self._parts.get(operand) for operand in instruction.operands if not self._host.is_host(operand))

    def _of_source(self, value: Value, component: int) -> frozenset[Part] | None:
        if self._host.is_host(value):
            return frozenset()
        if isinstance(value, Instruction) and value.op is ops.LOAD:
            return _loaded(value, component)
        return self._parts.get(value)


def _loaded(load: Instruction, component: int) -> frozenset[Part] | None:
    if load.op is not ops.LOAD:
        return None
    address = load.address
    if address.variable.storage != "varying" or address.is_dynamic or address.variable.name == TIMES_W:
        return None
    if is_output(address.variable) and not address.variable.name.startswith(_COORDINATE):
        return None
    return frozenset([Part(address.variable, address.offset, address.column, component)])


def _limited(found: Iterable[frozenset[Part] | None]) -> frozenset[Part] | None:
    parts: set[Part] = set()
    for each in found:
        if each is None:
            return None
        parts |= each
    return frozenset(parts) if 1 <= len(parts) <= _AXES else None


def fits_image(value: Instruction, host: Host, others: Collection[Instruction]) -> bool:
    """Tell whether a value is a function of one or two interpolated numbers; other units compute `others`."""
    assert value.block is not None
    return _Functions(value.block, host, others).parts(value) is not None


def find_images(block: Iterable[Instruction], host: Host, others: Collection[Instruction]) -> list[Image]:
    """The images of a block; `others` are values that other units compute."""
    functions = _Functions(block, host, others)
    # What something of the pixel reads, as it is or with its components in another order; lookups read coordinates.
    exposed: set[Value] = set()
    for value in reversed(list(block)):
        users = [user for user in value.users if user.op is not ops.TEXTURE]
        seen_through = [u for u in users if u.op in _SHUFFLES and not _is_part(u)]
        if any(functions.parts(user) is None for user in users) or not exposed.isdisjoint(seen_through):
            exposed.add(value)
    exposed_values = [value for value in block if value in exposed and functions.parts(value)]
    largest = [
        value for value in exposed_values if (value.op not in _SHUFFLES or _is_part(value)) and value.type.kind != "int"
    ]
    is_carried = any(is_output(part.variable) for value in largest for part in functions.parts(value) or ())
    left = [] if is_carried else [value for value in largest if functions.degrees[value] <= 1]
    chosen = [value for value in largest if value not in left]
    chosen += _crowded_out(left, _colours(block, host, {*others, *chosen}, functions), functions)
    return list(_grouped((value for value in largest if value in chosen), functions))


def _is_part(value: Instruction) -> bool:
    """Components of a varying."""
    operand = value.operands[0] if value.op is ops.SWIZZLE else None
    return isinstance(operand, Instruction) and operand.op is ops.LOAD


def _colours(
    block: Iterable[Instruction], host: Host, others: Collection[Instruction], functions: _Functions
) -> set[Part]:
    """The components of varyings that the combiners read as colours."""
    pending = [operand for i in block if i.op in (ops.STORE, ops.KILL) for operand in i.operands]
    seen: set[Value] = set()
    colours: set[Part] = set()
    while pending:
        value = pending.pop()
        if value in seen or not isinstance(value, Instruction) or value in others or host.is_host(value):
            continue
        seen.add(value)
        if value.op in (ops.LOAD, ops.SWIZZLE):
            loads = [source(value, part) for part in range(value.type.width)]
            colours |= {p for load, n in loads if isinstance(load, Instruction) for p in _loaded(load, n) or ()}
        if value.op is not ops.TEXTURE:
            pending += () if value.op is ops.SWIZZLE else value.operands
    return colours


def _crowded_out(
    left: Sequence[Instruction], colours: Collection[Part], functions: _Functions
) -> Iterator[Instruction]:
    """Of functions that combiners could compute, those of one number that the vertices' colour has no room for."""
    missing = len(colours) - len(CHANNELS)
    for value in reversed(left):
        if missing > 0 and len(functions.parts(value) or ()) == 1:
            missing -= 1
            yield value


def _grouped(values: Iterable[Instruction], functions: _Functions) -> Iterator[Image]:
    images: list[Image] = []
    for value in values:
        found = functions.parts(value)
        assert found is not None
        parts = tuple(sorted(found, key=lambda part: (part.variable.name, part.element, part.column, part.component)))
        image = next((i for i in images if i.parts == parts and i.width + value.type.width <= len(CHANNELS)), None)
        if image is None:
            image = Image(parts)
            images.append(image)
        image.values.append(value)
    return iter(images)


# --- Coordinates ------------------------------------------------------------------------------------------------------


def coordinate_of(
    image: Image, arithmetic: AffineArithmetic, promises: Mapping[Variable, Interval]
) -> tuple[Term, Term]:
    """What the vertex shader leaves; of one number twice the same."""
    terms = [_term(part, arithmetic, promises[part.variable]) for part in image.parts]
    return terms[0], terms[-1]


def _term(part: Part, arithmetic: AffineArithmetic, limits: Interval) -> Term:
    term = arithmetic.leaf("varying", part)
    if limits == _UNIT:
        return term
    moved = arithmetic.fsub(term, arithmetic.fconst(limits.low))
    scaled = arithmetic.fmul(moved, arithmetic.fconst(1 / max(limits.high - limits.low, 2.0**-24)))
    assert isinstance(scaled, Term)
    return scaled


def read_coordinate(image: Image, coordinate: Variable, promises: Mapping[Variable, Interval]) -> None:
    """Compute the image's values of the coordinate."""
    for value in image.values:
        builder = Builder.before(value)
        both = builder.load(coordinate)
        parts = {
            part: _unscaled(builder, builder.extract(both, n), promises[part.variable])
            for n, part in enumerate(image.parts)
        }
        writer = PreambleWriter(builder)
        for load in (below for below in values_below(value) if below.op is ops.LOAD):
            address = load.address
            given: Value = load
            if address.variable.storage == "varying":
                numbers = (Part(address.variable, address.offset, address.column, n) for n in range(load.type.width))
                given = builder.construct(*(parts.get(part, float_constant(0.0)) for part in numbers))
            writer.given(load, given)
        value.replace_all_uses_with(writer.value(value))


def _unscaled(builder: Builder, number: Value, limits: Interval) -> Value:
    if limits == _UNIT:
        return number
    scaled = builder.op(ops.FMUL, number, float_constant(limits.high - limits.low))
    return builder.op(ops.FADD, scaled, float_constant(limits.low))
