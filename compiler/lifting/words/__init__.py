"""Programs of machines whose registers are words without types, one component each."""

from __future__ import annotations

from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.lifting.operations import Origins
from glslc_multi.compiler.lifting.words.choices import decide_choices
from glslc_multi.compiler.lifting.words.cube_scales import drop_scales
from glslc_multi.compiler.lifting.words.neighbours import join_differences
from glslc_multi.compiler.lifting.words.powers import cancel_powers
from glslc_multi.compiler.lifting.words.types import read_words
from glslc_multi.compiler.lifting.words.vectors import choose_vectors, group_components
from glslc_multi.compiler.passes.base import PassContext
from glslc_multi.compiler.passes.pipeline import CLEAN_WELL, DCE
from glslc_multi.compiler.passes.runner import run_pipeline
from glslc_multi.compiler.passes.scalar.vectorize import Vectorize


def find_numbers(module: Module, origins: Origins) -> None:
    """Find what stands behind words."""
    read_words(module.main, origins)
    join_differences(module.main, origins)
    cancel_powers(module.main)


def find_vectors(module: Module) -> None:
    """Put components together that are computed alike."""
    main = module.main
    run_pipeline(module, (CLEAN_WELL,), PassContext())
    drop_scales(main)
    decide_choices(main)
    group_components(main)
    run_pipeline(module, (DCE, Vectorize(), DCE), PassContext())
    choose_vectors(main)
