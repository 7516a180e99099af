"""The numbers of a program: words, registers, constants, and how full its words are."""

from __future__ import annotations

from glslc_multi.backends.vc4.codegen.finalize import Code
from glslc_multi.backends.vc4.codegen.schedule.integrated import Schedule
from glslc_multi.backends.vc4.isa.accesses import REGISTERS, addresses_read, addresses_written
from glslc_multi.backends.vc4.isa.encoding import Alu, decode
from glslc_multi.compiler.artifact import Stats


def statistics_of(code: Code, scheduled: Schedule) -> Stats:
    """What `--stats` shows."""
    bundled = scheduled.statistics
    words = [decode(word) for word in code.words]
    used = 0
    for word in words:
        used |= addresses_read(word) | addresses_written(word)
    return Stats(
        instructions=len(words),
        code_words=len(words),
        registers=(used & REGISTERS).bit_count(),
        constants=sum(1 for slot in code.stream if slot.kind == "constant"),
        extra={
            "uniform_words": len(code.stream),
            "operations": bundled.instructions,
            # Words in which both ALUs work.
            "dual_slots": sum(1 for word in words if isinstance(word, Alu) and word.add.op and word.mul.op),
            "alu_slots": len(words),
            **{f"nops_{reason.replace(' ', '_')}": count for reason, count in bundled.nops.items()},
        },
        proofs=scheduled.proofs,
    )
