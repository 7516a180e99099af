"""Reading SPIR-V, warm: how long 10,000 words take, and whether that is within 50 ms.

python -m benchmarks.spirv
"""

from __future__ import annotations

import struct
import sys
import time

from glslc_multi.compiler.spirv.binary import MAGIC, read_binary

_WORDS, _LIMIT_MS, _ROUNDS = 10_000, 50.0, 15
_ADD, _NAME, _LOAD, _CHAIN = 129, 5, 61, 65


def module(words: int = _WORDS) -> bytes:
    """A module of common instructions, in the shares that glslang's have."""
    found = [MAGIC, 0x10000, 0, words, 0]
    result = 10
    while len(found) < words:
        found += [4 << 16 | _NAME, result, 0x6F6C6F63, 0x00000072]
        for number, operands in ((_LOAD, [3]), (_CHAIN, [4, 5, 6]), (_ADD, [7, 8])):
            found += [(3 + len(operands)) << 16 | number, 2, result, *operands]
            result += 1
    return struct.pack(f"<{len(found)}I", *found)


def milliseconds(rounds: int = _ROUNDS) -> float:
    """The least time of several rounds."""
    data = module()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        read_binary(data)
        times.append(time.perf_counter() - started)
    return 1000 * min(times) * _WORDS / (len(data) // 4)


def main() -> int:
    taken = milliseconds()
    print(f"{_WORDS} words in {taken:.1f} ms, at most {_LIMIT_MS:.0f} are allowed")
    return 0 if taken <= _LIMIT_MS else 1


if __name__ == "__main__":
    sys.exit(main())
