"""The hardware rules that programs of the family must keep, by the names in which `validate.py` reports them; each
machine picks its own."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.xenos_family.isa.program import CLAUSE_LIMIT

RULES: Mapping[str, str] = {
    "reserved-bits": "bits that no field owns are zero, bit 19 of a vertex fetch is one",
    "undefined-operation": "opcodes are those of the tables",
    "unwritable-component": "a component of a fetch's destination is one of x, y, z, w, 0, 1 and _",
    "fetch-constant": "the selector of a vertex fetch's constant is 0 to 2",
    "clause-count": f"an exec clause runs at most {CLAUSE_LIMIT} instructions",
    "unused-sequence": "sequence bits after the last instruction of a clause are zero",
    "slot-range": "an exec clause names slots of instructions",
    "two-kinds": "an instruction is run as fetch or as ALU instruction, not as both",
    "jump-range": "jumps, calls and loops name a clause",
    "jump-direction": "the direction of a jump is that of its target",
    "loop-pairs": "every LOOP_START has its LOOP_END with the same loop constant, and the address of its body",
    "no-end": "an exec clause ends the program",
    "export-number": "exports are those of the stage",
    "export-relative": "the destination of an export is not relative to aL",
    "export-two-numbers": "both halves of an exporting instruction name the same export",
    "write-conflict": "the halves of an instruction do not write the same component",
    "mixed-buffers": "an exec clause exports to one buffer only",
    "missing-alloc": "an ALLOC of its buffer stands before the clause of the first export",
    "alloc-order": "the position is allocated before the clause of the first export of a parameter",
    "missing-sync": "an instruction of another kind than the one before has (S)",
    "kill-in-vertex": "only fragment programs kill",
    "missing-output": "a vertex program exports its position, a fragment program its colour",
}


def size_rule(limit: int) -> Mapping[str, str]:
    """How long a program may be."""
    return {"size": f"a program has at most {limit} slots"}
