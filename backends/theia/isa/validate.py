"""Which rules of the hardware (`rules.py`) a program breaks, on the words that are loaded.

In: a program.  Out: its `Fault`s in order of address, none for a valid program.  Rules about
single words hold for all words, rules about what follows what for those that can be reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.control_flow import Flow
from glslc_multi.backends.theia.isa.instructions import Decoded
from glslc_multi.backends.theia.isa.program import LIMITS, ORIGIN, Program
from glslc_multi.backends.theia.isa.registers import READ_ONLY, RESERVED, Variant, is_written, physical, spell
from glslc_multi.backends.theia.isa.rules import RULES, Fault
from glslc_multi.backends.theia.isa.validate_mulp import mulp_faults
from glslc_multi.compiler.diagnostics import DiagnosticSink, Span
from glslc_multi.compiler.diagnostics.catalogue.machine import THEIA_RULE


def validate(program: Program) -> list[Fault]:
    """The faults of a program."""
    flow = Flow(program)
    faults = [*_word_faults(program, flow), *_path_faults(flow), *_pair_faults(flow), *_call_faults(flow)]
    faults += mulp_faults(flow)
    excess = len(program.words) - LIMITS[program.variant]
    if excess > 0:
        faults.append(Fault("too-long", None, f"the program has {len(program.words)} instructions, {excess} too many"))
    return sorted(set(faults), key=lambda fault: (fault.address is not None, fault.address or 0, fault.rule))


def report(faults: Iterable[Fault], sink: DiagnosticSink, spans: Sequence[Span] = ()) -> None:
    """Report faults, those of words at their lines in an assembled text."""
    for fault in faults:
        index = None if fault.address is None else fault.address - ORIGIN
        span = spans[index] if index is not None and 0 <= index < len(spans) else None
        where = "the program" if fault.address is None else f"address {fault.address:04x}"
        sink.report(THEIA_RULE, span, where=where, rule=fault.rule, message=fault.message, help=RULES[fault.rule])


# --- Single words -----------------------------------------------------------------------------------------------------


def _word_faults(program: Program, flow: Flow) -> Iterator[Fault]:
    for address, decoded in enumerate(flow.code, ORIGIN):
        if decoded is None or decoded.instruction.cycles(program.variant) is None:
            name = f"{program.words[address - ORIGIN]:016x}" if decoded is None else decoded.instruction.name
            yield Fault("unimplemented-opcode", address, f"{program.variant} has no instruction {name}")
        elif decoded.instruction.shape == "DW" and decoded.immediate not in instructions.LIVE_SWIZZLES:
            yield Fault("dead-swizzle", address, f"swizzle {decoded.immediate} writes zeros")
        if decoded is not None:
            yield from _destination_faults(program.variant, address, decoded)


def _destination_faults(variant: Variant, address: int, decoded: Decoded) -> Iterator[Fault]:
    if not _writes(decoded, variant):
        return
    name = spell(decoded.destination, variant)
    if physical(decoded.destination, variant) in RESERVED[variant]:
        yield Fault("reserved-register", address, f"the firmware needs {name}")
    if decoded.instruction.role == "write":
        if is_written(decoded.destination, variant) or decoded.destination in READ_ONLY[1:]:
            yield Fault("omwrite-destination", address, f"{name} becomes 0")
    elif not is_written(decoded.destination, variant):
        yield Fault("read-only-register", address, f"what is written to {name} is lost")


def _writes(decoded: Decoded, variant: Variant) -> bool:
    """Whether the machine writes the destination; RET does so on icarus only."""
    is_kept = decoded.instruction.role == "return" and variant != "icarus"
    return decoded.instruction.has_destination and not is_kept


# --- Paths through the program ----------------------------------------------------------------------------------------


def _path_faults(flow: Flow) -> Iterator[Fault]:
    can_end = flow.can_end()
    for start, index in zip(flow.program.starts, flow.starts, strict=True):
        decoded = flow.code[index] if index is not None else None
        if index is None:
            yield Fault("no-return", start, "the block begins outside of the program")
        elif decoded is not None and decoded.instruction.role == "end":
            yield Fault("return-first", start, "the block begins with RETURN")
    for index, successors in flow.successors.items():
        if None in successors:
            yield Fault("no-return", ORIGIN + index, "what follows is outside of the program")
        elif index not in can_end:
            yield Fault("no-return", ORIGIN + index, "no path leads from here to RETURN")


def _pair_faults(flow: Flow) -> Iterator[Fault]:
    """Rules about an instruction and the next one."""
    for index, following in flow.edges():
        first, second = flow.instruction(index), flow.instruction(following)
        roles = first.instruction.role, second.instruction.role
        address = ORIGIN + following
        if roles == ("read", "read"):
            yield Fault("tmread-pair", address, "TMREAD directly after TMREAD")
        if roles == ("write", "write"):
            yield Fault("omwrite-pair", address, "OMWRITE directly after OMWRITE")
        if roles[0] == "branch" and second.instruction.name == "MOD" and flow.program.variant != "icarus":
            yield Fault("mod-after-jump", address, "MOD directly after a conditional jump")
        if _leaves_void(first) and 0 in registers_read(second):
            yield Fault("void-forward", address, f"{spell(0, flow.program.variant)} is read")


def _leaves_void(decoded: Decoded) -> bool:
    """Whether the destination field is 0, be it a register or not."""
    return decoded.destination == 0 and decoded.target == 0


def registers_read(decoded: Decoded) -> list[int]:
    """The registers whose values matter to an instruction."""
    shape = decoded.instruction.shape
    if decoded.instruction.format is instructions.IMMEDIATE:
        return [decoded.destination]
    return [value for letter, value in zip(shape[1:], (decoded.first, decoded.second), strict=False) if letter == "S"]


def _call_faults(flow: Flow) -> Iterator[Fault]:
    subroutines, blocks = flow.subroutines(), flow.blocks()
    for index in flow.successors:
        role = flow.instruction(index).instruction.role if flow.code[index] is not None else ""
        if role not in ("call", "return"):
            continue
        following = flow.code[index + 1] if index + 1 < len(flow.code) else None
        if following is None or following.instruction.role != "nothing":
            yield Fault("call-slot", ORIGIN + index, "no NOP follows")
        if role == "call" and index in subroutines:
            yield Fault("call-nesting", ORIGIN + index, "a subroutine calls another")
        if role == "return" and index in blocks:
            yield Fault("call-nesting", ORIGIN + index, "RET without CALL")
