"""The IR reducer on planted failures, and its edits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.ir.evaluate import EvaluationError, evaluate
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.ops import FSUB
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.verify import verify_module
from tests.generators.ir import Program, generate
from tests.generators.ir_edits import PROPOSERS, tidy
from tests.generators.reduce_ir import reduce
from tests.shared_data import PROJECT_ROOT


def parse(text: str) -> Module:
    module = parse_module(text, "t.sir", DiagnosticSink())
    assert module is not None
    return module


def count(module: Module, *names: str) -> int:
    return sum(i.op.name in names or not names for f in module.functions.values() for i in f.instructions())


@pytest.mark.parametrize("seed", range(4))
def test_a_single_operation_is_all_that_is_left(seed: int) -> None:
    """The planted failure: there is a select."""
    module = generate(Random(seed), statements=25).module
    assert count(module) > 60
    smallest = reduce(module, lambda m: count(m, "select") > 0)
    assert verify_module(smallest) == []
    assert count(smallest, "select") == 1
    assert count(smallest) <= 4


def _swap_subtractions(module: Module) -> Module:
    """A pass with a planted mistake, applied to a copy."""
    copy = parse(print_module(module))
    for instruction in copy.main.instructions():
        if instruction.op is FSUB:
            x, y = instruction.operands
            instruction.set_operand(0, y)
            instruction.set_operand(1, x)
    return copy


def _outputs(module: Module, program: Program) -> dict[str, Any]:
    inputs = {name: value for name, value in program.inputs.items() if name in module.variables}
    uniforms = {name: value for name, value in program.uniforms.items() if name in module.variables}
    result = evaluate(module, inputs, uniforms, lanes=program.lanes, max_steps=2000)
    return {name: value.tolist() for name, value in result.outputs.items()}


@pytest.mark.thorough
def test_a_miscompiled_program_shrinks_to_the_operation_at_fault() -> None:
    def fails(module: Module) -> bool:
        try:
            return _outputs(module, program) != _outputs(_swap_subtractions(module), program)
        except EvaluationError:
            return False

    seed = 0
    while not fails((program := generate(Random(seed), statements=30)).module):
        seed += 1
    smallest = reduce(program.module, fails)
    assert fails(smallest)
    assert verify_module(smallest, final=True) == []
    assert count(smallest, "fsub") == 1
    assert count(smallest) * 10 < count(program.module)


def test_a_loop_is_kept_where_the_failure_needs_it() -> None:
    module = generate(Random(2), statements=40).module

    def fails(candidate: Module) -> bool:
        return count(candidate, "phi") > 0

    assert fails(module)
    smallest = reduce(module, fails)
    assert count(smallest, "phi") == 1
    assert count(smallest) <= 8


def test_the_result_is_exactly_what_is_needed() -> None:
    text = """shader vertex
pragma "x"
attribute @a: vec4
uniform @u: int
output @o: vec4

func @f {
  local @t: float
^entry:
  store @t, 2.0
  ret
}

func @main {
^entry:
  %0:vec4 = load @a
  %1:vec4 = fadd precise %0, vec4(1.0, 2.0, 3.0, 4.0)
  %2:bool = flt 1.0, 2.0
  condbr %2, ^then, ^exit
^then:
  %4:vec4 = fmul %1, %1
  call @f
  br ^exit
^exit:
  %7:vec4 = phi [%1, ^entry], [%4, ^then]
  store @o, %7
  ret
}
"""
    smallest = reduce(parse(text), lambda module: count(module, "fmul") > 0)
    expected = """shader vertex

func @main {
^entry:
  %0:vec4 = fmul vec4(0.0), vec4(0.0)
  ret
}
"""
    assert print_module(smallest) == expected


def test_refuses_a_module_that_does_not_fail() -> None:
    with pytest.raises(ValueError, match="does not fail"):
        reduce(generate(Random(1)).module, lambda _: False)


def test_the_predicate_gets_sound_modules_only() -> None:
    def fails(module: Module) -> bool:
        assert verify_module(module) == []
        return count(module, "condbr") > 0

    assert count(reduce(generate(Random(3), statements=20).module, fails), "condbr") == 1


@pytest.mark.parametrize("proposer", PROPOSERS, ids=lambda proposer: proposer.__name__)
def test_every_kind_of_edit_changes_something(proposer: object) -> None:
    """Each proposer has an edit of some random module that leaves it sound and different."""
    assert callable(proposer)
    for seed in range(30):
        text = print_module(generate(Random(seed)).module).replace("\n", '\npragma "p"\n', 1)
        for edit in list(proposer(parse(text)))[:5]:
            module = parse(text)
            edit(module)
            if print_module(module) != text and verify_module(module) == []:
                return
    pytest.fail("no edit changed a module")


def test_tidying_keeps_a_module_sound_and_is_done_once() -> None:
    for seed in range(40):
        module = generate(Random(seed), statements=20).module
        tidy(module)
        assert verify_module(module, final=True) == []
        text = print_module(module)
        tidy(module)
        assert print_module(module) == text


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "failing.sir"
    path.write_text(print_module(generate(Random(0), statements=4).module), "utf-8")
    check = "import sys; sys.exit('kill' in open(sys.argv[1]).read() or 'ret' in open(sys.argv[1]).read())"
    command = [sys.executable, "-m", "tests.generators.reduce_ir", str(path)]
    done = subprocess.run(
        [*command, "--command", f'{sys.executable} -S -c "{check}" {{}}'],
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("func @main {\n^entry:\n  ret\n}\n")


def test_the_command_says_what_is_wrong_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.sir"
    path.write_text("shader vertex\n}\n", "utf-8")
    command = [sys.executable, "-m", "tests.generators.reduce_ir", str(path), "--command", "true"]
    done = subprocess.run(command, cwd=PROJECT_ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "E0611" in done.stderr
