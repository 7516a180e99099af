"""The flow graph of every function of a module, in the language of Graphviz (`dot -Tsvg`)."""

from __future__ import annotations

from collections.abc import Iterator

from glslc_multi.compiler.ir.module import Block, Function, Module
from glslc_multi.compiler.ir.ops import CONDBR
from glslc_multi.compiler.ir.text import print_instruction


def flow_graph(module: Module) -> str:
    """One digraph; each function is a cluster, each block a box with its instructions."""
    lines = ["digraph shader {", '  node [shape=box fontname="monospace"];', '  edge [fontname="monospace"];']
    for number, function in enumerate(module.functions.values()):
        lines += [f"  subgraph cluster_{number} {{", f'    label="{_escape(function.name)}";']
        lines += [f"    {line}" for line in _blocks(function, number)]
        lines.append("  }")
    return "\n".join([*lines, "}"]) + "\n"


def _blocks(function: Function, number: int) -> Iterator[str]:
    names = {block: f"f{number}b{index}" for index, block in enumerate(function.blocks)}
    for block, name in names.items():
        # \l ends a left-aligned line.
        text = "".join(f"{_escape(line)}\\l" for line in [f"{block.name}:", *map(print_instruction, block)])
        yield f'{name} [label="{text}"];'
        for edge, successor in zip(_edge_labels(block), block.successors, strict=True):
            yield f"{name} -> {names[successor]}{edge};"


def _edge_labels(block: Block) -> list[str]:
    terminator = block.terminator
    if terminator is not None and terminator.op is CONDBR:
        return [' [label="true"]', ' [label="false"]']
    return [""] * len(block.successors)


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
