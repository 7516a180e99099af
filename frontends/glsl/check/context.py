"""What the checker knows while it walks a shader: the stage, the scopes, and what was found so far."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from glslc_multi.compiler.diagnostics import DiagnosticSink, Label, Span
from glslc_multi.compiler.diagnostics.catalogue import names
from glslc_multi.compiler.ir.primitive import Primitive
from glslc_multi.compiler.records import dataclass, field
from glslc_multi.frontends.glsl import builtins, fixed_function
from glslc_multi.frontends.glsl.ast import FunctionDeclaration, Index
from glslc_multi.frontends.glsl.check.scopes import Scopes, Symbol, default_precisions
from glslc_multi.frontends.glsl.language.extensions import added_features
from glslc_multi.frontends.glsl.language.versions import Language, features_of
from glslc_multi.frontends.glsl.language.words import word_kinds
from glslc_multi.frontends.glsl.library.functions import functions_of
from glslc_multi.frontends.glsl.library.sections import GEOMETRY_PRAGMA
from glslc_multi.frontends.glsl.symbols import (
    BlockLayout,
    BlockSymbol,
    BuiltinFunction,
    FunctionGroup,
    FunctionSymbol,
    Stage,
    Storage,
    VariableSymbol,
)
from glslc_multi.frontends.glsl.tokens import Dialect, TokenStream
from glslc_multi.frontends.glsl.types import KEYWORD_TYPES, GlslType, StructField, StructType


@cache
def _keyword_types_of(version: int) -> dict[str, GlslType]:
    kinds = word_kinds(version)
    return {name: type_ for name, type_ in KEYWORD_TYPES.items() if kinds.get(name) == "keyword"}


@dataclass(slots=True)
class Context:
    """The state of one check."""

    stage: Stage
    language: Language
    extensions: dict[str, str]
    dialect: Dialect
    sink: DiagnosticSink
    tokens: TokenStream
    #: Where the text could not be parsed, in order.  What was declared there or after it may be missing.
    damage: list[Span] = field(default_factory=list)
    #: Where the preprocessor lost something: names may be missing from there on.
    losses: tuple[Span, ...] = ()
    #: What a run of a geometry shader takes, by its pragma.
    primitive: Primitive | None = None
    scopes: Scopes = field(init=False)
    _features: dict[str, bool] = field(init=False)
    #: Whether the language, or an extension that is enabled, has a feature of `language/features.py`.
    has: Callable[[str], bool] = field(init=False)
    #: The types that are keywords in this version.
    keyword_types: dict[str, GlslType] = field(init=False)
    #: The function whose body is being checked.
    function: FunctionSymbol | None = None
    loop_depth: int = 0
    #: The `switch` statements around the current one, in which a `break` may stand, too.
    switch_depth: int = 0
    #: Declared attributes, uniforms, varyings and plain globals, in order.
    globals: list[VariableSymbol] = field(default_factory=list)
    functions: list[FunctionSymbol] = field(default_factory=list)
    definitions: dict[FunctionSymbol, FunctionDeclaration] = field(default_factory=dict)
    #: Built-in variables and constants the text names.
    builtin_variables: dict[str, VariableSymbol] = field(default_factory=dict)
    #: Functions called from the initializers of globals, with the span of the first call.
    initializer_calls: dict[FunctionSymbol, Span] = field(default_factory=dict)
    #: Indices of the portable loops around the current statement (Appendix A, section 4).
    loop_indices: list[VariableSymbol] = field(default_factory=list)
    #: Arrays without a size, with the uses of their elements (`type_names.py`).
    unsized: dict[VariableSymbol | StructField, list[Index]] = field(default_factory=dict)
    both_outputs_reported: bool = False
    #: What `layout(...) uniform;` has set for the blocks that follow.
    block_layout: BlockLayout = BlockLayout()
    #: Interface blocks by storage and name.
    blocks: dict[tuple[Storage, str], BlockSymbol] = field(default_factory=dict)
    #: The members of gl_PerVertex, where the shader declares it (GLSL 1.50 section 7.1).
    vertex_members: set[str] | None = None
    _unknown_names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._features = features_of(self.language.number) | dict.fromkeys(added_features(self.extensions), True)
        # Asked many thousand times: the lookup itself, without a function around it.
        self.has = self._features.__getitem__
        self.keyword_types = _keyword_types_of(self.language.number)
        self.scopes = Scopes(default_precisions(self.stage, self.is_es))

    @property
    def is_es(self) -> bool:
        return self.language.is_es

    @property
    def has_fixed_functions(self) -> bool:
        return self.language.compat and not self.is_es

    @property
    def top(self) -> Span:
        """The place before everything that is not a directive."""
        first = self.tokens.span(0)
        return Span(first.file, first.line, 1, first.line, 1)

    def span(self, token: int) -> Span:
        """Where a token stands, by its number."""
        return self.tokens.span(token)

    def may_be_lost(self, use: Span) -> bool:
        """Whether what is unknown at `use` may have been declared in text that could not be parsed."""
        return any(
            use.file is not lost.file or (use.line, use.column) >= (lost.line, lost.column)
            for lost in (*self.damage[:1], *self.losses)
        )

    def is_damaged(self, declaration: Span) -> bool:
        """Whether a syntax error lies in `declaration`, so that its tree misses something."""
        return any(
            error.file is declaration.file and declaration.line <= error.line <= declaration.end_line
            for error in self.damage
        )

    def first_report(self, name: str) -> bool:
        """Whether the unknown `name` has not been reported yet: each is one mistake."""
        if name in self._unknown_names:
            return False
        self._unknown_names.add(name)
        return True

    def record_call(self, callee: FunctionSymbol, span: Span) -> None:
        calls = self.initializer_calls if self.function is None else self.function.calls
        calls.setdefault(callee, span)

    def provides(self, function: BuiltinFunction) -> bool:
        """Whether a built-in function of this version exists in this stage with the extensions enabled here."""
        if self.stage not in function.stages:
            return False
        return not function.extension or self.enabled(function.extension)

    def builtin_functions(self, name: str) -> tuple[BuiltinFunction, ...]:
        """The built-in functions of that name in this version, whatever their stage and extension."""
        return functions_of(name, self.language.number)

    def enable(self, extension: str, behaviour: str) -> None:
        """From here on the extension is there."""
        self.extensions[extension] = behaviour
        self._features.update(dict.fromkeys(added_features([extension]), True))

    def enabled(self, extension: str) -> bool:
        if extension == GEOMETRY_PRAGMA:
            return self.primitive is not None
        return extension in self.extensions

    def builtin_variable(self, name: str) -> VariableSymbol | None:
        """The one symbol of built-in variable `name` in this shader, whatever its stage."""
        if name not in self.builtin_variables:
            draw_buffers = self.enabled(builtins.DRAW_BUFFERS_EXTENSION)
            symbol = builtins.variable(name, self.language, self.stage, draw_buffers, self.primitive)
            if symbol is None and self.has_fixed_functions and name.startswith("gl_"):
                symbol = fixed_function.variable(name, self.stage, self.tokens.texts)
            if symbol is None or self._is_left_out(symbol):
                return None
            self.builtin_variables[name] = symbol
        return self.builtin_variables[name]

    def _is_left_out(self, builtin: VariableSymbol) -> bool:
        """Whether the shader's own gl_PerVertex does without this member of it."""
        is_member = builtin.role in ("position", "point_size", "clip_distance")
        return self.vertex_members is not None and is_member and builtin.name not in self.vertex_members

    def require_extension(self, name: str, extension: str, span: Span) -> bool:
        """Whether `name`, which belongs to `extension`, may be used; its first use is reported if not."""
        if extension == GEOMETRY_PRAGMA:
            return self._require_geometry(name, span)
        behaviour = self.extensions.get(extension)
        if behaviour in ("enable", "require") or not self.first_report(name):
            return behaviour is not None
        if behaviour == "warn":
            self.sink.report(names.EXTENSION_WARNING, span, name=name, extension=extension)
            return True
        help_ = f"add '#extension {extension} : enable' at the top of the shader"
        self.sink.report(names.NEEDS_EXTENSION, span, help=help_, name=name, extension=extension)
        return False

    def _require_geometry(self, name: str, span: Span) -> bool:
        """Whether the shader's pragma says what it takes; once is reported that it does not."""
        if self.primitive is None and self.first_report(GEOMETRY_PRAGMA):
            help_ = "add '#pragma geometry(triangles)' at the top of the shader"
            self.sink.report(names.NEEDS_GEOMETRY_PRAGMA, span, help=help_, name=name)
        return self.primitive is not None


def describe(symbol: Symbol) -> str:
    """What kind of thing a symbol is, for messages."""
    if isinstance(symbol, FunctionGroup):
        return "function"
    if isinstance(symbol, StructType):
        return "structure"
    return "variable"


def declared_at(span: Span | None, text: str = "declared here") -> tuple[Label, ...]:
    """The label that points at a declaration; none for built-ins."""
    return () if span is None else (Label(span, text),)


def spell(types: tuple[GlslType, ...] | list[GlslType]) -> str:
    """A parameter list as GLSL spells it, without parentheses."""
    return ", ".join(map(str, types))


def spell_signature(name: str, types: tuple[GlslType, ...] | list[GlslType]) -> str:
    return f"{name}({spell(types)})"
