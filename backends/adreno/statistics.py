"""What a program costs, in the names of the recorded counts of the open driver's compiler."""

from __future__ import annotations

from backends.adreno import formats, isa
from backends.adreno.program import Program
from compiler.artifact import Stats


def count(program: Program, registers: int, constants: int) -> Stats:
    """The numbers of a program."""
    fetches = {issue.slot for issue in program.issues() if issue.is_fetch}
    words = [program.instruction(slot) for slot in range(program.first_slot, len(program.slots))]
    alu = [
        formats.ALU.decode(word)
        for slot, word in enumerate(words, program.first_slot)
        if slot not in fetches and word is not None
    ]
    scalar = [fields for fields in alu if _has_scalar(fields)]
    return Stats(
        instructions=len(program.instructions),
        code_words=3 * len(program.slots),
        registers=registers,
        constants=constants,
        extra={
            "alu_slots": len(alu),
            "scalar_ops": len(scalar),
            "scalar_only_slots": sum(1 for fields in scalar if not _has_vector(fields)),
            "fetch": len(fetches),
            "cf": len(program.clauses),
            "slots96": len(program.slots),
            "gprs": registers,
        },
    )


def _has_scalar(fields: dict[str, int]) -> bool:
    row = isa.SCALAR_BY_CODE[fields["scalar_op"]]
    return bool(fields["scalar_mask"] or row.has_effect or row.name.endswith("_PREVs"))


def _has_vector(fields: dict[str, int]) -> bool:
    return bool(fields["vector_mask"] or isa.VECTOR_BY_CODE[fields["vector_op"]].has_effect)
