"""glslc-multi from Python; `api.py` has what is offered here.

    import glslc_multi as g

    shader = g.compile(text, target="agal", stage="fragment")
    shader.binary, shader.assembly, shader.reflection, shader.stats, shader.diagnostics
    shader.run({"v_uv": [[0.5, 0.5]]})["gl_FragColor"]

Every name is imported when it is first used: the command, which lives in this package too, must start as fast as
Python does where its cache has the result.  So this file imports nothing but the version (`typing` neither).
"""

try:
    from glslc_multi.compiler import __version__ as __version__
except ModuleNotFoundError:
    raise ImportError(
        "this checkout has no symbolic links: 'git config core.symlinks true' and 'git checkout .' make them,"
        " 'pip install .' needs none"
    ) from None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from glslc_multi.api import CompiledProgram as CompiledProgram
    from glslc_multi.api import CompiledShader as CompiledShader
    from glslc_multi.api import CompileError as CompileError
    from glslc_multi.api import Diagnostic as Diagnostic
    from glslc_multi.api import Program as Program
    from glslc_multi.api import Reflection as Reflection
    from glslc_multi.api import Stats as Stats
    from glslc_multi.api import UniformValues as UniformValues
    from glslc_multi.api import assemble as assemble
    from glslc_multi.api import compile as compile
    from glslc_multi.api import decompile as decompile
    from glslc_multi.api import disassemble as disassemble
    from glslc_multi.api import emit as emit
    from glslc_multi.api import link as link
    from glslc_multi.api import optimise as optimise
    from glslc_multi.api import optimise_as_spirv as optimise_as_spirv
    from glslc_multi.api import targets as targets

__all__ = [
    "CompileError",
    "CompiledProgram",
    "CompiledShader",
    "Diagnostic",
    "Program",
    "Reflection",
    "Stats",
    "UniformValues",
    "__version__",
    "assemble",
    "compile",
    "decompile",
    "disassemble",
    "emit",
    "link",
    "optimise",
    "optimise_as_spirv",
    "targets",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from glslc_multi import api

    attribute: object = getattr(api, name)
    globals()[name] = attribute
    return attribute


def __dir__() -> list[str]:
    """List what is offered, imported or not."""
    return __all__
