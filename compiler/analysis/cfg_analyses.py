"""The analyses that depend on blocks and branches only: preserved by a pass that touches neither."""

from __future__ import annotations

from typing import Any

from compiler.analysis.cfg import control_flow
from compiler.analysis.dominators import dominators, post_dominators
from compiler.analysis.loops import loop_nest
from compiler.analysis.manager import Analysis

CFG_ANALYSES: frozenset[Analysis[Any]] = frozenset({control_flow, dominators, post_dominators, loop_nest})
