"""Flow graphs in the language of Graphviz."""

from __future__ import annotations

from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.ir.parse import parse_module
from glslc_multi.report.graph import flow_graph

TEXT = """shader vertex
uniform @u: bool
output @gl_Position: vec4 role(position)

func @main {
^entry:
  %0:bool = load @u
  condbr %0, ^"a \\"b\\"", ^end
^"a \\"b\\"":
  br ^end
^end:
  ret
}
"""


def test_blocks_edges_and_quotes() -> None:
    module = parse_module(TEXT, "a.sir", DiagnosticSink())
    assert module is not None
    graph = flow_graph(module)
    assert 'f0b0 -> f0b1 [label="true"];\n' in graph
    assert 'f0b0 -> f0b2 [label="false"];\n' in graph
    assert "f0b1 -> f0b2;\n" in graph
    assert 'f0b1 [label="a \\"b\\":\\lbr ^end\\l"];' in graph
    assert graph.count('label="main"') == 1
