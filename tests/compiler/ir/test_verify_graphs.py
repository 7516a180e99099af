"""The verifier on whole graphs: order of definitions, calls, the finished form, and any corruption at all."""

from __future__ import annotations

from random import Random
from typing import Any

import networkx as nx
import pytest

from glslc_multi.compiler.diagnostics.sink import DiagnosticSink
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.builder import Builder, float_constant
from glslc_multi.compiler.ir.module import Block, Constant, Function, Instruction
from glslc_multi.compiler.ir.text import print_module
from glslc_multi.compiler.ir.types import BY_NAME
from glslc_multi.compiler.ir.verify import BrokenModule, check, report_faults, verify_module
from tests.compiler.ir.broken import base, instruction, texts
from tests.generators.cfg import digraph, structured
from tests.generators.ir import generate

# -------------------------------------------------------------------------------- the graph's rules
IRREDUCIBLE = """shader vertex
uniform @c: bool
func @main {
^entry:
  %0:bool = load @c
  condbr %0, ^left, ^right
^left:
  br ^right
^right:
  condbr %0, ^left, ^exit
^exit:
  ret
}
"""


def test_a_loop_with_two_entries() -> None:
    assert texts(base(IRREDUCIBLE)) == [
        "@main ^right: jumps back to ^left, which is not the only way into the loop [reducible]"
    ]


def _graph(function: Function) -> Any:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(b.name for b in function.blocks)
    graph.add_edges_from((b.name, s.name) for b in function.blocks for s in b.successors)
    return graph


def _is_reducible(function: Function) -> bool:
    """By the definition: without the edges to dominators, what is reachable has no cycle."""
    entry = function.entry.name
    graph = _graph(function)
    graph = graph.subgraph({entry} | nx.descendants(graph, entry)).copy()
    without = {node: set(graph) - {node} - set(_reachable(graph, entry, node)) for node in graph}
    graph.remove_edges_from([(a, b) for a, b in graph.edges if a == b or a in without[b]])
    return bool(nx.is_directed_acyclic_graph(graph))


def _reachable(graph: Any, entry: str, avoiding: str) -> set[str]:
    if entry == avoiding:
        return set()
    rest = graph.subgraph(set(graph) - {avoiding})
    return {entry, *nx.descendants(rest, entry)}


def test_reducibility_is_that_of_the_definition() -> None:
    random = Random(11)
    found = {True: 0, False: 0}
    for _ in range(300):
        function = digraph(random, random.randint(4, 12))
        is_reducible = _is_reducible(function)
        found[is_reducible] += 1
        rules = {fault.rule for fault in verify_module(function.module)}
        assert rules == (set() if is_reducible else {"reducible"})
    assert min(found.values()) > 40


def test_structured_graphs_are_sound() -> None:
    for seed in range(100):
        assert texts(structured(Random(seed)).module) == []


def test_a_definition_must_come_first_on_every_path() -> None:
    """Put a definition and a use at random places: a fault exactly where the graph says so."""
    random = Random(13)
    outcomes = set()
    for _ in range(200):
        function = structured(random, 8)
        source, target = random.choice(function.blocks), random.choice(function.blocks)
        value = Builder(source, source.first).op(ops.FNEG, float_constant(1.0))
        Builder(target, target.terminator).op(ops.FNEG, value)
        is_first = _dominates(function, source, target)
        outcomes.add(is_first)
        assert [fault.rule for fault in verify_module(function.module)] == ([] if is_first else ["dominance"])
    assert outcomes == {True, False}


def _dominates(function: Function, above: Block, below: Block) -> bool:
    graph, entry = _graph(function), function.entry.name
    return above is below or below.name not in _reachable(graph, entry, above.name)


def test_blocks_that_nothing_reaches_are_checked_but_for_dominance() -> None:
    lost = "^lost:\n  %0:float = fneg %1\n  %1:float = fneg %0\n  br ^lost\n"
    module = base(f"shader vertex\nfunc @main {{\n^entry:\n  ret\n{lost}}}\n")
    assert texts(module) == []
    instruction(module, 0).flags = 4
    assert texts(module) == ["@main ^lost %0 'fneg': has the unknown flags 4 [flags]"]


def test_a_cycle_of_calls_is_shown_whole() -> None:
    functions = "".join(f"func @f{k} {{\n^e:\n  call @f{(k + 1) % 3}\n  ret\n}}\n" for k in range(3))
    module = base(f"shader vertex\n{functions}func @main {{\n^e:\n  call @f1\n  ret\n}}\n")
    assert texts(module) == ["@f0: calls itself: @f0 -> @f1 -> @f2 -> @f0 [call-cycle]"]


