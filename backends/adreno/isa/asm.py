"""Assembly text to a program."""

from __future__ import annotations

from functools import partial

from backends.adreno.isa.instructions import A2XX
from backends.xenos_family.isa import asm

assemble = partial(asm.assemble, A2XX)
