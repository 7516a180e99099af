"""The computer this runs on: its vector width, LLVM's optimiser for it, and functions linked into this process.

In: LLVM IR as text.  Out: the address of a function.  Compiled code is kept on disk under a digest of the text and of
the machine (see `cache.py`).
"""

from __future__ import annotations

import itertools
from functools import cache
from typing import Any

from glslc_multi.compiler.native.cache import ObjectCache, cache_key, default_cache
from glslc_multi.compiler.records import dataclass

#: LLVM's name of a feature -> floats in a register, the widest first.
_WIDTHS = (("avx512f", 16), ("avx", 8))
#: Of every other machine that LLVM knows: SSE, NEON, AltiVec and their like.
_LEAST_WIDTH = 4


@dataclass(frozen=True)
class Host:
    """This computer as LLVM sees it."""

    triple: str
    processor: str
    features: str
    width: int

    @property
    def attributes(self) -> str:
        """Attributes of every function: processors that fear wide registers shall use them nevertheless."""
        bits = self.width * 32
        return f'nounwind "prefer-vector-width"="{bits}" "min-legal-vector-width"="{bits}"'


@dataclass(frozen=True)
class LinkedFunction:
    """A function in this process; it lives as long as this object."""

    address: int
    #: Keeps the code from being unloaded.
    owner: Any
    object_code: bytes


@cache
def host() -> Host:
    """What this computer is."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    width = next((width for feature, width in _WIDTHS if features.get(feature)), _LEAST_WIDTH)
    return Host(llvm.get_process_triple(), llvm.get_host_cpu_name(), features.flatten(), width)


def link_function(name: str, text: str, objects: ObjectCache | None = None) -> LinkedFunction:
    """The function `name` of a module given as LLVM IR, ready to be called."""
    objects = default_cache() if objects is None else objects
    machine = host()
    import llvmlite
    import llvmlite.binding as llvm

    key = cache_key(
        f"{llvmlite.__version__} {llvm.llvm_version_info}", machine.triple, machine.processor, machine.features, text
    )
    code = objects.get(key)
    if code is None:
        code = compile_text(text)
        objects.put(key, code)
    import llvmlite.binding as llvm

    builder = llvm.JITLibraryBuilder().add_object_img(code).add_current_process().export_symbol(name)
    tracker = builder.link(_linker(), f"library-{next(_LIBRARY_NUMBERS)}")
    return LinkedFunction(tracker[name], tracker, code)


@cache
def _target_machine() -> Any:
    import llvmlite.binding as llvm

    machine = host()
    target = llvm.Target.from_triple(machine.triple)
    return target.create_target_machine(cpu=machine.processor, features=machine.features, opt=2, reloc="pic")


def compile_text(text: str) -> bytes:
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(text)
    machine = _target_machine()
    options = llvm.create_pipeline_tuning_options(speed_level=1)
    options.loop_vectorization = options.slp_vectorization = options.loop_unrolling = options.loop_interleaving = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


@cache
def _linker() -> Any:
    import llvmlite.binding as llvm

    host()
    return llvm.create_lljit_compiler()


_LIBRARY_NUMBERS = itertools.count()
