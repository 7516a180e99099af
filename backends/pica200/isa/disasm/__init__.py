"""Program to assembly text, which assembles to the same program.

Blocks are found again from the words: an IF or LOOP opens one, and it must end inside of its parent; calls
and entries show the procedures, which may be parts of other blocks.  Code that is not nested so has no text
(`PICA200_NO_TEXT`).  Of several shaders in a file each has its part of the text, which `.dvle` begins: what picasso
takes as a file of its own.
"""

from __future__ import annotations

from collections import deque

from glslc_multi.backends.pica200.isa.container import unpack
from glslc_multi.backends.pica200.isa.disasm.declarations import Declarations
from glslc_multi.backends.pica200.isa.disasm.operands import NoText, statement
from glslc_multi.backends.pica200.isa.instructions import Instruction, decode
from glslc_multi.backends.pica200.isa.program import ANOTHER_SHADER, Executable, Program
from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.isa.container import unpacked
from glslc_multi.compiler.isa.disassembly import report_no_text, text_of
from glslc_multi.compiler.records import dataclass

_INDENT = "    "


def disassemble(data: bytes, filename: str, sink: DiagnosticSink) -> str:
    """The text of all shaders of a file.

    Mistakes in the file are reported to `sink`, and then raised as `CompileError`.
    """
    return disassemble_program(unpacked(unpack, data, filename, sink, "pica200"), sink, filename)


def disassemble_program(program: Program, sink: DiagnosticSink, filename: str = "<program>") -> str:
    """The text of all shaders of a program."""
    try:
        shaders = program.executables
        if not shaders:
            raise NoText(0, "the file has no shader")
        code = _Code(program)
        is_alone = len(shaders) == 1
        lines: list[str] = []
        names = Declarations()
        for shader, procedures in zip(shaders, code.by_shader(), strict=True):
            entry = [] if is_alone else [f".entry {code.entry_of(shader)}"]
            separator = [f".{ANOTHER_SHADER}"] if lines else []
            lines += [*separator, *entry, *names.of(shader), *procedures]
        return text_of(lines)
    except NoText as error:
        report_no_text(sink, filename, f"word {error.address}", error.reason)
        raise CompileError(sink.diagnostics) from None


@dataclass(slots=True)
class _Region:
    """An open block: where its current part ends, and where its else part will, if one follows."""

    end: int
    else_end: int | None = None


