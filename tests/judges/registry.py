"""All judges; adding one is a module and one row."""

from __future__ import annotations

from collections.abc import Mapping

from tests.judges.glslang import GlslangJudge
from tests.judges.kernel import KernelJudge
from tests.judges.mesa_a2xx import MesaA2xxJudge
from tests.judges.mesa_vc4 import MesaVc4Judge
from tests.judges.model import Judge
from tests.judges.openfl import OpenFlJudge

JUDGES: Mapping[str, type[Judge]] = {
    judge.name: judge for judge in (GlslangJudge, KernelJudge, MesaA2xxJudge, MesaVc4Judge, OpenFlJudge)
}
