"""Instruction lines: mnemonic and operands to words of `Code`.

What operands an instruction takes is a column of the instruction table (`Operation.operands`); here is one
method for each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from glslc_multi.backends.pica200.isa import descriptors
from glslc_multi.backends.pica200.isa.asm import syntax
from glslc_multi.backends.pica200.isa.asm.grammar import EMISSION_FLAGS, MNEMONICS
from glslc_multi.backends.pica200.isa.asm.operands import Reader, address_mask, condition_fields, misused, two_inputs
from glslc_multi.backends.pica200.isa.asm.symbols import Operand
from glslc_multi.backends.pica200.isa.code import BlockKind, Code, Name, Word
from glslc_multi.backends.pica200.isa.instructions import BY_NAME, Operands, Operation
from glslc_multi.backends.pica200.isa.meanings import RELATION_NAMES
from glslc_multi.backends.pica200.isa.registers import DESTINATION_BASE, SOURCE_BASE
from glslc_multi.compiler.diagnostics.catalogue.machine import PICA200_TWO_INPUTS
from glslc_multi.compiler.isa.assembly import Line
from glslc_multi.compiler.isa.mistakes import Mistake
from glslc_multi.compiler.isa.mistakes import Word as Piece
from glslc_multi.compiler.isa.numbers import in_range

BLOCKS: Mapping[str, BlockKind] = {"if": "if", "loop": "loop"}


class Instructions:
    """Assembles the instruction lines of one file."""

    _line: Line
    _mnemonic: Piece

    def __init__(self, code: Code, reader: Reader, labels: Mapping[str, int]) -> None:
        self._code = code
        self._reader = reader
        self._labels = labels
        self._forms: Mapping[Operands, Callable[..., Word]] = {
            "none": self._bare,
            "alu": self._alu,
            "mova": self._mova,
            "cmp": self._cmp,
            "condition": self._condition,
            "bool": self._bool,
            "loop": self._loop,
            "setemit": self._setemit,
        }

    def assemble(self, line: Line, instruction: syntax.Instruction) -> None:
        """One instruction."""
        self._line, self._mnemonic = line, instruction.name
        operation = MNEMONICS[instruction.name[0].lower()]
        word = self._forms[operation.operands](operation, *instruction.operands)
        block = BLOCKS.get(operation.jumps)
        if block is None:
            self._code.emit(word)
        else:
            self._code.open_block(block, word)

    def open_block(self, line: Line, mnemonic: Piece) -> None:
        """Open the block of an instruction that was not understood, lest its end be reported as well."""
        operation = MNEMONICS[mnemonic[0].lower()]
        block = BLOCKS.get(operation.jumps)
        if block is not None and self._code.is_inside_procedure:
            self._code.open_block(block, Word(operation, {}, line.span(mnemonic)))

    # --- Arithmetic ---------------------------------------------------------------------------------------------------

    def _alu(self, operation: Operation, target: syntax.Register, *values: syntax.Register) -> Word:
        destination, mask = self._reader.destination(self._line, target)
        sources = [self._reader.source(value) for value in values]
        fields = {"dst": DESTINATION_BASE[destination.bank] + destination.index}
        return self._with_sources(_form(operation, sources), fields, mask, sources)

    def _mova(self, operation: Operation, target: syntax.AddressDestination, value: syntax.Register) -> Word:
        mask = address_mask(self._line, target)
        return self._with_sources(operation, {}, mask, [self._reader.source(value)])

    def _cmp(self, operation: Operation, first: syntax.Register, x: Piece, y: Piece, second: syntax.Register) -> Word:
        sources = [self._reader.source(first), self._reader.source(second)]
        fields = {name: RELATION_NAMES.index(word[0].lower()) for name, word in (("cmpx", x), ("cmpy", y))}
        return self._with_sources(operation, fields, 0, sources)

    def _with_sources(self, operation: Operation, fields: dict[str, int], mask: int, sources: list[Operand]) -> Word:
        for name, source in zip(operation.layout.sources, sources, strict=True):
            _check_bank(operation, name, source, self._mnemonic[0])
            fields[name] = SOURCE_BASE[source.bank] + source.index
            if name == operation.layout.wide:
                fields["idx"] = source.relative
        clash = two_inputs(sources)
        if clash is not None:
            raise Mistake(PICA200_TWO_INPUTS, clash[1].place, first=clash[0].text, second=clash[1].text)
        value = descriptors.encode(mask, tuple((source.selector, source.negated) for source in sources))
        word = self._bare(operation)
        word.fields, word.key = fields, self._code.descriptor(operation, value, word.span)
        return word

    # --- Flow control -------------------------------------------------------------------------------------------------

    def _bare(self, operation: Operation, target: Piece | None = None, /, **fields: int) -> Word:
        word = Word(operation, fields, self._line.span(self._mnemonic))
        if target is not None:
            word.target, word.labels = Name(target[0], self._line.span(target)), self._labels
        return word

    def _condition(self, operation: Operation, condition: syntax.Condition, target: Piece | None = None) -> Word:
        return self._bare(operation, target, **condition_fields(condition))

    def _bool(
        self, operation: Operation, inverted: Piece | None, register: syntax.Register, target: Piece | None = None
    ) -> Word:
        flag = {} if inverted is None else {"num": 1}
        return self._bare(operation, target, id=self._reader.register_number(register, "b"), **flag)

    def _loop(self, operation: Operation, register: syntax.Register) -> Word:
        return self._bare(operation, id=self._reader.register_number(register, "i"))

    def _setemit(self, operation: Operation, slot: Piece, *flags: Piece) -> Word:
        fields = {EMISSION_FLAGS[flag[0].lower()]: 1 for flag in flags}
        return self._bare(operation, vertex=in_range(slot, "the vertex slot", 0, 2), **fields)


def _check_bank(operation: Operation, name: str, source: Operand, mnemonic: str) -> None:
    role = f"source {name[-1]} of {mnemonic}"
    if source.bank == "c" and name != operation.layout.wide:
        raise misused(source.place, source.text, role, "v and r registers here")
    if source.relative and source.bank != "c":
        raise misused(source.place, f"indexed {source.text}", role, "an address register with c only")


def _form(operation: Operation, sources: list[Operand]) -> Operation:
    """The inverted form where only the last source is a c register."""
    if not operation.inverted or sources[-1].bank != "c":
        return operation
    wide = operation.layout.sources.index(operation.layout.wide)
    return operation if sources[wide].bank == "c" else BY_NAME[operation.inverted]
