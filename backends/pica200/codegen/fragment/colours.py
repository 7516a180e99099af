"""The primary colour: what varies and is no texture coordinate, in four numbers from 0 to 1.

In: a fragment module whose texture coordinates are outputs of the rasteriser.  Out: the module reads `$color` in the
place of varyings; and what the vertex shader writes there.

A vector of three keeps red, green and blue, so that the colour combiners can read it as one; what is left fills the
gaps.  Where the numbers are more than four, affine functions of them are tried: `v_a + v_b` is three numbers, not
six. The machine holds 0 to 1: of what lies in 0 to 2 the vertex shader leaves the half, of what lies in -1 to 1 the
half and a half more (`scales.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from backends.pica200.codegen.abi import TARGET_NAME
from backends.pica200.codegen.fragment.promises import PLACE
from backends.pica200.codegen.fragment.scales import Scale, scales_of
from backends.pica200.codegen.output_semantics import RASTERISER
from backends.pica200.isa.fragment.combiners import CHANNELS
from compiler.analysis.affine import AffineForms, Term, terms_below
from compiler.analysis.demand import Demand, demand
from compiler.analysis.manager import AnalysisManager
from compiler.analysis.ranges import Interval
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.limits import COMBINER_VARYINGS
from compiler.ir import ops
from compiler.ir.builder import Builder
from compiler.ir.module import Instruction, Module, Value
from compiler.ir.types import FLOAT
from compiler.ir.variables import Variable
from compiler.lowering.interface.at_vertices import AtVertices
from compiler.records import dataclass

COLOUR = f"{RASTERISER}color"


@dataclass(frozen=True, slots=True)
class _Group:
    """Numbers that are read together."""

    value: Instruction
    #: By component; None for those that nobody reads.
    terms: tuple[Term | None, ...]

    @property
    def needed(self) -> list[Term]:
        return [term for term in self.terms if term is not None]


def replace_colours(module: Module, ranges: Mapping[Variable, Interval], sink: DiagnosticSink) -> list[AtVertices]:
    """Let the module read the colour; what does not fit is reported and raised."""
    forms, needs = AffineForms(module.main), AnalysisManager(module.main).get(demand)
    loads = [i for i in module.main.instructions() if _is_varying(i) and needs.of(i)]
    if not loads:
        return []
    ways = [_groups(loads, forms, needs), _groups(_frontier(module, forms, needs), forms, needs)]
    if any(load.address.variable.name in PLACE for load in loads):
        # Hundreds of pixels are nothing for a byte; what is made of them may be.
        ways.reverse()
    for groups in ways:
        places = None if groups is None else _packed(groups)
        if groups is not None and places is not None:
            scales = scales_of(list(places), module, ranges)
            width = 1 + max(places.values())
            variable = module.add_variable(Variable(COLOUR, "varying", FLOAT.with_width(width), precision="lowp"))
            for group in groups:
                builder = Builder.before(group.value)
                channels = [0 if term is None else places[term] for term in group.terms]
                colour = builder.load(variable)
                value = colour if channels == list(range(colour.type.width)) else builder.swizzle(colour, channels)
                group.value.replace_all_uses_with(
                    _unscaled(builder, value, [None if term is None else scales[term] for term in group.terms])
                )
            left = {channel: scales[term].at_vertices(term, forms.arithmetic) for term, channel in places.items()}
            gap = forms.arithmetic.fconst(1.0)
            return [AtVertices(variable, tuple(left.get(channel, gap) for channel in range(width)))]
    _refuse(loads, needs, sink)
    raise AssertionError("the sink raises")


def is_output(variable: Variable) -> bool:
    """Whether a varying is an output of the rasteriser."""
    return variable.storage == "varying" and variable.name.startswith(RASTERISER)


def _is_varying(instruction: Instruction) -> bool:
    if instruction.op is not ops.LOAD or instruction.address.variable.storage != "varying":
        return False
    return not is_output(instruction.address.variable)


def _refuse(loads: Iterable[Instruction], needs: Demand, sink: DiagnosticSink) -> None:
    numbers: dict[Variable, int] = {}
    for load in loads:
        numbers[load.address.variable] = numbers.get(load.address.variable, 0) | needs.of(load)
    names = ", ".join(f"'{variable.name}'" for variable in numbers)
    last = [*numbers][-1]
    sink.report(
        COMBINER_VARYINGS,
        last.span,
        help="put one of them into a texture, or combine them in the vertex shader",
        what=f"{sum(mask.bit_count() for mask in numbers.values())} numbers ({names})",
        target=TARGET_NAME,
        limit=f"a colour of {len(CHANNELS)}",
    )
    sink.raise_if_errors()


# ------------------------------------------------------------------------------------ what is read
def _groups(values: Iterable[Instruction] | None, forms: AffineForms, needs: Demand) -> list[_Group] | None:
    """None where a value is no affine function."""
    if values is None:
        return None
    groups = []
    for value in values:
        mask = needs.of(value)
        found = [form if mask >> c & 1 else None for c, form in enumerate(forms.of(value))]
        terms = tuple(form if isinstance(form, Term) else None for form in found)
        if sum(term is not None for term in terms) < (mask & value.type.mask).bit_count():
            return None
        groups.append(_Group(value, terms))
    return groups


def _frontier(module: Module, forms: AffineForms, needs: Demand) -> list[Instruction] | None:
    """The last affine values: those that something else than an affine function reads; coordinates have theirs."""
    varying, found = _varying(module, forms), []
    for value in module.main.instructions():
        if not value.type.width or not needs.of(value):
            continue
        if value in varying:
            if any(user not in varying and (not user.type.width or needs.of(user) != 0) for user in value.users):
                found.append(value)
        elif _is_varying(value):
            return None
    return found


def _varying(module: Module, forms: AffineForms) -> set[Instruction]:
    """The values all of whose components are affine, and of which some vary, by no output of the rasteriser."""
    terms: dict[Instruction, list[Term]] = {}
    for value in module.main.instructions():
        found = [form for form in forms.of(value) if isinstance(form, Term)]
        if len(found) >= value.type.width and any(term.degree for term in found):
            terms[value] = found
    outputs: set[Term] = set()
    for term in terms_below(chain.from_iterable(terms.values())):
        if (term.part is not None and is_output(term.part.variable)) or not outputs.isdisjoint(term.operands):
            outputs.add(term)
    return {value for value, found in terms.items() if outputs.isdisjoint(found)}


# ------------------------------------------------------------------------------------ places
def _packed(groups: Sequence[_Group]) -> Mapping[Term, int] | None:
    """Term -> channel; None where there are too many."""
    wide = [g for g in groups if len(g.terms) >= 3 and len(g.needed) >= 3]
    places: dict[Term, int] = {}
    # The widest first, each component in its own place if that is free.
    for group in sorted(wide, key=lambda g: -len(g.needed)) + [g for g in groups if g not in wide]:
        for component, term in enumerate(group.terms):
            if term is None or term in places:
                continue
            free = [channel for channel in range(len(CHANNELS)) if channel not in places.values()]
            if not free:
                return None
            is_scalar = group.value.type.is_scalar
            places[term] = component if component in free and not is_scalar else free[-1 if is_scalar else 0]
    return places


# ------------------------------------------------------------------------------------ rewriting
def _unscaled(builder: Builder, value: Value, scales: list[Scale | None]) -> Value:
    """The numbers of a vector, each by its own scale where they differ."""
    different = {scale for scale in scales if scale is not None}
    if len(different) == 1:
        return different.pop().at_pixels(builder, value)
    parts = [builder.extract(value, component) for component in range(value.type.width)]
    return builder.construct(*(s.at_pixels(builder, p) if s else p for s, p in zip(scales, parts, strict=True)))
