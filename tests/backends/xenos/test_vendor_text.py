"""Instructions as the vendor's assembler wrote them: those that do nothing."""

from __future__ import annotations

import pytest

from glslc_multi.backends.xenos.isa.instructions import XENOS
from glslc_multi.backends.xenos_family.isa import instructions
from tests.backends.xenos.vendor_text import write_instruction

_IDLE = {
    "vector_op": instructions.VECTOR_BY_NAME["MAXv"].code,
    "scalar_op": instructions.SCALAR_BY_NAME["RETAIN_PREV"].code,
    "src1_bank": 1,
    "src2_bank": 1,
    "vector_mask": 0,
    "scalar_mask": 0,
}


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "nop"),
        # Only the vector half can say that there is an export.
        ({"export": 1}, "max oC0._, r0, r0"),
        ({"export": 1, "predicated": 1, "pred_condition": 1}, "(p0) max oC0._, r0, r0"),
        ({"export": 1, "scalar_mask": 1, "vector_dest": 1}, "retain_prev oC1.x___"),
        ({"vector_mask": 15}, "max r0, r0, r0"),
    ],
)
def test_what_does_nothing_is_a_nop_but_for_an_export(fields: dict[str, int], text: str) -> None:
    word = XENOS.encode_alu(**{**_IDLE, **fields})
    assert list(write_instruction(word, False, False, "fragment")) == [text]
