"""The code of a program under construction: words, blocks, procedures, and the padding that blocks need.

Several files add to one `Code`.  Branch targets and descriptor numbers are final only at the end, so words
stay taken apart until `finish`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NoReturn

from glslc_multi.backends.pica200.isa import descriptors
from glslc_multi.backends.pica200.isa.instructions import BY_NAME, Operation, encode
from glslc_multi.backends.pica200.isa.registers import CODE_WORDS, DESCRIPTORS, MAD_DESCRIPTORS
from glslc_multi.compiler.diagnostics import DiagnosticSink, Label, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import PICA200_BLOCK_STRUCTURE, REDEFINED, TOO_MANY, UNDEFINED
from glslc_multi.compiler.diagnostics.suggest import did_you_mean
from glslc_multi.compiler.isa.mistakes import Reported
from glslc_multi.compiler.records import dataclass, field

#: Longest procedure and longest else part: their length is a field of eight bits.
LONGEST_BLOCK = 255

#: Words that a block must not end with: the end of the block would override the jump, or the return be lost.
_NEED_PADDING = ("JMPC", "JMPU", "CALL", "CALLC", "CALLU")
_NEED_PADDING_IN_LOOP = (*_NEED_PADDING, "BREAK", "BREAKC")

BlockKind = Literal["proc", "if", "else", "loop"]


#: What the first descriptors are called, which multiply-adds alone need.
OF_MADS = "operand descriptors of mad"


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a procedure or label, and where it stands."""

    text: str
    span: Span


def report_undefined(sink: DiagnosticSink, kind: str, name: Name, candidates: Iterable[str]) -> None:
    sink.report(UNDEFINED, name.span, kind=kind, name=name.text, help=did_you_mean(name.text, candidates))


@dataclass(slots=True)
class Word:
    """One instruction; `key` names its descriptor, `target` a label or procedure that it goes to."""

    operation: Operation
    fields: dict[str, int]
    span: Span
    key: int | None = None
    target: Name | None = None
    #: Where the target's name is looked up.
    labels: Mapping[str, int] | None = None


@dataclass(slots=True)
class Block:
    """An open block and what it ends with so far."""

    kind: BlockKind
    start: int
    span: Span
    #: The opening word of an if or loop.
    word: Word | None = None
    #: The name of a procedure.
    name: str = ""
    ends_with: Literal["nothing", "word", "block"] = "nothing"


@dataclass(frozen=True, slots=True)
class Procedure:
    start: int
    end: int
    span: Span


