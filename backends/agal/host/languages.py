"""ActionScript 3 and Haxe, where they differ: a template for each, and the spellings of what fills it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from glslc_multi.compiler.host_code.preamble_calls import CallSyntax
from glslc_multi.compiler.records import dataclass

INDENT = "    "
_INDEX = re.compile(r"\s*for \((\w+) = ")


@dataclass(frozen=True, slots=True)
class Language:
    """How a language spells declarations; statements and expressions are the same in both."""

    #: Suffix of its files, and of the templates.
    suffix: str
    #: Kind of a GLSL number, "vector", "texture" or "index" -> type.
    types: Mapping[str, str]
    method: str
    constant: str
    field: str
    #: A list of numbers: before its lines, and after them.
    numbers: tuple[str, str]
    loop: str
    #: What stands before a field that changes.
    variable: str
    #: The first lines of a static function that gives byte code, of a method of the class alone, and of a text.
    code: str
    private: str
    text: str
    #: A static list of words: its first line, and the last.
    words_list: tuple[str, str]
    #: Numbers that are none: "nan", "inf".
    words: Mapping[str, str]

    def method_of(self, name: str, parameters: Sequence[tuple[str, str]], body: Iterable[str], about: str) -> list[str]:
        """A method without a result; parameters are names and keys of `types`."""
        listed = ", ".join(f"{parameter}:{self.types[kind]}" for parameter, kind in parameters)
        return [
            "",
            f"/** {about} */",
            self.method.format(name=name, parameters=listed),
            *indented(self.body_of(body)),
            "}",
        ]

    def body_of(self, statements: Iterable[str]) -> list[str]:
        """Statements of a method, after the indices of their loops where loops declare none: a variable of ActionScript
        belongs to the whole method."""
        lines = list(statements)
        indices = dict.fromkeys(found[1] for line in lines if (found := _INDEX.match(line)))
        declared = ", ".join(f"{index}:{self.types['index']}" for index in indices)
        return [f"var {declared};", *lines] if indices else lines

    def constant_of(self, name: str, kind: str, value: object) -> str:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return self.constant.format(name=name, type=self.types[kind], value=text)

    def list_of(self, name: str, rows: Sequence[str], remarks: Sequence[str]) -> list[str]:
        """A field with numbers that can change, row by row."""
        first, last = self.numbers
        commas = [","] * (len(rows) - 1) + [""]
        lines = [f"{row}{comma} // {about}" for row, comma, about in zip(rows, commas, remarks, strict=True)]
        return [self.field.format(name=name, type=self.types["vector"]) + first, *indented(lines), last]

    def loop_of(self, index: str, count: int, body: Iterable[str]) -> list[str]:
        return [self.loop.format(index=index, count=count), *indented(body), "}"]

    def number(self, value: float) -> str:
        """A float32 as text that has the same value."""
        if value != value:
            return self.words["nan"]
        if value in (float("inf"), float("-inf")):
            return ("-" if value < 0 else "") + self.words["inf"]
        # Without its point, -0 would be an int, which has no sign then.
        return repr(value).removesuffix(".0") if value else repr(value)

    @property
    def calls(self) -> CallSyntax:
        declared = {
            "float": self._local("float"),
            "int": self._local("int"),
            "bool": self._local("bool"),
        }
        words = {"true": "true", "false": "false", **self.words}
        return CallSyntax(declared, ";", "{condition} ? {yes} : {no}", words)

    def _local(self, kind: str) -> str:
        return f"var {{name}}:{self.types[kind]} = {{value}}"


def indented(lines: Iterable[str]) -> list[str]:
    return [f"{INDENT}{line}" if line else "" for line in lines]


AS3 = Language(
    suffix="as",
    types={
        "float": "Number", "int": "int", "uint": "uint", "bool": "Boolean", "text": "String", "index": "int",
        "vector": "Vector.<Number>", "texture": "TextureBase",
        "vertices": "VertexBuffer3D", "wrap": "String", "filter": "String", "mip": "String",
    },
    method="public function {name}({parameters}):void {{",
    constant="public static const {name}:{type} = {value};",
    field="private const {name}:{type} = ",
    numbers=("new <Number>[", "];"),
    loop="for ({index} = 0; {index} < {count}; {index}++) {{",
    variable="private var ",
    code="public static function {name}():ByteArray {{",
    private="private function {name}():void {{",
    text="private static const {name}:String =",
    words_list=("private static const {name}:Vector.<uint> = new <uint>[", "];"),
    words={"nan": "NaN", "inf": "Infinity"},
)  # fmt: skip
HAXE = Language(
    suffix="hx",
    types={
        "float": "Float", "int": "Int", "uint": "UInt", "bool": "Bool", "text": "String", "index": "Int",
        "vector": "Vector<Float>", "texture": "TextureBase",
        "vertices": "VertexBuffer3D", "wrap": "Context3DWrapMode", "filter": "Context3DTextureFilter",
        "mip": "Context3DMipFilter",
    },
    method="public function {name}({parameters}):Void {{",
    constant="public static inline final {name}:{type} = {value};",
    field="final {name}:{type} = ",
    numbers=("Vector.ofArray(([", "] : Array<Float>));"),
    loop="for ({index} in 0...{count}) {{",
    variable="var ",
    code="public static function {name}():ByteArray {{",
    private="function {name}():Void {{",
    text="static final {name}:String =",
    words_list=("static final {name}:Array<Int> = [", "];"),
    words={"nan": "Math.NaN", "inf": "Math.POSITIVE_INFINITY"},
)  # fmt: skip
