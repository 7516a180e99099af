"""The analyses that depend on blocks and branches only: preserved by a pass that touches neither."""

from __future__ import annotations

from typing import Any

from glslc_multi.compiler.analysis.cfg import control_flow
from glslc_multi.compiler.analysis.dominators import dominators, post_dominators
from glslc_multi.compiler.analysis.loops import loop_nest
from glslc_multi.compiler.analysis.manager import Analysis

CFG_ANALYSES: frozenset[Analysis[Any]] = frozenset({control_flow, dominators, post_dominators, loop_nest})
