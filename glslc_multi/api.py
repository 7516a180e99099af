"""What the package offers: compile, link, assemble, disassemble, the names of the targets, and the classes of results.

What these functions need is imported when they are called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from glslc_multi.arguments import (
    check_binary,
    check_folders,
    check_macros,
    check_options,
    check_source,
    check_specializations,
    check_texts,
)

if TYPE_CHECKING:
    from glslc_multi.compiler.artifact import Reflection as Reflection
    from glslc_multi.compiler.artifact import Stats as Stats
    from glslc_multi.compiler.diagnostics import CompileError as CompileError
    from glslc_multi.compiler.diagnostics import Diagnostic as Diagnostic
    from glslc_multi.compiler.frontend import FrontEndOptions
    from glslc_multi.compiler.options import Request
    from glslc_multi.compiler.target import Target
    from glslc_multi.runtime.program import Program as Program
    from glslc_multi.runtime.program import UniformValues as UniformValues
    from glslc_multi.runtime.shader import CompiledProgram as CompiledProgram
    from glslc_multi.runtime.shader import CompiledShader as CompiledShader

#: Names that are imported on first use -> module that defines them.
_LAZY = {
    "CompiledProgram": "glslc_multi.runtime.shader",
    "CompiledShader": "glslc_multi.runtime.shader",
    "CompileError": "glslc_multi.compiler.diagnostics",
    "Diagnostic": "glslc_multi.compiler.diagnostics",
    "Program": "glslc_multi.runtime.program",
    "Reflection": "glslc_multi.compiler.artifact",
    "Stats": "glslc_multi.compiler.artifact",
    "UniformValues": "glslc_multi.runtime.program",
}


def compile(
    source: str | bytes,
    *,
    target: str,
    stage: str | None = None,
    filename: str = "<string>",
    opt: int | str = 2,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str] = (),
    std: str = "",
    compat: bool = False,
    entry: str = "",
    spec: Mapping[int, bool | float | str] | None = None,
    options: Mapping[str, object] | None = None,
    preamble: bool = False,
    prove: bool = False,
    inexact_integers: bool = False,
    proof: str = "quick",
) -> CompiledShader:
    """Compile one shader for `target`: GLSL, or a SPIR-V module as text or bytes.

    `stage` is "vertex", "fragment", "geometry" or "coordinate"; without it the suffix of `filename` decides.  `std`
    is the version of a source without `#version`: "100", which is the default, "300es", or "110" to "330".  With
    `compat`, desktop GLSL has the names of the fixed-function pipeline.  `entry` is the entry point of a module
    with several, and `spec` has the values of specialization constants by their numbers.  `opt` is the effort, 0 to
    3, or "s" for the smallest code.  `options` are those of the target, named like its command-line flags with
    underscores.  With `preamble`, what depends on uniforms alone is left to the host (`runtime/program.py` computes
    it).  With `prove`, a solver (the extra `prove`) shortens blocks; `stats.proofs` says how short they could be.
    `proof` says how thoroughly the code is compared with its source: "off", "quick" or "full"; `stats.verdict` is
    what that has shown, and code that differs is an error.  With `inexact_integers`, ints that a target without ints
    may round are warned of; else they are errors.
    Raises `CompileError`, which carries all diagnostics and prints them, and TypeError where an argument is of another
    type.
    """
    from glslc_multi.frontends.registry import make_source
    from glslc_multi.runtime.shader import compile_shader

    check_source(source=source)
    check_texts(filename=filename)
    front_end = _front_end(defines, include_dirs, std, compat, entry, spec)
    request = _request(opt, front_end, options, preamble, prove, inexact_integers, proof)
    return compile_shader(make_source(source, filename, stage), _target(target), request)


def link(
    vertex_source: str | bytes,
    fragment_source: str | bytes,
    *,
    target: str,
    vertex_filename: str = "<vertex>",
    fragment_filename: str = "<fragment>",
    opt: int | str = 2,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str] = (),
    std: str = "",
    compat: bool = False,
    entry: str = "",
    spec: Mapping[int, bool | float | str] | None = None,
    options: Mapping[str, object] | None = None,
    preamble: bool = False,
    prove: bool = False,
    inexact_integers: bool = False,
    proof: str = "quick",
) -> CompiledProgram:
    """Compile a vertex and a fragment shader that belong together; otherwise as `compile`.

    `entry` may name the entry points of both, with a comma between them.  Where `fragment_filename` has the suffix of a
    geometry shader (".geom"), the second one is that, and the result's `binary` is the file of both.
    """
    from glslc_multi.frontends.registry import as_second, make_source
    from glslc_multi.runtime.shader import link_shaders

    check_source(vertex_source=vertex_source, fragment_source=fragment_source)
    check_texts(vertex_filename=vertex_filename, fragment_filename=fragment_filename)
    front_end = _front_end(defines, include_dirs, std, compat, entry, spec)
    request = _request(opt, front_end, options, preamble, prove, inexact_integers, proof)
    vertex = make_source(vertex_source, vertex_filename, "vertex")
    second = as_second(make_source(fragment_source, fragment_filename))
    return link_shaders(vertex, second, _target(target), request)


def optimise(
    source: str | bytes,
    *,
    stage: str | None = None,
    version: str = "",
    filename: str = "<string>",
    opt: int | str = 2,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str] = (),
    std: str = "",
    compat: bool = False,
    entry: str = "",
    spec: Mapping[int, bool | float | str] | None = None,
    proof: str = "quick",
) -> str:
    """Optimise a shader into GLSL again; otherwise as `compile`.

    `version` is that of the text: "100", "300es", "120", "330", or "", which is the one nearest to the source's.  What
    it cannot say is an error, and so is a text that says something else, unless `proof` is "off".
    """
    from glslc_multi.backends.glsl.dialects import DIALECTS
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.frontends.registry import make_source
    from glslc_multi.rewrite import rewrite

    check_source(source=source)
    check_texts(filename=filename)
    if version and version not in DIALECTS:
        raise ValueError(f"version is {version!r}, expected one of {', '.join(DIALECTS)}")
    front_end = _front_end(defines, include_dirs, std, compat, entry, spec)
    request = _request(opt, front_end, None, False, False, False, proof)
    return rewrite(make_source(source, filename, stage), request, version, DiagnosticSink())


def decompile(
    data: bytes,
    *,
    target: str,
    version: str = "300es",
    filename: str = "<bytes>",
    register_map: str = "",
    entry: str = "",
    exact: bool = False,
    proof: str = "quick",
) -> str:
    """Write machine code of a target as GLSL of a version, one of those of `optimise`.

    `entry` is the shader of a file that has several: its number, its stage, or a label where it begins.

    Names come from the register map in the file `register_map`, without it from what `data` itself says, and from the
    registers.  With `exact` infinities and denormal numbers are what the machine makes of them.
    """
    from glslc_multi.backends.frontend import MachineCode
    from glslc_multi.backends.glsl.dialects import DIALECTS
    from glslc_multi.backends.registry import find_target
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.frontend import FrontEndOptions, Source
    from glslc_multi.compiler.records import replace
    from glslc_multi.rewrite import rewrite

    check_binary(data=data)
    check_texts(target=target, filename=filename, register_map=register_map, entry=entry)
    if version not in DIALECTS:
        raise ValueError(f"version is {version!r}, expected one of {', '.join(DIALECTS)}")
    sink = DiagnosticSink()
    front_end = MachineCode(find_target(target, sink), register_map, entry, is_exact=exact)
    request = replace(_request(2, FrontEndOptions(), None, False, False, False, proof), precise=exact)
    return rewrite(Source(data, filename, front_end), request, version, sink)


def optimise_as_spirv(
    source: str | bytes,
    *,
    stage: str | None = None,
    environment: str = "vulkan1.0",
    filename: str = "<string>",
    opt: int | str = 2,
    defines: Mapping[str, str] | None = None,
    include_dirs: Sequence[str] = (),
    std: str = "",
    compat: bool = False,
    entry: str = "",
    spec: Mapping[int, bool | float | str] | None = None,
    proof: str = "quick",
) -> bytes:
    """Optimise a shader into a module of SPIR-V 1.0; otherwise as `optimise`.

    `environment` is "vulkan1.0" or "opengl4.5", as `spirv-val` names them.
    """
    from glslc_multi.backends.spirv.environments import ENVIRONMENTS
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.spirv.binary import write_binary
    from glslc_multi.frontends.registry import make_source
    from glslc_multi.rewrite import rewrite_as_spirv

    check_source(source=source)
    check_texts(filename=filename)
    if environment not in ENVIRONMENTS:
        raise ValueError(f"environment is {environment!r}, expected one of {', '.join(ENVIRONMENTS)}")
    front_end = _front_end(defines, include_dirs, std, compat, entry, spec)
    request = _request(opt, front_end, None, False, False, False, proof)
    code = rewrite_as_spirv(make_source(source, filename, stage), request, ENVIRONMENTS[environment], DiagnosticSink())
    return write_binary(code)


def emit(
    shader: CompiledShader | CompiledProgram, kind: str, *, prefix: str = "shader", host_form: str | None = None
) -> dict[str, bytes]:
    """Return what `--emit KIND` writes of a compiled shader, by the names of the files, which begin with `prefix`.

    `kind` is "bin" (with a register map, where the target's files have no room for names), "asm", "json", "stats", "c",
    "header", or "host" in one of the target's forms.  Of a program every stage has files of its own; "host" is for all.
    """
    from glslc_multi.compiler.diagnostics import DiagnosticSink
    from glslc_multi.compiler.host_code.c_names import c_name
    from glslc_multi.report.kinds import HOST, STAGE_KINDS, STAGE_NAMES, Emission, files_of_stage
    from glslc_multi.runtime.shader import CompiledShader as Compiled

    check_texts(kind=kind, prefix=prefix)
    if kind not in STAGE_KINDS:
        raise ValueError(f"kind is one of {', '.join(STAGE_KINDS)}; found {kind!r}")
    if kind == HOST:
        return shader.host_code(host_form, prefix)
    stages: Mapping[str, CompiledShader] = (
        {prefix: shader}
        if isinstance(shader, Compiled)
        else {f"{prefix}.{STAGE_NAMES[stage]}": one for stage, one in shader.stages.items()}
    )
    found: dict[str, bytes] = {}
    for name, one in stages.items():
        files = files_of_stage(Emission(kind, c_name(name)), one.artifact, one.target, DiagnosticSink())
        found |= {f"{name}{suffix}": data for suffix, data in files.items()}
    return found


def _target(name: str) -> Target:
    from glslc_multi.backends.registry import find_target
    from glslc_multi.compiler.diagnostics import DiagnosticSink

    return find_target(name, DiagnosticSink())


def _front_end(
    defines: Mapping[str, str] | None,
    include_dirs: Sequence[str],
    std: str,
    compat: bool,
    entry: str,
    spec: Mapping[int, bool | float | str] | None,
) -> FrontEndOptions:
    """Return what the front end is told."""
    from glslc_multi.compiler.frontend import FrontEndOptions

    check_macros(defines)
    check_folders(include_dirs)
    check_texts(std=std, entry=entry)
    check_specializations(spec)
    values = {number: str(value) for number, value in (spec or {}).items()}
    return FrontEndOptions(defines or {}, (), include_dirs, std, bool(compat), entry, values)


def _request(
    opt: int | str,
    front_end: FrontEndOptions,
    options: Mapping[str, object] | None,
    preamble: bool,
    prove: bool,
    inexact_integers: bool,
    proof: str,
) -> Request:
    """Return what a caller asks the driver for."""
    from glslc_multi.compiler.options import Request, split_level

    check_options(options)
    options = {**(options or {}), **({"prove": True} if prove else {})}
    check_texts(proof=proof)
    optimisation, small = split_level(opt)
    return Request(
        optimisation,
        preamble=preamble,
        front_end=front_end,
        target_options=options,
        small=small,
        inexact_integers=inexact_integers,
        proof=proof,
    )


def targets() -> tuple[str, ...]:
    """List the names of the targets that exist in this release."""
    from glslc_multi.backends.registry import target_names

    return target_names()


def assemble(text: str, target: str) -> bytes:
    """Translate assembly text of `target` to its binary form."""
    check_texts(text=text)
    from glslc_multi.compiler.assembly import assemble_text
    from glslc_multi.compiler.diagnostics import DiagnosticSink

    return assemble_text(text, target=_target(target), filename="<string>", sink=DiagnosticSink())


def disassemble(data: bytes, target: str) -> str:
    """Translate a binary of `target` to assembly text that assembles to the same binary."""
    check_binary(data=data)
    from glslc_multi.compiler.assembly import disassemble_data
    from glslc_multi.compiler.diagnostics import DiagnosticSink

    return disassemble_data(data, target=_target(target), filename="<bytes>", sink=DiagnosticSink())


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_LAZY[name]), name)
    globals()[name] = value
    return value
