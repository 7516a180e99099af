"""GLSL ES 3.00 or desktop GLSL to GLSL ES 1.00, as far as that has words for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from glslc_multi.compiler.records import dataclass
from glslc_multi.frontends.glsl.language.extensions import EXTENSIONS
from glslc_multi.frontends.glsl.language.versions import versions
from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.library.functions import functions_of
from glslc_multi.frontends.glsl.porting.edits import EditedText, Word
from glslc_multi.frontends.glsl.symbols import Stage

_TO = 100
#: Function -> its name without the sampler's kind, and what follows it in GLSL ES 1.00.
_LOOKUPS = {
    "texture": ("", ""),
    "textureProj": ("Proj", ""),
    "textureLod": ("", "Lod"),
    "textureProjLod": ("Proj", "Lod"),
    "textureGrad": ("", "Grad"),
    "textureProjGrad": ("Proj", "Grad"),
}
#: Sampler -> the beginning of its functions' names.
_SAMPLERS = {"sampler2D": "texture2D", "samplerCube": "textureCube"}
_LOD_EXTENSION = "GL_EXT_shader_texture_lod"
#: Names that are others.
_RENAMED = {"mat2x2": "mat2", "mat3x3": "mat3", "mat4x4": "mat4"}
#: Name -> the extension that has it, and its name there.
_OF_EXTENSIONS = {
    **{name: ("GL_OES_standard_derivatives", name) for name in ("dFdx", "dFdy", "fwidth")},
    "gl_FragDepth": ("GL_EXT_frag_depth", "gl_FragDepthEXT"),
    "gl_InstanceID": ("GL_EXT_draw_instanced", "gl_InstanceIDEXT"),
}
#: What stands before a global's `in` and `out`; a parameter's follows a bracket, a comma or `const`.
_BEFORE_GLOBALS = ("", ";", "}", ")", "flat", "smooth", "centroid", "invariant")
_QUALIFIERS = {("in", "vertex"): "attribute", ("out", "vertex"): "varying", ("in", "fragment"): "varying"}
#: What stands between the names of one declaration, besides numbers of elements.
_IN_DECLARATORS = (",", "[", "]")
_PRECISIONS = ("lowp", "mediump", "highp")
_FLOAT_SUFFIX = re.compile(r"[fF]$")


@dataclass(frozen=True, slots=True)
class _Output:
    """A fragment shader's output: its name, its number where it says one, and the words that declare it."""

    name: str
    location: int | None
    is_array: bool
    first: Word
    last: Word


def to_100(text: EditedText, stage: Stage) -> None:
    """Edit `text`."""
    if text.shader.language.number == _TO:
        return
    needed: set[str] = set()
    outputs = _outputs(text) if stage == "fragment" else []
    _replace_outputs(text, outputs, needed)
    _replace_qualifiers(text, stage, outputs)
    _replace_lookups(text, stage, needed)
    for old, new in _RENAMED.items():
        text.rename(old, new)
    for name, (extension, new) in _OF_EXTENSIONS.items():
        if text.contains(name):
            needed.add(extension)
            text.rename(name, new)
    for word in text.words:
        if word.kind == "float" and _FLOAT_SUFFIX.search(word.text):
            text.replace(word, _FLOAT_SUFFIX.sub("", word.text))
    _drop_precisions(text)
    for first, extension_name, last in text.extension_lines():
        row = EXTENSIONS.get(extension_name.text)
        if row is not None and _TO not in versions(row.versions):
            text.remove_statement(first, last)
    text.set_version("100")
    for extension in sorted(needed - set(text.shader.extensions)):
        text.add_to_head(f"#extension {extension} : require")
    if not text.shader.language.is_es and stage == "fragment":
        text.add_default_precisions()


# ---------------------------------------------------------------------------------------- interface
def _outputs(text: EditedText) -> list[_Output]:
    """The outputs that are declared one by one: `layout(location = 1) out highp vec4 name;`."""
    outputs = []
    for word in text.words:
        if word.text != "out" or word.directive or text.near(word, -1) not in _BEFORE_GLOBALS:
            continue
        type_ = text.neighbour(word, 2 if text.near(word, 1) in _PRECISIONS else 1)
        name = None if type_ is None else text.neighbour(type_, 1)
        end = next((each for each in text.words[word.index :] if each.text == ";"), None)
        if type_ is None or name is None or end is None:
            continue
        if type_.text != "vec4" or text.near(name, 1) not in (";", "["):
            continue
        if sum(text.declares(use) for use in text.uses(name.text)) > 1:
            continue  # The name also is that of a parameter or local variable.
        first, location = _layout_before(text, word)
        outputs.append(_Output(name.text, location, text.near(name, 1) == "[", first, end))
    return outputs


