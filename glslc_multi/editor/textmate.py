"""The TextMate grammar of GLSL, made from the front end's tables: `python -m glslc_multi.editor.textmate` renews it.

A grammar of that kind knows no versions: a word that any version has is shown as what it is there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from glslc_multi.editor.words import WordClass, all_word_classes

SYNTAX = Path(__file__).resolve().parents[2] / "editors" / "vscode" / "syntaxes" / "glsl.tmLanguage.json"

#: Class -> scope, by the conventions of TextMate.
_SCOPES: dict[WordClass, str] = {
    "keyword": "keyword.control.glsl",
    "qualifier": "storage.modifier.glsl",
    "type": "storage.type.glsl",
    "constant": "constant.language.glsl",
    "reserved": "invalid.illegal.reserved.glsl",
    "function": "support.function.glsl",
    "variable": "support.variable.glsl",
}


def grammar() -> dict[str, Any]:
    """The grammar as data."""
    return {
        "name": "GLSL",
        "scopeName": "source.glsl",
        "patterns": [
            {"name": "comment.block.glsl", "begin": r"/\*", "end": r"\*/"},
            {"name": "comment.line.double-slash.glsl", "match": r"//.*$"},
            {"name": "keyword.control.directive.glsl", "match": r"^\s*#\s*[A-Za-z]*"},
            *({"name": scope, "match": _any_of(kind)} for kind, scope in _SCOPES.items()),
            {"name": "constant.numeric.glsl", "match": r"(?<![\w.])\.?\d(?:[eE][+-]\d|[\w.])*"},
            {"name": "keyword.operator.glsl", "match": r"[-+*/%<>=!&|^~?:]+"},
        ],
    }


def _any_of(kind: WordClass) -> str:
    """The words of a class, longer ones first."""
    words = [word for word, own in all_word_classes().items() if own == kind]
    words.sort(key=lambda word: (-len(word), word))
    return rf"\b(?:{'|'.join(words)})\b"


def text() -> str:
    return json.dumps(grammar(), indent=2) + "\n"


if __name__ == "__main__":
    SYNTAX.write_text(text(), encoding="utf-8")
