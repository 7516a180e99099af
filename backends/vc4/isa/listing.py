"""The words of a program one by one, with their fields."""

from __future__ import annotations

from glslc_multi.backends.vc4.isa.accesses import Access
from glslc_multi.backends.vc4.isa.container import unpack
from glslc_multi.backends.vc4.isa.disasm import branch_target, word_line
from glslc_multi.backends.vc4.isa.encoding import DELAY_SLOTS, Instruction, decode
from glslc_multi.backends.vc4.isa.formats import format_of
from glslc_multi.backends.vc4.isa.instructions import TEXEL_LOADS, THREAD_SWITCHES
from glslc_multi.backends.vc4.isa.latency import Fetches, waits
from glslc_multi.backends.vc4.isa.registers import TMU_S
from glslc_multi.compiler.isa.listing import CodeWord, Part

#: Sixteen lanes, four at a time.
_CYCLES = 4


def list_words(data: bytes) -> list[CodeWord]:
    """The words of a file that the compiler made."""
    words = unpack(data).words
    instructions = [decode(word) for word in words]
    threads = 2 if any(instruction.signal in THREAD_SWITCHES for instruction in instructions) else 1
    lengths = waits(map(_fetches, instructions), threads)
    return [_word(number, word, lengths[number]) for number, word in enumerate(words)]


def _word(number: int, word: int, wait: float) -> CodeWord:
    target = branch_target(word, number)
    labels = {} if target is None else {target: f"{target:03x}"}
    part = Part(format_of(word), word)
    last = number + DELAY_SLOTS
    skips = (range(last + 1, target),) if target is not None and target > number else ()
    repeats = range(target, last + 1) if target is not None and target <= number else None
    cycles = _CYCLES * (1 + wait)
    return CodeWord(f"{number:03x}", word_line(word, number, labels), (part,), cycles, skips, repeats)


def _fetches(instruction: Instruction) -> Fetches:
    """Return what an instruction has to do with the texture units."""
    written = Access(instruction).numbers_written
    requests = tuple(unit for unit, register in enumerate(TMU_S) if written >> register & 1)
    load = TEXEL_LOADS.index(instruction.signal) if instruction.signal in TEXEL_LOADS else None
    return Fetches(requests, load)
