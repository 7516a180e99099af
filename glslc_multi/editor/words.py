"""What each word of GLSL is to a reader: a keyword, a type, a built-in function.

All of it follows from the front end's tables, by version; names of the shader's own are in none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from glslc_multi.frontends.glsl import builtins
from glslc_multi.frontends.glsl.language.extensions import EXTENSIONS, extensions_of
from glslc_multi.frontends.glsl.language.versions import DESKTOP_VERSIONS, ES_VERSIONS, Language
from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.library.functions import function_names
from glslc_multi.frontends.glsl.types import KEYWORD_TYPES, SAMPLER_EXTERNAL

#: Of words; "keyword" steers control, "qualifier" belongs to declarations, "reserved" may not be used.
WordClass = Literal["keyword", "qualifier", "type", "constant", "reserved", "function", "variable"]

VERSIONS = (*ES_VERSIONS, *DESKTOP_VERSIONS)
#: Section 3.6: keywords of statements; what is no type either belongs to declarations.
_OF_STATEMENTS = frozenset("if else for while do switch case default break continue return discard".split())
_LITERALS = frozenset(("true", "false"))
_TYPES = frozenset((*KEYWORD_TYPES, str(SAMPLER_EXTERNAL), "struct"))


@cache
def word_classes(version: int) -> Mapping[str, WordClass]:
    """Every word that is no name of the shader's own in a version, with what any extension adds."""
    names = {name: _class_of_variable(name, version) for name in builtins.names(Language(version))}
    functions: dict[str, WordClass] = dict.fromkeys(function_names(version), "function")
    words: dict[str, WordClass] = {
        word: "reserved" if kind == "reserved" else _class_of_keyword(word)
        for word, kind in word_kinds(version).items()
    }
    added = {word for name in extensions_of(version) for word in EXTENSIONS[name].keywords.split()}
    return {**names, **functions, **words, **{word: _class_of_keyword(word) for word in added}}


@cache
def all_word_classes() -> Mapping[str, WordClass]:
    """The same over all versions; what one has as a word, others may only reserve."""
    classes: dict[str, WordClass] = {}
    for version in VERSIONS:
        for word, kind in word_classes(version).items():
            if classes.get(word, "reserved") == "reserved":
                classes[word] = kind
    return classes


def _class_of_keyword(word: str) -> WordClass:
    if word in _OF_STATEMENTS:
        return "keyword"
    if word in _LITERALS:
        return "constant"
    return "type" if word in _TYPES else "qualifier"


def _class_of_variable(name: str, version: int) -> WordClass:
    return "constant" if name in builtins.constants(Language(version)) else "variable"
