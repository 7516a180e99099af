"""The 32-bit words that numbers of uniforms become, kind by kind and transform by transform."""

from __future__ import annotations

import math
import struct

import numpy as np
import pytest

from glslc_multi.backends.registry import find_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.runtime.words import register_width, words_of

_TARGET = find_target("vc4", DiagnosticSink())


def _bits(number: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", number))[0])


#: Kind, transform and a number -> the word.
_WORDS = [
    ("float", "identity", 1.0, 0x3F800000),
    ("float", "identity", -0.5, 0xBF000000),
    ("float", "negated", 0.5, 0xBF000000),
    ("float", "identity", 1e300, _bits(math.inf)),
    ("float", "identity", 0.1, _bits(0.1)),
    ("float", "transpose", 2.0, 0x40000000),
    ("int", "identity", -1.0, 0xFFFFFFFF),
    ("int", "identity", 7.9, 7),
    ("int", "identity", -7.9, 0xFFFFFFF9),
    ("int", "identity", 3e9, 0x7FFFFFFF),
    ("int", "identity", -3e9, 0x80000000),
    ("int", "identity", math.nan, 0),
    ("int", "transpose", -2.0, 0xFFFFFFFE),
    ("uint", "identity", -1.0, 0),
    ("uint", "identity", 2.0**32 - 1, 0xFFFFFFFF),
    ("uint", "identity", 2.0**40, 0xFFFFFFFF),
    ("uint", "transpose", 5.0, 5),
    ("bool", "identity", 0.25, 0xFFFFFFFF),
    ("bool", "identity", 0.0, 0),
    ("bool", "transpose", -1.0, 0xFFFFFFFF),
    ("bool", "bool-to-float", 7.0, 0x3F800000),
    ("int", "int-to-float", 7.9, 0x40E00000),
    ("int", "count", 5.0, 4),
    ("int", "count", 0.0, 0),
    ("int", "count", -9.0, 0),
    ("int", "count", 1000.0, 255),
    ("float", "unorm8", 0.0, 0),
    ("float", "unorm8", 1.0, 255),
    ("float", "unorm8", 7.0, 255),
    ("float", "unorm8", -7.0, 0),
    ("float", "unorm8", 0.5, 128),
    ("float", "unorm8", 0.499 / 255, 0),
    ("float", "unorm8", 0.501 / 255, 1),
    ("float", "unorm8", math.nan, 0),
]


@pytest.mark.parametrize(("kind", "transform", "number", "wanted"), _WORDS)
def test_numbers_become_words(kind: str, transform: str, number: float, wanted: int) -> None:
    found = words_of(np.array([number, number]), _TARGET, kind, transform)
    assert found.dtype == np.uint32
    assert found.tolist() == [wanted, wanted]


@pytest.mark.parametrize(
    ("target", "space", "width"),
    [("vc4", "stream", 1), ("vc4", "buffer", 1), ("adreno", "const", 4), ("xenos", "loop", 1), ("theia", "code", 1)],
)
def test_registers_have_one_word_or_four(target: str, space: str, width: int) -> None:
    assert register_width(find_target(target, DiagnosticSink()), space) == width