def _layout_before(text: EditedText, word: Word) -> tuple[Word, int | None]:
    """The first word of a declaration whose `in` or `out` is `word`, and its location."""
    if text.near(word, -1) != ")":
        return word, None
    index = word.index - 1
    while index > 0 and text.words[index].text != "layout":
        index -= 1
    numbers = [w.text for w in text.words[index : word.index] if w.kind == "int"]
    return text.words[index], int(numbers[0]) if numbers and numbers[0].isdecimal() else None


def _replace_outputs(text: EditedText, outputs: list[_Output], needed: set[str]) -> None:
    """One output at location 0 is `gl_FragColor`; several are elements of `gl_FragData`."""
    for output in outputs:
        text.remove_statement(output.first, output.last)
        if output.is_array:
            new = "gl_FragData"
        elif len(outputs) == 1 and not output.location:
            new = "gl_FragColor"
        else:
            new = f"gl_FragData[{output.location or 0}]"
        if new != "gl_FragColor":
            needed.add("GL_EXT_draw_buffers")
        for word in text.uses(output.name):
            if not output.first.start <= word.start <= output.last.start:
                text.replace(word, new)


def _replace_qualifiers(text: EditedText, stage: Stage, outputs: list[_Output]) -> None:
    """`in` and `out` of globals, with what GLSL ES 1.00 has no word for before them."""
    removed = [(output.first.start, output.last.end) for output in outputs]
    for word in text.words:
        new = _QUALIFIERS.get((word.text, stage))
        if new is None or any(start <= word.start < end for start, end in removed):
            continue
        is_macro = word.directive == "define" and text.near(word, -2) == "define"
        if not is_macro and (word.directive or text.near(word, -1) not in _BEFORE_GLOBALS):
            continue
        text.replace(word, new)
        first, _ = _layout_before(text, word)
        before = text.neighbour(word, -1)
        if before is not None and first is not word:
            text.remove(first, before)
        elif before is not None and before.text in ("smooth", "centroid"):
            text.remove(before, before)


# ---------------------------------------------------------------------------------------- functions
def _replace_lookups(text: EditedText, stage: Stage, needed: set[str]) -> None:
    # Take out `#define texture2D texture`, which gives a name of GLSL ES 1.00 to what it stands for here.
    for word in text.words:
        following = text.words[word.index + 1 : word.index + 3] if word.text == word.directive == "define" else []
        if len(following) == 2 and following[1].text in _LOOKUPS and functions_of(following[0].text, _TO):
            text.remove_statement(word, following[1])
    # Name of a variable or parameter -> the beginning of its functions' names.
    samplers: dict[str, str] = {}
    for word in text.words:
        if word.text in _SAMPLERS:
            samplers.update((name, _SAMPLERS[word.text]) for name in _declared_names(text, word))
    kinds = set(samplers.values())
    for word in text.words:
        if word.text not in _LOOKUPS or text.near(word, 1) != "(":
            continue
        place = text.span(word)
        kind = _SAMPLERS.get(text.samplers.get((place.line, place.column), "")) or samplers.get(text.near(word, 2))
        if kind is None and len(kinds) == 1:
            # In a macro with a sampler as its argument.
            kind = next(iter(kinds))
        if kind is None:
            continue
        projection, level = _LOOKUPS[word.text]
        is_extension = level == "Grad" or (level == "Lod" and stage == "fragment")
        if is_extension:
            needed.add(_LOD_EXTENSION)
        text.replace(word, f"{kind}{projection}{level}{'EXT' if is_extension else ''}")


def _declared_names(text: EditedText, type_: Word) -> Iterator[str]:
    """The names after a type: `s`, `t` of `sampler2D s, t;`; the one of a parameter."""
    before = ","
    for word in text.words[type_.index + 1 :]:
        if word.kind not in ("identifier", "int") and word.text not in _IN_DECLARATORS:
            return
        if before == "," and text.near(word, 1) in (",", ";", "[", ")"):
            yield word.text
        before = word.text


def _drop_precisions(text: EditedText) -> None:
    """Take out `precision lowp sampler3D;` and its like, for types that GLSL ES 1.00 has not."""
    kinds = word_kinds(_TO)
    for word in text.words:
        following = text.words[word.index + 2 : word.index + 4]
        if word.text != "precision" or [each.text for each in following[1:]] != [";"]:
            continue
        if kinds.get(following[0].text) != "keyword":
            text.remove_statement(word, following[1])
