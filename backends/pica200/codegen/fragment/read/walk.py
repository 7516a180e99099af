"""From a flat block to what is asked of the search: the pixel as polynomials, and when it is discarded.

The block is walked once, every operation that the result needs by its meaning in the arithmetic of pixels.  What the
combiners read is an atom: a channel of a texture, of the interpolated colour, or of the lighting unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn, cast

from glslc_multi.backends.pica200.codegen.fragment.read.arithmetic import (
    ALGEBRA,
    FALSE,
    JUMPING,
    Condition,
    HostTruth,
    Inexpressible,
    PixelArithmetic,
    PixelValue,
    TooLong,
    differences,
    disjunction,
)
from glslc_multi.backends.pica200.codegen.fragment.read.clamps import jumps_of
from glslc_multi.backends.pica200.codegen.fragment.read.hosting import Host, Unbounded
from glslc_multi.backends.pica200.codegen.fragment.read.polynomials import (
    BY_KEY,
    ZERO,
    Atom,
    Channel,
    Polynomial,
    Rgb,
    all_atoms,
    polynomial,
    rational,
)
from glslc_multi.backends.pica200.codegen.fragment.read.refusals import (
    has_place,
    refuse_input,
    refuse_length,
    refuse_operation,
    refuse_output,
    refuse_unbounded,
    refuse_vector,
)
from glslc_multi.backends.pica200.codegen.fragment.read.steps import with_steps
from glslc_multi.backends.pica200.codegen.output_semantics import RASTERISER
from glslc_multi.backends.pica200.isa.fragment.combiners import CHANNELS, LIGHTING_SOURCES
from glslc_multi.compiler.analysis.component_sources import source
from glslc_multi.compiler.analysis.ranges import ANY_FLOAT
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink, Span
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.ir.variables import MACHINE, Variable
from glslc_multi.compiler.records import dataclass

if TYPE_CHECKING:
    from glslc_multi.compiler.arithmetic.protocol import Arithmetic

#: The output of the rasteriser that is no coordinate.
COLOUR = f"{RASTERISER}color"
#: Sums and products of the host stay polynomials while they are short.
_SHORT = 8
#: Names the leaf of a pixel: a component of a lookup or of a varying that was loaded.
NameLeaf = Callable[[Instruction, int], Atom]
#: The numbers of a literal's components.
MakeLiteral = Callable[[Sequence[Fraction]], Sequence[Polynomial]]
#: What other units of the machine compute, by instruction: the numbers of its components.
Given = Mapping[Instruction, Sequence[PixelValue]]


def is_output(variable: Variable) -> bool:
    """Tell whether a varying is an output of the rasteriser."""
    return variable.storage == "varying" and variable.name.startswith(RASTERISER)


def lighting_source(variable: Variable) -> str | None:
    return LIGHTING_SOURCES.get(variable.name) if variable.role == MACHINE else None


def provisional(sink: DiagnosticSink) -> NameLeaf:
    """Before textures have units and varyings channels: every number is a channel of its own."""

    def name(leaf: Instruction, part: int) -> Atom:
        _check_input(leaf, sink)
        return Channel(f"%{leaf.id}", CHANNELS[part])

    return name


def final(unit_of: Mapping[Instruction, int], sink: DiagnosticSink) -> NameLeaf:
    """As combiners name them."""

    def name(leaf: Instruction, part: int) -> Atom:
        _check_input(leaf, sink)
        if leaf.op is ops.TEXTURE:
            return Channel(f"texture{unit_of[leaf]}", CHANNELS[part])
        variable = leaf.address.variable
        source = lighting_source(variable)
        if not source and variable.name != COLOUR:
            refuse_vector(leaf, sink)
        return Channel(source or "primary", CHANNELS[part])

    return name


def _check_input(leaf: Instruction, sink: DiagnosticSink) -> None:
    if leaf.op is not ops.LOAD:
        return
    variable = leaf.address.variable
    if has_place(variable) or (variable.storage == "input" and not lighting_source(variable)):
        refuse_input(leaf, sink)


@dataclass(frozen=True, slots=True)
class Pixel:
    """What a fragment shader leaves."""

    colour: Rgb
    #: None where the shader does not write it.
    alpha: Polynomial | None
    #: Where the pixel is not drawn.
    discard: Condition
    discard_span: Span | None
    colour_span: Span | None


class Walk:
    """The values of a block's instructions, computed in order."""

    def __init__(
        self,
        host: Host,
        name_leaf: NameLeaf,
        sink: DiagnosticSink,
        given: Given,
        fits_image: Callable[[Instruction], bool],
        literal: MakeLiteral | None = None,
        known: Mapping[Value, list[PixelValue]] | None = None,
    ) -> None:
        self._host = host
        self._given, self._fits_image = given, fits_image
        self._literal = literal or (lambda values: list(map(polynomial, values)))
        #: What values are with the literals themselves.
        self._known = known or {}
        self._name_leaf = name_leaf
        self._sink = sink
        self._arithmetic = PixelArithmetic(host, may_jump=True)
        #: Where they come from.
        self._jumps: dict[Atom, Instruction] = {}
        #: Of those the ones between two bytes, which are ramps.
        self._steps: list[Instruction] = []
        self.values: dict[Value, list[PixelValue]] = {}
        self._discard: Condition = FALSE
        self._discard_span: Span | None = None
        self._stored: Value | None = None
        self._span: Span | None = None

    def pixel(self, block: Block) -> Pixel:
        """What the block leaves."""
        needed = _needed(block, self._given)
        for instruction in block:
            if instruction.op is ops.KILL:
                (condition,) = self._components(instruction.operands[0])
                assert not isinstance(condition, Polynomial)
                self._discard = disjunction(self._discard, condition)
                self._discard_span = self._discard_span or instruction.span
            elif instruction.op is ops.STORE:
                variable = instruction.address.variable
                number = (variable.location or 0) + instruction.address.offset
                if variable.role not in ("frag_color", "frag_data") or number > 0:
                    refuse_output(instruction, sink=self._sink)
                self._stored, self._span = instruction.operands[-1], instruction.span
            elif instruction in needed:
                self.values[instruction] = self._value(instruction)
        written = (self._output(component) for component in range(4))
        colour = [None if part is None else self._with_steps(part) for part in written]
        self._check([*colour, *differences(self._discard)])
        # What the shader leaves open is as what it writes.
        first = next((part for part in colour[:3] if part is not None), ZERO)
        rgb = tuple(first if part is None else part for part in colour[:3])
        return Pixel(rgb, colour[3], self._discard, self._discard_span, self._span)

    def general_colour(self, block: Block, literal: MakeLiteral) -> Rgb | None:
        """The pixel's colour with other numbers for literals; None where there is nothing such."""
        try:
            walk = Walk(
                self._host, self._name_leaf, DiagnosticSink(), self._given, self._fits_image, literal, self.values
            )
            return walk.pixel(block).colour
        except CompileError:
            return None

    def _with_steps(self, value: Polynomial) -> Polynomial:
        value_with_steps = with_steps(value, self._host)
        gone = all_atoms(value) - all_atoms(value_with_steps)
        self._steps += [self._jumps[atom] for atom in sorted(gone, key=BY_KEY) if atom in self._jumps]
        return value_with_steps

    @property
    def has_steps(self) -> bool:
        """Tell whether the pixel has a choice between bytes."""
        return bool(self._steps)

    def refuse_steps(self) -> None:
        """Report a choice between bytes, of which the pixel has too many stages or errors."""
        for instruction in self._steps:
            self._refuse(instruction, JUMPING)

    def _output(self, component: int) -> Polynomial | None:
        """A component of the colour; None where the shader leaves it open."""
        stored = self._stored
        if stored is None:
            return None
        value, part = source(stored, component)
        if isinstance(value, Constant) and value.components[part] is None:
            return None
        component_value = self._components(stored)[component]
        assert isinstance(component_value, Polynomial)
        return component_value

    # values ----------------------------------------------------------------------------------
    def _components(self, value: Value) -> list[PixelValue]:
        if isinstance(value, Constant):
            # What is undefined reads as 0, as everywhere.
            kind = value.type.kind
            if kind == "bool":
                return [self._arithmetic.bconst(bool(component)) for component in value.components]
            return list(self._literal([rational(float(component or 0)) for component in value.components]))
        return self.values[value]

    def _value(self, instruction: Instruction) -> list[PixelValue]:
        try:
            if instruction in self._given:
                return list(self._given[instruction])
            if instruction in self._host.values:
                return self._of_host(instruction)
            if instruction.op in (ops.TEXTURE, ops.LOAD):
                return [polynomial(self._name_leaf(instruction, part)) for part in range(instruction.type.width)]
            return self._computed(instruction)
        except Unbounded as failure:
            refuse_unbounded(instruction, failure, self._sink)
        except Inexpressible as failure:
            self._refuse(instruction, str(failure))
        except TooLong:
            for jump in self._jumps.values():
                self._refuse(jump, JUMPING)
            refuse_length(instruction, self._sink)

    def _of_host(self, instruction: Instruction) -> list[PixelValue]:
        """Polynomials while they are short; else, and for everything but sums and products, atoms."""
        if instruction.op in ALGEBRA and instruction.type.kind == "float":
            numbers = self._computed(instruction)
            if all(isinstance(part, Polynomial) and len(part.terms) <= _SHORT for part in numbers):
                return numbers
        if instruction in self._known:
            # An atom that the other walk has not would be taken for a number of its own.
            return self._known[instruction]
        if instruction.type.kind == "int":
            return []
        atoms = [self._atom(instruction, part) for part in range(instruction.type.width)]
        return [HostTruth(atom) for atom in atoms] if instruction.type.kind == "bool" else list(atoms)

    def _atom(self, instruction: Instruction, part: int) -> Polynomial:
        try:
            return self._host.atom(instruction, part)
        except Unbounded:
            return self._host.atom_of_any(instruction, part)

    def _check(self, results: Iterable[Polynomial | None]) -> None:
        """What may be any number, or jumps, must not have come as far as the result."""
        for atom in (atom for result in results if result is not None for atom in sorted(all_atoms(result))):
            if atom in self._host.unbounded:
                refuse_unbounded(self._host.unbounded[atom], Unbounded(ANY_FLOAT), self._sink)
            if atom in self._jumps:
                self._refuse(self._jumps[atom], JUMPING)

    def _refuse(self, instruction: Instruction, construct: str) -> NoReturn:
        refuse_operation(instruction, construct, self._fits_image(instruction), self._sink)

    def _computed(self, instruction: Instruction) -> list[PixelValue]:
        if not instruction.op.has_semantics:
            raise Inexpressible("")
        if any(operand.type.kind == "int" for operand in instruction.operands):
            raise Inexpressible("whole numbers")
        operands = [self._components(operand) for operand in instruction.operands]
        arithmetic = cast("Arithmetic", self._arithmetic)
        numbers: list[PixelValue] = ops.evaluate(instruction.op, arithmetic, instruction.attribute, operands)
        for jump in (jump for part in numbers if isinstance(part, Polynomial) for jump in jumps_of(part)):
            self._jumps.setdefault(jump, instruction)
        return numbers


def _needed(block: Block, given: Given) -> set[Value]:
    """What the result is made of; how a texture is read is no business of the combiners."""
    needed: set[Value] = set()
    for instruction in reversed(block):
        is_made = instruction in needed and instruction.op is not ops.TEXTURE and instruction not in given
        if instruction.op in (ops.KILL, ops.STORE) or is_made:
            needed.update(instruction.operands)
    return needed
