"""Words: allocated code and the shape of its control flow become the code of a program.

In: machine code on physical registers, blocks that nest.  Out: words, operand descriptors and padding in `Code`, which
assembly text goes through as well, so that our text assembles to the same program.

* A procedure stands in place of one of its calls (`in_place.py`), or after the program where that would be too long.
* An `If` is IFC or IFU.  IFU tests for true only: for false the arms are swapped.
* A loop that an i register counts is LOOP, and its other exits are BREAKC.  Any other loop is a label and jumps,
  since LOOP ends after 256 rounds: JMPC out of it, and back by JMPC or, where there is no test, by a JMPU on
  a b register that is always set.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from glslc_multi.backends.pica200.codegen.abi import ALWAYS
from glslc_multi.backends.pica200.codegen.arms import branch_of, condition_of, has_code, order_arms
from glslc_multi.backends.pica200.codegen.machine_ops import (
    EMIT,
    END,
    IF_X,
    IF_Y,
    SETEMIT,
    SETEMIT_IF,
    Condition,
    OnBool,
    OnCount,
    OnFlags,
)
from glslc_multi.backends.pica200.codegen.procedures.calls import Procedures
from glslc_multi.backends.pica200.codegen.procedures.in_place import choose_places
from glslc_multi.backends.pica200.codegen.register_files import ADDRESS, LOOP_COUNTER, is_constant
from glslc_multi.backends.pica200.codegen.rewrites.strips import Emission
from glslc_multi.backends.pica200.isa import descriptors
from glslc_multi.backends.pica200.isa.code import Code, Name, Word
from glslc_multi.backends.pica200.isa.descriptors import IDENTITY, Selector
from glslc_multi.backends.pica200.isa.instructions import BY_NAME, MASKED, Operation
from glslc_multi.backends.pica200.isa.registers import DESTINATION_BASE, SOURCE_BASE
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction, Use
from glslc_multi.compiler.codegen.regions import Basic, BreakIf, If, Loop, Region, Seq, blocks_of, structure
from glslc_multi.compiler.codegen.registers import Register
from glslc_multi.compiler.diagnostics import SourceFile, Span
from glslc_multi.compiler.records import dataclass, field

#: Of words that come from no place in the source.
NOWHERE = Span(SourceFile("<program>"), 1, 1, 1, 1)


def write_words(main: MachineFunction, procedures: Procedures, code: Code, *, in_place: bool) -> bool:
    """Put the program into `code`, procedures in place of calls or after it; whether it needs the b register that is
    always set."""
    shapes = {function: structure(function.entry, _successors) for function in (main, *procedures.values())}
    places = choose_places(shapes.values(), procedures.keys()) if in_place else set()
    writer = _Writer(code, procedures, shapes, places)
    for function in shapes:
        if function.name not in code.procedures:
            writer.procedure(function)
    return writer.jumps_always


def _successors(block: MachineBlock) -> Iterable[MachineBlock]:
    return block.successors


@dataclass(slots=True)
class _Writer:
    """Writes region after region."""

    code: Code
    procedures: Procedures
    shapes: Mapping[MachineFunction, Seq[MachineBlock]]
    #: The calls that the code of procedures replaces.
    places: Set[MachineInstruction]
    jumps_always: bool = False
    labels: dict[str, int] = field(default_factory=dict)

    def procedure(self, function: MachineFunction) -> None:
        self.code.open_procedure(Name(function.name, NOWHERE))
        self.region(self.shapes[function])
        self.code.close_block(NOWHERE)

    def region(self, region: Region[MachineBlock]) -> None:
        if isinstance(region, Seq):
            for part in region.parts:
                self.region(part)
        elif isinstance(region, Basic):
            self._straight(region.block)
        elif isinstance(region, If):
            self._if(region)
        elif isinstance(region, Loop):
            parts = region.body.parts
            last = parts[-1]
            latch = last.block if isinstance(last, BreakIf) else None
            condition = None if latch is None else branch_of(latch).attributes["condition"]
            if isinstance(condition, OnCount):
                self._counted(condition, parts)
            else:
                self._jumping(parts, latch)
        else:
            raise AssertionError("a BreakIf stands in the body of a loop")

    def _straight(self, block: MachineBlock) -> None:
        for instruction in block.instructions:
            if instruction.op in (END, EMIT):
                self.code.emit(Word(BY_NAME[instruction.op.name], {}, instruction.span or NOWHERE))
            elif instruction.op is SETEMIT:
                self._set_emission(instruction.attributes["emission"], instruction.span)
            elif instruction.op is SETEMIT_IF:
                span = instruction.span or NOWHERE
                for condition, vertex in zip((IF_X, IF_Y), instruction.attributes["emissions"], strict=False):
                    self.code.open_block("if", _on_flags("IFC", condition, span))
                    self._set_emission(vertex, span)
                    self.code.close_block(span)
            elif instruction in self.places:
                self.procedure(self.procedures[instruction.op])
            elif instruction.op in self.procedures:
                self._call(instruction)
            elif not instruction.op.terminator:
                self._arithmetic(instruction)

    # ifs -----------------------------------------------------------------------------------
    def _if(self, region: If[MachineBlock]) -> None:
        self._straight(region.block)
        condition, first, second = order_arms(region)
        opening = self._conditional(condition, "IFC", "IFU", region.block)
        self.code.open_block("if", opening)
        self.region(first)
        if has_code(second):
            self.code.divide_block(opening.span)
            self.region(second)
        self.code.close_block(opening.span)

    def _conditional(self, condition: Condition, on_flags: str, on_bool: str, block: MachineBlock) -> Word:
        span = block.instructions[-1].span or NOWHERE
        if isinstance(condition, OnFlags):
            return _on_flags(on_flags, condition, span)
        assert isinstance(condition, OnBool)
        fields = {"id": condition.register}
        if on_bool == "JMPU" and not condition.wanted:
            fields["num"] = 1
        return Word(BY_NAME[on_bool], fields, span)

    # loops ---------------------------------------------------------------------------------
    def _counted(self, count: OnCount, parts: Sequence[Region[MachineBlock]]) -> None:
        opening = Word(BY_NAME["LOOP"], {"id": count.register}, NOWHERE)
        self.code.open_block("loop", opening)
        for part in parts[:-1]:
            if isinstance(part, BreakIf):
                self._straight(part.block)
                self.code.emit(self._conditional(_leaving(part), "BREAKC", "", part.block))
            else:
                self.region(part)
        last = parts[-1]
        assert isinstance(last, BreakIf)
        self._straight(last.block)
        self.code.close_block(NOWHERE)

    def _jumping(self, parts: Sequence[Region[MachineBlock]], latch: MachineBlock | None) -> None:
        number = len(self.labels)
        first, after = f"loop{number}", f"after{number}"
        self.labels[first] = self.code.address
        self.labels[after] = 0
        for part in parts:
            if not isinstance(part, BreakIf):
                self.region(part)
            elif part.block is latch:
                self._straight(latch)
                self._jump(_leaving(part).inverted(), first, latch)
            else:
                self._straight(part.block)
                self._jump(_leaving(part), after, part.block)
        if latch is None:
            self.jumps_always = True
            self._jump(OnBool(ALWAYS), first, next(blocks_of(parts[-1])))
        self.labels[after] = self.code.address

    def _jump(self, condition: Condition, label: str, block: MachineBlock) -> None:
        word = self._conditional(condition, "JMPC", "JMPU", block)
        word.target, word.labels = Name(label, word.span), self.labels
        self.code.emit(word)

    # words ---------------------------------------------------------------------------------
    def _call(self, instruction: MachineInstruction) -> None:
        span = instruction.span or NOWHERE
        name = self.procedures[instruction.op].name
        self.code.emit(Word(BY_NAME["CALL"], {}, span, target=Name(name, span)))

    def _set_emission(self, vertex: Emission, span: Span | None) -> None:
        fields = {"vertex": vertex.slot, "primitive": int(vertex.issues), "winding": int(vertex.is_turned)}
        self.code.emit(Word(BY_NAME["SETEMIT"], fields, span or NOWHERE))

    def _arithmetic(self, instruction: MachineInstruction) -> None:
        row = _form(instruction)
        span = instruction.span or NOWHERE
        fields = dict(zip(("cmpx", "cmpy"), instruction.attributes.get("relations", ()), strict=False))
        components = instruction.defs[0].lanes if instruction.defs else ()
        if instruction.defs and instruction.defs[0].register != ADDRESS:
            register = instruction.defs[0].register
            assert isinstance(register, Register)
            fields["dst"] = DESTINATION_BASE[register.file.name] + register.index
        for source, use in zip(row.layout.sources, instruction.uses, strict=True):
            assert isinstance(use.register, Register)
            fields[source] = SOURCE_BASE[use.register.file.name] + use.register.index
            if source == row.layout.wide:
                fields["idx"] = _address_field(use)
        mask = sum(8 >> component for component in components)
        sources = [
            (_selector(use, reads, components), use.negate)
            for use, reads in zip(instruction.uses, row.reads, strict=True)
        ]
        value = descriptors.encode(mask, tuple(sources))
        self.code.emit(Word(row, fields, span, self.code.descriptor(row, value, span)))


def _on_flags(name: str, condition: OnFlags, span: Span) -> Word:
    fields = {"condop": condition.condop, "refx": condition.refx, "refy": condition.refy}
    return Word(BY_NAME[name], fields, span)


def _form(instruction: MachineInstruction) -> Operation:
    """The inverted form where only that has room for the c register."""
    row = BY_NAME[instruction.op.name]
    constant = next((n for n, use in enumerate(instruction.uses) if is_constant(use.register)), None)
    if constant is None or row.layout.sources[constant] == row.layout.wide:
        return row
    return BY_NAME[row.inverted]


def _address_field(use: Use) -> int:
    if use.relative is None:
        return 0
    if use.relative.register == LOOP_COUNTER:
        return 3
    (component,) = use.relative.lanes
    assert component is not None
    return 1 + component


def _selector(use: Use, reads: str, components: tuple[int, ...]) -> Selector:
    """The swizzle that brings each lane to where the word needs it; what nobody reads is left as it is."""
    slots = components if reads == MASKED else range(len(use.lanes))
    selector = list(IDENTITY)
    for slot, lane in zip(slots, use.lanes, strict=True):
        if lane is not None:
            selector[slot] = lane
    return selector[0], selector[1], selector[2], selector[3]


def _leaving(part: BreakIf[MachineBlock]) -> OnFlags | OnBool:
    return condition_of(part.block, inverted=part.inverted)
