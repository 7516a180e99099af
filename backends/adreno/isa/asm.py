"""Assembly text to a program."""

from __future__ import annotations

from functools import partial

from glslc_multi.backends.adreno.isa.instructions import A2XX
from glslc_multi.backends.xenos_family.isa import asm

assemble = partial(asm.assemble, A2XX)
