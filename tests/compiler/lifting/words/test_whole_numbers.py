"""Products and quotients of whole numbers, at the edges of their format."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.lifting.words.whole_numbers import join_whole_numbers
from tests.compiler.lifting.rules import operations_after

PRODUCT = """%xl:int = iand %x, 16777215
%yl:int = iand %y, 16777215
%xh:int = ushr %x, 24
%yh:int = ushr %y, 24
%a:int = imul %xh, %yl
%b:int = imul %xl, %yh
%c:int = iadd %a, %b
%d:int = ishl %c, 24
%e:int = imul %xl, %yl
%r:int = iadd %e, %d"""
QUOTIENT = "%s:int = ishr %x, 31\n%u:int = ushr %s, 29\n%t:int = iadd %x, %u\n%r:int = ishr %t, 3"


#: What is made here has no range.
_SUM = ["imul", "iand", "iand", "iadd"]


@pytest.mark.parametrize(
    ("body", "operations"),
    [
        (PRODUCT, ["imul"]),
        (PRODUCT.replace("imul %xl, %yl", "imul %yl, %xl").replace("iadd %a, %b", "iadd %b, %a"), ["imul"]),
        (
            PRODUCT.replace("%yl", "9").replace("%yh", "0").replace("9:int", "%yl:int").replace("0:int", "%yh:int"),
            ["imul"],
        ),
        (QUOTIENT, ["idiv"]),
        ("%r:int = ishl %x, 31", ["imul"]),
        ("%z:int = ishl %x, 8\n%a:int = iand %y, 16777215\n%b:int = iand %z, 16777215\n%r:int = iadd %a, %b", _SUM),
        ("%z:int = ushr %x, 8\n%r:int = iand %z, 16777215", ["ushr"]),
    ],
)
def test_they_are_one_operation(body: str, operations: list[str]) -> None:
    assert operations_after("int", body, join_whole_numbers) == operations


@pytest.mark.parametrize(
    "body",
    [
        PRODUCT.replace("imul %xh, %yl", "imul %xh, %yh"),
        PRODUCT.replace("imul %xl, %yl", "imul %xl, %xl"),
        QUOTIENT.replace("%s, 29", "%s, 28"),
        QUOTIENT.replace("iadd %x, %u", "iadd %y, %u"),
        QUOTIENT.replace("ishr %x, 31", "ishr %x, 30"),
    ],
)
def test_what_looks_like_them_stays(body: str) -> None:
    assert len(operations_after("int", body, join_whole_numbers)) > 1
