"""Words of floats, of conditions and of bytes, on the edges of both formats."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Function
from glslc_multi.compiler.lifting.operations import Origins
from glslc_multi.compiler.lifting.words.types import read_words
from tests.compiler.lifting.rules import module_of, operations_after

MASKS = """%a:bool = ilt %x, %y
%b:bool = ieq %x, 7
%m:int = select %a, -1, 0
%n:int = select %b, 0, -1
"""
FLOATS = """%a:bool = flt %x, %y
%m:int = select %a, -1, 0
%u:int = bitcast_ftoi %x
%v:int = bitcast_ftoi %y
"""


def _read(function: Function) -> None:
    read_words(function, Origins())


@pytest.mark.parametrize(
    ("body", "operations"),
    [
        ("%o:int = ior %m, %n\n%t:bool = ieq %o, 0\n%r:int = btoi %t", {"or", "not"}),
        ("%o:int = iand %m, %n\n%t:bool = ilt %o, 0\n%r:int = btoi %t", {"and"}),
        ("%o:int = ixor %m, %n\n%p:int = inot %o\n%t:bool = ine %p, 0\n%r:int = btoi %t", {"xor", "not"}),
        ("%t:bool = ult %m, 1\n%r:int = btoi %t", {"not"}),
        ("%t:bool = ilt 0, %m\n%r:int = btoi %t", set()),
        ("%r:int = iand %x, %m", {"select"}),
        ("%o:int = isub %n, 3\n%t:bool = ieq %o, -4\n%r:int = btoi %t", {"not"}),
    ],
)
def test_conditions_stand_behind_masks(body: str, operations: set[str]) -> None:
    left = operations_after("int", MASKS + body, _read)
    assert operations <= {*left}
    assert not {"iand", "ior", "ixor", "inot", "isub"} & {*left}


@pytest.mark.parametrize(
    ("body", "operations"),
    [
        ("%s:int = select %a, %u, %v\n%r:float = bitcast_itof %s", ["flt", "select"]),
        ("%s:int = ixor %u, -2147483648\n%r:float = bitcast_itof %s", ["fneg"]),
        ("%s:int = iand %u, 2147483647\n%r:float = bitcast_itof %s", ["fabs"]),
        ("%s:int = select %a, %u, 1065353216\n%r:float = bitcast_itof %s", ["flt", "select"]),
        ("%s:int = iand %m, %u\n%r:float = bitcast_itof %s", ["flt", "select"]),
        ("%t:bool = ilt %u, 0\n%w:int = bitcast_ftoi 2.0\n%r:float = select %t, %x, %y", ["flt", "select"]),
    ],
)
def test_floats_stand_behind_their_bits(body: str, operations: list[str]) -> None:
    assert operations_after("float", FLOATS + body, _read) == operations


@pytest.mark.parametrize(
    "body",
    [
        "%s:int = iadd %u, 1\n%r:float = bitcast_itof %s",
        "%s:int = ior %u, %v\n%r:float = bitcast_itof %s",
        "%s:int = iand %u, -2\n%r:float = bitcast_itof %s",
    ],
)
def test_what_only_bits_say_stays(body: str) -> None:
    assert "bitcast_itof" in operations_after("float", FLOATS + body, _read)


def test_bytes_that_numbers_were_rounded_to_are_these_numbers() -> None:
    """And others are what they are."""
    body = """%f:int = ftoi %x
%g:int = ftoi %y
%h:int = ishl %f, 8
%k:int = iand %g, 255
%w:int = ior %h, %k
%a:int = ushr %w, 8
%b:int = iand %a, 255
%c:float = itof %b
%d:float = fdiv %c, 255.0
%l:int = iand %w, 255
%m:float = itof %l
%n:float = fdiv %m, 255.0
%r:float = fadd %d, %n"""
    module = module_of("float", body)
    byte = next(i for i in module.main.instructions() if i.op is ops.FTOI)
    origins = Origins()
    origins.shares[byte] = byte.operands[0]
    read_words(module.main, origins)
    (total,) = [i for i in module.main.instructions() if i.op is ops.FADD]
    first, second = total.operands
    assert first.op is ops.FSATURATE  # type: ignore[attr-defined]
    assert first.operands[0] is byte.operands[0]  # type: ignore[attr-defined]
    assert second.op is ops.FDIV  # type: ignore[attr-defined]
