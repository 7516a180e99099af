"""What sets a uniform or a texture by its name in GLSL.

In: uniforms with their registers.  Out: methods.  Scalars and vectors are given as numbers, matrices and arrays as a
list of numbers, flat as OpenGL takes them (elements of an array in order, matrices by columns); the method puts
them where the code reads them, transposed where it reads rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from glslc_multi.backends.agal.host.facts import Span, Stage, Texture
from glslc_multi.backends.agal.host.languages import Language
from glslc_multi.backends.agal.isa.registers import COMPONENTS
from glslc_multi.compiler.artifact import Binding
from glslc_multi.compiler.host_code.c_names import member_name
from glslc_multi.compiler.host_code.places import Run, runs_of, shape_of
from glslc_multi.compiler.host_code.uniforms import HostUniform
from glslc_multi.compiler.lowering.interface.window import VIEWPORT

_VALUE = "value"
_INDICES = "ijk"
#: Number of the value, as an expression -> an expression for it.
Source = Callable[[str], str]


def uniform_setter(uniform: HostUniform, stages: Iterable[Stage], language: Language) -> list[str]:
    """A method for a uniform of the source."""
    if uniform.name == VIEWPORT:
        return _viewport_setter(uniform, stages, language)
    kinds = {"ivec": "int", "uvec": "uint", "bvec": "bool", "int": "int", "uint": "uint", "bool": "bool"}
    rows, kind = shape_of(uniform.type)[1], kinds.get(uniform.type.rstrip("234"), "float")
    if is_list(uniform):
        parameters = [(_VALUE, "vector")]
        source = of_list(_VALUE, is_bool=kind == "bool")
    else:
        names = (_VALUE,) if rows == 1 else tuple(COMPONENTS[:rows])
        parameters = [(name, kind) for name in names]
        source = of_texts([f"{name} ? 1 : 0" if kind == "bool" else name for name in names])
    body = setter_body(uniform, stages, source, language)
    return language.method_of(method_name(uniform.name), parameters, body, f"uniform {spelled(uniform)}")


def setter_body(uniform: HostUniform, stages: Iterable[Stage], source: Source, language: Language) -> list[str]:
    """The statements that bring a value to all who read it."""
    body = [*_kept(uniform, source, language)]
    for stage in stages:
        if stage.name in uniform.places:
            body += stores(uniform.places[stage.name], stage, source, language)
    return body


def is_list(uniform: HostUniform) -> bool:
    """Whether a value is given as a list of numbers."""
    return uniform.length is not None or shape_of(uniform.type)[0] > 1


def method_name(name: str) -> str:
    return f"set_{member_name(name)}"


def _viewport_setter(uniform: HostUniform, stages: Iterable[Stage], language: Language) -> list[str]:
    """Half of the width and of the height, and the centre, of a viewport that begins at 0, 0."""
    source = of_texts(["width / 2", "height / 2"] * 2)
    about = "The size of the viewport in pixels: gl_FragCoord begins at its lower left."
    body = setter_body(uniform, stages, source, language)
    return language.method_of("setViewport", [("width", "float"), ("height", "float")], body, about)


def kept_name(name: str) -> str:
    """The list that holds what a preamble reads of a uniform."""
    return f"uniform_{member_name(name)}"


def spelled(uniform: HostUniform) -> str:
    length = "" if uniform.length is None else f"[{uniform.length}]"
    return f"{uniform.type} {uniform.name.replace('[]', '[...]')}{length if '[]' not in uniform.name else ''}"


def count_of(uniform: HostUniform) -> int:
    columns, rows = shape_of(uniform.type)
    return (1 if uniform.length is None else uniform.length) * columns * rows


def stores(binding: Binding, stage: Stage, source: Source, language: Language) -> Iterator[str]:
    """The statements that bring a value into the lists of constants."""
    for run in runs_of(binding):
        yield from _run(run, stage.span_of(run.space, run.first), source, language)


def texture_setter(texture: Texture, language: Language) -> list[str]:
    """A method for a sampler; for an array, with the number of the element."""
    name, about = method_name(texture.name), f"{texture.type} {texture.name}"
    if texture.length is None:
        body = [f"fs{register} = {_VALUE};" for _, register in texture.registers]
        return language.method_of(name, [(_VALUE, "texture")], body, about)
    body = [f"if (element == {element}) fs{register} = {_VALUE};" for element, register in texture.registers]
    return language.method_of(name, [("element", "index"), (_VALUE, "texture")], body, f"{about}[{texture.length}]")


def of_list(name: str, *, is_bool: bool = False) -> Source:
    """Numbers of a list."""
    return lambda number: f"{name}[{number}] != 0 ? 1 : 0" if is_bool else f"{name}[{number}]"


def of_texts(texts: Sequence[str]) -> Source:
    """Numbers with an expression each."""
    return lambda number: texts[int(number)]


def _kept(uniform: HostUniform, source: Source, language: Language) -> Iterator[str]:
    """A preamble computes with the numbers as they are."""
    if not uniform.preambles:
        return
    kept, count = kept_name(uniform.name), count_of(uniform)
    if is_list(uniform):
        yield from language.loop_of("i", count, [f"{kept}[i] = {source('i')};"])
    else:
        yield from (f"{kept}[{number}] = {source(str(number))};" for number in range(count))
    yield "isStale = true;"


def _run(run: Run, span: Span, source: Source, language: Language) -> list[str]:
    base = (run.first - span.first) * len(COMPONENTS)
    target_moves = [(index, 4 * step.register) for index, step in zip(_INDICES, run.steps, strict=False)]
    source_moves = [(index, step.source) for index, step in zip(_INDICES, run.steps, strict=False)]
    lines = [
        f"{span.name}[{_sum(base + COMPONENTS.index(letter), target_moves)}] = {source(_sum(number, source_moves))};"
        for letter, number in zip(run.components, run.sources, strict=True)
    ]
    for index, step in reversed(list(zip(_INDICES, run.steps, strict=False))):
        lines = language.loop_of(index, step.count, lines)
    return lines


def _sum(base: int, moves: Sequence[tuple[str, int]]) -> str:
    """`i * 16 + j * 4 + 3`."""
    terms = [index if factor == 1 else f"{index} * {factor}" for index, factor in moves if factor]
    return " + ".join([*terms, *([str(base)] if base or not terms else [])])
