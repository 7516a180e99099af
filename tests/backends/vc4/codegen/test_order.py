"""The order for few registers is found with work in proportion to the program."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.vc4.codegen.order import _List
from glslc_multi.compiler.diagnostics import CompileError


def test_readers_of_one_value_are_not_all_ranked_whenever_one_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each varying adds readers of the same vector, which are all ready once it is."""
    ranked = 0
    push = _List._push

    def counted(self: _List, number: int) -> None:
        nonlocal ranked
        ranked += 1
        push(self, number)

    monkeypatch.setattr(_List, "_push", counted)
    found: list[int] = []
    for count in (64, 128):
        varyings = "".join(f"varying vec4 v{k};" for k in range(count))
        body = "".join(f"v{k} = x * u.{'xyzw'[k % 4]} + {k}.5;" for k in range(count))
        source = f"attribute vec4 x; uniform vec4 u; {varyings} void main() {{ {body} gl_Position = x; }}"
        ranked = 0
        with pytest.raises(CompileError):
            glslc_multi.compile(source, target="vc4", stage="vertex")
        found.append(ranked)
    assert 0 < found[0] < found[1] < 3 * found[0]