@dataclass(slots=True)
class Code:
    """All words, procedures and descriptors of a program."""

    sink: DiagnosticSink
    #: Whether blocks get the NOPs that they need.
    pads: bool = True
    #: How many words there may be.
    capacity: int = CODE_WORDS
    words: list[Word] = field(default_factory=list)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    table: descriptors.Table = field(default_factory=descriptors.Table)
    _blocks: list[Block] = field(default_factory=list)
    #: A line that may have opened or closed a block was not understood; what does not fit is its consequence.
    lost: bool = False
    #: Names on such lines, which may have defined them.
    spoiled: set[str] = field(default_factory=set)
    #: Limits whose excess has been reported: what there is too much of -> the limit, and where it was met.
    exceeded: dict[str, tuple[int, Span]] = field(default_factory=dict)

    @property
    def address(self) -> int:
        """Address of the next word."""
        return len(self.words)

    @property
    def is_inside_procedure(self) -> bool:
        return bool(self._blocks)

    def emit(self, word: Word) -> None:
        """Add a word to the innermost block."""
        if not self._blocks:
            self._reject_outside(word.span, "an instruction stands outside of a procedure")
        if self.address == self.capacity:
            self._reject_excess(word.span, self.capacity, "words of code")
        self.words.append(word)
        self._blocks[-1].ends_with = "word"

    def descriptor(self, operation: Operation, value: int, span: Span) -> int:
        """The key of a descriptor for an instruction about to be emitted."""
        key = self.table.add(operation, value)
        if key is None:
            if len(self.table.words) == DESCRIPTORS:
                self._reject_excess(span, DESCRIPTORS, "operand descriptors")
            self._reject_excess(span, MAD_DESCRIPTORS, OF_MADS)
        return key

    def _reject_excess(self, span: Span, limit: int, what: str) -> NoReturn:
        """Report the first thing that does not fit; the following ones are the same mistake."""
        if what not in self.exceeded:
            self.exceeded[what] = (limit, span)
            self._report_excess(span, f"more than {limit}", what, limit)
        raise Reported

    def _report_excess(self, span: Span, need: object, what: str, limit: int) -> None:
        self.sink.report(TOO_MANY, span, need=need, what=what, limit=limit, target="pica200")

    # --- Blocks -------------------------------------------------------------------------------------------------------

    def open_procedure(self, name: Name) -> None:
        """Begin a procedure, which may be a part of another block: it runs with the code around it, too."""
        earlier = self.procedures.get(name.text)
        if earlier is not None:
            labels = (Label(earlier.span, "first defined here"),)
            self.sink.report(REDEFINED, name.span, labels=labels, kind="procedure", name=name.text)
        self._blocks.append(Block("proc", self.address, name.span, name=name.text))

    def open_block(self, kind: BlockKind, word: Word) -> None:
        """Begin an if or loop with its opening word."""
        self.emit(word)
        self._blocks.append(Block(kind, self.address, word.span, word))

    def divide_block(self, span: Span) -> None:
        """Begin the else part."""
        if not self._blocks or self._blocks[-1].kind != "if":
            self._reject_outside(span, "'.else' belongs to no open ifc or ifu")
        block = self._blocks[-1]
        self._pad(block)
        assert block.word is not None
        block.word.fields["target"] = self.address
        self._blocks[-1] = Block("else", self.address, block.span, block.word)

    def close_block(self, span: Span) -> None:
        if not self._blocks:
            self._reject_outside(span, "'.end' closes nothing")
        block = self._blocks[-1]
        try:
            self._pad(block)
        finally:
            self._blocks.pop()
        if block.kind == "proc":
            self.procedures[block.name] = Procedure(block.start, self.address, block.span)
            if self._blocks and block.ends_with != "nothing":
                self._blocks[-1].ends_with = block.ends_with
            return
        self._blocks[-1].ends_with = "block"
        assert block.word is not None
        if block.kind == "loop":
            # An empty body is possible without padding only: then there is no last word to name.
            if self.address == block.start:
                self.reject(span, "the body of the loop is empty")
            block.word.fields["target"] = self.address - 1
        elif block.kind == "if":
            block.word.fields["target"] = self.address
        else:
            length = self.address - block.start
            if length > LONGEST_BLOCK:
                self._report_length(span, length, "an else part")
                raise Reported
            block.word.fields["num"] = length

    def _report_length(self, span: Span, length: int, what: str) -> None:
        self.exceeded[f"words in {what}"] = (LONGEST_BLOCK, span)
        self._report_excess(span, length, f"words in {what}", LONGEST_BLOCK)

    def _pad(self, block: Block) -> None:
        """The NOP that the end of a block needs (reference, "padding NOP rules")."""
        if not self.pads:
            return
        if block.ends_with == "word":
            jumps = _NEED_PADDING_IN_LOOP if block.kind == "loop" else _NEED_PADDING
            needed = self.words[-1].operation.name in jumps
        elif block.ends_with == "block":
            needed = True
        else:
            # An empty else part stays empty; so does an empty procedure with nothing before it.
            needed = block.kind in ("if", "loop") or (block.kind == "proc" and self.address > 0)
        if needed:
            self.emit(Word(BY_NAME["NOP"], {}, block.span))

    def _reject_outside(self, span: Span, what: str) -> NoReturn:
        """Report that no block is open, once: what follows is the same mistake."""
        if self.lost:
            raise Reported
        self.lost = True
        self.reject(span, what)

    def check_closed(self) -> None:
        """Report a block that the file left open."""
        if self._blocks:
            block = self._blocks[-1]
            self.spoiled.update(each.name for each in self._blocks if each.name)
            self._blocks.clear()
            if not self.lost:
                self.sink.report(PICA200_BLOCK_STRUCTURE, block.span, what="the block has no '.end'")

    def reject(self, span: Span, what: str) -> NoReturn:
        self.sink.report(PICA200_BLOCK_STRUCTURE, span, what=what)
        raise Reported

    # --- The end ------------------------------------------------------------------------------------------------------

    def finish(self) -> list[int]:
        """The words; unknown labels and procedures are reported."""
        return [self._encode(word) for word in self.words]

    def _encode(self, word: Word) -> int:
        fields = dict(word.fields)
        if word.target is not None:
            self._resolve(word, word.target, fields)
        if word.key is not None:
            fields["desc"] = self.table.number(word.key)
        return encode(word.operation.name, **fields)

    def _resolve(self, word: Word, target: Name, fields: dict[str, int]) -> None:
        if word.operation.jumps == "branch":
            assert word.labels is not None
            if target.text not in word.labels and target.text not in self.spoiled:
                report_undefined(self.sink, "label", target, word.labels)
            fields["target"] = word.labels.get(target.text, 0)
            return
        procedure = self.procedures.get(target.text)
        if procedure is None:
            if target.text not in self.spoiled:
                report_undefined(self.sink, "procedure", target, self.procedures)
            return
        length = procedure.end - procedure.start
        if length > LONGEST_BLOCK:
            self._report_length(target.span, length, "a called procedure")
            return
        fields.update(target=procedure.start, num=length)
