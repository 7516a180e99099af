"""Who reads programs, and what each of them does not take beyond the rules of the validator.

- `air`: Adobe's runtime, whose rules are the validator's.
- `baselineConstrained`: its profile for hardware of shader model 2.0, whose limits count what becomes of a fragment
  program there: 64 arithmetic instructions (comparisons are two), 32 lookups, of which each may need the result of
  another, four deep.
- `openfl`: OpenFL writes GLSL.  It reads version 1, and declares each constant register once: as a vector, as a matrix
  of four rows, or as an array that begins there.  A matrix whose first row has been read as a vector before becomes
  vectors and dot products; one that has not is a `mat4`, which GLSL multiplies by four components only (`m33` takes
  its `mat3`, which GLSL ES 1.00 reserves and browsers take).  Attributes have the locations of their numbers, so a
  `mat4` among them takes those of its rows, which WebGL gives to nothing else.  Lookups have all four components and no
  bias.
- `ruffle`: Ruffle writes WGSL.  It reads versions 1 and 2, the latter with the registers of the former but for
  temporaries.  `dp3` and matrices take attributes as wide as the host's stream is, and what an instruction writes to a
  single component is the first component of its result.

In: a program, and the widths of its attributes.  Out: objections, each with the token that it is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from glslc_multi.backends.agal.isa.program import Program, Source, Token, decode
from glslc_multi.backends.agal.isa.registers import (
    ATTRIBUTE,
    BY_TYPE,
    COMPONENTS,
    CONSTANT,
    DEPTH,
    FULL_MASK,
    OUTPUT,
    SAMPLER,
    TEMPORARY,
    Stage,
    components_of,
)
from glslc_multi.compiler.records import dataclass, field

#: Attribute -> components of its stream.
Widths = Mapping[int, int]


class Objection(NamedTuple):
    """Why a consumer does not take a program, or does other than it says; None: the program as a whole."""

    reason: str
    token: int | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """A program as its consumers see it."""

    stage: Stage
    tokens: tuple[Token, ...]
    widths: Widths


Check = Callable[[Reading], Iterator[Objection]]


@dataclass(frozen=True, slots=True)
class Consumer:
    """A reader of programs."""

    name: str
    versions: tuple[int, ...]
    #: Registers, where it has less than the version.
    sizes: Mapping[tuple[Stage, int], int] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()
    #: Whether only those who name it want to know of it.
    on_demand: bool = False

    def objections(self, program: Program, widths: Widths) -> list[Objection]:
        """What it has against a valid program."""
        if program.version not in self.versions:
            return [Objection(f"it reads version {' and '.join(map(str, self.versions))} only")]
        tokens = tuple(token for token in map(decode, program.words) if token is not None)
        reading = Reading(program.stage, tokens, widths)
        return [*self._missing_registers(reading), *(found for check in self.checks for found in check(reading))]

    def _missing_registers(self, reading: Reading) -> Iterator[Objection]:
        for (stage, type), size in self.sizes.items():
            last = [max(_numbers(token, type), default=-1) for token in reading.tokens]
            if stage == reading.stage and max(last, default=-1) >= size:
                place, bank = next(i for i, number in enumerate(last) if number >= size), BY_TYPE[stage, type]
                has = (
                    f"its last register of that kind is {bank.spell(size - 1)}" if size else "it has none of that kind"
                )
                yield Objection(f"the program needs {bank.spell(max(last))}, and {has}", place)


def _numbers(token: Token, type: int) -> Iterator[int]:
    """The registers of a type that a token names."""
    for operand in token.operands:
        if isinstance(operand, Source) and operand.type == type:
            rows = token.instruction.rows if operand is token.operands[-1] else 1
            yield (operand.offset if operand.indirect else operand.number) + rows - 1
        elif not isinstance(operand, Source) and operand.type == type:
            yield operand.number


# --- Shader model 2.0 -------------------------------------------------------------------------------------------------

_ARITHMETIC, _LOOKUPS, _DEEPEST = 64, 32, 4
_COMPARISONS = frozenset({"sge", "slt", "seq", "sne"})


def _shader_model_2(reading: Reading) -> Iterator[Objection]:
    if reading.stage != "fragment":
        return
    lookups = sum(token.sampler is not None for token in reading.tokens)
    twice = sum(token.instruction.name in _COMPARISONS for token in reading.tokens)
    # How many lookups follow from each other; a comparison of version 1 is no jump, so all tokens run in order.
    depth: dict[tuple[int, int], int] = {}
    for token in reading.tokens:
        read = [(source.number, c) for source in token.sources if source.type == TEMPORARY for c in _read(source)]
        deepest = max((depth.get(component, 0) for component in read), default=0) + (token.sampler is not None)
        for component in token.destination.components if token.destination else ():
            if token.destination and token.destination.type == TEMPORARY:
                depth[token.destination.number, component] = deepest
    needs = (
        (len(reading.tokens) - lookups + twice, _ARITHMETIC, "arithmetic instructions"),
        (lookups, _LOOKUPS, "lookups"),
        (max(depth.values(), default=0), _DEEPEST, "lookups of which each needs the result of the one before"),
    )
    for need, limit, what in needs:
        if need > limit:
            yield Objection(f"the program has {need} {what}, and {limit} fit")


def _read(source: Source, slots: int = len(COMPONENTS)) -> tuple[int, ...]:
    """The components that the first slots of a source read."""
    return components_of(source.swizzle)[:slots]


# --- Lookups ----------------------------------------------------------------------------------------------------------


def _biases(reading: Reading) -> Iterator[Objection]:
    for index, token in enumerate(reading.tokens):
        if token.sampler is not None and token.sampler.bias:
            yield Objection("it leaves out the bias of lookups", index)
            return


# --- OpenFL -----------------------------------------------------------------------------------------------------------

_VECTOR, _MATRIX, _ARRAY, _ROW = "a vector", "a matrix", "the beginning of an array", "a row of a matrix"


def _one_declaration(reading: Reading) -> Iterator[Objection]:
    """Registers that are declared in two ways, and products that GLSL does not have."""
    declared: dict[tuple[int, int], str] = {}
    for index, token in enumerate(reading.tokens):
        for type, number, use in _declarations(token, declared):
            known = declared.setdefault((type, number), use)
            if known != use:
                name = BY_TYPE[reading.stage, type].spell(number)
                yield Objection(f"{name} is {known} in one place and {use} in another", index)
                return
        if _has_no_product(token, declared):
            yield Objection(
                f"{token.instruction.name} is a product of a vector and a matrix of other sizes there", index
            )
            return


def _declarations(token: Token, declared: Mapping[tuple[int, int], str]) -> Iterator[tuple[int, int, str]]:
    """Register type, number and use of each register that a token reads or writes, in the order of the reader."""
    if token.destination is not None:
        yield token.destination.type, token.destination.number, _VECTOR
    for source in token.sources:
        if source.indirect:
            yield source.index_type, source.number, _VECTOR
            yield source.type, source.offset, _ARRAY
        elif source is not token.sources[-1] or token.instruction.rows == 1:
            yield source.type, source.number, _VECTOR
        elif declared.get((source.type, source.number)) == _VECTOR:
            yield from ((source.type, source.number + row, _VECTOR) for row in range(token.instruction.rows))
        else:
            yield source.type, source.number, _MATRIX
            rows = len(COMPONENTS) if source.type == ATTRIBUTE else 1
            yield from ((source.type, source.number + row, _ROW) for row in range(1, rows))


def _has_no_product(token: Token, declared: Mapping[tuple[int, int], str]) -> bool:
    """Whether the types of a product with a matrix do not go together in GLSL ES."""
    if token.instruction.rows == 1 or token.destination is None:
        return False
    matrix = token.sources[-1]
    if token.instruction.rows == 4 and token.destination.mask != FULL_MASK:
        return True
    is_matrix = not matrix.indirect and declared.get((matrix.type, matrix.number)) == _MATRIX
    return is_matrix and token.instruction.name == "m34"


def _whole_lookups(reading: Reading) -> Iterator[Objection]:
    for index, token in enumerate(reading.tokens):
        if token.sampler is not None and token.destination is not None and token.destination.mask != FULL_MASK:
            yield Objection("a lookup writes all four components there", index)
            return


# --- Ruffle -----------------------------------------------------------------------------------------------------------


def _narrow_attributes(reading: Reading) -> Iterator[Objection]:
    """Components that a stream lacks, where they are not filled up; a stream of one component has no swizzle."""
    for index, token in enumerate(reading.tokens):
        for source, number, slots in _as_wide_as_streams(token):
            width = reading.widths.get(number, len(COMPONENTS)) if source.type == ATTRIBUTE else len(COMPONENTS)
            if width == 1 or max(_read(source, slots)) >= width:
                name = BY_TYPE[reading.stage, ATTRIBUTE].spell(number)
                yield Objection(f"{token.instruction.name} reads more of {name} than its stream has", index)


def _as_wide_as_streams(token: Token) -> Iterator[tuple[Source, int, int]]:
    """Sources that are not filled up to four components, with their registers and how many of their slots count."""
    if token.instruction.name == "dp3":
        yield from ((source, source.number, 3) for source in token.sources)
    elif token.instruction.rows > 1:
        matrix, slots = token.sources[-1], 3 if token.instruction.name == "m33" else 4
        yield from ((matrix, matrix.number + row, slots) for row in range(token.instruction.rows))


def _lone_components(reading: Reading) -> Iterator[Objection]:
    """What is written to one component only is the first one of the result."""
    for index, token in enumerate(reading.tokens):
        target = token.destination
        if target is None or len(target.components) != 1 or token.instruction.name in ("dp3", "dp4"):
            continue
        (component,) = target.components
        is_whole = token.sampler is not None or token.instruction.rows > 1
        sources = () if is_whole else token.sources
        if (is_whole and component) or any(_read(source)[0] != _read(source)[component] for source in sources):
            name = COMPONENTS[component]
            yield Objection(f"{token.instruction.name} gives {name} what would be of x", index)


CONSUMERS: tuple[Consumer, ...] = (
    Consumer("air", (1, 2, 3)),
    Consumer("baselineConstrained", (1,), checks=(_shader_model_2,), on_demand=True),
    Consumer("openfl", (1,), checks=(_one_declaration, _whole_lookups, _biases)),
    Consumer(
        "ruffle",
        (1, 2),
        {
            ("vertex", ATTRIBUTE): 8,
            ("vertex", CONSTANT): 128,
            ("fragment", CONSTANT): 28,
            ("fragment", SAMPLER): 8,
            ("fragment", OUTPUT): 1,
            ("fragment", DEPTH): 0,
        },
        (_narrow_attributes, _lone_components, _biases),
    ),
)
BY_NAME: Mapping[str, Consumer] = {consumer.name: consumer for consumer in CONSUMERS}
