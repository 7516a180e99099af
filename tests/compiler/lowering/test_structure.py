"""`structurize`: any shape becomes a nest, and the way through it stays the same, as the evaluator sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from random import Random

import numpy as np
import pytest

from glslc_multi.compiler.analysis.forward_graph import ForwardGraph
from glslc_multi.compiler.arithmetic.lanes import Array
from glslc_multi.compiler.codegen.regions import If, Loop, Region, Seq, split_critical_edges, structure_function
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.block_edits import remove_unreachable_blocks
from glslc_multi.compiler.ir.evaluate import EvaluationError, evaluate
from glslc_multi.compiler.ir.module import Block, Module
from glslc_multi.compiler.ir.verify import check
from glslc_multi.compiler.lowering import joins, structure
from glslc_multi.compiler.lowering.structure import Structurize
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.control_flow.simplify_cfg import SimplifyCfg
from glslc_multi.compiler.passes.memory.mem2reg import Mem2Reg
from glslc_multi.compiler.passes.pipeline import PROMOTE
from glslc_multi.compiler.passes.pipeline_text import parse_pipeline
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.frontends.registry import make_source
from tests.compiler.passes.oracle import complaint_about
from tests.compiler.passes.trials import ir_trials
from tests.frontends.glsl.lower.harness import lower_text
from tests.generators.cfg_program import tangled

_LANES = 16


def _module(seed: int) -> Module:
    module = tangled(Random(seed), budget=6 + seed % 18, jumps=seed % 12)
    remove_unreachable_blocks(module.main)
    run_pipeline(module, (Mem2Reg(), SimplifyCfg()), PassContext())
    return module


def _run(module: Module) -> Array | None:
    """What the lanes compute; None when one of them never ends."""
    seeds = np.arange(_LANES, dtype=np.float32)
    try:
        result = evaluate(module, {"seed": seeds}, {"u_choice": np.array(False)}, lanes=_LANES, max_steps=3000)
    except EvaluationError:
        return None
    return result.outputs["gl_Position"]


@pytest.mark.parametrize("most_bools", [0, 8])
@pytest.mark.parametrize("copies", [0, 3, 50])
def test_tangled_shapes_become_nests_that_compute_the_same(
    copies: int, most_bools: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a bool for each target or the number of one says where jumps want to go."""
    monkeypatch.setattr(joins, "_MOST_BOOLS", most_bools)
    compared = changed = 0
    for seed in range(30):
        expected = _run(_module(seed))
        module = _module(seed)
        changed += Structurize(copies=copies).run(module.main, PassContext())
        check(module)
        structure_function(module.main)
        if expected is not None:
            compared += 1
            found = _run(module)
            assert found is not None and np.array_equal(found, expected), f"seed {seed}"
    assert compared > 15 and changed > 20


def _depths(region: Region[Block], around: tuple[int, ...] = (0,)) -> Iterator[tuple[int, ...]]:
    """For each `if`, how many stand in each other down to it: by loop around it, the outermost first."""
    match region:
        case Seq(parts):
            for part in parts:
                yield from _depths(part, around)
        case Loop(body):
            yield from _depths(body, (*around, 0))
        case If(_, then, orelse, _):
            inner = (*around[:-1], around[-1] + 1)
            yield inner
            for arm in (then, orelse):
                yield from _depths(arm, inner) if arm is not None else ()


def test_deep_nests_are_cut_where_the_machine_ends() -> None:
    deep = compared = 0
    for seed in range(40):
        expected = _run(_module(seed))
        module = _module(seed)
        Structurize().run(module.main, PassContext())
        deep += any(sum(depths) > 3 for depths in _depths(structure_function(module.main)))
        Structurize(depth=3).run(module.main, PassContext())
        check(module)
        for *outer, inner in _depths(structure_function(module.main)):
            # No loop can leave the `if` that it stands in.
            assert sum(outer) + inner <= 3 or (max(outer) <= 1 and inner <= 2), f"seed {seed}"
        if expected is not None:
            compared += 1
            found = _run(module)
            assert found is not None and np.array_equal(found, expected), f"seed {seed}"
    assert deep > 8 and compared > 20