class _Code:
    """The procedures of a program as lines."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._instructions = [_decoded(address, word) for address, word in enumerate(program.code)]
        self._procedures = self._find_procedures()
        #: Those that are in no other one.
        self._outer = _fill_gaps(self._procedures, len(program.code))
        self._labels = {
            instruction.fields["target"]
            for instruction in self._instructions
            if instruction.operation.jumps == "branch"
        }

    def entry_of(self, shader: Executable) -> str:
        return self._procedures[shader.entry, shader.end]

    def by_shader(self) -> list[list[str]]:
        """The lines of the procedures that stand with each shader: from its entry on, where the entries are in order.

        Labels are names within a shader, so where a jump leaves one, the first one has all code.
        """
        parts: list[list[tuple[int, int]]] = [[] for _ in self._program.executables]
        entries = [(shader.entry, shader.end) for shader in self._program.executables]
        number = 0
        for span in self._outer:
            if span in entries[number + 1 : number + 2]:
                number += 1
            parts[number].append(span)
        if self._crosses(parts):
            parts = [self._outer, *([] for _ in parts[1:])]
        lines = [[line for span in part for line in self._procedure(span)] for part in parts]
        # The label behind the last word.
        outside = max(self._labels, default=0)
        if outside > len(self._instructions):
            raise NoText(outside, "a jump leaves the code")
        if outside and outside == len(self._instructions):
            next(part for part in reversed(lines) if part).insert(-1, f"L{outside}:")
        return lines

    def _crosses(self, parts: list[list[tuple[int, int]]]) -> bool:
        """Whether a jump of one part goes to another one."""
        owner = {address: n for n, part in enumerate(parts) for span in part for address in range(*span)}
        return any(
            owner[address] != owner.get(instruction.fields["target"], owner[len(owner) - 1])
            for address, instruction in enumerate(self._instructions)
            if instruction.operation.jumps == "branch"
        )

    def _find_procedures(self) -> dict[tuple[int, int], str]:
        """Every range of words that is a procedure, with its name."""
        procedures: dict[tuple[int, int], str] = {}
        for instruction in self._instructions:
            if instruction.operation.jumps == "call":
                start, length = instruction.fields["target"], instruction.fields["num"]
                name = f"proc_{start}"
                if name in procedures.values():
                    # Another one begins there, too.
                    name += f"_{length}"
                procedures.setdefault((start, start + length), name)
        shaders = self._program.executables
        procedures |= {(shader.entry, shader.end): f"{shader.stage}_{number}" for number, shader in enumerate(shaders)}
        if len(shaders) == 1:
            procedures[shaders[0].entry, shaders[0].end] = "main"
        return procedures

    def _procedure(self, span: tuple[int, int]) -> list[str]:
        lines: list[str] = []
        regions: list[_Region] = []
        inner = [each for each in self._procedures if span[0] <= each[0] and each[1] <= span[1]]
        waiting = deque(sorted(inner, key=_outer_first))
        for address in range(*span):
            self._close(address, regions, lines)
            while waiting and waiting[0][0] == address:
                opened = waiting.popleft()
                if regions and opened[1] > regions[-1].end:
                    raise NoText(address, "a procedure ends outside of the block around it")
                lines.append(f"{_INDENT * len(regions)}.proc {self._procedures[opened]}")
                regions.append(_Region(opened[1]))
            if address in self._labels:
                lines.append(f"L{address}:")
            instruction = self._instructions[address]
            target = instruction.fields.get("target", 0)
            name = f"L{target}"
            if instruction.operation.jumps == "call":
                name = self._procedures[target, target + instruction.fields["num"]]
            lines.append(_INDENT * len(regions) + statement(address, instruction, self._program.descriptors, name))
            region = _opened(address, instruction)
            if region is not None:
                if (region.else_end or region.end) > regions[-1].end:
                    raise NoText(address, "a block ends outside of the one around it")
                regions.append(region)
        self._close(span[1], regions, lines)
        return lines

    def _close(self, address: int, regions: list[_Region], lines: list[str]) -> None:
        """End the blocks, or their first parts, that end before `address`."""
        while regions and regions[-1].end == address:
            region = regions[-1]
            indent = _INDENT * (len(regions) - 1)
            if region.else_end is None:
                lines.append(f"{indent}.end")
                regions.pop()
                continue
            lines.append(f"{indent}.else")
            regions[-1] = _Region(region.else_end)


def _outer_first(span: tuple[int, int]) -> tuple[int, int]:
    return span[0], -span[1]


def _fill_gaps(procedures: dict[tuple[int, int], str], words: int) -> list[tuple[int, int]]:
    """Name the code that is in no procedure; those that are in no other one, in order."""
    outer: list[tuple[int, int]] = []
    position = 0
    for start, end in sorted(procedures, key=_outer_first):
        if end <= start or end > words:
            raise NoText(start, "procedures are empty, or leave the code")
        if start < position < end:
            raise NoText(start, "procedures overlap")
        if start < position:
            continue
        if start > position:
            outer.append((position, start))
        outer.append((start, end))
        position = end
    if position < words:
        outer.append((position, words))
    procedures |= {span: f"unused_{span[0]}" for span in outer if span not in procedures}
    return outer


def _decoded(address: int, word: int) -> Instruction:
    instruction = decode(word)
    if instruction is None:
        raise NoText(address, f"{word:#010x} is no instruction")
    return instruction


def _opened(address: int, instruction: Instruction) -> _Region | None:
    """The block that an instruction opens."""
    kind = instruction.operation.jumps
    if kind not in ("if", "loop"):
        return None
    target, length = instruction.fields["target"], instruction.fields["num"]
    end = target + 1 if kind == "loop" else target
    if end <= address or (kind == "loop" and end == address + 1):
        raise NoText(address, "a block ends before it begins")
    return _Region(end, target + length if kind == "if" and length else None)
