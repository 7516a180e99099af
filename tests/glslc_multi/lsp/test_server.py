"""What the server answers with that is its own: edits that lay a text out."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra 'lsp' is not installed")

from lsprotocol import types as lsp

from tests.glslc_multi.lsp.client import editor

URI = "file:///shaders/a.frag"
TEXT = "void main() {\n      float a = 1.0;\n    if (a > 0.5) {\n    a = 2.0;\n    }\n}\n"


def test_lines_are_laid_out_where_they_are_not() -> None:
    """Four spaces a brace; of a range only its lines."""
    options = lsp.FormattingOptions(4, insert_spaces=True)
    with editor() as session:
        document = session.open(URI, TEXT)
        params = lsp.DocumentFormattingParams(document, options)
        whole = session.ask(lsp.TEXT_DOCUMENT_FORMATTING, params)
        lines = lsp.Range(lsp.Position(2, 0), lsp.Position(3, 0))
        part = session.ask(
            lsp.TEXT_DOCUMENT_RANGE_FORMATTING, lsp.DocumentRangeFormattingParams(document, lines, options)
        )
    second, fourth = (1, "    float a = 1.0;"), (3, "        a = 2.0;")
    assert [(edit.range.start.line, edit.new_text) for edit in whole] == [second, fourth]
    assert [(edit.range.start.line, edit.new_text) for edit in part] == [fourth]
    assert (whole[0].range.start.character, whole[0].range.end.character) == (0, len("      float a = 1.0;"))


def test_hints_are_those_of_the_text() -> None:
    """A line that makes code says so once it is known how much; of a text that is not open nothing is said."""
    able = lsp.WorkspaceClientCapabilities(inlay_hint=lsp.InlayHintWorkspaceClientCapabilities(refresh_support=True))
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(6, 0))
    text = "precision mediump float;\nuniform float u;\nvoid main() {\n    gl_FragColor = vec4(sin(u));\n}\n"
    with editor({"targets": ["agal"]}, capabilities=lsp.ClientCapabilities(workspace=able)) as session:
        document = session.open(URI, text)
        session.wait_until(lambda: "hint" in session.refreshed)
        found = session.ask(lsp.TEXT_DOCUMENT_INLAY_HINT, lsp.InlayHintParams(document, whole))
        other = lsp.TextDocumentIdentifier("file:///shaders/other.frag")
        of_other = session.ask(lsp.TEXT_DOCUMENT_INLAY_HINT, lsp.InlayHintParams(other, whole))
        assert not session.logged
    assert (3, "agal") in [(hint.position.line, hint.label.split()[0]) for hint in found]
    assert not of_other


def test_the_project_file_counts_and_is_read_again(tmp_path: Path) -> None:
    file, project = tmp_path / "a.frag", tmp_path / "glslc-multi.toml"
    project.write_text("defines.VALUE = 0.5")
    text = "void main() {\n    gl_FragColor = vec4(VALUE);\n}\n"

    def has_errors() -> bool:
        return any(one.severity == lsp.DiagnosticSeverity.Error for one in session.diagnostics.get(file.as_uri(), ()))

    with editor() as session:
        session.open(file.as_uri(), text)
        session.wait_until(lambda: file.as_uri() in session.diagnostics)
        assert not has_errors()
        changed = lsp.FileEvent(project.as_uri(), lsp.FileChangeType.Changed)
        project.write_text("")
        session.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([changed]))
        session.wait_until(has_errors)
        project.write_text("std = 3")
        session.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([changed]))
        session.wait_until(lambda: session.shown)
        assert "'std' is not a text" in session.shown[0]
        assert not session.logged
