"""What the fragment stage reads: samplers on texture units, varyings on the outputs of the rasteriser.

In: a flattened fragment module.  Out: the same module, in which all varyings are outputs of the rasteriser (`$color`,
`$texcoord0`, ...), the `Unit` of each texture lookup, and of what varyings these outputs are made (`AtVertices`), for
the vertex shader that the linker changes, or for the register map.

* A lookup at a coordinate takes a texture unit, whose coordinate comes from the output of its number.  The same image
  at another coordinate takes another unit; a coordinate of two images is two outputs.  Unit 0 alone divides
  (projection) and knows directions (cube maps), by the third number texcoord0w.
* A coordinate is any affine function of varyings (`compiler/analysis/affine.py`), or a quotient of two for unit 0.
* Everything else that varies is in the colour, four numbers.  Where varyings are more, affine functions of them may be
  fewer.
* Where there is a choice, what the vertex shader would take a varying for when compiled alone decides
  (`codegen/output_semantics.py`), so that both stages fit when nobody links them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations
from typing import Literal, NoReturn

from glslc_multi.backends.pica200.codegen.fragment.read.refusals import TIMES_W, refuse, report_coordinate
from glslc_multi.backends.pica200.codegen.fragment.read.walk import is_output
from glslc_multi.backends.pica200.codegen.fragment.units.colours import replace_colours
from glslc_multi.backends.pica200.codegen.output_semantics import RASTERISER, by_name
from glslc_multi.compiler.analysis.affine import AffineArithmetic, AffineForms, Form, Part, Quotient, Term, terms_below
from glslc_multi.compiler.analysis.ranges import Interval
from glslc_multi.compiler.artifact import Transform
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import COMBINER_TEXTURES
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT, Type
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.at_vertices import AtVertices
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.passes.scalar.dce import DeadCode
from glslc_multi.compiler.records import dataclass, field

_FEWER_PLACES = "each place that an image is read at takes a unit: read it at three at most"
#: What the lighting unit reads, which has been wired before (`units/lighting/varyings.py`).
LIGHTING_INPUTS = (f"{RASTERISER}normalquat", f"{RASTERISER}view")
#: How many texture units have images.
UNITS = 3
#: What unit 0 does with its three numbers.
UnitType = Literal["2d", "projection", "cube"]
#: What the names of samplers of generated images begin with.
IMAGE = "$image"


@dataclass(frozen=True, slots=True)
class Unit:
    """A sampler on a texture unit."""

    sampler: Variable
    element: int
    type: UnitType


@dataclass(slots=True)
class Wiring:
    """How a fragment module is wired."""

    units: dict[int, Unit] = field(default_factory=dict)
    #: Texture lookup -> number of its unit.
    unit_of: dict[Instruction, int] = field(default_factory=dict)
    #: Empty where the module had been wired before.
    outputs: list[AtVertices] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Read:
    """What a unit would have to do: an image at a coordinate of two numbers, or three."""

    unit: Unit
    coordinate: tuple[Term, ...]


def is_generated(sampler: Variable) -> bool:
    """Tell whether the host makes its image."""
    return sampler.name.startswith(IMAGE)


@dataclass(frozen=True, slots=True)
class Generated:
    """An image that the host makes: its coordinate, and what lets the module read that in the place of varyings."""

    sampler: Variable
    coordinate: tuple[Term, Term]
    carry: Callable[[Variable], None]


def wire(
    module: Module,
    hints: Mapping[str, str],
    sink: DiagnosticSink,
    ranges: Mapping[Variable, Interval] | None = None,
    images: Sequence[Generated] = (),
) -> Wiring:
    """Choose units and outputs, and rewrite the module; what does not fit is reported and raised.

    `hints`: varying -> output that it was asked for by name; `ranges`: uniform or varying -> what is promised of it;
    `images` that need units beside those that the module reads.
    """
    lookups = [i for i in module.main.instructions() if i.op is ops.TEXTURE]
    forms, reads = AffineForms(module.main), dict[Instruction, _Read]()
    for lookup in lookups:
        read = _read(lookup, forms)
        if read is None:
            report_coordinate(lookup, sink)
        else:
            reads[lookup] = read
    sink.raise_if_errors()
    if any(is_output(variable) and variable.name not in LIGHTING_INPUTS for variable in module.variables.values()):
        return _as_wired(reads, images)
    declared = {variable: number for number, variable in enumerate(module.variables.values())}
    distinct = sorted(dict.fromkeys(reads.values()), key=lambda read: (declared[read.unit.sampler], read.unit.element))
    generated = {_Read(Unit(image.sampler, 0, "2d"), image.coordinate): image for image in images}
    order = _assigned([*distinct, *generated], lookups, hints, sink)
    wiring = Wiring({number: read.unit for number, read in order.items()})
    numbers = {read: number for number, read in order.items()}
    wiring.unit_of = {lookup: numbers[read] for lookup, read in reads.items()}
    wiring.outputs = list(_coordinates(order))
    for output in wiring.outputs:
        module.add_variable(output.variable)
    for number, read in order.items():
        if read in generated:
            generated[read].carry(module.variables[f"{RASTERISER}texcoord{number}"])
    for lookup, number in wiring.unit_of.items():
        _replace_coordinate(lookup, number, order[number].unit.type, module.variables)
    wiring.outputs += replace_colours(module, ranges or {}, sink)
    return wiring


def drop_unread(module: Module) -> None:
    """Remove what only computed coordinates, and varyings that are no longer read; terms of it end to be of use."""
    run_pipeline(module, (DeadCode(),), PassContext())
    read = {i.address.variable for i in module.main.instructions() if i.op is ops.LOAD}
    for variable in [v for v in module.variables.values() if v.storage == "varying" and v not in read]:
        del module.variables[variable.name]


def source_of(term: Term) -> tuple[Part | None, Transform]:
    """The component of a varying that the term is, or whose opposite it is."""
    if term.op == "fneg":
        return term.operands[0].part, "negated"
    return term.part, "identity"


# --- Lookups ----------------------------------------------------------------------------------------------------------


def _read(lookup: Instruction, forms: AffineForms) -> _Read | None:
    access, address = lookup.attribute, lookup.address
    coordinate = lookup.operands[address.index_count]
    if address.is_dynamic or access.mode != "auto":
        return None
    if access.is_cube:
        type: UnitType = "cube"
        numbers = _affine(forms.of(coordinate))
    else:
        numbers = _affine(forms.of(coordinate))
        type = "2d"
        if numbers is None:
            type, numbers = "projection", _projective(forms.of(coordinate), forms.arithmetic)
    return None if numbers is None else _Read(Unit(address.variable, address.offset, type), numbers)


def _affine(forms: Sequence[Form]) -> tuple[Term, ...] | None:
    terms = tuple(form for form in forms if isinstance(form, Term))
    return terms if len(terms) == len(forms) else None


def _projective(forms: Sequence[Form], arithmetic: AffineArithmetic) -> tuple[Term, ...] | None:
    """The numbers, and what they are divided by."""
    denominator = next((form.denominator for form in forms if isinstance(form, Quotient)), None)
    if denominator is None:
        return None
    numerators = [arithmetic.over(form, denominator) for form in forms]
    known = [numerator for numerator in numerators if numerator is not None]
    return (*known, denominator) if len(known) == len(forms) else None


# --- Units ------------------------------------------------------------------------------------------------------------


def _as_wired(reads: Mapping[Instruction, _Read], images: Iterable[Generated]) -> Wiring:
    wiring = Wiring()
    for image in images:
        wiring.units[_number_of(image.coordinate[0])] = Unit(image.sampler, 0, "2d")
    for lookup, read in reads.items():
        (number,) = {_number_of(term) for term in read.coordinate[:2]}
        wiring.units[number], wiring.unit_of[lookup] = read.unit, number
    return wiring


def _number_of(term: Term) -> int:
    assert term.part is not None, "coordinates of a wired module are outputs of the rasteriser"
    return number_of_coordinate(term.part.variable)


def number_of_coordinate(output: Variable) -> int:
    """Of an output of the rasteriser, which is that of the unit."""
    return int(output.name.removesuffix("w")[-1])


def _assigned(
    reads: list[_Read], lookups: Sequence[Instruction], hints: Mapping[str, str], sink: DiagnosticSink
) -> dict[int, _Read]:
    """Number of a unit -> what it reads: of all orders the one that follows most hints, and the first of these."""
    special = [read for read in reads if read.unit.type != "2d"]
    if len(reads) > UNITS or len(special) > 1:
        _refuse(reads, special, lookups, sink)
    possible = [dict(zip(order, reads, strict=True)) for order in permutations(range(UNITS), len(reads))]
    allowed = [each for each in possible if all(number == 0 or each[number] not in special for number in each)]
    return max(allowed, key=lambda each: sum(_follows(number, read, hints) for number, read in each.items()))


def _refuse(
    reads: Sequence[_Read], special: Sequence[_Read], lookups: Sequence[Instruction], sink: DiagnosticSink
) -> NoReturn:
    """Say whether there are too many images, too many places where they are read, or too many for unit 0."""
    images = _names(reads)
    limit = f"{UNITS} texture units"
    if len(images) > UNITS:
        extra, name = list(images.items())[UNITS]
        what, help = f"{name} is one image too many", "put two images into one texture, or into the channels of one"
    elif len(reads) > UNITS:
        (extra, _), verb = list(images.items())[-1], "is" if len(images) == 1 else "are"
        what, help = f"{' and '.join(images.values())} {verb} read at {len(reads)} places", _FEWER_PLACES
    else:
        (extra, _), verb = list(_names(special).items())[-1], "needs" if len(_names(special)) == 1 else "need"
        what = f"{' and '.join(_names(special).values())} {verb} unit 0 at {len(special)} places"
        limit, help = "no other with directions and divided coordinates", "read one of them at a plain coordinate"
        parts = [term.part for read in special for term in terms_below(read.coordinate)]
        if any(part is not None and part.variable.name == TIMES_W for part in parts):
            help = "let w of gl_Position be 1.0, as for a rectangle on the screen, or read one texture there"
    span = next((i.span for i in lookups if i.address.variable is extra[0]), extra[0].span)
    refuse(sink, COMBINER_TEXTURES, span, help=help, what=what, limit=limit)


def _names(reads: Iterable[_Read]) -> dict[tuple[Variable, int], str]:
    """The images that are read, as messages name them."""
    samplers = {(read.unit.sampler, read.unit.element): None for read in reads}
    return {(s, element): f"'{s.name}{f'[{element}]' * s.is_array}'" for s, element in samplers}


def _follows(number: int, read: _Read, hints: Mapping[str, str]) -> bool:
    """Tell whether the output was asked for."""
    parts = [term.part for term in read.coordinate[:2]]
    if any(part is None or part.element or part.column for part in parts):
        return False
    names = {part.variable.name for part in parts if part is not None}
    return all((hints.get(name) or by_name(name)) == f"texcoord{number}" for name in names)


# --- Coordinates ------------------------------------------------------------------------------------------------------


def _coordinates(order: Mapping[int, _Read]) -> Iterator[AtVertices]:
    for number, read in sorted(order.items()):
        place, third = read.coordinate[:2], read.coordinate[2:]
        yield AtVertices(_varying(f"texcoord{number}", FLOAT.with_width(2)), place)
        if third:
            yield AtVertices(_varying("texcoord0w", FLOAT), third)


def _varying(output: str, type: Type) -> Variable:
    return Variable(f"{RASTERISER}{output}", "varying", type, precision="highp")


def _replace_coordinate(lookup: Instruction, number: int, type: UnitType, variables: Mapping[str, Variable]) -> None:
    builder = Builder.before(lookup)
    coordinate: Value = builder.load(variables[f"{RASTERISER}texcoord{number}"])
    if type != "2d":
        third = builder.load(variables[f"{RASTERISER}texcoord0w"])
        if type == "cube":
            coordinate = builder.construct(coordinate, third)
        else:
            coordinate = builder.op(ops.FDIV, coordinate, builder.splat(third, 2))
    lookup.set_operand(lookup.address.index_count, coordinate)