#: What the loop leaves is used in the depth of the nest after it, and not every round makes it.
AFTER_A_LOOP = """#version 300 es
precision highp float; in float seed; out vec4 colour;
void main() {
    float r = 0.5;
    if (seed > 0.5) {
        float v = 0.0;
        int i = 0;
        for (;;) {
            i++;
            if (mod(float(i) + seed, 3.0) < 1.0) continue;
            v = seed * float(i);
            if (v > 4.0) break;
        }
        if (seed > 1.5) { r += 1.0; if (seed > 2.5) { r += 2.0; if (seed > 3.5) { r += v; if (seed > 4.5) r += v; } } }
    }
    colour = vec4(r);
}"""


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_a_cut_keeps_what_a_loop_before_it_leaves(depth: int) -> None:
    module = lower_text(AFTER_A_LOOP)
    run_pipeline(module, PROMOTE, PassContext())
    assert Structurize(depth=depth).run(module.main, PassContext())
    check(module)
    inputs = {"seed": np.arange(_LANES, dtype=np.float32)}
    found = evaluate(module, inputs, {}, lanes=_LANES, max_steps=5000).outputs["colour"]
    assert found[:, 0].tolist() == [_after_a_loop(float(seed)) for seed in range(_LANES)]


def _after_a_loop(seed: float) -> float:
    """The same in Python, for whole numbers."""
    i, v = 0, 0.0
    while seed and v <= 4.0:
        i += 1
        if (i + seed) % 3.0 >= 1.0:
            v = seed * i
    nest = (0.5, 0.5, 1.5, 3.5, 3.5 + v, 3.5 + 2.0 * v)
    return nest[min(int(seed), 5)]


def test_nests_stay_as_they_are() -> None:
    for seed in range(20):
        module = _module(seed)
        Structurize().run(module.main, PassContext())
        assert not Structurize().run(module.main, PassContext())


def test_what_cleans_up_leaves_nests() -> None:
    clean_up = parse_pipeline("repeat{rounds=4}(sccp,instcombine,gvn,simplify-cfg,dce)", DiagnosticSink())
    for seed in range(25):
        module = _module(seed)
        run_pipeline(module, (Structurize(), *clean_up), PassContext())
        structure_function(module.main)
        split_critical_edges(module.main)
        structure_function(module.main)


def test_generated_modules_compute_the_same() -> None:
    for trial in islice(ir_trials(900, statements=20), 25):
        complaint = complaint_about(trial, (Structurize(),))
        assert not complaint, f"{trial.name}: {complaint}"


@pytest.mark.parametrize(
    ("before", "between", "after", "graphs_a_cut"),
    [
        # An unrolled loop with a `break` is a nest of ifs with code after each: each cut mends a few.
        ("", "a += v.x; if (a < v.y) {", "}", 1.75),
        # What leads out of a chain of `else if` leads to one place: halves of it are cut together.
        ("if (v.y < 0.0) a = v.x;", "else if (a < v.y) a += v.x;", "", 0.5),
    ],
)
def test_many_cuts_take_few_graphs(
    before: str, between: str, after: str, graphs_a_cut: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0

    def counted(entry: Block, successors: Callable[[Block], Iterable[Block]]) -> ForwardGraph[Block]:
        nonlocal made
        made += 1
        return ForwardGraph(entry, successors)

    monkeypatch.setattr(structure, "ForwardGraph", counted)
    levels = 60
    nest = before + between * levels + "a = 0.0;" * bool(after) + after * levels
    text = f"attribute vec4 v; void main() {{ float a = v.z; {nest} gl_Position = vec4(a); }}"
    module = lower_source(make_source(text, "nest.vert"), FrontEndOptions(), DiagnosticSink())
    run_pipeline(module, (Mem2Reg(), SimplifyCfg()), PassContext())
    assert Structurize(depth=3).run(module.main, PassContext())
    cuts = sum(block.name.startswith("join") for block in module.main.blocks)
    assert cuts > levels // 4
    assert made < graphs_a_cut * cuts


def test_a_nest_grows_as_the_breaks_of_its_loop() -> None:
    """Each break leads to a block of its own: a bool for each of them, from each of them, would be quadratic."""

    def operands(breaks: int) -> int:
        tests = "".join(f"if (a < {i}.5) {{ a = sin(v * {i}.25); break; }}" for i in range(breaks))
        text = f"attribute float v; void main() {{ float a = v; for (int i = 0; i < 9; i++) {{ a *= v; {tests} }}"
        module = lower_source(
            make_source(f"{text} gl_Position = vec4(a); }}", "n.vert"), FrontEndOptions(), DiagnosticSink()
        )
        run_pipeline(module, (Mem2Reg(), SimplifyCfg(), Structurize()), PassContext())
        return sum(len(instruction.operands) for instruction in module.main.instructions())

    assert operands(80) < 2.2 * operands(40)
