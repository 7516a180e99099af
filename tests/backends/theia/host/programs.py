"""Programs of the form `bench`, loaded into this process: what is written, run without anything of the project's."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import glslc_multi
from glslc_multi.runtime.shader import CompiledShader


def compiled(text: str, *, preamble: bool = False, **options: object) -> CompiledShader:
    given = {name: str(value) for name, value in options.items()}
    return glslc_multi.compile(text, target="theia", stage="fragment", preamble=preamble, options=given)


def written(shader: CompiledShader, folder: Path, prefix: str = "lit") -> ModuleType:
    """The module that the files in `folder` are."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in shader.host_code(prefix=prefix).items():
        (folder / name).write_bytes(data)
    return imported(folder, prefix)


def imported(folder: Path, name: str) -> ModuleType:
    """A fresh module, whose own imports are from its folder; none of them stays behind."""
    shared = ("theia_bench", "theia_numbers")
    sys.path.insert(0, str(folder))
    # What is written again within a second must not be taken from a cache.
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = before
        for other in shared:
            sys.modules.pop(other, None)
    return module


def texts_of(module: ModuleType, uniforms: Mapping[str, Any], scene: Mapping[str, Any] | None = None) -> dict[str, str]:
    """The texts of the bench's files after setting uniforms."""
    bench = module.bench(scene)
    for name, value in uniforms.items():
        bench.set(name, value)
    texts: dict[str, str] = bench.files()
    return texts
