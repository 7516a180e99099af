"""What the lines of the text form say, before names are resolved: the records that `grammar.py` makes.

Words have groups for the parts that are used: the `digits` of a number, a `plain` or `quoted` name, the kind of a
scalar.
"""

from __future__ import annotations

from glslc_multi.compiler.parsing import Word
from glslc_multi.compiler.records import dataclass


# ------------------------------------------------------------------------------------- places
@dataclass(frozen=True, slots=True)
class OriginLink:
    """`inlined "f" at "file" 3:5-3:9`"""

    kind: Word
    name: Word
    file: Word
    numbers: list[Word]


@dataclass(frozen=True, slots=True)
class Place:
    """`at "file" 3:5-3:9` with its chain of origins, innermost first."""

    file: Word
    numbers: list[Word]
    origins: list[OriginLink]


# ----------------------------------------------------------------------------------- operands
@dataclass(frozen=True, slots=True)
class ValueUse:
    """`%4`"""

    word: Word


@dataclass(frozen=True, slots=True)
class Literal:
    """`1.0` (no type) or `vec3(1.0, undef, 2.0)`"""

    type: Word | None
    components: list[Word]

    @property
    def word(self) -> Word:
        return self.type or self.components[0]


@dataclass(frozen=True, slots=True)
class BlockUse:
    """`^then`"""

    word: Word


ValueOperand = ValueUse | Literal


@dataclass(frozen=True, slots=True)
class Incoming:
    """`[%1, ^then]`"""

    value: ValueOperand
    block: Word

    @property
    def word(self) -> Word:
        return self.value.word


@dataclass(frozen=True, slots=True)
class Index:
    """`[3]`, `[%7 + 1]` or `[(2) - 1]`: a number, or an operand with a signed number."""

    operand: ValueOperand | None
    sign: Word | None = None
    number: Word | None = None


@dataclass(frozen=True, slots=True)
class SymbolUse:
    """`@name[index].column`; also the name of a callee."""

    word: Word
    index: Index | None
    column: Word | ValueOperand | None


Operand = ValueOperand | BlockUse | Incoming | SymbolUse


# -------------------------------------------------------------------------------------- lines
@dataclass(frozen=True, slots=True)
class ShaderLine:
    stage: Word
    name: Word | None


@dataclass(frozen=True, slots=True)
class PragmaLine:
    text: Word


@dataclass(frozen=True, slots=True)
class Property:
    """`highp` or `location(3)`"""

    name: Word
    argument: Word | None


@dataclass(frozen=True, slots=True)
class VariableLine:
    storage: Word
    name: Word
    type: Word
    dims: list[Word]
    properties: list[Property]
    place: Place | None


@dataclass(frozen=True, slots=True)
class FunctionLine:
    name: Word
    place: Place | None


@dataclass(frozen=True, slots=True)
class BlockLine:
    name: Word


@dataclass(frozen=True, slots=True)
class CloseLine:
    brace: Word


@dataclass(frozen=True, slots=True)
class InstructionLine:
    result: Word | None
    type: Word | None
    opcode: Word
    flags: Word | None
    #: Numbers of `offset(1, -2)`.
    offset: list[Word] | None
    operands: list[Operand]
    place: Place | None


Line = ShaderLine | PragmaLine | VariableLine | FunctionLine | BlockLine | CloseLine | InstructionLine
