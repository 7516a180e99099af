"""A program as plain data, and its tokens taken apart and put together."""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from glslc_multi.backends.agal.isa import instructions
from glslc_multi.backends.agal.isa.registers import COMPONENTS, FULL_MASK, IDENTITY, Stage
from glslc_multi.compiler.isa.fields import Row
from glslc_multi.compiler.records import dataclass, fields

if TYPE_CHECKING:
    from glslc_multi.compiler.diagnostics import Span

#: The comment of assembly text that names version and stage.
HEADER = "// agal {version} {stage}"


#: By mask, the numbers of its components.
_COMPONENTS = [tuple(c for c in range(len(COMPONENTS)) if mask >> c & 1) for mask in range(FULL_MASK + 1)]


@dataclass(frozen=True, slots=True)
class Program:
    """A stage's program: its tokens as integers of 192 bits, and where each stands in a text (if it came from one)."""

    stage: Stage
    version: int
    words: tuple[int, ...]
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Destination:
    """What a token writes."""

    type: int
    number: int
    mask: int = FULL_MASK

    @property
    def components(self) -> tuple[int, ...]:
        """The numbers of the written components."""
        return _COMPONENTS[self.mask]


@dataclass(frozen=True, slots=True)
class Source:
    """What a token reads; when `indirect`, `number` and the `index_` fields name the index register."""

    type: int
    number: int
    swizzle: int = IDENTITY
    indirect: int = 0
    offset: int = 0
    index_type: int = 0
    index_component: int = 0


@dataclass(frozen=True, slots=True)
class Sampler:
    """A sampler and how it reads its texture; `bias` counts eighths."""

    number: int
    bias: int = 0
    type: int = 5
    format: int = 0
    dimension: int = 0
    special: int = 0
    wrap: int = 0
    mip: int = 0
    filter: int = 0


Operand = Destination | Source | Sampler
_OPERAND_OF: dict[str, type[Operand]] = {"D": Destination, "a": Source, "b": Source, "s": Sampler}
_ATTRIBUTES = {kind: [field.name for field in fields(kind)] for kind in (Destination, Source, Sampler)}
#: Letter of an operand -> the values of its attributes, where they are in a part of a token, the part's lowest bit.
_CODES = {
    letter: (
        attrgetter(*_ATTRIBUTES[kind]),
        Row(instructions.PARTS[letter][0], _ATTRIBUTES[kind]),
        instructions.PARTS[letter][1],
    )
    for letter, kind in _OPERAND_OF.items()
}


@dataclass(frozen=True, slots=True)
class Token:
    """One instruction with its operands in the order of its shape."""

    instruction: instructions.Instruction
    operands: tuple[Operand, ...]

    @property
    def destination(self) -> Destination | None:
        first = self.operands[0] if self.operands else None
        return first if isinstance(first, Destination) else None

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple([operand for operand in self.operands if isinstance(operand, Source)])

    @property
    def sampler(self) -> Sampler | None:
        last = self.operands[-1] if self.operands else None
        return last if isinstance(last, Sampler) else None


def encode(token: Token) -> int:
    """The token as an integer; raises `FieldError` for values that do not fit."""
    instruction = token.instruction
    word = instruction.code
    for letter, operand in zip(instruction.operands, token.operands, strict=True):
        word |= _encode_operand(letter, operand)
    return word


# Programs are long, but name few operands: each is made, encoded and decoded once.
@lru_cache(maxsize=1 << 12)
def direct_source(type: int, number: int, swizzle: int) -> Source:
    """A source that is no `indirect` one."""
    return Source(type, number, swizzle)


@lru_cache(maxsize=1 << 12)
def _encode_operand(letter: str, operand: Operand) -> int:
    """The bits of a token that are an operand."""
    values, row, low = _CODES[letter]
    return row.encode(values(operand)) << low


@lru_cache(maxsize=1 << 12)
def decode_operand(letter: str, part: int) -> Operand:
    """The operand that a part of a token is, if its shape has this letter there."""
    _, row, _ = _CODES[letter]
    return _OPERAND_OF[letter](*row.decode(part))


@lru_cache(maxsize=1 << 12)
def decode(word: int) -> Token | None:
    """The token that `word` is, bits that no field owns ignored; None for an unknown opcode."""
    instruction = instructions.find(word)
    if instruction is None:
        return None
    return Token(
        instruction,
        tuple([decode_operand(letter, instructions.part_of(word, letter)) for letter in instruction.operands]),
    )


def samplers_of(program: Program) -> dict[int, Sampler]:
    """The samplers that a program reads, by number; all tokens with one have the same (runtime error 3696)."""
    tokens = (decode(word) for word in program.words)
    return {token.sampler.number: token.sampler for token in tokens if token is not None and token.sampler is not None}
