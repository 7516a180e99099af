"""The server: requests of an editor, each answered by one function of this folder.

It keeps the open texts, tells of their diagnostics a moment after they change, and has their costs worked out in
another process. Nothing that a request meets leaves as an exception: it is logged, and the answer is empty.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol
from pygls.uris import to_fs_path

from glslc_multi.compiler import __version__
from glslc_multi.editor.layout import laid_out
from glslc_multi.failure import internal_error
from glslc_multi.lsp import complete, diagnose, hints, hover, navigate, outline, rename, signatures
from glslc_multi.lsp.analysis import Analysis
from glslc_multi.lsp.costs import Cost, Job
from glslc_multi.lsp.document import LARGEST, Document
from glslc_multi.lsp.frames import Frames
from glslc_multi.lsp.settings import SECTION, Settings, read_settings, with_project
from glslc_multi.lsp.worker import Compilers
from glslc_multi.project.project import NAME

#: From a change to the new diagnostics, and from a cost to the redrawing of what shows it, in seconds.
_DELAY, _REFRESH = 0.15, 0.05
#: From the new diagnostics to the comparison of code with its source.
_REST = 2.0
#: Of the LSP: a request that is valid and cannot be done.
_REQUEST_FAILED = -32803


class _Protocol(LanguageServerProtocol):
    """The protocol, in which a request that cannot be read is answered."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException:
            name, number = data.get("method"), data.get("id")
            if name is not None and isinstance(number, int | str):
                wrong = JsonRpcInvalidParams(f"these are not the parameters of {name}")
                self._send_response(number, error=wrong.to_response_error())
            raise


