"""The preprocessor's main loop: a file's tokens and directives in order, to the token stream.

Text without macros, which is most text, goes to the stream in slices of the lexer's lists; only what macros
touch is handled token by token.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from glslc_multi.compiler.diagnostics import SourceFile
from glslc_multi.compiler.diagnostics.catalogue import preprocess as messages
from glslc_multi.frontends.glsl.language.extensions import EXTENSIONS
from glslc_multi.frontends.glsl.limits import TOKEN_LIMIT
from glslc_multi.frontends.glsl.preprocess import directives
from glslc_multi.frontends.glsl.preprocess.badtokens import report_bad_token
from glslc_multi.frontends.glsl.preprocess.conditionals import Conditionals
from glslc_multi.frontends.glsl.preprocess.expand import PreprocessingStopped
from glslc_multi.frontends.glsl.preprocess.extensions import mentioned_extensions
from glslc_multi.frontends.glsl.preprocess.lexer import LexedFile, lex
from glslc_multi.frontends.glsl.preprocess.line import Line
from glslc_multi.frontends.glsl.preprocess.macros import Token, tokens_of, unknown
from glslc_multi.frontends.glsl.preprocess.state import State
from glslc_multi.frontends.glsl.tokens import Dialect, PreprocessedShader

#: Longest name by dialect; WebGL 1 section 6.21.
_LONGEST_NAME: dict[Dialect, int] = {"essl100": 1024, "webgl": 256}


class Preprocessor(State):
    """Runs files through the state of one shader."""

    def run(self, file: SourceFile) -> None:
        """Process a file and whatever it includes."""
        lexed = lex(file, self.shader.language, _LONGEST_NAME[self.dialect], self.sink, self.room)
        self.room -= len(lexed.texts) + len(lexed.directives)
        if lexed.cut_at is not None:
            self.sink.report(messages.TOO_MANY_TOKENS, lexed.span_at(lexed.cut_at), limit=TOKEN_LIMIT)
            raise PreprocessingStopped
        for name in mentioned_extensions(lexed.text, self.shader.language.number):
            self.predefine(name, "1")
        outer, self.conditionals = self.conditionals, Conditionals(self.sink)
        self.includer.enter(file)
        position = 0
        for directive in lexed.directives:
            self._emit(lexed, position, directive.first)
            position = directive.end
            included = directives.process(self, Line(lexed, directive))
            if included is not None:
                self._include(included)
        self._emit(lexed, position, len(lexed.texts))
        self._finish_use()
        self.conditionals.finish()
        self.includer.leave()
        self.conditionals = outer

    def finish(self, file: SourceFile) -> PreprocessedShader:
        """The result, after `file`, the main file, was run."""
        stream, shader = self.shader.tokens, self.shader
        last_line = len(file.line_starts)
        stream.append("end", "", file, last_line, len(file.line_text(last_line)) + 1, 1)
        words = {word for name in shader.extensions if name in EXTENSIONS for word in EXTENSIONS[name].keywords.split()}
        if words:
            stream.kinds = [
                "keyword" if text in words else kind for kind, text in zip(stream.kinds, stream.texts, strict=True)
            ]
        shader.dependencies = list(self.includer.dependencies)
        return shader

    def run_command_line(self, defines: Mapping[str, str], undefines: Iterable[str]) -> None:
        """`-D` and `-U` as a file of directives, so that mistakes in them are found and shown like others."""
        lines = [f"#define {name} {value}" for name, value in defines.items()]
        lines += [f"#undef {name}" for name in undefines]
        if lines:
            text = "".join(" ".join(line.splitlines()) + "\n" for line in lines)
            self.run(SourceFile("<command line>", text))
            self.at_start = True

    def _include(self, file: SourceFile) -> None:
        """Process an included file; source string numbers count inclusions."""
        outer, self.expander.source_number = self.expander.source_number, self.includer.count
        self.run(file)
        self.expander.source_number = outer

    def _emit(self, lexed: LexedFile, first: int, end: int) -> None:
        """Put tokens `first` to `end` of a file, which no directive interrupts, on the stream."""
        if first == end or not self.conditionals.active:
            return
        self.at_start = False
        if self.unfinished:
            self._resume(tokens_of(lexed, first, end))
            return
        position = first
        while (special := self._next_special(lexed, position, end)) < end:
            self._emit_slice(lexed, position, special)
            position = self._use_end(lexed, special, end)
            self._emit_expanded(tokens_of(lexed, special, position))
            if self.unfinished and position < end:
                self._resume(tokens_of(lexed, position, end))
                position = end
        self._emit_slice(lexed, position, end)

    def _next_special(self, lexed: LexedFile, first: int, end: int) -> int:
        """The next token that cannot go to the stream as it is; `end` if there is none."""
        kinds, texts, macros = lexed.kinds, lexed.texts, self.macros
        for index in range(first, end):
            if texts[index] in macros or kinds[index] == "bad":
                return index
        return end

    def _use_end(self, lexed: LexedFile, index: int, end: int) -> int:
        """The token after the macro use that begins at `index`."""
        macro = self.macros.get(lexed.texts[index])
        index += 1
        if macro is None or macro.parameters is None or index == end or lexed.texts[index] != "(":
            return index
        depth = 0
        for position in range(index, end):
            text = lexed.texts[position]
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return position + 1
        return end

    def _emit_slice(self, lexed: LexedFile, first: int, end: int) -> None:
        stream = self.shader.tokens
        stream.kinds += lexed.kinds[first:end]  # type: ignore[arg-type]  # "bad" ones never come here
        stream.texts += lexed.texts[first:end]
        stream.files += [lexed.file] * (end - first)
        stream.lines += lexed.lines[first:end]
        stream.columns += lexed.columns[first:end]
        stream.widths += lexed.widths[first:end]

    def _emit_expanded(self, tokens: list[Token]) -> None:
        expanded, self.unfinished = self.expander.expand(tokens)
        for token in expanded:
            self._emit_token(token)

    def _resume(self, tokens: list[Token]) -> None:
        """Go on with an unfinished macro use."""
        self.expander.charge(len(self.unfinished), self.unfinished[0])
        self._emit_expanded(self.unfinished + tokens)

    def _emit_token(self, token: Token) -> None:
        kind, text = token.kind, token.text
        if kind == "bad":
            replacement = report_bad_token(text, token.span, self.sink, self.shader.language)
            if replacement is None:
                return
            kind, text = replacement
        stream = self.shader.tokens
        if token.expansion is not None:
            stream.expansions[len(stream)] = token.expansion
        stream.append(kind, text, token.file, token.line, token.column, token.width)

    def _finish_use(self) -> None:
        """The file ends: what looks like an incomplete macro use is either just a name, or a mistake."""
        unfinished, self.unfinished = self.unfinished, []
        if len(unfinished) == 1:
            self._emit_token(unfinished[0])
        elif unfinished:
            self.expander.report_unfinished(unfinished[0])
            # Without the macro what follows makes sense, but for its own line.
            for token in [unknown(unfinished[0]), *unfinished[1:]]:
                self._emit_token(token)
