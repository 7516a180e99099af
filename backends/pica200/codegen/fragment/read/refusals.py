"""What the combiners cannot do, reported at its place with the nearest thing that they can."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, NoReturn

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Unbounded
from glslc_multi.backends.pica200.isa.fragment.combiners import STAGES
from glslc_multi.compiler.analysis.demand import Demand, demand
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue.limits import (
    COMBINER_COORDINATES,
    COMBINER_INPUT,
    COMBINER_OPERATION,
    COMBINER_RANGE,
    COMBINER_STAGES,
    COMBINER_VARYINGS,
)
from glslc_multi.compiler.diagnostics.model import Entry
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Instruction, Value
from glslc_multi.compiler.ir.variables import Variable

#: What messages call an operation, where that is not its name without the letter of its kind.
_NAMES = {
    ops.FDIV: "a division by what differs",
    ops.FRCP: "a division by what differs",
    ops.FRSQRT: "inversesqrt",
    ops.FROUNDEVEN: "roundEven",
    ops.FATAN2: "atan",
    ops.DDX: "differences between neighbouring pixels",
    ops.DDY: "differences between neighbouring pixels",
    ops.BTOF: "a choice that jumps",
    ops.SELECT: "a choice that jumps",
    ops.FSTEP: "step",
    ops.FTOI: "whole numbers",
    ops.FTOU: "whole numbers",
    ops.TEXTURE_SIZE: "textureSize",
}
#: What fog may depend on.
FOG = "fog may depend on gl_FragCoord.z, or on a varying that '#pragma pica200 depth NAME' promises to be that"
FOG_HELP = f"{FOG}; a vertex shader can compute it, too"
_HELP = {
    "a choice that jumps": "choose by a ramp: mix(a, b, clamp((x - edge) * 16.0 + 0.5, 0.0, 1.0))",
    "step": "use a steep ramp: clamp((x - edge) * 16.0 + 0.5, 0.0, 1.0)",
    "textureSize": "pass it in a uniform",
    "a division by what differs": "divide in the vertex shader, or multiply with what a texture holds",
}
#: What the lighting unit knows of distances, and of other products than those of normal, light and eye.
_HEADER = "#include <pica200.glsl>"
FADING_HELP = f"lamps fade by picaFading(way, slope, square, most): {_HEADER}"
_LENGTHS = "the lighting unit has no vectors of other lengths"
_PRODUCTS_HELP = f"spots and reflected rays are picaSpot and picaReflected: {_HEADER}"
#: What a discard is by, where no other help than for the rest of them does.
TWO_COMPARISONS = "two comparisons"
_IMAGE_HELP = f"with --images the host makes an image of it; {FOG}, and light on dot(normal, way)"
_TEXEL_HELP = "store the result in the texture; whole powers are products"
#: The varying that a linked vertex shader passes where gl_FragCoord.xy has to be divided by w (`link.py`).
TIMES_W = "gl_FragCoord * w"
_X_AND_Y = 0b11
_INPUT_HELP = {
    "frag_coord": "pass what is needed in a varying; fog may depend on gl_FragCoord.z",
    "front_facing": "draw the two sides one after the other, with face culling",
    "point_coord": "draw points as quads, with a varying from corner to corner",
}
_REPEATS = frozenset((ops.FFRACT, ops.FFLOOR, ops.FMOD))


def refuse(sink: DiagnosticSink, entry: Entry, span: Span | None, help: str | None = None, **values: Any) -> NoReturn:
    """Report what the combiners cannot do, and raise it."""
    sink.report(entry, span, help=help, target=TARGET_NAME, **values)
    raise CompileError(sink.diagnostics)


def refuse_operation(instruction: Instruction, construct: str, fits_image: bool, sink: DiagnosticSink) -> NoReturn:
    """An operation that pixels cannot have; `construct` says what it is, where that is not the operation."""
    op = instruction.op
    name = construct or _NAMES.get(op) or op.name.removeprefix("f")
    help = _help_for(instruction, name, fits_image)
    refuse(sink, COMBINER_OPERATION, instruction.span, construct=name, help=help)


def _help_for(instruction: Instruction, name: str, fits_image: bool) -> str | None:
    if instruction.op is ops.NORMALIZE:
        # For a vector that may nearly be what the lighting unit normalises.
        sums = (user for user in instruction.users if user.op is ops.FADD)
        if any(after.op is ops.NORMALIZE for user in sums for after in user.users):
            return "normalise the light, too: what the unit knows is normalize(normalize(light) + normalize(view))"
        dots = (user for user in instruction.users if user.op is ops.DOT)
        if any(_is_raw_uniform(other) for dot in dots for other in dot.operands):
            return f"normalize the uniform that dot() takes beside it, too: {_LENGTHS}"
        if any(value.op is ops.TEXTURE for value in values_below(instruction)):
            return "a quaternion turns a normal map, no matrix: m + 2.0 * cross(q.xyz, cross(q.xyz, m) + q.w * m)"
        return f"the lighting unit normalises the normal and the view vector alone; {_PRODUCTS_HELP}"
    if name not in _HELP:
        if fits_image:
            return _IMAGE_HELP
        if any(map(_is_eyes_distance, values_below(instruction))):
            return FOG_HELP
        if any(value.op is ops.TEXTURE for value in values_below(instruction)):
            return _TEXEL_HELP
    return FADING_HELP if any(map(is_distance, values_below(instruction))) else _HELP.get(name)


def _is_raw_uniform(value: Value) -> bool:
    """Tell whether a vector is a uniform as it is, or its opposite."""
    if isinstance(value, Instruction) and value.op is ops.FNEG:
        value = value.operands[0]
    return isinstance(value, Instruction) and value.op is ops.LOAD and value.address.variable.storage == "uniform"


def is_distance(value: Instruction) -> bool:
    """Tell whether a value is a distance in space, or its square."""
    is_square = value.op is ops.DOT and value.operands[0] is value.operands[1]
    return (value.op is ops.LENGTH or is_square) and value.operands[0].type.width == 3


def _is_eyes_distance(value: Instruction) -> bool:
    """Tell whether a value is a varying's distance from 0, or its square, and nobody asks for the direction."""
    vector = value.operands[0] if is_distance(value) else None
    if not isinstance(vector, Instruction) or any(user.op in (ops.NORMALIZE, ops.FDIV) for user in vector.users):
        return False
    return {each.address.variable.storage for each in values_below(vector) if each.op is ops.LOAD} == {"varying"}