class Server:
    """The state of one session, and a method for each request."""

    def __init__(self) -> None:
        full = lsp.TextDocumentSyncKind.Full
        self.rpc = LanguageServer("glslc-multi", __version__, text_document_sync_kind=full, protocol_cls=_Protocol)
        self.settings = Settings()
        self.documents: dict[str, Document] = {}
        self.compilers = Compilers(self._learn)
        self._root = ""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        for name, (method, options) in self._requests().items():
            self.rpc.feature(name, options)(self._guarded(name, method))

    def _requests(self) -> dict[str, tuple[Callable[[Any], Any], Any]]:
        """Request or notification -> what does it, and its options."""
        calls = lsp.SignatureHelpOptions(trigger_characters=["(", ","])
        dots = lsp.CompletionOptions(trigger_characters=[".", "#"])
        fixes = lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll])
        return {
            lsp.INITIALIZE: (self._initialize, None),
            lsp.SHUTDOWN: (self._shut_down, None),
            lsp.WORKSPACE_DID_CHANGE_CONFIGURATION: (self._configure, None),
            lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (self._watch, None),
            lsp.TEXT_DOCUMENT_DID_OPEN: (self._open, None),
            lsp.TEXT_DOCUMENT_DID_CHANGE: (self._change, None),
            lsp.TEXT_DOCUMENT_DID_SAVE: (self._save, None),
            lsp.TEXT_DOCUMENT_DID_CLOSE: (self._close, None),
            lsp.TEXT_DOCUMENT_HOVER: (self._hover, None),
            lsp.TEXT_DOCUMENT_COMPLETION: (self._complete, dots),
            lsp.TEXT_DOCUMENT_SIGNATURE_HELP: (self._signatures, calls),
            lsp.TEXT_DOCUMENT_DEFINITION: (self._definition, None),
            lsp.TEXT_DOCUMENT_REFERENCES: (self._references, None),
            lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (self._highlights, None),
            lsp.TEXT_DOCUMENT_PREPARE_RENAME: (self._prepare_rename, None),
            lsp.TEXT_DOCUMENT_RENAME: (self._rename, lsp.RenameOptions(prepare_provider=True)),
            lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (self._outline, None),
            lsp.TEXT_DOCUMENT_FORMATTING: (self._format, None),
            lsp.TEXT_DOCUMENT_RANGE_FORMATTING: (self._format, None),
            lsp.TEXT_DOCUMENT_CODE_ACTION: (self._actions, fixes),
            lsp.TEXT_DOCUMENT_INLAY_HINT: (self._inlay_hints, None),
            lsp.TEXT_DOCUMENT_CODE_LENS: (self._lenses, None),
        }

    def _guarded(self, name: str, method: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The method, with a log entry in place of an exception."""

        def handle(params: Any) -> Any:
            try:
                return method(params)
            except rename.Refused as reason:
                raise JsonRpcException(str(reason), _REQUEST_FAILED) from reason
            except Exception as error:
                self._log(f"{name}: {internal_error(error).message}", lsp.MessageType.Error)
                return None

        return handle

    def _log(self, text: str, kind: lsp.MessageType) -> None:
        self.rpc.window_log_message(lsp.LogMessageParams(kind, text))

    # ------------------------------------------------------------------------------------- session
    def _initialize(self, params: lsp.InitializeParams) -> None:
        folders = params.workspace_folders or []
        root = folders[0].uri if folders else params.root_uri
        self._root = (to_fs_path(root) or "") if root else ""
        self.settings = read_settings(params.initialization_options, self._root)

    def _shut_down(self, _: None = None) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._closing = asyncio.get_running_loop().create_task(self.compilers.close())

    def _configure(self, params: lsp.DidChangeConfigurationParams) -> None:
        if params.settings is None:
            # The client waits to be asked.
            wanted = lsp.ConfigurationParams([lsp.ConfigurationItem(section=SECTION)])
            self.rpc.workspace_configuration(wanted, lambda found: self._set(found[0] if found else None))
        else:
            self._set(params.settings)

    def _set(self, sent: object) -> None:
        self.settings = read_settings(sent, self._root)
        self._show_problems(self.settings)
        for document in self.documents.values():
            self._renew(document)

    def _show_problems(self, settings: Settings) -> None:
        for problem in settings.problems:
            self.rpc.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"glslc-multi: {problem}"))

    def _settings_of(self, filename: str) -> Settings:
        """Read the project file of a document, and show what is wrong with it."""
        settings = with_project(self.settings, filename)
        self._show_problems(settings)
        return settings

    # ----------------------------------------------------------------------------------- documents
    def _open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        uri, text = params.text_document.uri, params.text_document.text
        encoding = str(getattr(self.rpc.workspace.position_encoding, "value", self.rpc.workspace.position_encoding))
        filename = to_fs_path(uri) or uri
        self.documents[uri] = Document(uri, filename, text, self._settings_of(filename), encoding)
        self._later(uri, 0, lambda: self._publish(uri))

    def _change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        if uri in self.documents:
            document = self.documents[uri]
            document.change(self.rpc.workspace.get_text_document(uri).source, document.settings)
            self._later(uri, _DELAY, lambda: self._publish(uri))

    def _save(self, params: lsp.DidSaveTextDocumentParams) -> None:
        self._reread({params.text_document.uri})

    def _watch(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        self._reread({change.uri for change in params.changes})

    def _reread(self, uris: set[str]) -> None:
        """Read anew what includes these files, all where one is a project file, and what may miss one of them."""
        paths = {to_fs_path(uri) for uri in uris}
        is_project = any(uri.endswith(f"/{NAME}") for uri in uris)
        for document in self.documents.values():
            analysis = document.analysis
            if (
                is_project
                or analysis is None
                or analysis.has_errors
                or not paths.isdisjoint(analysis.shader.dependencies)
            ):
                self._renew(document)

    def _close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        self.documents.pop(uri, None)
        self.compilers.order(uri, [])
        self.rpc.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def _renew(self, document: Document) -> None:
        document.change(document.text, self._settings_of(document.filename))
        self._later(document.uri, _DELAY, lambda: self._publish(document.uri))

    def _later(self, what: str, delay: float, work: Callable[[], None]) -> None:
        """Do something once it has been quiet for a moment."""
        waiting = self._timers.pop(what, None)
        if waiting is not None:
            waiting.cancel()
        guarded = self._guarded(what, lambda _: work())
        self._timers[what] = asyncio.get_running_loop().call_later(delay, guarded, None)

    def _publish(self, uri: str) -> None:
        """Tell of a text's diagnostics, and have its costs worked out."""
        document = self.documents.get(uri)
        if document is None:
            return
        analysis = document.analysis
        if analysis is not None:
            found = diagnose.diagnostics(analysis, document.demanded_costs, uri)
            self.rpc.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))
        elif document.is_too_large:
            found = [diagnose.too_large(len(document.text), LARGEST)]
            self.rpc.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, found))
        elif document.failure is not None:
            self._log(f"{uri}: {document.failure.message}", lsp.MessageType.Error)
        self.compilers.order(uri, document.jobs)
        self._later(f"proofs of {uri}", _REST, lambda: self._prove(uri))

    def _prove(self, uri: str) -> None:
        """Have the code of a text that rests compared with it."""
        document = self.documents.get(uri)
        if document is not None:
            document.rests = True
            self.compilers.order(uri, document.jobs)

    def _learn(self, uri: str, job: Job, cost: Cost) -> None:
        document = self.documents.get(uri)
        if document is not None and document.learn(job, cost):
            self._later("costs", _REFRESH, self._refresh)
            if cost.refusals and document.settings.targets:
                self._later(f"refusals of {uri}", _REFRESH, lambda: self._publish(uri))

    def _refresh(self) -> None:
        """Let the editor ask again for what shows costs."""
        able = self.rpc.client_capabilities.workspace
        if able is not None and able.code_lens is not None and able.code_lens.refresh_support:
            self.rpc.workspace_code_lens_refresh(None)
        if able is not None and able.inlay_hint is not None and able.inlay_hint.refresh_support:
            self.rpc.workspace_inlay_hint_refresh(None)

    # ------------------------------------------------------------------------------------ requests
    def _document(self, params: Any) -> tuple[Document, Analysis] | None:
        document = self.documents.get(params.text_document.uri)
        analysis = None if document is None else document.analysis
        return None if document is None or analysis is None else (document, analysis)

    def _hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        if (found := self._document(params)) is None:
            return None
        document, analysis = found
        return hover.hover(analysis, *analysis.lines.place(params.position), document.costs)

    def _complete(self, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        if (found := self._document(params)) is None:
            return []
        document, analysis = found
        return complete.complete(analysis, analysis.lines.offset(params.position), document.analyse)

    def _signatures(self, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
        if (found := self._document(params)) is None:
            return None
        document, analysis = found
        return signatures.signature_help(analysis, analysis.lines.offset(params.position), document.analyse)

    def _definition(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        if (found := self._document(params)) is None:
            return []
        document, analysis = found
        return navigate.definition(analysis, *analysis.lines.place(params.position), document.uri)

    def _references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        if (found := self._document(params)) is None:
            return []
        document, analysis = found
        cursor = analysis.lines.place(params.position)
        return navigate.references(analysis, *cursor, document.uri, params.context.include_declaration)

    def _highlights(self, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        if (found := self._document(params)) is None:
            return []
        _, analysis = found
        return navigate.highlights(analysis, *analysis.lines.place(params.position))

    def _prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        if (found := self._document(params)) is None:
            return None
        _, analysis = found
        piece, _ = rename.prepare(analysis, *analysis.lines.place(params.position))
        return lsp.PrepareRenamePlaceholder(analysis.lines.range_at(piece.start, piece.end), piece.text)

    def _rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        if (found := self._document(params)) is None:
            return None
        document, analysis = found
        cursor = analysis.lines.place(params.position)
        edits = rename.rename(analysis, *cursor, params.new_name, document.analyse)
        return lsp.WorkspaceEdit(changes={document.uri: edits})

    def _outline(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = self._document(params)
        return [] if document is None else outline.outline(document[1])

    def _format(self, params: lsp.DocumentFormattingParams | lsp.DocumentRangeFormattingParams) -> list[lsp.TextEdit]:
        if (found := self._document(params)) is None:
            return []
        _, analysis = found
        width = max(1, min(params.options.tab_size, 16))
        new = laid_out(analysis.text, " " * width if params.options.insert_spaces else "\t")
        first, last = 1, len(analysis.lines)
        if isinstance(params, lsp.DocumentRangeFormattingParams):
            first, last = analysis.lines.place(params.range.start)[0], analysis.lines.place(params.range.end)[0]
        return [
            lsp.TextEdit(analysis.lines.line_range(number), line)
            for number, line in enumerate(new or [], start=1)
            if first <= number <= last and line != analysis.lines.line(number)
        ]

    def _actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        if (found := self._document(params)) is None:
            return []
        document, analysis = found
        return diagnose.actions(analysis, document.uri, params.range)

    def _inlay_hints(self, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = self._document(params)
        if document is None or not self.settings.hints:
            return []
        return hints.inlay_hints(document[1], document[0].costs, params.range)

    def _lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        if (found := self._document(params)) is None:
            return []
        document, analysis = found
        return hints.lenses(analysis, document.costs, document.settings.shown_targets)


def serve() -> None:
    """Serve an editor over standard input and output until it hangs up."""
    # A refusal is an answer.  Its traceback on standard error would stop the server once nobody reads that pipe.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    Server().rpc.start_io(cast("BinaryIO", Frames(sys.stdin.buffer)))
