"""Conditions of several parts: what they choose, and how many instructions set the flags for them."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from glslc_multi.backends.vc4.target import TARGET
from glslc_multi.compiler.artifact import Artifact
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.driver import checked_options, compile_module, lower_source
from glslc_multi.compiler.frontend import FrontEndOptions
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.options import Request
from glslc_multi.frontends.registry import make_source
from glslc_multi.runtime.simulator import Simulated, run_artifact

Holds = Callable[..., NDArray[np.bool_]]

#: Four numbers of each lane that are often equal.
_VALUES = np.random.default_rng(5).integers(0, 3, (96, 4)).astype(np.float32)
#: Conditions, what they mean, and how many instructions set the flags for a choice by them.
_CONDITIONS: dict[str, tuple[Holds, int]] = {
    "a.x < a.y && a.z < a.w": (lambda x, y, z, w, u: (x < y) & (z < w), 2),
    "a.x < a.y || a.z < a.w": (lambda x, y, z, w, u: (x < y) | (z < w), 2),
    "!(a.x < a.y && a.z < a.w)": (lambda x, y, z, w, u: ~((x < y) & (z < w)), 2),
    "a.x == a.y && a.z == a.w && a.x == a.w": (lambda x, y, z, w, u: (x == y) & (z == w) & (x == w), 3),
    "(a.x < a.y || a.y < a.z) && a.z < a.w": (lambda x, y, z, w, u: ((x < y) | (y < z)) & (z < w), 3),
    "a.x < a.y && a.z == a.w": (lambda x, y, z, w, u: (x < y) & (z == w), 2),
    "a.x < a.y || a.z == a.w": (lambda x, y, z, w, u: (x < y) | (z == w), 2),
    "(a.x < a.y && a.y < a.z) || (a.z < a.w && a.w < a.x)": (
        lambda x, y, z, w, u: ((x < y) & (y < z)) | ((z < w) & (w < x)),
        4,
    ),
    "u && a.x < a.y": (lambda x, y, z, w, u: u & (x < y), 2),
    "u && a.x >= a.y": (lambda x, y, z, w, u: u & (x >= y), 2),
    "u && a.x == a.y": (lambda x, y, z, w, u: u & (x == y), 2),
    "!u || a.x != a.y": (lambda x, y, z, w, u: (not u) | (x != y), 2),
}


def _compiled(expression: str, stage: str = "coordinate") -> tuple[Module, Artifact]:
    source = f"attribute vec4 a; uniform bool u; void main() {{ gl_Position = vec4(a.x, a.y, {expression}, 1.0); }}"
    sink = DiagnosticSink()
    module = lower_source(make_source(source, "conditions.vert", "vertex"), FrontEndOptions(), sink)
    request = Request(2)
    return module, compile_module(module, TARGET, checked_options(TARGET, stage, request, sink), request, sink)


@pytest.mark.parametrize("condition", _CONDITIONS)
@pytest.mark.parametrize("u", [True, False])
@pytest.mark.parametrize("choice", ["{} ? 5.0 : a.z", "{} ? a.z : 5.0", "{} ? a.z : a.w", "float({})"])
def test_what_holds_is_chosen(condition: str, choice: str, u: bool) -> None:
    module, artifact = _compiled(choice.format(f"({condition})"))
    found = run_artifact(Simulated(TARGET, artifact, module), {"a": _VALUES}, {"u": np.array(u)}, lanes=len(_VALUES))
    z, w = _VALUES[:, 2], _VALUES[:, 3]
    yes, no = {
        "{} ? 5.0 : a.z": (np.full_like(z, 5), z),
        "{} ? a.z : 5.0": (z, np.full_like(z, 5)),
        "{} ? a.z : a.w": (z, w),
        "float({})": (np.ones_like(z), np.zeros_like(z)),
    }[choice]
    holds, _ = _CONDITIONS[condition]
    assert np.array_equal(found["gl_Position"][:, 2], np.where(holds(*_VALUES.T, u), yes, no))


@pytest.mark.parametrize("condition", _CONDITIONS)
def test_each_comparison_sets_the_flags_once(condition: str) -> None:
    _, artifact = _compiled(f"({condition}) ? 5.0 : a.z")
    _, count = _CONDITIONS[condition]
    assert len(re.findall(r"\.setf", artifact.assembly)) == count
