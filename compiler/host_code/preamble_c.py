"""The preamble of a shader (`-fpreamble`) as a C function, for engines that are not written in Python.

In: a preamble (see `compiler/preamble.py`).  Out: C99 text with a structure of the uniforms that it reads, one of those
that it computes, and the function between them.  Members are flat arrays as OpenGL takes them: the elements of an
array in order, matrices by columns.  Bools are ints.

The idea: the meaning of every opcode is written over an arithmetic; here its numbers are names of C variables, and each
operation writes a line.  Results are those of the shader's own semantics in float32; a compiler must not be told to
break these (`-ffast-math`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

from glslc_multi.compiler.host_code.c_names import CNames, member_name
from glslc_multi.compiler.ir.module import Module
from glslc_multi.compiler.ir.variables import PREAMBLE, Variable
from glslc_multi.compiler.preamble import walk_preamble
from glslc_multi.compiler.records import dataclass

#: Kinds of numbers in C.
C_TYPES: Mapping[str, str] = {"float": "float", "int": "int32_t", "uint": "uint32_t", "bool": "int"}
#: A line that makes a variable, and the names of such variables.
_VARIABLE, _NAME = re.compile(r"\s*const \w+ (t\d+) = "), re.compile(r"\bt\d+\b")
_INCLUDES = ("#include <math.h>", "#include <stdint.h>")


@dataclass(frozen=True, slots=True)
class CNumber:
    """A number in C: text that can be an operand, and its type."""

    text: str
    type: str


def preamble_c(preamble: Module, prefix: str) -> str:
    """A file to compile: `void <prefix>_preamble(const <prefix>_uniforms *, <prefix>_computed *)`."""
    names = CNames()
    members = {name: names.new(member_name(name)) for name in preamble.variables}
    given = [variable for variable in preamble.variables.values() if variable.role != PREAMBLE]
    results = [variable for variable in preamble.variables.values() if variable.role == PREAMBLE]
    return "\n".join(
        [
            *_INCLUDES,
            "",
            *structure(f"{prefix}_uniforms", [member_of(variable, members[variable.name]) for variable in given]),
            "",
            *structure(f"{prefix}_computed", [member_of(variable, members[variable.name]) for variable in results]),
            "",
            f"void {prefix}_preamble(const {prefix}_uniforms *uniforms, {prefix}_computed *computed)",
            *preamble_body(preamble, members),
            "",
        ]
    )


def preamble_body(preamble: Module, members: Mapping[str, str]) -> list[str]:
    """The body of a function with pointers `uniforms` and `computed` to structures of these members."""
    writer = _Writer(members)
    walk_preamble(preamble, writer, writer)
    given = any(variable.role != PREAMBLE for variable in preamble.variables.values())
    # A structure without members is no C; what it holds instead is used here.
    return ["{", *(f"    {line}" for line in _needed(writer.lines)), *(() if given else ("    (void)uniforms;",)), "}"]


@dataclass(frozen=True, slots=True)
class CMember:
    """A member of a structure: a flat array, and what it is in GLSL."""

    name: str
    type: str
    count: int
    remark: str

    @property
    def declaration(self) -> str:
        return f"{self.type} {self.name}[{self.count}]; /* {self.remark} */"


def member_of(variable: Variable, name: str) -> CMember:
    count = variable.length * variable.columns * variable.type.width
    return CMember(name, C_TYPES[variable.outer_kind], count, variable.name)


def structure(name: str, members: Sequence[CMember]) -> list[str]:
    """Its type, which C does not let be empty."""
    lines = [f"    {member.declaration}" for member in members] or ["    int nothing;"]
    return [f"typedef struct {name} {{", *lines, f"}} {name};"]


def _needed(lines: Sequence[str]) -> list[str]:
    """Without variables that nothing reads, such as a component of a vector: compilers warn of them."""
    read: set[str] = set()
    kept = []
    for line in reversed(lines):
        declaration = _VARIABLE.match(line)
        if declaration is None or declaration[1] in read:
            kept.append(line)
            read.update(_NAME.findall(line.partition(" = ")[2] if declaration else line))
    return kept[::-1]


class _Writer:
    """An arithmetic (`compiler/arithmetic/protocol.py`) and the places of uniforms: both write lines of C."""

    def __init__(self, members: Mapping[str, str]) -> None:
        self.members = members
        self.lines: list[str] = []
        self.count = 0

    def _new(self, type: str, text: str) -> CNumber:
        name = f"t{self.count}"
        self.count += 1
        self.lines.append(f"const {type} {name} = {text};")
        return CNumber(name, type)

    # uniforms ------------------------------------------------------------------------------------
    def load(self, variable: Variable, element: CNumber | int, column: CNumber | int) -> list[CNumber]:
        source = "computed" if variable.role == PREAMBLE else "uniforms"
        width = variable.type.width
        if isinstance(element, int) and isinstance(column, int):
            first = str((element * variable.columns + column) * width)
        else:
            first = f"({_text(element)} * {variable.columns} + {_text(column)}) * {width}"
        array, type = f"{source}->{self.members[variable.name]}", C_TYPES[variable.type.kind]
        # Not all of them need be used: they are no variables of their own.
        numbers = [f"{array}[{first} + {part}]" for part in range(width)]
        is_bool = variable.type.kind == "bool"
        return [CNumber(f"({number} != 0)" if is_bool else number, type) for number in numbers]

    def store(self, variable: Variable, value: list[CNumber]) -> None:
        for part, number in enumerate(value):
            self.lines.append(f"computed->{self.members[variable.name]}[{part}] = {number.text};")

    def fill(self, table: Variable, entry: Callable[[CNumber], CNumber]) -> None:
        self.lines.append(f"for (int32_t index = 0; index < {table.length}; index++) {{")
        first = len(self.lines)
        value = entry(CNumber("index", "int32_t"))
        self.lines.append(f"computed->{self.members[table.name]}[index] = {value.text};")
        self.lines[first:] = [f"    {line}" for line in self.lines[first:]]
        self.lines.append("}")

    # constants -----------------------------------------------------------------------------------
    def bconst(self, value: bool) -> CNumber:
        return CNumber(str(int(value)), "int")

    def iconst(self, value: int) -> CNumber:
        # The smallest int has no literal of its own.
        return CNumber(f"(-{-value - 1} - 1)" if value == -(2**31) else f"({value})", "int32_t")

    def fconst(self, value: float) -> CNumber:
        if math.isnan(value):
            return CNumber("NAN", "float")
        if math.isinf(value):
            return CNumber("INFINITY" if value > 0 else "(-INFINITY)", "float")
        return CNumber(f"({value.hex()}f)", "float")

    # floats: a cast drops what a wider evaluation would keep ---------------------------------------
    def _float(self, text: str) -> CNumber:
        return self._new("float", f"(float)({text})")

    def fadd(self, x: CNumber, y: CNumber) -> CNumber:
        return self._float(f"{x.text} + {y.text}")

    def fsub(self, x: CNumber, y: CNumber) -> CNumber:
        return self._float(f"{x.text} - {y.text}")

    def fmul(self, x: CNumber, y: CNumber) -> CNumber:
        return self._float(f"{x.text} * {y.text}")

    def fdiv(self, x: CNumber, y: CNumber) -> CNumber:
        return self._float(f"{x.text} / {y.text}")

    def fneg(self, x: CNumber) -> CNumber:
        return self._float(f"-{x.text}")

    def fabs(self, x: CNumber) -> CNumber:
        return self._float(f"fabsf({x.text})")

    def ffloor(self, x: CNumber) -> CNumber:
        return self._float(f"floorf({x.text})")

    def fsqrt(self, x: CNumber) -> CNumber:
        return self._float(f"sqrtf({x.text})")

    def elementary(self, name: str, *arguments: CNumber) -> CNumber:
        """In double precision, and rounded once."""
        if name == "pow":
            # C has a result for negative bases with whole exponents, and for pow(NaN, 0).
            x, y = (number.text for number in arguments)
            return self._float(f"{x} < 0 || {x} != {x} || {y} != {y} ? NAN : pow({x}, {y})")
        return self._float(f"{name}({', '.join(f'(double){number.text}' for number in arguments)})")

    # comparisons, logic ----------------------------------------------------------------------------
    def _bool(self, text: str) -> CNumber:
        return self._new("int", text)

    def flt(self, x: CNumber, y: CNumber) -> CNumber:
        return self._bool(f"{x.text} < {y.text}")

    def fle(self, x: CNumber, y: CNumber) -> CNumber:
        return self._bool(f"{x.text} <= {y.text}")

    def feq(self, x: CNumber, y: CNumber) -> CNumber:
        return self._bool(f"{x.text} == {y.text}")

    ilt, ieq = flt, feq

    def band(self, x: CNumber, y: CNumber) -> CNumber:
        return self._bool(f"{x.text} & {y.text}")

    def bor(self, x: CNumber, y: CNumber) -> CNumber:
        return self._bool(f"{x.text} | {y.text}")

    def bxor(self, x: CNumber, y: CNumber) -> CNumber:
        return self._bool(f"{x.text} ^ {y.text}")

    def bnot(self, x: CNumber) -> CNumber:
        return self._bool(f"!{x.text}")

    # ints: they wrap, which in C only unsigned ones do ------------------------------------------------
    def _wrapped(self, operator: str, x: CNumber, y: CNumber) -> CNumber:
        return self._new("int32_t", f"(int32_t)((uint32_t){x.text} {operator} (uint32_t){y.text})")

    def iadd(self, x: CNumber, y: CNumber) -> CNumber:
        return self._wrapped("+", x, y)

    def isub(self, x: CNumber, y: CNumber) -> CNumber:
        return self._wrapped("-", x, y)

    def imul(self, x: CNumber, y: CNumber) -> CNumber:
        return self._wrapped("*", x, y)

    def idiv(self, x: CNumber, y: CNumber) -> CNumber:
        """Towards zero, 0 where `y` is 0; in 64 bits, where no quotient overflows."""
        return self._new("int32_t", f"{y.text} == 0 ? 0 : (int32_t)(uint32_t)((int64_t){x.text} / {y.text})")

    def udiv(self, x: CNumber, y: CNumber) -> CNumber:
        return self._new("int32_t", f"{y.text} == 0 ? 0 : (int32_t)((uint32_t){x.text} / (uint32_t){y.text})")

    def ult(self, x: CNumber, y: CNumber) -> CNumber:
        return self._bool(f"(uint32_t){x.text} < (uint32_t){y.text}")

    def bits_and(self, x: CNumber, y: CNumber) -> CNumber:
        return self._wrapped("&", x, y)

    def bits_or(self, x: CNumber, y: CNumber) -> CNumber:
        return self._wrapped("|", x, y)

    def bits_xor(self, x: CNumber, y: CNumber) -> CNumber:
        return self._wrapped("^", x, y)

    def bits_not(self, x: CNumber) -> CNumber:
        return self._new("int32_t", f"~{x.text}")

    def shl(self, x: CNumber, count: CNumber) -> CNumber:
        return self._wrapped("<<", x, count)

    def shr(self, x: CNumber, count: CNumber) -> CNumber:
        return self._wrapped(">>", x, count)

    def asr(self, x: CNumber, count: CNumber) -> CNumber:
        """Of a negative number C leaves it open what comes in."""
        right = f"{x.text} >> {count.text}"
        return self._new("int32_t", f"{x.text} < 0 ? ~(~{x.text} >> {count.text}) : {right}")

    # conversions, choice ----------------------------------------------------------------------------
    def itof(self, x: CNumber) -> CNumber:
        return self._float(x.text)

    def ftoi(self, x: CNumber) -> CNumber:
        """Towards zero, saturating; 0 for NaN."""
        low, high = self.iconst(-(2**31)).text, self.iconst(2**31 - 1).text
        inside = f"{x.text} < -0x1p31f ? {low} : {x.text} >= 0x1p31f ? {high} : (int32_t){x.text}"
        return self._new("int32_t", f"{x.text} != {x.text} ? 0 : {inside}")

    def bits(self, x: CNumber) -> CNumber:
        return self._reinterpreted("int32_t", x)

    def number(self, x: CNumber) -> CNumber:
        return self._reinterpreted("float", x)

    def _reinterpreted(self, type: str, x: CNumber) -> CNumber:
        """The same bits as another type, by the one way that C99 defines in full."""
        return self._new(type, f"((union {{ {x.type} given; {type} taken; }}){{ {x.text} }}).taken")

    def select(self, condition: CNumber, if_true: CNumber, if_false: CNumber) -> CNumber:
        return self._new(if_true.type, f"{condition.text} ? {if_true.text} : {if_false.text}")


def _text(number: CNumber | int) -> str:
    return str(number) if isinstance(number, int) else number.text
