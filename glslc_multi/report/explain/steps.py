"""What a watcher records: the code after every step that changed it, and its flow graph.

In: modules and machine functions as `compiler/trace.py` shows them.  Out: plain text with keys, since later steps
change what is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction
from glslc_multi.compiler.codegen.machine_text import block_heading, print_word
from glslc_multi.compiler.ir.module import Block, Module
from glslc_multi.compiler.ir.text import module_lines
from glslc_multi.compiler.ir.text import print_instruction as print_ir
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.compiler.trace import Watcher, making_stage
from glslc_multi.report.explain.places import Key, Places


@dataclass(frozen=True, slots=True)
class Line:
    """Text, and the lines of the source that it comes from."""

    text: str
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True)
class Node:
    """A block of a flow graph; `successors` are places in the graph's list, true before false."""

    name: str
    lines: tuple[Line, ...]
    successors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """The code as a step left it."""

    name: str
    lines: tuple[Line, ...]


@dataclass
class Recorder(Watcher):
    """Everything that was shown, in order; of flow graphs and machine code only the last."""

    places: Places
    steps: list[Step] = field(default_factory=list)
    #: Of the last module before machine code, and of the last machine code.
    source_graph: list[Node] = field(default_factory=list)
    machine_graph: list[Node] = field(default_factory=list)
    machine: MachineFunction | None = None

    def after(self, step: str, code: object, *, changed: bool) -> None:
        if not changed:
            return
        if isinstance(code, Module):
            lines = tuple(Line(text, self.places.keys([span])) for text, span in module_lines(code))
            if self.machine is None:
                self.source_graph = _graph(code.main.blocks, self._ir_lines) if "main" in code.functions else []
        else:
            assert isinstance(code, MachineFunction)
            lines = tuple(self._machine_function(code))
            self.machine, self.machine_graph = code, _graph(code.blocks, self._machine_lines)
        if not self.steps or self.steps[-1].lines != lines:
            self.steps.append(Step(step, lines))

    def _ir_lines(self, block: Block) -> Iterator[Line]:
        for instruction in block:
            yield Line(print_ir(instruction), self.places.keys([instruction.span]))

    def _machine_function(self, function: MachineFunction) -> Iterator[Line]:
        for block in function.blocks:
            yield Line(block_heading(block))
            for line in self._machine_lines(block):
                yield Line(f"  {line.text}", line.keys)

    def _machine_lines(self, block: MachineBlock) -> Iterator[Line]:
        for word in block.words:
            yield Line(print_word(word), self.places.keys(made.span for made in word))


class Recorders(Watcher):
    """A recorder for each stage of a linked program."""

    def __init__(self, places: Places, stages: Iterable[str]) -> None:
        self.of_stage = {stage: Recorder(places) for stage in stages}

    def after(self, step: str, code: object, *, changed: bool) -> None:
        for stage, recorder in self.of_stage.items():
            if stage == making_stage() or (not making_stage() and _is_made_from(stage, code)):
                recorder.after(step, code, changed=changed)


def _is_made_from(stage: str, code: object) -> bool:
    """Whether a module, before it is machine code, will be this stage."""
    return isinstance(code, Module) and code.stage == ("vertex" if stage == "coordinate" else stage)


_AnyBlock = TypeVar("_AnyBlock", Block, MachineBlock)


def _graph(blocks: Sequence[_AnyBlock], lines: Callable[[_AnyBlock], Iterable[Line]]) -> list[Node]:
    numbers = {block: number for number, block in enumerate(blocks)}
    return [
        Node(block.name, tuple(lines(block)), tuple(numbers[after] for after in block.successors)) for block in blocks
    ]
