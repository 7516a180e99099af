"""Instruction lines: mnemonic and operands to words of `Code`.

What operands an instruction takes is a column of the instruction table (`Operation.operands`); here is one
method for each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from backends.pica200.isa import descriptors
from backends.pica200.isa.asm.operands import Reader, two_inputs
from backends.pica200.isa.asm.symbols import Operand
from backends.pica200.isa.asm.text import Line
from backends.pica200.isa.code import BlockKind, Code, Word
from backends.pica200.isa.instructions import BY_NAME, OPERATIONS, Operands, Operation
from backends.pica200.isa.meanings import RELATION_NAMES
from backends.pica200.isa.registers import DESTINATION_BASE, SOURCE_BASE
from compiler.diagnostics import DiagnosticSink
from compiler.diagnostics.catalogue.machine import PICA200_TWO_INPUTS, PICA200_UNKNOWN_STATEMENT
from compiler.diagnostics.suggest import did_you_mean
from compiler.isa.lines import Rejected, Token

MNEMONICS: Mapping[str, Operation] = {
    spelling: row for row in OPERATIONS for spelling in (row.spellings or (row.name.lower(),))
}
_BLOCKS: Mapping[str, BlockKind] = {"if": "if", "loop": "loop"}

_SETEMIT_FLAGS: Mapping[str, str] = {
    "prim": "primitive",
    "primitive": "primitive",
    "inv": "winding",
    "invert": "winding",
}


class Instructions:
    """Assembles the instruction lines of one file."""

    def __init__(self, code: Code, reader: Reader, labels: Mapping[str, int], sink: DiagnosticSink) -> None:
        self._code = code
        self._reader = reader
        self._labels = labels
        self._sink = sink
        self._forms: Mapping[Operands, Callable[[Line, Operation, Token], Word]] = {
            "none": self._bare,
            "alu": self._alu,
            "mova": self._mova,
            "cmp": self._cmp,
            "condition": self._condition,
            "bool": self._bool,
            "loop": self._loop,
            "setemit": self._setemit,
        }

    def assemble(self, line: Line) -> None:
        """One instruction."""
        mnemonic = line.name("an instruction")
        operation = MNEMONICS.get(mnemonic.text.lower())
        if operation is None:
            hint = did_you_mean(mnemonic.text.lower(), MNEMONICS)
            self._sink.report(
                PICA200_UNKNOWN_STATEMENT, mnemonic.span, kind="instruction", name=mnemonic.text, help=hint
            )
            raise Rejected
        block = _BLOCKS.get(operation.jumps)
        try:
            word = self._forms[operation.operands](line, operation, mnemonic)
            line.finish()
        except Rejected:
            # Open the block all the same, lest its end be reported as well.
            if block is not None and self._code.is_inside_procedure:
                self._code.open_block(block, Word(operation, {}, mnemonic.span))
            raise
        if block is None:
            self._code.emit(word)
        else:
            self._code.open_block(block, word)

    # --- Arithmetic ---------------------------------------------------------------------------------------------------

    def _alu(self, line: Line, operation: Operation, mnemonic: Token) -> Word:
        destination, mask = self._reader.destination(line)
        sources = []
        for _ in operation.layout.sources:
            line.expect(",")
            sources.append(self._reader.source(line))
        fields = {"dst": DESTINATION_BASE[destination.bank] + destination.index}
        return self._with_sources(_form(operation, sources), fields, mask, sources, mnemonic)

    def _mova(self, line: Line, operation: Operation, mnemonic: Token) -> Word:
        mask = self._reader.address_mask(line)
        line.expect(",")
        return self._with_sources(operation, {}, mask, [self._reader.source(line)], mnemonic)

    def _cmp(self, line: Line, operation: Operation, mnemonic: Token) -> Word:
        first = self._reader.source(line)
        fields = {}
        for name in ("cmpx", "cmpy"):
            line.expect(",")
            fields[name] = self._relation(line)
        line.expect(",")
        return self._with_sources(operation, fields, 0, [first, self._reader.source(line)], mnemonic)

    def _relation(self, line: Line) -> int:
        if line.token.text.lower() not in RELATION_NAMES:
            line.unexpected(f"one of {', '.join(RELATION_NAMES)}")
        return RELATION_NAMES.index(line.take().text.lower())

    def _with_sources(
        self, operation: Operation, fields: dict[str, int], mask: int, sources: list[Operand], mnemonic: Token
    ) -> Word:
        for name, source in zip(operation.layout.sources, sources, strict=True):
            self._check_bank(operation, name, source, mnemonic)
            fields[name] = SOURCE_BASE[source.bank] + source.index
            if name == operation.layout.wide:
                fields["idx"] = source.relative
        clash = two_inputs(sources)
        if clash is not None:
            self._sink.report(PICA200_TWO_INPUTS, clash[1].span, first=clash[0].text, second=clash[1].text)
            raise Rejected
        value = descriptors.encode(mask, tuple((source.selector, source.negated) for source in sources))
        return Word(operation, fields, mnemonic.span, self._code.descriptor(operation, value, mnemonic.span))

    def _check_bank(self, operation: Operation, name: str, source: Operand, mnemonic: Token) -> None:
        role = f"source {name[-1]} of {mnemonic.text}"
        if source.bank == "c" and name != operation.layout.wide:
            self._reader.report_rule(source.span, source.text, role, "v and r registers here")
        if source.relative and source.bank != "c":
            self._reader.report_rule(source.span, f"indexed {source.text}", role, "an address register with c only")

    # --- Flow control -------------------------------------------------------------------------------------------------

    def _bare(self, line: Line, operation: Operation, mnemonic: Token) -> Word:
        if operation.jumps == "call":
            return self._to_target(line, Word(operation, {}, mnemonic.span))
        return Word(operation, {}, mnemonic.span)

    def _condition(self, line: Line, operation: Operation, mnemonic: Token) -> Word:
        fields = self._reader.condition(line)
        return self._behind_condition(line, Word(operation, fields, mnemonic.span))

    def _bool(self, line: Line, operation: Operation, mnemonic: Token) -> Word:
        # Only a jump can test for false.
        inverted = operation.jumps == "branch" and line.accept("!") is not None
        fields = {"id": self._reader.register_number(line, "b")}
        if inverted:
            fields["num"] = 1
        return self._behind_condition(line, Word(operation, fields, mnemonic.span))

    def _behind_condition(self, line: Line, word: Word) -> Word:
        if word.operation.jumps not in ("call", "branch"):
            return word
        line.expect(",")
        return self._to_target(line, word)

    def _to_target(self, line: Line, word: Word) -> Word:
        word.target = line.name("a label" if word.operation.jumps == "branch" else "a procedure")
        word.labels = self._labels
        return word

    def _loop(self, line: Line, operation: Operation, mnemonic: Token) -> Word:
        return Word(operation, {"id": self._reader.register_number(line, "i")}, mnemonic.span)

    def _setemit(self, line: Line, operation: Operation, mnemonic: Token) -> Word:
        fields = {"vertex": line.integer("a vertex slot", high=2)}
        if not line.accept(","):
            return Word(operation, fields, mnemonic.span)
        self._setemit_flag(line, fields)
        while line.token.kind != "end":
            self._setemit_flag(line, fields)
        return Word(operation, fields, mnemonic.span)

    def _setemit_flag(self, line: Line, fields: dict[str, int]) -> None:
        flag = _SETEMIT_FLAGS.get(line.token.text.lower())
        if flag is None:
            line.unexpected("prim or inv")
        line.take()
        fields[flag] = 1


def _form(operation: Operation, sources: list[Operand]) -> Operation:
    """The inverted form where only the last source is a c register."""
    if not operation.inverted or sources[-1].bank != "c":
        return operation
    wide = operation.layout.sources.index(operation.layout.wide)
    return operation if sources[wide].bank == "c" else BY_NAME[operation.inverted]
