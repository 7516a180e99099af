"""The order of blocks in the code: conditions as `if*`, `els` and `eif` around the blocks that they guard.

In: allocated blocks, nested as `branches.py` left them.  Out: the instructions that become tokens.  Both blocks of a
condition must hold something (runtime error 3748).
"""

from __future__ import annotations

from glslc_multi.backends.agal.codegen.machine_ops import OPS, instructions_of
from glslc_multi.backends.agal.codegen.refuse import refuse_branch
from glslc_multi.backends.agal.codegen.register_files import RegisterFiles
from glslc_multi.compiler.codegen.machine import MachineBlock, MachineFunction, MachineInstruction
from glslc_multi.compiler.codegen.regions import Basic, If, Region, Seq, structure
from glslc_multi.compiler.diagnostics import DiagnosticSink

_OPPOSITE = {"ife": "ine", "ine": "ife"}


def lay_out(function: MachineFunction, files: RegisterFiles, sink: DiagnosticSink) -> list[MachineInstruction]:
    """The instructions that become tokens, in order; a condition that has no instruction is reported and raised."""
    return _Layout(files.version, sink).tokens(_tree(function))


def unconditional_blocks(function: MachineFunction) -> set[MachineBlock]:
    """The blocks that run in any case."""
    return {part.block for part in _tree(function).parts if isinstance(part, Basic | If)}


def _tree(function: MachineFunction) -> Seq[MachineBlock]:
    return structure(function.entry, lambda block: block.successors)


class _Layout:
    """One function."""

    def __init__(self, version: int, sink: DiagnosticSink) -> None:
        self.version = version
        self.sink = sink

    def tokens(self, region: Region[MachineBlock]) -> list[MachineInstruction]:
        if isinstance(region, Seq):
            return [token for part in region.parts for token in self.tokens(part)]
        assert isinstance(region, Basic | If), "loops are unrolled"
        plain = instructions_of(region.block)
        return plain if isinstance(region, Basic) else [*plain[:-1], *self._condition(plain[-1], region)]

    def _condition(self, test: MachineInstruction, region: If[MachineBlock]) -> list[MachineInstruction]:
        then = self.tokens(region.then)
        orelse = self.tokens(region.orelse) if region.orelse is not None else []
        if not then:
            if test.op.name not in _OPPOSITE or not orelse:
                refuse_branch("a condition whose block is empty", test.span, self.version, self.sink)
            test = MachineInstruction(OPS[_OPPOSITE[test.op.name]], [], test.uses, span=test.span)
            then, orelse = orelse, then
        middle = [MachineInstruction(OPS["els"], span=test.span), *orelse] if orelse else []
        return [test, *then, *middle, MachineInstruction(OPS["eif"], span=test.span)]
