"""Program to assembly text, which assembles to the same words.

Where text does not say all of a word, because unused fields are not as in the canonical encoding, the word is printed
as data, with the text as a comment after it.
"""

from __future__ import annotations

from collections.abc import Mapping

from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.encoding import DELAY_SLOTS, Branch, decode
from glslc_multi.backends.vc4.isa.formats import WORD_BYTES
from glslc_multi.backends.vc4.isa.program import Program
from glslc_multi.backends.vc4.isa.spelling import exact_text, has_text, spell
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.container import unpacked
from glslc_multi.compiler.isa.disassembly import text_of, with_labels


def disassemble(data: bytes, filename: str, sink: DiagnosticSink) -> str:
    """The text of a file; mistakes are reported, then raised."""
    return disassemble_program(unpacked(unpack, data, filename, sink, "vc4"))


def disassemble_program(program: Program, *, is_canonical: bool = False) -> str:
    """The text of a program; targets of relative branches get labels.  Words that are known to be in the canonical
    encoding, as the compiler's are, need no proof of that."""
    # Index -> label, of the instructions that relative branches lead to.
    found = {branch_target(word, index) for index, word in enumerate(program.words)}
    inside = sorted(target for target in found if target is not None and 0 <= target <= len(program.words))
    labels = {target: f"L{number}" for number, target in enumerate(inside)}
    lines = [
        _with_label(word_text(word, is_canonical=is_canonical), word, index, labels)
        for index, word in enumerate(program.words)
    ]
    return text_of(with_labels(lines, lambda index: [f":{labels[index]}"] if index in labels else []))


def word_text(word: int, *, is_canonical: bool = False) -> str:
    """A line of text that assembles to the word."""
    instruction = decode(word)
    if is_canonical and has_text(instruction):
        return spell(instruction)
    text, is_exact = exact_text(word)
    if is_exact:
        return text
    return f".long 0x{word & 0xFFFFFFFF:08x}, 0x{word >> 32:08x}    # {text}"


def word_line(word: int, index: int, labels: Mapping[int, str]) -> str:
    """The same, with the label of the instruction that a relative branch leads to."""
    return _with_label(word_text(word), word, index, labels)


def _with_label(text: str, word: int, index: int, labels: Mapping[int, str]) -> str:
    target = branch_target(word, index)
    if target is None or target not in labels or text.startswith("."):
        return text
    head, _, _ = text.rpartition(", ")
    return f"{head}, r:{labels[target]}"


def branch_target(word: int, index: int) -> int | None:
    """The instruction that a word is a relative branch to; None if it is none, or none that a label can name."""
    branch = decode(word)
    if not isinstance(branch, Branch) or not branch.relative or branch.use_register or branch.immediate % WORD_BYTES:
        return None
    return index + 1 + DELAY_SLOTS + branch.immediate // WORD_BYTES
