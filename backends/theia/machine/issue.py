"""An instruction after another one: what is known of it before any pixel runs it.

The machine reads the result of the instruction before ahead of the register that it goes to, so what an operand is
depends on both.
"""

from __future__ import annotations

from functools import lru_cache

from glslc_multi.backends.theia.isa import instructions
from glslc_multi.backends.theia.isa.instructions import Decoded
from glslc_multi.backends.theia.isa.registers import Variant, is_written, physical
from glslc_multi.compiler.records import dataclass

#: Where operands come from, beside registers: the result of the instruction before; an instruction without one.
FORWARDED, ZEROS = -1, -2

_MULP, _TMREAD = (instructions.BY_NAME[name].code for name in ("MULP", "TMREAD"))


@dataclass(frozen=True, slots=True)
class Issue:
    """A decoded instruction; registers are physical numbers."""

    decoded: Decoded
    #: Registers, `FORWARDED` or `ZEROS`; of an instruction with an immediate value, its destination.
    sources: tuple[int, ...]
    #: The register that holds the result, if one does.
    destination: int | None
    #: Whether what the next instruction reads in place of the destination is not what a register holds.
    is_forwarded: bool
    #: The destination of the MULP before, whose lanes x and y are those of the register `settled_by`, or its immediate.
    settles: int | None
    settled_by: int | None


@lru_cache(maxsize=1 << 12)
def issue(word: int, previous: int | None, variant: Variant) -> Issue | str:
    """The instruction that a word is after another; why it never completes, if so."""
    decoded, before = instructions.decode(word), None if previous is None else instructions.decode(previous)
    if decoded is None or decoded.instruction.cycles(variant) is None:
        return "the instruction at {address:04x} never completes"
    if decoded.instruction.role == "end" and before is None:
        return "RETURN as the first instruction never completes"
    if before is not None and decoded.instruction.code == before.instruction.code == _TMREAD:
        return "TMREAD directly after TMREAD never completes"
    is_immediate = decoded.instruction.format is instructions.IMMEDIATE
    is_after_mulp = before is not None and before.instruction.code == _MULP
    return Issue(
        decoded,
        tuple(_source(address, before, variant) for address in _addresses(decoded)),
        _register_of(decoded, variant),
        _is_forwarded(decoded, variant),
        _register_of(before, variant) if is_after_mulp else None,
        None if is_immediate else physical(decoded.first, variant),
    )


def _addresses(decoded: Decoded) -> tuple[int, ...]:
    if decoded.instruction.format is instructions.IMMEDIATE:
        return (decoded.destination,)
    return (decoded.first, decoded.second)[: decoded.instruction.shape.count("S")]


def _source(address: int, before: Decoded | None, variant: Variant) -> int:
    """A register, or what the instruction before has just made for it."""
    if before is None or address != (before.target if before.instruction.is_jump else before.destination):
        return physical(address, variant)
    if not before.instruction.has_destination:
        return ZEROS
    return FORWARDED if _is_forwarded(before, variant) else physical(address, variant)


def _register_of(decoded: Decoded | None, variant: Variant) -> int | None:
    """The register that holds the result: RET writes its destination on icarus only."""
    if decoded is None or (decoded.instruction.role == "return" and variant != "icarus"):
        return None
    if not decoded.instruction.has_destination or not is_written(decoded.destination, variant):
        return None
    return physical(decoded.destination, variant)


def _is_forwarded(decoded: Decoded, variant: Variant) -> bool:
    is_held = decoded.instruction.code != _MULP and _register_of(decoded, variant) is not None
    return decoded.instruction.has_destination and not is_held
