"""Products in which factors cancel."""

from __future__ import annotations

import pytest

from glslc_multi.compiler.lifting.words.powers import cancel_powers
from tests.compiler.lifting.rules import operations_after

NEWTON = "%g:float = fdiv 1.0, %x\n%p:float = fmul %x, %g\n%c:float = fsub 2.0, %p\n%r:float = fmul %g, %c"
ROOT = """%m:float = fmul %x, %x
%n:float = fmul %y, %y
%s:float = fadd %m, %n
%a:float = fabs %s
%g:float = frsqrt %a
%h:float = fmul %s, 0.5
%q:float = fmul %g, %g
%p:float = fmul %q, %h
%c:float = fsub 1.5, %p
"""


@pytest.mark.parametrize(
    ("body", "operations"),
    [
        ("%q:float = fdiv %x, %y\n%r:float = fmul %q, %y", []),
        (NEWTON, ["fdiv"]),
        (ROOT + "%r:float = fmul %g, %c", ["fmul", "fmul", "fadd", "frsqrt"]),
        (ROOT + "%t:float = fmul %s, %g\n%r:float = fmul %t, %c", ["fmul", "fmul", "fadd", "fsqrt"]),
        ("%s:float = fmul %x, %y\n%t:float = fadd %s, %y\n%r:float = fsub %t, %y", ["fmul"]),
        ("%s:float = fsub %x, %y\n%r:float = fadd %y, %s", []),
        (
            "%a:float = fmul %x, 3.0\n%b:float = fmul %y, 6.0\n%q:float = fdiv %b, %x\n%r:float = fmul %q, %a",
            ["fmul"],
        ),
    ],
)
def test_what_meets_its_reciprocal_is_gone(body: str, operations: list[str]) -> None:
    assert operations_after("float", body, cancel_powers, 100.0) == operations


@pytest.mark.parametrize(
    "body",
    [
        NEWTON.replace("fsub 2.0", "fsub 3.0"),
        NEWTON.replace("fdiv 1.0, %x", "fdiv 1.0, %y"),
        "%q:float = fdiv %x, %y\n%r:float = fdiv %q, %y",
        "%s:float = fadd %x, %y\n%r:float = fadd %s, %y",
    ],
)
def test_what_does_not_meet_its_reciprocal_stays(body: str) -> None:
    assert len(operations_after("float", body, cancel_powers, 100.0)) > 1
