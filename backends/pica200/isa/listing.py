"""The code words of a program one by one, each with its operand descriptor."""

from __future__ import annotations

from collections.abc import Sequence

from glslc_multi.backends.pica200.isa.container import read
from glslc_multi.backends.pica200.isa.descriptors import FORMAT
from glslc_multi.backends.pica200.isa.disasm.operands import statement
from glslc_multi.backends.pica200.isa.instructions import Instruction, decode
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.listing import CodeWord, Part
from glslc_multi.compiler.records import replace


def list_words(data: bytes) -> list[CodeWord]:
    """The code of a file that the compiler made."""
    sink = DiagnosticSink()
    program = read(data, "<program>", sink)
    sink.raise_if_errors()
    assert program is not None
    return [_word(address, word, program.descriptors) for address, word in enumerate(program.code)]


def _word(address: int, word: int, descriptors: Sequence[int]) -> CodeWord:
    instruction = decode(word)
    assert instruction is not None
    parts = [Part(instruction.operation.layout.format, word)]
    if "desc" in instruction.fields:
        parts.append(Part(FORMAT, descriptors[instruction.fields["desc"]]))
    target = instruction.fields.get("target")
    name = "" if target is None else f"{target:03x}"
    text = statement(address, instruction, descriptors, name)
    if instruction.operation.jumps in ("if", "loop"):
        # Blocks have no label in the text: their ends are lines of their own.
        text += f"    ; to {name}"
    return _with_flow(CodeWord(f"{address:03x}", text, tuple(parts)), address, instruction)


def _with_flow(word: CodeWord, address: int, instruction: Instruction) -> CodeWord:
    """Say which words run because of one that changes the order."""
    target, count = instruction.fields.get("target", 0), instruction.fields.get("num", 0)
    match instruction.operation.jumps:
        case "call":
            return replace(word, runs=range(target, target + count))
        case "if":
            return replace(word, skips=(range(address + 1, target), range(target, target + count)))
        case "loop":
            return replace(word, repeats=range(address + 1, target + 1))
        case "branch" if target <= address:
            return replace(word, repeats=range(target, address + 1))
        case "branch":
            return replace(word, skips=(range(address + 1, target),))
    return word
