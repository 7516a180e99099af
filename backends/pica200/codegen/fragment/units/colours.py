"""The primary colour: what varies and is no texture coordinate, in four numbers from 0 to 1.

In: a fragment module whose texture coordinates are outputs of the rasteriser.  Out: the module reads `$color` in the
place of varyings; and what the vertex shader writes there.

A vector of three keeps red, green and blue, so that the colour combiners can read it as one; what is left fills the
gaps.  Where the numbers are more than four, affine functions of them are tried: `v_a + v_b` is three numbers, not
six. The machine holds 0 to 1: of what lies in 0 to 2 the vertex shader leaves the half, of what lies in -1 to 1 the
half and a half more, which combiners multiply by for free.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import ceil, isfinite, log2

from glslc_multi.backends.pica200.codegen.abi import TARGET_NAME
from glslc_multi.backends.pica200.codegen.fragment.read.promises import PLACE
from glslc_multi.backends.pica200.codegen.fragment.read.walk import COLOUR, is_output
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS
from glslc_multi.compiler.analysis.affine import (
    AffineArithmetic,
    AffineForms,
    Part,
    Shared,
    Term,
    evaluate_terms,
    terms_below,
)
from glslc_multi.compiler.analysis.demand import Demand, demand
from glslc_multi.compiler.analysis.manager import AnalysisManager
from glslc_multi.compiler.analysis.ranges import INTERVALS, Interval, value_ranges
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.diagnostics.catalogue.limits import COMBINER_VARYINGS
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder
from glslc_multi.compiler.ir.module import Constant, Instruction, Module, Value
from glslc_multi.compiler.ir.types import FLOAT
from glslc_multi.compiler.ir.variables import Variable
from glslc_multi.compiler.lowering.interface.at_vertices import AtVertices
from glslc_multi.compiler.records import dataclass

#: What is promised of numbers that nobody says more of.
_UNIT = Interval(0.0, 1.0)


# --- Scales -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from -size to size, or from 0 to size."""

    size: float
    is_signed: bool

    @property
    def changes(self) -> bool:
        return self.is_signed or self.size > 1

    def at_vertices(self, term: Term, arithmetic: AffineArithmetic) -> Term:
        """What the vertex shader leaves of a number."""
        if not self.changes:
            return term
        shifted = arithmetic.fadd(term, arithmetic.fconst(self.size)) if self.is_signed else term
        scaled = arithmetic.fmul(shifted, arithmetic.fconst(1 / self._span))
        assert isinstance(scaled, Term), "it is affine"
        return scaled

    def at_pixels(self, builder: Builder, value: Value) -> Value:
        """The number again."""
        if not self.changes:
            return value
        scaled = builder.op(ops.FMUL, value, Constant.splat(value.type, self._span))
        return builder.op(ops.FSUB, scaled, Constant.splat(value.type, self.size)) if self.is_signed else scaled

    @property
    def _span(self) -> float:
        return self.size * 2 if self.is_signed else self.size


def scales_of(terms: Sequence[Term], module: Module, ranges: Mapping[Variable, Interval]) -> dict[Term, Scale]:
    """By the ranges that follow from what is promised of uniforms and varyings."""
    shared = value_ranges(module.main, AnalysisManager(module.main), ranges)

    def of_leaf(term: Term) -> Interval:
        if isinstance(term.leaf, Part):
            return ranges.get(term.leaf.variable, _UNIT)
        assert isinstance(term.leaf, Shared), "constants are no business of this function"
        return shared.of(term.leaf.instruction)[term.leaf.component]

    intervals = evaluate_terms(terms, INTERVALS, of_leaf)
    return {term: _scale_of(intervals[term]) for term in terms}


def _scale_of(interval: Interval) -> Scale:
    """What may be any number is taken to lie in 0 to 1, as varyings are of which nothing is promised."""
    largest = max(abs(interval.low), abs(interval.high), 1.0)
    if interval.nan or not isfinite(largest):
        return Scale(1.0, is_signed=False)
    return Scale(2.0 ** ceil(log2(largest)), interval.low < 0)


# --- The colour -------------------------------------------------------------------------------------------------------


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


# --- What is read -----------------------------------------------------------------------------------------------------


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


# --- Places -----------------------------------------------------------------------------------------------------------


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


# --- Rewriting --------------------------------------------------------------------------------------------------------


def _unscaled(builder: Builder, value: Value, scales: list[Scale | None]) -> Value:
    """The numbers of a vector, each by its own scale where they differ."""
    different = {scale for scale in scales if scale is not None}
    if len(different) == 1:
        return different.pop().at_pixels(builder, value)
    parts = [builder.extract(value, component) for component in range(value.type.width)]
    return builder.construct(*(s.at_pixels(builder, p) if s else p for s, p in zip(scales, parts, strict=True)))
