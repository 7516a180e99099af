"""Mutated modules of SPIR-V: whatever the words say, a diagnostic or a module of the IR comes out.

python -m tests.fuzz.modules COUNT FILE.spv... [--form FORM] [--seed N] [--seconds S]

prints how many were tried, within so many seconds, and which broke the front end.  Forms are binaries in either order
of bytes, and text.
"""

from __future__ import annotations

import argparse
import random
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from glslc_multi.compiler.diagnostics import CompileError, DiagnosticSink
from glslc_multi.compiler.frontend import FrontEndOptions, Source
from glslc_multi.compiler.spirv.binary import read_binary
from glslc_multi.compiler.spirv.grammar import BY_NUMBER, TABLE
from glslc_multi.compiler.spirv.text import print_code
from glslc_multi.frontends.spirv.frontend import FRONT_END

_HEADER = 5
_SMALL = (0, 1, 2, 3, 4, 5, 6, 8, 16, 31, 32, 33, 64, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
#: How many changes a mutant has.
_CHANGES = (1, 1, 1, 2, 3, 5)
#: Mutants of one file before the next one's turn; seconds of processor time that are too many for one.
_TURN, _SLOW = 100, 10
_NUMBERS_IN_TEXT = ("0", "-1", "4294967295", "99999999999", "0x1p+128", "%none", '"', "None", "=")


def mutants(binary: bytes, rng: random.Random, count: int, order: str = "<") -> Iterator[bytes]:
    """Copies of a module with a few changes each, in an order of bytes as `struct` has it."""
    words = list(struct.unpack(f"<{len(binary) // 4}I", binary))
    starts, alike = list(_starts(words)), _Alike(words)
    for _ in range(count):
        changed = list(words)
        for _ in range(rng.choice(_CHANGES)):
            _change(changed, starts, alike, rng)
        yield struct.pack(f"{order}{len(changed)}I", *changed)


def big_endian_mutants(binary: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    return mutants(binary, rng, count, ">")


def text_mutants(binary: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    """The text of a module with a few words or lines changed."""
    lines = [line.split(" ") for line in print_code(read_binary(binary)).splitlines()]
    for _ in range(count):
        changed = list(lines)
        for _ in range(rng.choice(_CHANGES)):
            _change_text(changed, rng)
        yield "\n".join(" ".join(line) for line in changed).encode()


FORMS: dict[str, Callable[[bytes, random.Random, int], Iterator[bytes]]] = {
    "binary": mutants,
    "big-endian": big_endian_mutants,
    "text": text_mutants,
}


class _Alike:
    """What may stand for an id and break no rule of types: most such mutants reach the lowering."""

    def __init__(self, words: Sequence[int]) -> None:
        #: Id -> its type, and the reverse; the ids of types have the type 0.
        self.types: dict[int, int] = {}
        self.ids: dict[int, list[int]] = {}
        for start in _starts(words):
            row = BY_NUMBER.get(words[start] & 0xFFFF)
            if row is not None and row.has_result and start + 1 + row.has_type < len(words):
                type_ = words[start + 1] if row.has_type else 0
                result = words[start + 1 + row.has_type]
                self.types[result] = type_
                self.ids.setdefault(type_, []).append(result)

    def id(self, word: int, rng: random.Random) -> int:
        """An id of the same type; the word itself where it is no id."""
        return rng.choice(self.ids[self.types[word]]) if word in self.types else word


def _opcode_alike(number: int, rng: random.Random) -> int:
    """An instruction with the same operands."""
    row = BY_NUMBER.get(number)
    return number if row is None else rng.choice(_ROWS_ALIKE[row.has_type, row.has_result, row.kinds])


_ROWS_ALIKE: dict[tuple[bool, bool, tuple[str, ...]], list[int]] = {}
for _row in TABLE:
    _ROWS_ALIKE.setdefault((_row.has_type, _row.has_result, _row.kinds), []).append(_row.number)


def _starts(words: Sequence[int]) -> Iterator[int]:
    """Where instructions begin."""
    position = _HEADER
    while position < len(words) and words[position] >> 16:
        yield position
        position += words[position] >> 16


def _change(words: list[int], starts: Sequence[int], alike: _Alike, rng: random.Random) -> None:
    """One change: of a word, of an opcode, or of whole instructions."""
    if len(words) <= _HEADER:
        return
    at = rng.choice([start for start in starts if start < len(words)] or [_HEADER])
    length = max(words[at] >> 16, 1)
    kind = rng.randrange(14)
    if kind == 0 and length > 1:
        words[min(at + rng.randrange(1, length), len(words) - 1)] = rng.choice(_SMALL)
    elif kind == 1 and length > 1:
        # Another id that exists, most likely.
        words[min(at + rng.randrange(1, length), len(words) - 1)] = rng.randrange(1, max(words[3], 2))
    elif kind == 2:
        other = rng.choice(starts)
        words[at] = words[at] & 0xFFFF0000 | words[min(other, len(words) - 1)] & 0xFFFF
    elif kind == 3:
        del words[at : at + length]
    elif kind == 4:
        other = rng.choice(starts)
        words[at:at] = words[other : other + (words[other] >> 16 if other < len(words) else 0)]
    elif kind == 5:
        words[rng.randrange(len(words))] ^= 1 << rng.randrange(32)
    elif kind == 6:
        del words[rng.randrange(_HEADER, len(words)) :]
    elif kind == 7:
        words[at] = words[at] & 0xFFFF0000 | _opcode_alike(words[at] & 0xFFFF, rng)
    elif length > 1:
        place = min(at + rng.randrange(1, length), len(words) - 1)
        words[place] = alike.id(words[place], rng)


def _change_text(lines: list[list[str]], rng: random.Random) -> None:
    """One change: of a word, or of a line."""
    if not lines:
        return
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    line = list(lines[at])
    place, kind = rng.randrange(len(line)), rng.randrange(6)
    if kind == 0:
        line[place] = rng.choice(_NUMBERS_IN_TEXT)
    elif kind == 1:
        line[place] = rng.choice(lines[other])
    elif kind == 2:
        del line[place]
    elif kind == 3:
        line.insert(place, rng.choice(lines[other]))
    elif kind == 4:
        word = line[place]
        cut = rng.randrange(len(word) + 1)
        line[place] = word[:cut] + chr(rng.choice((0, 34, 37, 48, 59, 92, 124, 0x7F, 0xE9, 0x1F600))) + word[cut + 1 :]
    else:
        lines[at] = lines[other]
        return
    lines[at] = line or [""]


def try_one(binary: bytes, stage: str) -> str:
    """What became of a module: "code" or the code of a diagnostic."""
    sink = DiagnosticSink()
    try:
        prepared = FRONT_END.prepare(Source(binary, "fuzz.spv", FRONT_END), stage, FrontEndOptions(), sink)
        FRONT_END.lower(prepared, stage, sink)
    except CompileError as error:
        return error.diagnostics[0].code
    return "code"


def main(arguments: Sequence[str] | None = None) -> int:
    found = _parser().parse_args(arguments)
    started = time.perf_counter()
    rng, tally, broken = random.Random(found.seed), Counter[str](), 0
    for file, stage, mutant in _campaign(found.files, found.count, FORMS[found.form], rng):
        if time.perf_counter() - started > found.seconds:
            break
        begun = time.process_time()
        try:
            tally[try_one(mutant, stage)] += 1
        except Exception:
            broken += 1
            print(f"{file}: {traceback.format_exc().strip().splitlines()[-4:]}", file=sys.stderr)
            Path(f"broken-{found.seed}-{broken}.spv").write_bytes(mutant)
        if time.process_time() - begun > _SLOW:
            print(f"{file}: a mutant took {time.process_time() - begun:.0f} s", file=sys.stderr)
    seconds = time.perf_counter() - started
    print(f"{sum(tally.values())} modules, {tally['code']} became code, {broken} broke it, {seconds:.0f} s")
    print(", ".join(f"{code}: {number}" for code, number in sorted(tally.items())))
    return 1 if broken else 0


def _campaign(
    files: Sequence[Path], count: int, form: Callable[[bytes, random.Random, int], Iterator[bytes]], rng: random.Random
) -> Iterator[tuple[Path, str, bytes]]:
    """Mutants of the files in turn."""
    modules = [(file, file.read_bytes()) for file in files]
    for number in range(-(-count // _TURN)):
        file, binary = modules[number % len(modules)]
        stage = FRONT_END.stage_of(file.name, binary)
        for mutant in form(binary, rng, min(_TURN, count - number * _TURN)):
            yield file, stage, mutant


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.modules", description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--form", choices=tuple(FORMS), default="binary")
    parser.add_argument("--seed", type=int, default=2029)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
