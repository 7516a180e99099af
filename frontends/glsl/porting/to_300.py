"""GLSL ES 1.00 or desktop GLSL to GLSL ES 3.00."""

from __future__ import annotations

from glslc_multi.frontends.glsl.language import renames
from glslc_multi.frontends.glsl.language.extensions import EXTENSIONS
from glslc_multi.frontends.glsl.language.versions import versions
from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.library.functions import functions_of
from glslc_multi.frontends.glsl.porting.edits import EditedText, Word
from glslc_multi.frontends.glsl.symbols import Stage

_TO = 300
_DRAW_BUFFERS = "gl_MaxDrawBuffers"


def to_300(text: EditedText, stage: Stage) -> None:
    """Edit `text`."""
    if text.shader.language.number == _TO:
        return
    _replace_taken_names(text)
    for old, new in {**renames.FUNCTIONS, **renames.VARIABLES}.items():
        text.rename(old, new)
    _replace_qualifiers(text, stage)
    # Take out what the version has without `#extension`; tests of the macros come out true.
    dropped = {name for name, row in EXTENSIONS.items() if row.instead and _TO not in versions(row.versions)}
    dropped |= {name for name in EXTENSIONS if name.startswith("GL_ARB_")}
    for first, name, last in text.extension_lines():
        if name.text in dropped:
            text.remove_statement(first, last)
    for word in text.words:
        if word.text in dropped and word.text in text.shader.extensions and word.directive != "extension":
            _assume_defined(text, word)
    text.set_version("300 es")
    if stage == "fragment":
        _declare_outputs(text)
    if not text.shader.language.is_es:
        text.add_default_precisions()


def _replace_taken_names(text: EditedText) -> None:
    """Names of the shader's own that the version keeps for itself get a digit at their end."""
    tokens, kinds = text.shader.tokens, word_kinds(_TO)
    own = {word for word, kind in zip(tokens.texts, tokens.kinds, strict=True) if kind == "identifier"}
    for name in sorted(own - set(renames.FUNCTIONS)):
        is_function = name not in kinds
        if is_function and not _is_taken(text, name):
            continue
        new = text.unused_name(name)
        words = [word for word in text.words if word.text == name]
        for word in words:
            if not (is_function and text.near(word, -1) == "."):
                text.replace(word, new)
        text.renamed += [(word, new) for word in words[:1]]


def _is_taken(text: EditedText, name: str) -> bool:
    """Whether a name cannot stay: that of a function that exists, or of a lookup, which a variable would hide."""
    declarations = [word for word in text.uses(name) if text.declares(word)]
    if name in renames.FUNCTIONS.values():
        return bool(declarations)
    defines = any(text.near(word, 1) == "(" for word in declarations)
    return defines and bool(functions_of(name, _TO))


def _replace_qualifiers(text: EditedText, stage: Stage) -> None:
    for word in text.words:
        new = renames.QUALIFIERS.get((word.text, stage))
        if new is None:
            continue
        text.replace(word, new)
        # Inputs of fragment shaders cannot be invariant (section 4.6.1).
        before = text.neighbour(word, -1)
        if stage == "fragment" and before is not None and before.text == "invariant":
            text.remove(before, before)


def _assume_defined(text: EditedText, word: Word) -> None:
    """Let a test of a macro say that it is defined."""
    first = text.words[word.index - 1]
    if first.text in ("ifdef", "ifndef"):
        text.replace(first, "if")
        text.replace(word, "1" if first.text == "ifdef" else "0")
    elif first.text == "defined":
        text.remove(first, first)
        text.replace(word, "1")
    elif first.text == "(" and text.words[word.index - 2].text == "defined":
        before = text.words[word.index - 2]
        text.remove(before, before)
        text.replace(word, "1")


def _declare_outputs(text: EditedText) -> None:
    """`gl_FragColor` and `gl_FragData` become outputs that are declared before everything else."""
    word = text.first_declaration()
    if word is None:
        return
    used = set(text.shader.tokens.texts)
    if "gl_FragColor" in used:
        name = text.unused_name(renames.COLOUR)
        text.rename("gl_FragColor", name)
        text.insert_before(word, f"out mediump vec4 {name};\n")
    if "gl_FragData" in used:
        name = text.unused_name(renames.COLOURS)
        text.insert_before(word, f"layout(location = 0) out mediump vec4 {name}[{_count_outputs(text)}];\n")
        text.rename("gl_FragData", name)


def _count_outputs(text: EditedText) -> str:
    """One more than the largest index of `gl_FragData`."""
    indices = [text.near(word, 2) for word in text.uses("gl_FragData")]
    return str(max(map(int, indices)) + 1) if all(map(str.isdecimal, indices)) else _DRAW_BUFFERS
