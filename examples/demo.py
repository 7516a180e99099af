"""What `make demo` runs: both examples through the compiler, and their values from the IR evaluator.

For each example it prints the optimised intermediate representation, runs it on a few vertices or pixels, and
compiles it for every target that exists.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import glslc_multi
from compiler.diagnostics import DiagnosticSink
from compiler.driver import lower_source, optimise
from compiler.frontend import FrontEndOptions
from compiler.ir.module import Module
from compiler.ir.text import print_module
from compiler.options import DEFAULT_OPTIMISATION
from compiler.records import dataclass, field
from frontends.registry import make_source
from runtime.reference import run_module
from runtime.textures import Texture

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Example:
    """A shader and values to run it with; inputs have one value a lane."""

    file: str
    inputs: dict[str, Any]
    uniforms: dict[str, Any]
    textures: dict[str, Texture] = field(default_factory=dict)


EXAMPLES = (
    Example(
        "lit.vert",
        inputs={"a_position": [[1, 2, 3, 1], [-1, 0, 0, 1]], "a_normal": [[0, 0, 1], [0, 1, 0]]},
        uniforms={
            # Rows: scale by one half, move by (0, 0, 1).
            "u_transform": [[0.5, 0, 0, 0], [0, 0.5, 0, 0], [0, 0, 0.5, 1], [0, 0, 0, 1]],
            "u_lamps[0].direction": [0, 0, 1],
            "u_lamps[0].colour": [1, 0.5, 0],
            "u_lamps[1].direction": [0, 1, 0],
            "u_lamps[1].colour": [0, 0, 0.75],
            "u_ambient": [0.125, 0.125, 0.125],
        },
    ),
    Example(
        "vignette.frag",
        inputs={"v_uv": [[0.5, 0.5], [0.0, 0.0]]},
        uniforms={"u_tint": [1, 0.5, 0.25], "u_strength": 1.0},
        textures={"u_picture": Texture([[[1.0, 1.0, 1.0, 1.0]]])},
    ),
)


def main() -> None:
    for example in EXAMPLES:
        source = (FOLDER / example.file).read_text(encoding="utf-8")
        module = lower_source(make_source(source, example.file), FrontEndOptions(), DiagnosticSink())
        optimise(module, DEFAULT_OPTIMISATION)
        print(f"== {example.file}: intermediate representation, optimised\n\n{print_module(module)}")
        show_values(example, module)
        for target in glslc_multi.targets():
            show_machine_code(example.file, source, target)
    names = glslc_multi.targets()
    print("targets:", ", ".join(names) if names else "none yet, this release ends at the intermediate representation")


def show_values(example: Example, module: Module) -> None:
    outputs = run_module(module, example.inputs, example.uniforms, example.textures)
    print(f"== {example.file}: values\n")
    for name, values in outputs.items():
        print(f"{name} = {values.tolist()}")
    print()


def show_machine_code(file: str, source: str, target: str) -> None:
    try:
        shader = glslc_multi.compile(source, target=target, filename=file)
    except glslc_multi.CompileError as error:
        print(f"== {file} for {target}: {error}\n")
        return
    print(f"== {file} for {target}: {len(shader.binary)} bytes\n\n{shader.assembly}")


if __name__ == "__main__":
    main()
