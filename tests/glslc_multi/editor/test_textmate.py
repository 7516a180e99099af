"""The grammar of the VS Code extension is current, and its words are those of the tables."""

from __future__ import annotations

import json
import re

from glslc_multi.editor.textmate import SYNTAX, grammar, text
from glslc_multi.lsp.settings import Settings
from tests.shared_data import PROJECT_ROOT


def test_the_file_is_current() -> None:
    assert SYNTAX.read_text(encoding="utf-8") == text()


def test_words_have_their_scopes() -> None:
    expected = {
        "mat2": "storage.type",
        "mat2x3": "storage.type",
        "discard": "keyword.control",
        "sin": "support.function",
    }
    for word, scope in expected.items():
        found = [row["name"] for row in grammar()["patterns"] if re.fullmatch(row.get("match", "$."), word)]
        assert [name.startswith(scope) for name in found] == [True]


def test_the_extension_knows_the_settings_of_the_server() -> None:
    manifest = json.loads((PROJECT_ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    keys = {key.removeprefix("glslcMulti.") for key in manifest["contributes"]["configuration"]["properties"]}
    words = {re.sub("_(.)", lambda found: found[1].upper(), name) for name in Settings.__slots__} - {"problems"}
    assert keys == words | {"command"}