def values_below(value: Value) -> Iterator[Instruction]:
    """What a value is computed from, itself included, but for where textures are read."""
    pending, seen = [value], {value}
    while pending:
        found = pending.pop()
        if not isinstance(found, Instruction):
            continue
        yield found
        fresh = [operand for operand in found.operands if operand not in seen and found.op is not ops.TEXTURE]
        seen.update(fresh)
        pending += fresh


def has_place(variable: Variable) -> bool:
    """Tell whether it has the place of the pixel, which nothing can compute with."""
    return variable.role == "frag_coord" or variable.name == TIMES_W


def refuse_input(load: Instruction, sink: DiagnosticSink) -> NoReturn:
    """A built-in input that does not reach the combiners."""
    variable = load.address.variable
    if variable.name == TIMES_W:
        _refuse_quotient(load, sink)
    help = _INPUT_HELP.get(variable.role)
    if variable.role == "frag_coord" and _needs(load) & _X_AND_Y:
        help = "link it with its vertex shader, which then passes x and y: up to 240 and 400 on the upper screen"
    refuse(sink, COMBINER_INPUT, load.span, name=variable.name, help=help)


def _needs(load: Instruction) -> int:
    """The mask of the components that are read."""
    assert load.block is not None
    needs: Demand = AnalysisManager(load.block.function).get(demand)
    return needs.of(load)


