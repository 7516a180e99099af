"""Functions that are put together of others, and what only looks like them."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.lifting.functions import join_functions
from tests.compiler.lifting.rules import module_of, operations_after

TRUNCATED = "%i:int = ftoi %x\n%w:float = itof %i\n"
FLOOR = (
    TRUNCATED + "%d:float = fsub %x, %w\n%n:bool = flt %d, 0.0\n%l:float = fsub %w, 1.0\n%r:float = select %n, %l, %w"
)
LARGE = "\n%a:float = fabs %x\n%b:bool = flt 1073741824.0, %a\n%r:float = select %b, %x, %s"
POWER = (
    TRUNCATED
    + """%f:float = fsub %x, %w
%p4:float = fmul %f, 0.00130662
%q3:float = fadd %p4, 0.00982898
%p3:float = fmul %q3, %f
%q2:float = fadd %p3, 0.05555452
%p2:float = fmul %q2, %f
%q1:float = fadd %p2, 0.24016396
%p1:float = fmul %q1, %f
%q0:float = fadd %p1, 0.69313463
%p0:float = fmul %q0, %f
%t:float = fadd %p0, 1.0
%e:float = fexp2 %w
%r:float = fmul %e, %t"""
)
SINE = """%u:float = fmul %x, 0.15915494
%h:float = fadd %u, 0.5
%n:float = ffloor %h
%t:float = fsub %u, %n
%a:float = fsub 0.5, %t
%b:float = fmin %t, %a
%c:float = fsub -0.5, %t
%d:float = fmax %b, %c
%s:float = fmul %d, %d
%p3:float = fmul %s, 39.71092
%q3:float = fadd %p3, -76.57499
%p2:float = fmul %q3, %s
%q2:float = fadd %p2, 81.602234
%p1:float = fmul %q2, %s
%q1:float = fadd %p1, -41.34168
%p0:float = fmul %q1, %s
%q0:float = fadd %p0, 6.2831855
%r:float = fmul %d, %q0"""


SIGN = """%n:bool = flt %x, 0.0
%s:float = select %n, -1.0, 1.0
%z:bool = feq %x, 0.0
%r:float = select %z, 0.0, %s"""


@pytest.mark.parametrize(
    ("body", "operations"),
    [
        (FLOOR, ["ffloor"]),
        (FLOOR.replace("fsub %w, 1.0", "fadd %w, -1.0"), ["ffloor"]),
        (FLOOR.replace("fsub %x, %w", "fsub %w, %x").replace("fsub %w, 1.0", "fadd %w, 1.0"), ["fceil"]),
        (FLOOR.replace("fsub %w, 1.0", "fadd %d, 1.0").replace("%l, %w", "%l, %d"), ["ffract"]),
        (TRUNCATED + LARGE.replace("%s", "%w"), ["ftrunc"]),
        (FLOOR.replace("%r:", "%s:") + LARGE, ["ffloor"]),
        (SIGN, ["fsign"]),
    ],
)
def test_roundings(body: str, operations: list[str]) -> None:
    assert operations_after("float", body, join_functions) == operations


@pytest.mark.parametrize(
    "body",
    [
        FLOOR.replace("%w, 1.0", "%w, 2.0"),
        SIGN.replace("feq %x", "feq %y"),
        SIGN.replace("-1.0, 1.0", "1.0, -1.0"),
        FLOOR.replace("fsub %x, %w", "fsub %y, %w"),
        FLOOR.replace("%l, %w", "%w, %l"),
        FLOOR.replace("flt %d, 0.0", "flt %d, 0.5"),
        FLOOR.replace("%r:", "%s:") + LARGE.replace("%b, %x", "%b, %y"),
        TRUNCATED + LARGE.replace("%s", "%w").replace("1073741824.0", "16.0"),
    ],
)
def test_what_looks_like_a_rounding_stays(body: str) -> None:
    assert "select" in operations_after("float", body, join_functions)


def test_powers_are_near_to_a_power_whatever_their_numbers() -> None:
    assert operations_after("float", POWER, join_functions) == ["fexp2"]
    other = POWER.replace("0.00982898", "0.00982801").replace("0.69313463", "0.69313563")
    assert operations_after("float", other, join_functions) == ["fexp2"]


@pytest.mark.parametrize(
    "change", [("0.69313463", "0.69413463"), ("fexp2 %w", "fexp2 %y"), ("%t:float = fadd", "%t:float = fsub")]
)
def test_what_is_not_near_to_a_power_stays(change: tuple[str, str]) -> None:
    assert len(operations_after("float", POWER.replace(*change), join_functions)) > 10


def test_sines_are_found_behind_any_reduction() -> None:
    for scale, operation in (("0.15915494", "fsin"), ("0.31830987", "fsin")):
        module = module_of("float", SINE.replace("0.15915494", scale))
        join_functions(module.main)
        (store,) = [i for i in module.main.instructions() if i.op.name == "store"]
        assert store.operands[0].op.name == operation  # type: ignore[attr-defined]


@pytest.mark.parametrize("change", [("-76.57499", "-75.5"), ("fmax %b, %c", "fmin %b, %c"), ("ffloor %h", "ffloor %u")])
def test_what_is_no_sine_stays(change: tuple[str, str]) -> None:
    module = module_of("float", SINE.replace(*change))
    join_functions(module.main)
    assert "fsin" not in [i.op.name for i in module.main.instructions()]
