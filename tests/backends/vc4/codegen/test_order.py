"""The order for few registers needs few, and is found with work in proportion to the program."""

from __future__ import annotations

import pytest

import glslc_multi
from glslc_multi.backends.vc4.codegen.order import OrderForRegisters, _List
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.ir.module import Function, Instruction
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.passes.runner import run_pipeline

_TERMS = 16


def _sum() -> str:
    """Reciprocals of a uniform, which is an operand, and then their sum, which begins with the last one."""
    lines = ["%0:float = load @u", *(f"%{number}:float = frcp %0" for number in range(1, _TERMS + 1))]
    for number in reversed(range(1, _TERMS)):
        lines.append(f"%{len(lines)}:float = fadd %{len(lines) - 1}, %{number}")
    lines += [f"%{len(lines)}:vec4 = swizzle.xxxx %{len(lines) - 1}", f"store @gl_FragColor, %{len(lines)}", "ret"]
    header = (
        "shader fragment\nuniform @u: float\noutput @gl_FragColor: vec4 role(frag_color)\n\nfunc @main {\n^entry:\n"
    )
    return header + "".join(f"  {line}\n" for line in lines) + "}\n"


def _most_live(function: Function) -> int:
    """The most sums and reciprocals that wait for their reader at a time."""
    live: set[Instruction] = set()
    most = 0
    for instruction in (i for i in function.entry if i.type.width == 1 and i.operands):
        live -= set(instruction.operands)
        live.add(instruction)
        most = max(most, len(live))
    return most


def test_a_sum_needs_a_register_for_itself_and_one_for_a_term() -> None:
    module = parse_module(_sum(), "sum.sir", DiagnosticSink())
    assert module is not None
    assert _most_live(module.main) == _TERMS
    run_pipeline(module, (OrderForRegisters(),))
    assert _most_live(module.main) == 2


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