def _refuse_quotient(load: Instruction, sink: DiagnosticSink) -> NoReturn:
    """gl_FragCoord.xy of positions whose w is not 1, but for a coordinate of texture unit 0."""
    refuse(
        sink,
        COMBINER_INPUT,
        load.span,
        name="gl_FragCoord",
        notes=("it is divided by w of gl_Position, and nothing but texture unit 0 can divide for each pixel",),
        help="let w of gl_Position be 1.0, as for a rectangle on the screen, or read one texture there",
    )


def refuse_vector(load: Instruction, sink: DiagnosticSink) -> NoReturn:
    """A vector that the lighting unit has, read as numbers beside it."""
    help = f"give what the combiners read a varying of its own; {FADING_HELP}"
    if _is_in_product(load):
        help = f"normalize what dot() and picaSpot() take: {_LENGTHS}"
    refuse(
        sink,
        COMBINER_VARYINGS,
        load.span,
        what="components of a vector that is lit with",
        limit="them for the lighting unit alone",
        help=help,
    )


def _is_in_product(value: Instruction) -> bool:
    """Tell whether a vector, or a sum with it, is multiplied with another one."""
    return any(
        user.operands[0] is not user.operands[1]
        if user.op is ops.DOT
        else user.op in (ops.FADD, ops.FSUB, ops.FNEG) and _is_in_product(user)
        for user in value.users
    )


def refuse_output(store: Instruction, sink: DiagnosticSink) -> NoReturn:
    """An output that is not the pixel's colour."""
    construct = f"'{store.address.variable.name}': the colour is the one output"
    refuse(sink, COMBINER_OPERATION, store.span, construct=construct)


def refuse_length(instruction: Instruction, sink: DiagnosticSink) -> NoReturn:
    """A polynomial that has grown too long for six stages."""
    what = "so long a sum of products does not fit"
    help = "a loop whose rounds uniforms count, or choices between many sums: compile one program for each case"
    refuse(sink, COMBINER_STAGES, instruction.span, limit=STAGES, what=what, help=help)


def refuse_unbounded(
    instruction: Instruction, failure: Unbounded, sink: DiagnosticSink, what: str = "what the host computes here"
) -> NoReturn:
    """A number of the host, or in a table of the host's, that may be any."""
    low, high = (f"{end:g}" if isfinite(end) else "any number" for end in (failure.interval.low, failure.interval.high))
    help = "promise the ranges of its uniforms by '#pragma pica200 range NAME LOW HIGH', or clamp it"
    refuse(sink, COMBINER_RANGE, instruction.span, what=what, low=low, high=high, help=help)


def refuse_discard(span: Span | None, construct: str, sink: DiagnosticSink) -> NoReturn:
    """A discard that is no alpha test."""
    help = "compare the alpha that is written; '#pragma pica200 opaque' says that nobody else needs alpha"
    if construct == TWO_COMPARISONS:
        help = "one is done: multiply both masks into alpha, and compare that"
    refuse(sink, COMBINER_OPERATION, span, construct=f"discard by {construct}", help=help)


def report_coordinate(lookup: Instruction, sink: DiagnosticSink) -> None:
    """Say what is wrong with a coordinate."""
    below = list(values_below(lookup.operands[lookup.address.index_count]))
    operations = {value.op for value in below}
    reads_texel = ops.TEXTURE in operations
    places = [value for value in below if value.op is ops.LOAD and has_place(value.address.variable)]
    if places and not reads_texel:
        refuse_input(places[0], sink)
    construct = "computed from a texel" if reads_texel else "not linear in the varyings"
    if ops.TEXTURE in operations:
        help = "store what is found there in the first image, or compute the coordinate in the vertex shader"
    elif operations >= {ops.NORMALIZE, ops.DOT}:
        help = "write the ramp as a function, with smoothstep or choices: of one dot(normal, light) it is a table"
    elif operations & _REPEATS:
        help = "let the texture repeat (GPU_REPEAT), and leave out fract and mod"
    else:
        help = "compute it in the vertex shader, on a mesh that is fine enough"
    sink.report(COMBINER_COORDINATES, lookup.span, target=TARGET_NAME, construct=construct, help=help)
