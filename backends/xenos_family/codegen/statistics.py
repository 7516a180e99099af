"""What a program costs, in the names of the recorded counts of the open driver's compiler."""

from __future__ import annotations

from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.program import Program
from glslc_multi.compiler.artifact import Stats


def count(program: Program, registers: int, constants: int) -> Stats:
    """The numbers of a program."""
    fetches = {issue.slot for issue in program.issues() if issue.is_fetch}
    others = fetches | program.idle_slots()
    words = [program.instruction(slot) for slot in range(program.first_slot, len(program.slots))]
    alu = [word for slot, word in enumerate(words, program.first_slot) if slot not in others and word is not None]
    scalar = [word for word in alu if _has_scalar(word)]
    dual = sum(_has_vector(word) for word in scalar)
    return Stats(
        instructions=len(program.instructions),
        code_words=3 * len(program.slots),
        registers=registers,
        constants=constants,
        extra={
            "alu_slots": len(alu),
            "scalar_ops": len(scalar),
            "scalar_only_slots": len(scalar) - dual,
            "dual_slots": dual,
            "dual_percent": round(100 * dual / len(alu)) if alu else 0,
            "fetch": len(fetches),
            "cf": len(program.clauses),
            "slots96": len(program.slots),
            "gprs": registers,
        },
    )


#: Scalar operations that do nothing where they write nothing: an empty half, and one that keeps what is there.
_IDLE = frozenset({"ADDs", "RETAIN_PREV"})


_VECTOR, _VECTOR_MASK, _SCALAR, _SCALAR_MASK = (
    formats.ALU.by_name[name] for name in ("vector_op", "vector_mask", "scalar_op", "scalar_mask")
)


def _has_scalar(word: int) -> bool:
    """Whether the scalar half does something: it writes, has an effect, or leaves a result for the next one."""
    return bool(_SCALAR_MASK.extract(word)) or instructions.SCALAR_BY_CODE[_SCALAR.extract(word)].name not in _IDLE


def _has_vector(word: int) -> bool:
    return bool(_VECTOR_MASK.extract(word) or instructions.VECTOR_BY_CODE[_VECTOR.extract(word)].has_effect)
