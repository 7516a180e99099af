"""What the package offers: compile, link, assemble, disassemble, and the names of the targets.

What these functions need is imported when they are called.  The distribution consists of this package and four
with common names; importing this module checks that Python finds the four that belong to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glslc_multi.arguments import check_binary, check_folders, check_macros, check_options, check_texts

if TYPE_CHECKING:
    from compiler import __version__ as __version__
    from compiler.diagnostics import CompileError as CompileError
    from compiler.frontend import FrontEndOptions
    from compiler.options import Request
    from compiler.target import Target
    from runtime.shader import CompiledProgram as CompiledProgram
    from runtime.shader import CompiledShader as CompiledShader

#: Names that are imported on first use -> module that defines them.
_LAZY = {
    "CompiledProgram": "runtime.shader",
    "CompiledShader": "runtime.shader",
    "CompileError": "compiler.diagnostics",
    "__version__": "compiler",
}


def compile(
    source: str,
    *,
    target: str,
    stage: str | None = None,
    filename: str = "<string>",
    opt: int | str = 2,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str] = (),
    std: str = "",
    compat: bool = False,
    options: Mapping[str, object] | None = None,
    preamble: bool = False,
    prove: bool = False,
    inexact_integers: bool = False,
) -> CompiledShader:
    """Compile one GLSL shader for `target`.

    `stage` is "vertex", "fragment", "geometry" or "coordinate"; without it the suffix of `filename` decides.  `std` is
    the version of a source without `#version`: "100", which is the default, "300es", or "110" to "330".  With `compat`,
    desktop GLSL has the names of the fixed-function pipeline.  `opt` is the effort, 0 to 3, or "s" for the smallest
    code.  `options` are those of the target, named like its command-line flags with underscores.  With `preamble`, what
    depends on uniforms alone is left to the host (`runtime.program` computes it).  With `prove`, a solver (the extra
    `prove`) shortens blocks; `stats.proofs` says how short they could be.  With `inexact_integers`, ints that a target
    without ints may round are warned of; else they are errors.
    Raises `CompileError`, which carries all diagnostics and prints them, and TypeError where an argument is of another
    type.
    """
    from frontends.registry import make_source
    from runtime.shader import compile_shader

    check_texts(source=source, filename=filename)
    request = _request(opt, _front_end(defines, include_dirs, std, compat), options, preamble, prove, inexact_integers)
    return compile_shader(make_source(source, filename, stage), _target(target), request)


def link(
    vertex_source: str,
    fragment_source: str,
    *,
    target: str,
    vertex_filename: str = "<vertex>",
    fragment_filename: str = "<fragment>",
    opt: int | str = 2,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str] = (),
    std: str = "",
    compat: bool = False,
    options: Mapping[str, object] | None = None,
    preamble: bool = False,
    prove: bool = False,
    inexact_integers: bool = False,
) -> CompiledProgram:
    """Compile a vertex and a fragment shader that belong together; otherwise as `compile`.

    Where `fragment_filename` has the suffix of a geometry shader (".geom"), the second one is that, and the result's
    `binary` is the file of both.
    """
    from frontends.registry import as_second, make_source
    from runtime.shader import link_shaders

    check_texts(
        vertex_source=vertex_source,
        fragment_source=fragment_source,
        vertex_filename=vertex_filename,
        fragment_filename=fragment_filename,
    )
    request = _request(opt, _front_end(defines, include_dirs, std, compat), options, preamble, prove, inexact_integers)
    vertex = make_source(vertex_source, vertex_filename, "vertex")
    second = as_second(make_source(fragment_source, fragment_filename))
    return link_shaders(vertex, second, _target(target), request)


def _target(name: str) -> Target:
    from backends.registry import find_target
    from compiler.diagnostics import DiagnosticSink

    return find_target(name, DiagnosticSink())


def _front_end(
    defines: Mapping[str, str] | None, include_dirs: Sequence[str], std: str, compat: bool
) -> FrontEndOptions:
    """What the front end is told."""
    from compiler.frontend import FrontEndOptions

    check_macros(defines)
    check_folders(include_dirs)
    check_texts(std=std)
    return FrontEndOptions(defines or {}, (), include_dirs, std, bool(compat))


def _request(
    opt: int | str,
    front_end: FrontEndOptions,
    options: Mapping[str, object] | None,
    preamble: bool,
    prove: bool,
    inexact_integers: bool,
) -> Request:
    """What a caller asks the driver for."""
    from compiler.options import Request, split_level

    check_options(options)
    optimisation, small = split_level(opt)
    return Request(
        optimisation,
        preamble=preamble,
        front_end=front_end,
        target_options=options or {},
        small=small,
        prove=prove,
        inexact_integers=inexact_integers,
    )


def targets() -> tuple[str, ...]:
    """The names of the targets that exist in this release."""
    from backends.registry import target_names

    return target_names()


def assemble(text: str, target: str) -> bytes:
    """Assembly text of `target` to its binary form."""
    check_texts(text=text)
    from compiler.diagnostics import DiagnosticSink
    from compiler.driver import assemble_text

    return assemble_text(text, target=_target(target), filename="<string>", sink=DiagnosticSink())


def disassemble(data: bytes, target: str) -> str:
    """A binary of `target` to assembly text that assembles to the same binary."""
    check_binary(data=data)
    from compiler.diagnostics import DiagnosticSink
    from compiler.driver import disassemble_data

    return disassemble_data(data, target=_target(target), filename="<bytes>", sink=DiagnosticSink())


def _refuse_foreign_packages() -> None:
    """Raise ImportError where Python would import another distribution's package instead of ours.

    The packages are only located, not imported.
    """
    home = Path(__file__).resolve().parent.parent
    for package in ("compiler", "frontends", "backends", "runtime"):
        spec = find_spec(package)
        if spec is None:
            raise ImportError(f"glslc_multi is incomplete: its package '{package}' is missing from {home}")
        places = [Path(place) for place in spec.submodule_search_locations or [spec.origin or "built-in"]]
        if [place.resolve() for place in places] != [home / package]:
            raise ImportError(
                f"glslc_multi needs its own package '{package}' from {home}, but Python would import the one at"
                f" {places[0]}: rename or remove it, or change sys.path"
            )


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value


_refuse_foreign_packages()
