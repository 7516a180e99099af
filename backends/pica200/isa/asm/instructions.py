"""Instruction lines: mnemonic and operands to words of `Code`.

What operands an instruction takes is a column of the instruction table (`Operation.operands`); here is one
method for each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backends.pica200.isa import descriptors
from backends.pica200.isa.asm import syntax
from backends.pica200.isa.asm.grammar import EMISSION_FLAGS, MNEMONICS
from backends.pica200.isa.asm.operands import (
    Reader,
    address_mask,
    condition_fields,
    integer,
    misused,
    two_inputs,
)
from backends.pica200.isa.asm.symbols import Operand
from backends.pica200.isa.code import BlockKind, Code, Name, Word
from backends.pica200.isa.instructions import BY_NAME, Operands, Operation
from backends.pica200.isa.meanings import RELATION_NAMES
from backends.pica200.isa.registers import DESTINATION_BASE, SOURCE_BASE
from compiler.diagnostics.catalogue.machine import PICA200_TWO_INPUTS
from compiler.isa.assembly import Line, Mistake
from compiler.isa.assembly import Word as Piece

BLOCKS: Mapping[str, BlockKind] = {"if": "if", "loop": "loop"}


class Instructions:
    """Assembles the instruction lines of one file."""

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

    def assemble(self, line: Line, instruction: syntax.Statement) -> None:
        """One instruction."""
        operation = MNEMONICS[instruction.name[0].lower()]
        word = self._forms[operation.operands](line, operation, instruction.name, *instruction.operands)
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

    def _alu(
        self, line: Line, operation: Operation, mnemonic: Piece, target: syntax.Register, *values: syntax.Register
    ) -> Word:
        destination, mask = self._reader.destination(line, target)
        sources = [self._reader.source(value) for value in values]
        fields = {"dst": DESTINATION_BASE[destination.bank] + destination.index}
        return self._with_sources(line, _form(operation, sources), fields, mask, sources, mnemonic)

    def _mova(
        self,
        line: Line,
        operation: Operation,
        mnemonic: Piece,
        target: syntax.AddressDestination,
        value: syntax.Register,
    ) -> Word:
        mask = address_mask(line, target)
        return self._with_sources(line, operation, {}, mask, [self._reader.source(value)], mnemonic)

    def _cmp(
        self,
        line: Line,
        operation: Operation,
        mnemonic: Piece,
        first: syntax.Register,
        x: Piece,
        y: Piece,
        second: syntax.Register,
    ) -> Word:
        sources = [self._reader.source(first), self._reader.source(second)]
        fields = {name: RELATION_NAMES.index(word[0].lower()) for name, word in (("cmpx", x), ("cmpy", y))}
        return self._with_sources(line, operation, fields, 0, sources, mnemonic)

    def _with_sources(
        self,
        line: Line,
        operation: Operation,
        fields: dict[str, int],
        mask: int,
        sources: list[Operand],
        mnemonic: Piece,
    ) -> Word:
        for name, source in zip(operation.layout.sources, sources, strict=True):
            _check_bank(operation, name, source, mnemonic[0])
            fields[name] = SOURCE_BASE[source.bank] + source.index
            if name == operation.layout.wide:
                fields["idx"] = source.relative
        clash = two_inputs(sources)
        if clash is not None:
            raise Mistake(PICA200_TWO_INPUTS, clash[1].place, first=clash[0].text, second=clash[1].text)
        value = descriptors.encode(mask, tuple((source.selector, source.negated) for source in sources))
        span = line.span(mnemonic)
        return Word(operation, fields, span, self._code.descriptor(operation, value, span))

    # --- Flow control -------------------------------------------------------------------------------------------------

    def _bare(self, line: Line, operation: Operation, mnemonic: Piece, target: Piece | None = None) -> Word:
        return self._to_target(line, Word(operation, {}, line.span(mnemonic)), target)

    def _condition(
        self,
        line: Line,
        operation: Operation,
        mnemonic: Piece,
        condition: syntax.Condition,
        target: Piece | None = None,
    ) -> Word:
        word = Word(operation, condition_fields(condition), line.span(mnemonic))
        return self._to_target(line, word, target)

    def _bool(
        self, line: Line, operation: Operation, mnemonic: Piece, test: syntax.BoolTest, target: Piece | None = None
    ) -> Word:
        fields = {"id": self._reader.register_number(test.register, "b")}
        if test.inverted is not None:
            fields["num"] = 1
        return self._to_target(line, Word(operation, fields, line.span(mnemonic)), target)

    def _to_target(self, line: Line, word: Word, target: Piece | None) -> Word:
        if target is not None:
            word.target = Name(target[0], line.span(target))
            word.labels = self._labels
        return word

    def _loop(self, line: Line, operation: Operation, mnemonic: Piece, register: syntax.Register) -> Word:
        return Word(operation, {"id": self._reader.register_number(register, "i")}, line.span(mnemonic))

    def _setemit(self, line: Line, operation: Operation, mnemonic: Piece, slot: syntax.Number, *flags: Piece) -> Word:
        fields = {"vertex": integer(slot, "a vertex slot", high=2)}
        fields |= {EMISSION_FLAGS[flag[0].lower()]: 1 for flag in flags}
        return Word(operation, fields, line.span(mnemonic))


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
