"""Whether the text of a word (`spelling.py`) says all of it: its bits that no text expresses are as the assembler
makes them."""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.xenos_family.isa import formats, instructions
from glslc_multi.backends.xenos_family.isa.instruction_set import InstructionSet
from glslc_multi.backends.xenos_family.isa.spelling import shows_scalar

_PARTS = ("", "_bank", "_swizzle", "_negate")


def is_exact_clause(isa: InstructionSet, word: int) -> bool:
    """The sequence bits of an exec clause are in the lines of its instructions; beyond these they are 0."""
    row, fields = isa.decode_clause(word)
    if row.kind == "exec" and fields["sequence"] >> 2 * fields["cnt"]:
        return False
    return row.format.accepts(word)


def is_exact_fetch(isa: InstructionSet, word: int) -> bool:
    row, fields = isa.decode_fetch(word)
    layout = isa.formats.texture if row is None else row.format
    components = [fields["dst_swizzle"] >> 3 * slot & 7 for slot in range(len(instructions.COMPONENTS))]
    if formats.UNDEFINED_COMPONENT in components or fields.get("signed_rf"):
        return False
    return layout.accepts(word) and _is_predicate_shown(fields)


def is_exact_alu(isa: InstructionSet, word: int) -> bool:
    fields = formats.ALU.decode(word)
    is_relative_export = fields["export"] and (fields["vector_dest_rel"] or fields["scalar_dest_rel"])
    if fields["export"] and not isa.both_name_exports and fields["scalar_dest"]:
        return False
    if fields["abs_constants"] or is_relative_export or not _is_predicate_shown(fields):
        return False
    row = instructions.VECTOR_BY_CODE.get(fields["vector_op"])
    count = 2 if row is None else row.sources
    if count == 1 and any(fields[f"src1{part}"] != fields[f"src2{part}"] for part in _PARTS):
        return False
    # Flags of relative constants are seen at the constants that text names.
    expected: dict[str, int] = {}
    for name in ("src1", "src2", "src3") if count == 3 or shows_scalar(isa, fields, count) else ("src1", "src2"):
        if fields[f"{name}_bank"]:
            continue
        # The only source of an operation is also its second one.
        shown = fields[formats.constant_flag("src1" if count == 1 and name == "src2" else name, fields)]
        if expected.setdefault(formats.constant_flag(name, fields), shown) != shown:
            return False
    flags = {flag: fields[flag] for flag in ("const0_rel", "const1_rel")}
    has_base = bool(fields["const_rel_a0"])
    return flags == {flag: expected.get(flag, 0) for flag in flags} and (any(flags.values()) or not has_base)


def _is_predicate_shown(fields: Mapping[str, int]) -> bool:
    """The wanted predicate is in the suffix of a predicated instruction only."""
    return bool(fields["predicated"] or not fields["pred_condition"])
