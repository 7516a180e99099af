"""Mutated modules of SPIR-V: whatever the words say, a diagnostic or a module of the IR comes out.

python -m tests.fuzz.modules COUNT FILE.spv... [--seed N] [--seconds S]

prints how many were tried, within so many seconds, and which broke the front end.
"""

from __future__ import annotations

import argparse
import random
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from compiler.diagnostics import CompileError, DiagnosticSink
from compiler.frontend import FrontEndOptions, Source
from frontends.spirv.frontend import FRONT_END

_HEADER = 5
_SMALL = (0, 1, 2, 3, 4, 5, 6, 8, 16, 31, 32, 33, 64, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
#: Mutants of one file before the next one's turn; seconds of processor time that are too many for one.
_TURN, _SLOW = 1000, 10


def mutants(binary: bytes, rng: random.Random, count: int) -> Iterator[bytes]:
    """Copies of a module with a few changes each."""
    words = list(struct.unpack(f"<{len(binary) // 4}I", binary))
    starts = list(_starts(words))
    for _ in range(count):
        changed = list(words)
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
            _change(changed, starts, rng)
        yield struct.pack(f"<{len(changed)}I", *changed)


def _starts(words: Sequence[int]) -> Iterator[int]:
    """Where instructions begin."""
    position = _HEADER
    while position < len(words) and words[position] >> 16:
        yield position
        position += words[position] >> 16


def _change(words: list[int], starts: Sequence[int], rng: random.Random) -> None:
    """One change: of a word, of an opcode, or of whole instructions."""
    if len(words) <= _HEADER:
        return
    at = rng.choice([start for start in starts if start < len(words)] or [_HEADER])
    length = max(words[at] >> 16, 1)
    kind = rng.randrange(7)
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
    else:
        del words[rng.randrange(_HEADER, len(words)) :]


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
    for file, stage, mutant in _campaign(found.files, found.count, rng):
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


def _campaign(files: Sequence[Path], count: int, rng: random.Random) -> Iterator[tuple[Path, str, bytes]]:
    """Mutants of the files in turn."""
    modules = [(file, file.read_bytes()) for file in files]
    for number in range(-(-count // _TURN)):
        file, binary = modules[number % len(modules)]
        stage = FRONT_END.stage_of(file.name, binary)
        for mutant in mutants(binary, rng, min(_TURN, count - number * _TURN)):
            yield file, stage, mutant


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.modules", description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=2029)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    return parser


if __name__ == "__main__":
    sys.exit(main())
