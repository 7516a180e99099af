"""A client program that draws pictures with generated classes, in ActionScript or Haxe.

In: pictures.  Out: the text of a class `Pictures` with a method `draw(number)`, beside which the client's own frame
(`client/Main.*`) opens a device.  All values are literals, set by their GLSL names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from glslc_multi.backends.agal.host.facts import CONSTANT_FILES, INPUT_SPACES
from glslc_multi.backends.agal.host.languages import AS3, HAXE, Language, indented
from glslc_multi.backends.agal.host.setters import count_of, method_name
from glslc_multi.backends.registry import load_target
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.host_code.c_names import member_name
from glslc_multi.compiler.host_code.places import shape_of
from glslc_multi.compiler.host_code.templates import fill
from glslc_multi.compiler.host_code.uniforms import HostUniform, host_uniforms
from tests.backends.agal.host.scenes import Picture

_FORMS = {"as3": AS3, "haxe": HAXE}
CLIENT = Path(__file__).parent / "client"


def write_client(pictures: Sequence[Picture], language: Language, folder: Path) -> None:
    """The classes of the pictures, and what draws with them."""
    target = load_target("agal")
    (form,) = (form for form, found in _FORMS.items() if found is language)
    for picture in pictures:
        files = target.host_code(picture.program, f"{form}-text" if picture.is_text else form, DiagnosticSink())
        for file in files:
            (folder / file.name).write_bytes(file.data)
    name = f"Pictures.{language.suffix}"
    (folder / name).write_text(pictures_class(pictures, language), encoding="utf-8")


def pictures_class(pictures: Sequence[Picture], language: Language) -> str:
    """The class that draws them."""
    methods: list[str] = []
    for number, picture in enumerate(pictures):
        name = f"draw{number}"
        methods += ["", *_method(name, language), *indented(_statements(picture, language)), "}"]
    cases = [
        f"case {number}: draw{number}();" + (" break;" * (language.suffix == "as")) for number in range(len(pictures))
    ]
    return fill(CLIENT / f"Pictures.{language.suffix}", {"CASES": cases, "METHODS": methods})


def _method(name: str, language: Language) -> list[str]:
    return [language.private.format(name=name)]


def _statements(picture: Picture, language: Language) -> Iterable[str]:
    kind = picture.class_name
    new = f"var shader:{kind} = new {kind}(context);"
    yield from (new, "shader.upload();")
    uniforms = host_uniforms(picture.artifacts, INPUT_SPACES)
    matrices = [found for found in uniforms if picture.is_matrix and found.type == "mat4" and found.length is None]
    for uniform in (found for found in uniforms if found not in matrices):
        yield f"shader.{method_name(uniform.name)}({value_text(uniform, flat_value(picture, uniform), language)});"
    for name, image in picture.images.items():
        height, width = image.shape[:2]
        words = [int(b) | int(g) << 8 | int(r) << 16 | int(a) << 24 for r, g, b, a in image.reshape(-1, 4)]
        listed = ", ".join(f"0x{word:08x}" for word in words)
        yield f"shader.{method_name(name)}(texture({width}, {height}, {_words(listed, language)}));"
    vertices, count = _vertices(picture)
    indices = ", ".join(map(str, picture.mesh.triangles.reshape(-1).tolist()))
    yield f"drawing({count}, {kind}.STRIDE, {numbers_text(vertices, language)}, {_words(indices, language)});"
    yield "shader.bind();"
    for uniform in matrices:
        matrix = f"new Matrix3D({numbers_text(flat_value(picture, uniform), language)})"
        for stage in uniform.places:
            place = f"{kind}.{member_name(uniform.name)}_{CONSTANT_FILES[stage]}"
            type = f"Context3DProgramType.{stage.upper()}"
            yield f"context.setProgramConstantsFromMatrix({type}, {place}, {matrix}, {place}_transposed);"
    yield from ("shader.bindVertices(vertices);", "context.drawTriangles(triangles);")
    yield "shader.release();"


def flat_value(picture: Picture, uniform: HostUniform) -> list[float]:
    """A value as OpenGL takes it, from values by the names of elements."""
    count = 1 if uniform.length is None else uniform.length
    if uniform.length is None:
        names = [uniform.name]
    elif "[]" in uniform.name:
        names = [uniform.name.replace("[]", f"[{number}]") for number in range(count)]
    else:
        names = [f"{uniform.name}[{number}]" for number in range(count)]
    elements = [np.asarray(picture.uniforms[name], np.float64) for name in names]
    return [float(n) for element in elements for n in (element.T if element.ndim == 2 else element).reshape(-1)]


def value_text(uniform: HostUniform, numbers: Sequence[float], language: Language) -> str:
    """Arguments of a setter."""
    assert len(numbers) == count_of(uniform)
    if shape_of(uniform.type)[0] > 1 or uniform.length is not None:
        return numbers_text(numbers, language)
    kinds: dict[str, Any] = {"bool": lambda n: str(bool(n)).lower(), "bvec": lambda n: str(bool(n)).lower()}
    kinds |= dict.fromkeys(("int", "ivec", "uint", "uvec"), lambda n: str(int(n)))
    return ", ".join(map(kinds.get(uniform.type.rstrip("234"), language.number), numbers))


def numbers_text(numbers: Iterable[float], language: Language) -> str:
    first, last = language.numbers
    return first + ", ".join(language.number(float(np.float32(number))) for number in numbers) + last.removesuffix(";")


def _words(listed: str, language: Language) -> str:
    return f"new <uint>[{listed}]" if language.suffix == "as" else f"Vector.ofArray(([{listed}] : Array<UInt>))"


def _vertices(picture: Picture) -> tuple[list[float], int]:
    """One vertex after the other, attributes in the order of the class."""
    count = len(picture.mesh.position)
    bound = picture.artifacts["vertex"].reflection.attributes
    columns = [np.asarray(picture.attributes[binding.name]).reshape(count, -1) for binding in bound]
    return np.hstack(columns).astype(np.float32).reshape(-1).tolist(), count
