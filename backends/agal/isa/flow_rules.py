"""Rules about a program in order: what was written before, conditions, samplers, and what is written at the end.

A temporary's component counts as written after a condition when both blocks wrote it, or when it was written
before; runtimes of versions 2 and 3 do not say, and this is safe for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from glslc_multi.backends.agal.isa.program import Destination, Program, Sampler, Source, Token, decode
from glslc_multi.backends.agal.isa.registers import (
    DEEPEST_NESTING,
    DEPTH,
    FULL_MASK,
    OUTPUT,
    TEMPORARY,
    VARYING,
    mask_of,
)
from glslc_multi.backends.agal.isa.rules import Fault
from glslc_multi.backends.agal.isa.sampler_options import IGNORE_SAMPLER
from glslc_multi.compiler.records import dataclass, field

#: (type, number) -> components written so far, as a mask.
Written = dict[tuple[int, int], int]


def _both(first: Written, second: Written) -> Written:
    """What was written on both paths."""
    return {register: mask & second[register] for register, mask in first.items() if register in second}


@dataclass(slots=True)
class _Condition:
    """A block that is open: what was written before it, and at the end of its first half (after `els`)."""

    before: Written
    first_half: Written | None = None
    is_empty: bool = True


@dataclass(slots=True)
class FlowRules:
    """Looks at token after token; `written` is what the program has written so far."""

    program: Program
    written: Written = field(default_factory=dict)
    #: Varyings that were read.
    varyings: set[int] = field(default_factory=set)
    _open: list[_Condition] = field(default_factory=list)
    _samplers: dict[int, Sampler] = field(default_factory=dict)

    def faults(self, own_faults: Sequence[Sequence[int]]) -> Iterator[Fault]:
        """The faults of all tokens in order; `own_faults` are those that each token has by itself."""
        for position, (word, own) in enumerate(zip(self.program.words, own_faults, strict=True)):
            token = decode(word)
            listed = [] if token is None else self._look_at(token)
            # What a wrong token reads is no second mistake, but what it writes counts.
            yield from (Fault(number, position) for number in own or dict.fromkeys(listed))
        if self._open:
            yield Fault(3739)

    def end_faults(self) -> Iterator[Fault]:
        """What the program as a whole has not written."""
        if self.program.stage == "vertex":
            if self.written.get((OUTPUT, 0), 0) != FULL_MASK:
                yield Fault(3635)
            varyings = [mask for (type, _), mask in self.written.items() if type == VARYING]
            yield from (Fault(3633) for mask in varyings if mask != FULL_MASK)
            return
        colours = {number for type, number in self.written if type == OUTPUT}
        if not colours:
            yield Fault(3634)
        elif max(colours) >= len(colours):
            yield Fault(3775)

    def _look_at(self, token: Token) -> list[int]:
        role = token.instruction.role
        if role in ("else", "end"):
            return list(self._leave_block(role == "end"))
        faults: list[int] = []
        if self._open:
            self._open[-1].is_empty = False
            faults += self._inside_faults(token)
        for position, source in enumerate(token.sources):
            if source.indirect:
                is_temporary = source.index_type == TEMPORARY
                faults += self._unwritten(source.number, 1 << source.index_component) if is_temporary else []
            elif source.type in (TEMPORARY, VARYING):
                faults += self._read_faults(source, token.instruction.rows if position else 1)
        if token.sampler is not None:
            faults += self._sampler_faults(token.sampler)
        if token.destination is not None:
            faults += self._write(token.destination)
        if role == "if":
            if len(self._open) == DEEPEST_NESTING:
                faults.append(3624)
            self._open.append(_Condition(dict(self.written)))
        return faults

    # --- Conditions ---------------------------------------------------------------------------------------------------

    def _leave_block(self, is_end: bool) -> Iterator[int]:
        if not self._open:
            yield 3623 if is_end else 3752
            return
        condition = self._open[-1]
        if condition.is_empty:
            yield 3748
        if is_end:
            self._open.pop()
            other_path = condition.before if condition.first_half is None else condition.first_half
            self.written = _both(self.written, other_path)
        elif condition.first_half is not None:
            yield 3752
        else:
            condition.first_half, condition.is_empty = self.written, True
            self.written = dict(condition.before)

    def _inside_faults(self, token: Token) -> Iterator[int]:
        """What cannot be done inside of a condition."""
        if token.instruction.role == "derivative":
            yield 3742
        if token.sampler is not None and token.sources[0].type != VARYING:
            yield 3741
        if token.destination is not None and token.destination.type in (OUTPUT, DEPTH):
            yield 3751

    # --- Reads and writes ---------------------------------------------------------------------------------------------

    def _read_faults(self, source: Source, rows: int) -> list[int]:
        """All four slots of a swizzle count as read, whatever the write mask (reference validator)."""
        numbers = range(source.number, source.number + rows)
        if source.type == VARYING:
            self.varyings.update(numbers)
            return []
        mask = mask_of(source.swizzle)
        return [fault for number in numbers for fault in self._unwritten(number, mask)]

    def _unwritten(self, number: int, mask: int) -> list[int]:
        written = self.written.get((TEMPORARY, number), 0)
        if not mask & ~written:
            return []
        return [3648 if written else 3647]

    def _sampler_faults(self, sampler: Sampler) -> Iterator[int]:
        """A sampler whose properties the host sets has none here to compare."""
        if sampler.special & IGNORE_SAMPLER:
            return
        if self._samplers.setdefault(sampler.number, sampler) != sampler:
            yield 3696

    def _write(self, destination: Destination) -> list[int]:
        register = destination.type, destination.number
        is_colour = destination.type == OUTPUT and self.program.stage == "fragment"
        faults = [3744] if is_colour and register in self.written else []
        self.written[register] = self.written.get(register, 0) | destination.mask
        return faults