def test_a_long_chain_of_calls_is_no_problem() -> None:
    functions = "".join(f"func @f{k} {{\n^e:\n  call @f{k + 1}\n  ret\n}}\n" for k in range(3000))
    module = base(
        f"shader vertex\n{functions}func @f3000 {{\n^e:\n  ret\n}}\nfunc @main {{\n^e:\n  call @f0\n  ret\n}}\n"
    )
    assert texts(module) == []


# ---------------------------------------------------------------------------------- the finished form
def _finished(body: str, stage: str = "fragment") -> list[str]:
    declarations = "output @o: vec4\noutput @d: vec2 columns(2)\nlocal @i: int\n"
    return texts(base(f"shader {stage}\n{declarations}func @main {{\n^entry:\n{body}}}\n"), final=True)


STORES = "  store @o, vec4(0.0)\n  store @d.0, vec2(0.0)\n  store @d.1, vec2(0.0)\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"{STORES}  ret\n", []),
        ("  store @o, vec4(0.0)\n  store @d.0, vec2(0.0)\n  ret\n", ["@main ^entry: @d.1 is not stored [output-once]"]),
        ("  ret\n", ["@main ^entry: @o is not stored [output-once]", "@main ^entry: @d.0 is not stored [output-once]"]),
        (f"{STORES}  store @d.1, vec2(1.0)\n  ret\n", ["@main ^entry %3 'store': @d.1 is stored twice [output-once]"]),
        (
            f"  store @o, vec4(0.0)\n  br ^exit\n^exit:\n{STORES}  ret\n",
            [
                "@main ^entry %0 'store': @o is stored outside of the exit block of main [output-once]",
                "@main ^exit %2 'store': @o is stored twice [output-once]",
            ],
        ),
        (
            f"{STORES}  %9:int = load @i\n  store @d.%9, vec2(1.0)\n  ret\n",
            ["@main ^entry %3 'store': @d is stored at a dynamic index [output-once]"],
        ),
        (
            f"  condbr true, ^a, ^b\n^a:\n{STORES}  ret\n^b:\n  ret\n",
            ["@main: has 2 blocks that end with ret [one-exit]"],
        ),
        ("  br ^loop\n^loop:\n  br ^loop\n", ["@main: has 0 blocks that end with ret [one-exit]"]),
    ],
)
def test_the_finished_form(body: str, expected: list[str]) -> None:
    assert _finished(body) == expected


def test_a_geometry_shader_stores_before_each_emit() -> None:
    assert _finished(f"{STORES}  emit_vertex\n{STORES}  emit_vertex\n  ret\n", stage="geometry") == []


# ---------------------------------------------------------------------------------- any corruption
def _corrupt(random: Random, everything: list[Instruction]) -> None:
    """Break something by force, as a faulty pass would."""
    victim, other = random.choice(everything), random.choice(everything)
    kind = random.randrange(7)
    if kind == 0 and victim.operands:
        victim.set_operand(random.randrange(len(victim.operands)), other)
    elif kind == 1:
        victim.attribute = other.attribute
    elif kind == 2:
        victim.op = random.choice(list(ops.OPCODES.values()))
    elif kind == 3:
        victim.type = random.choice(list(BY_NAME.values()))
    elif kind == 4:
        victim.unlink()
    elif kind == 5:
        victim.next = other
    else:
        victim.add_operand(Constant(random.choice(list(BY_NAME.values())), (1.0,) * random.randint(0, 4)))


def test_any_corruption_ends_in_faults_and_nothing_else() -> None:
    random = Random(17)
    found = 0
    for _ in range(300):
        module = generate(random, statements=4, textures=True).module
        everything = [i for function in module.functions.values() for i in function.instructions()]
        for _ in range(random.randint(1, 3)):
            _corrupt(random, everything)
        found += bool(texts(module, final=True))
    assert found > 200


# --------------------------------------------------------------------------------------- using it
def test_check_raises_with_all_faults() -> None:
    module = base()
    instruction(module, 4).flags = 4
    instruction(module, 2).flags = 8
    with pytest.raises(BrokenModule) as raised:
        check(module)
    assert str(raised.value) == (
        "@main ^entry %2 'flt': has the unknown flags 8 [flags]\n@main ^then %4 'fneg': has the unknown flags 4 [flags]"
    )
    assert [fault.instruction for fault in raised.value.faults] == [instruction(module, 2), instruction(module, 4)]
    check(base(), final=True)


def test_faults_become_messages() -> None:
    module = base()
    instruction(module, 4).flags = 4
    sink = DiagnosticSink()
    report_faults(verify_module(module), sink)
    (diagnostic,) = sink.diagnostics
    assert (diagnostic.code, diagnostic.message) == ("E0620", "@main ^then %4 'fneg': has the unknown flags 4 [flags]")


def test_random_modules_are_sound_and_stay_so_when_verified() -> None:
    for seed in range(40):
        module = generate(Random(seed), textures=True).module
        before = print_module(module)
        assert texts(module, final=True) == []
        assert print_module(module) == before
