"""Values of the IR as expressions of GLSL.

A value that is read once stays where it is read; others get a variable, and so do those whose text would be too long,
or that an expression needs more than once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from glslc_multi.backends.glsl import text
from glslc_multi.backends.glsl.dialects import Dialect
from glslc_multi.backends.glsl.lookups import lookup, size_of_texture
from glslc_multi.backends.glsl.names import Names
from glslc_multi.backends.glsl.text import (
    AND,
    BITS_AND,
    BITS_OR,
    BITS_XOR,
    CHOICE,
    EQUALITY,
    OR,
    POSTFIX,
    PRIMARY,
    PRODUCT,
    RELATION,
    SHIFT,
    SUM,
    UNARY,
    XOR,
    Text,
    binary,
    call,
    plus,
)
from glslc_multi.compiler.analysis.compositions import distance_of, reflection_of, truncation_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Block, Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.types import Type, matrix_name
from glslc_multi.compiler.ir.variables import Address
from glslc_multi.compiler.passes.rules.chains import factors_of
from glslc_multi.compiler.records import replace

_BINARY: Mapping[Opcode, tuple[str, int]] = {
    ops.FADD: ("+", SUM),
    ops.FSUB: ("-", SUM),
    ops.FMUL: ("*", PRODUCT),
    ops.FDIV: ("/", PRODUCT),
    ops.IADD: ("+", SUM),
    ops.ISUB: ("-", SUM),
    ops.IMUL: ("*", PRODUCT),
    ops.IDIV: ("/", PRODUCT),
    ops.IAND: ("&", BITS_AND),
    ops.IOR: ("|", BITS_OR),
    ops.IXOR: ("^", BITS_XOR),
}
#: Of unsigned ints, which are ints in the IR.
_UNSIGNED: Mapping[Opcode, tuple[str, int]] = {ops.UDIV: ("/", PRODUCT), ops.UREM: ("%", PRODUCT)}
_FUNCTIONS: Mapping[Opcode, str] = {
    ops.FABS: "abs",
    ops.FSIGN: "sign",
    ops.FFLOOR: "floor",
    ops.FCEIL: "ceil",
    ops.FTRUNC: "trunc",
    ops.FROUNDEVEN: "roundEven",
    ops.FFRACT: "fract",
    ops.FMOD: "mod",
    ops.FMIN: "min",
    ops.FMAX: "max",
    ops.FCLAMP: "clamp",
    ops.FMIX: "mix",
    ops.FSTEP: "step",
    ops.FSMOOTHSTEP: "smoothstep",
    ops.FSQRT: "sqrt",
    ops.FRSQRT: "inversesqrt",
    ops.FEXP2: "exp2",
    ops.FLOG2: "log2",
    ops.FEXP: "exp",
    ops.FLOG: "log",
    ops.FPOW: "pow",
    ops.FSIN: "sin",
    ops.FCOS: "cos",
    ops.FTAN: "tan",
    ops.FASIN: "asin",
    ops.FACOS: "acos",
    ops.FATAN: "atan",
    ops.FATAN2: "atan",
    ops.DOT: "dot",
    ops.LENGTH: "length",
    ops.NORMALIZE: "normalize",
    ops.CROSS: "cross",
    ops.ALL: "all",
    ops.ANY: "any",
    ops.FISNAN: "isnan",
    ops.DDX: "dFdx",
    ops.DDY: "dFdy",
    ops.BITCAST_FTOI: "floatBitsToInt",
    ops.BITCAST_ITOF: "intBitsToFloat",
}
#: The operands of functions that may be scalars where the result is a vector; all of them, if any.
_MAY_BE_SCALAR: Mapping[Opcode, tuple[int, ...]] = {
    ops.FMIN: (1,),
    ops.FMAX: (1,),
    ops.FMOD: (1,),
    ops.FCLAMP: (1, 2),
    ops.FMIX: (2,),
    ops.FSTEP: (0,),
    ops.FSMOOTHSTEP: (0, 1),
}
_COMPARISONS: Mapping[Opcode, tuple[str, int, str]] = {
    ops.FLT: ("<", RELATION, "lessThan"),
    ops.FLE: ("<=", RELATION, "lessThanEqual"),
    ops.FEQ: ("==", EQUALITY, "equal"),
    ops.FNE: ("!=", EQUALITY, "notEqual"),
    ops.ILT: ("<", RELATION, "lessThan"),
    ops.ILE: ("<=", RELATION, "lessThanEqual"),
    ops.IEQ: ("==", EQUALITY, "equal"),
    ops.INE: ("!=", EQUALITY, "notEqual"),
    ops.ULT: ("<", RELATION, "lessThan"),
    ops.ULE: ("<=", RELATION, "lessThanEqual"),
}
_MIRRORED = {"<": (">", "greaterThan"), "<=": (">=", "greaterThanEqual")}
_LOGIC: Mapping[Opcode, tuple[str, int]] = {ops.AND: ("&&", AND), ops.OR: ("||", OR), ops.XOR: ("^^", XOR)}
#: Functions that texts may call, but for lookups.
FUNCTION_NAMES = frozenset(
    {*_FUNCTIONS.values(), *(name for _, _, name in _COMPARISONS.values()), "not", "reflect", "distance"}
)
_CONVERSIONS = frozenset({ops.ITOF, ops.FTOI, ops.BTOF, ops.BTOI, ops.FTOB, ops.ITOB})
_COMPONENTS = "xyzw"


#: Gives a text of some type a variable: that of a value, or one more.
Declare = Callable[[Type, Text, Instruction | None], Text]


class Expressions:
    """The texts of the values of one function."""

    def __init__(
        self, dialect: Dialect, names: Names, declare: Callable[[Type, Text, Instruction | None], Text]
    ) -> None:
        self.dialect = dialect
        self.names = names
        self._declare = declare
        self.texts: dict[Value, Text] = {}

    def of(self, value: Value) -> Text:
        """Return the text of a value."""
        return text.constant(value) if isinstance(value, Constant) else self.texts[value]

    def simple(self, value: Value) -> Text:
        """Return the text of a value that is needed several times, or in parts."""
        expression = self.of(value)
        if expression.level > POSTFIX or expression.text.endswith(")"):
            expression = self._declare(value.type, expression, value if isinstance(value, Instruction) else None)
            if isinstance(value, Instruction):
                self.texts[value] = expression
        return expression

    # ------------------------------------------------------------------------------------ operations
    def make(self, i: Instruction) -> Text:
        """Return the expression of an instruction."""
        op, type_ = i.op, i.type
        reflection, distance, whole = reflection_of(i), distance_of(i), truncation_of(i)
        if reflection is not None and not self.names.hides("reflect"):
            return call("reflect", *map(self.of, reflection))
        if distance is not None and not self.names.hides("distance"):
            return call("distance", *map(self.of, distance))
        if whole is not None and self.dialect.is_modern and not self.names.hides("trunc"):
            return call("trunc", self.of(whole))
        if op in _BINARY:
            first, second = self._scalars(i.operands, (0, 1))
            return plus(first, second) if op in (ops.FADD, ops.IADD) else binary(*_BINARY[op], first, second)
        if op in _UNSIGNED:
            first, second = (self._unsigned(operand) for operand in i.operands)
            return call(type_.name, binary(*_UNSIGNED[op], first, second))
        if op in _FUNCTIONS:
            return call(_FUNCTIONS[op], *self._arguments(i))
        if op in _COMPARISONS:
            return self._comparison(i)
        if op in _LOGIC:
            return self._logic(i)
        if op in _CONVERSIONS:
            return call(type_.name, self.of(i.operands[0]))
        return _OTHERS[op](self, i)

    def _scalars(self, operands: Sequence[Value], among: Sequence[int]) -> list[Text]:
        """Return operands as texts, splats among some of them as scalars, unless all are splats."""
        scalars = [_splat(operand) if number in among else None for number, operand in enumerate(operands)]
        if all(scalar is not None for scalar in scalars):
            scalars[0] = None
        return [
            self.of(operand) if scalar is None else self.of(scalar)
            for operand, scalar in zip(operands, scalars, strict=True)
        ]

    def _arguments(self, i: Instruction) -> list[Text]:
        """Return the operands of a function, as scalars where it takes these for splats."""
        among = _MAY_BE_SCALAR.get(i.op, ())
        if among and i.type.width > 1 and all(_splat(i.operands[number]) is not None for number in among):
            return self._scalars(i.operands, among)
        return [self.of(operand) for operand in i.operands]

    def _unsigned(self, value: Value) -> Text:
        """Return a value as a uint, or several: ints of the IR have no sign of their own."""
        if isinstance(value, Constant) and value.type.is_scalar and isinstance(value.components[0], int):
            return Text(f"{value.components[0] % 2**32}u")
        if isinstance(value, Instruction) and value.op is ops.LOAD:
            variable = value.address.variable
            if variable.outer_kind == "uint" and not self.names.is_written(variable):
                return self.names.place(value.address, [self.of(operand) for operand in value.operands])
        return call("uint" if value.type.is_scalar else f"uvec{value.type.width}", self.of(value))

    def _comparison(self, i: Instruction) -> Text:
        """Compare numbers by an operator, vectors by a function."""
        operator, level, function = _COMPARISONS[i.op]
        operands = [self.of(operand) for operand in i.operands]
        if i.op in (ops.ULT, ops.ULE):
            operands = [self._unsigned(operand) for operand in i.operands]
        if isinstance(i.operands[0], Constant) and operator in _MIRRORED:
            # Numbers stand on the right.
            operator, function = _MIRRORED[operator]
            operands.reverse()
        return binary(operator, level, *operands) if i.type.is_scalar else call(function, *operands)

    def _logic(self, i: Instruction) -> Text:
        operator, level = _LOGIC[i.op]
        if i.type.is_scalar:
            return binary(operator, level, *map(self.of, i.operands))
        first, second = map(self.simple, i.operands)
        parts = (
            binary(operator, level, Text(f"{first.text}.{c}", POSTFIX), Text(f"{second.text}.{c}", POSTFIX))
            for c in _COMPONENTS[: i.type.width]
        )
        return call(i.type.name, *parts)

    def _not(self, i: Instruction) -> Text:
        operand = self.of(i.operands[0])
        return Text(f"!{operand.within(POSTFIX)}", UNARY) if i.type.is_scalar else call("not", operand)

    def _minus(self, i: Instruction) -> Text:
        return Text(f"-{self.of(i.operands[0]).within(POSTFIX)}", UNARY)

    def _bits_not(self, i: Instruction) -> Text:
        return Text(f"~{self.of(i.operands[0]).within(POSTFIX)}", UNARY)

    def _shift(self, i: Instruction) -> Text:
        value, count = i.operands
        # Counts are those modulo 32.
        is_known = isinstance(count, Constant) and all(0 <= c < 32 for c in count.components if isinstance(c, int))
        right = self.of(count) if is_known else binary("&", BITS_AND, self.of(count), Text("31"))
        if i.op is ops.USHR:
            return call(i.type.name, binary(">>", SHIFT, self._unsigned(value), right))
        return binary("<<" if i.op is ops.ISHL else ">>", SHIFT, self.of(value), right)

    def _remainder(self, i: Instruction) -> Text:
        if self.dialect.is_modern:
            return binary("%", PRODUCT, *self._scalars(i.operands, (0, 1)))
        x, y = map(self.simple, i.operands)
        return binary("-", SUM, x, binary("*", PRODUCT, y, binary("/", PRODUCT, x, y)))

    def _mad(self, i: Instruction) -> Text:
        x, y, z = i.operands
        product = binary("*", PRODUCT, *self._scalars((x, y), (0, 1)))
        is_vector = _splat(x) is None or _splat(y) is None
        scalar = _splat(z) if is_vector else None
        return plus(product, self.of(z if scalar is None else scalar))

    def _select(self, i: Instruction) -> Text:
        condition, x, y = i.operands
        is_choice = all(isinstance(value, Constant) or self.of(value).level == PRIMARY for value in (x, y))
        if self.dialect.is_modern and i.type.kind == "float" and not is_choice and not self.names.hides("mix"):
            # Both are computed: compilers would make a branch of `?:`.
            choice = self.of(condition)
            if condition.type.is_scalar and not i.type.is_scalar:
                choice = call(i.type.with_kind("bool").name, choice)
            return call("mix", self.of(y), self.of(x), choice)
        if condition.type.is_scalar:
            parts = (self.of(condition), self.of(x), self.of(y))
            first, second, third = parts[0].within(OR), parts[1].within(OR), parts[2].within(CHOICE)
            return Text(f"{first} ? {second} : {third}", CHOICE)
        c, first_, second_ = map(self.simple, (condition, x, y))
        each = (f"{c.text}.{k} ? {first_.text}.{k} : {second_.text}.{k}" for k in _COMPONENTS[: i.type.width])
        return call(i.type.name, *each)

    # --------------------------------------------------------------------------------------- vectors
    def _swizzle(self, i: Instruction) -> Text:
        (operand,) = i.operands
        pattern: Sequence[int] = i.attribute
        if operand.type.is_scalar:
            return call(i.type.name, self.of(operand))
        return self._components(operand, pattern)

    def _components(self, value: Value, pattern: Sequence[int]) -> Text:
        if tuple(pattern) == tuple(range(value.type.width)):
            return self.of(value)
        if isinstance(value, Constant):
            return text.constant(
                Constant(value.type.with_width(len(pattern)), tuple(value.components[c] for c in pattern))
            )
        whole = self.of(value)
        return Text(f"{whole.within(POSTFIX)}.{''.join(_COMPONENTS[c] for c in pattern)}", POSTFIX)

    def _construct(self, i: Instruction) -> Text:
        return self._vector(i.type, [(o, c) for o in i.operands for c in range(o.type.width)])

    def _insert(self, i: Instruction) -> Text:
        whole, part = i.operands
        pieces = [(whole, c) for c in range(i.type.width)]
        pieces[i.attribute] = (part, 0)
        return self._vector(i.type, pieces)

    def _vector(self, type_: Type, pieces: Sequence[tuple[Value, int]]) -> Text:
        """Put a vector together: components of one value in a row are one operand."""
        runs: list[tuple[Value, list[int]]] = []
        for value, component in pieces:
            source, part = _source(value, component)
            if runs and runs[-1][0] is source and not source.type.is_scalar and not isinstance(source, Constant):
                runs[-1][1].append(part)
            else:
                runs.append((source, [part]))
        reads = [value for value, _ in runs]
        operands = []
        for value, components in runs:
            if reads.count(value) > 1 and not isinstance(value, Constant):
                self.simple(value)
            operands.append(self.of(value) if value.type.is_scalar else self._components(value, components))
        if len(operands) == 1:
            return operands[0]
        if len({operand.text for operand in operands}) == 1 and all(value.type.is_scalar for value in reads):
            return call(type_.name, operands[0])
        return call(type_.name, *operands)

    def _extract(self, i: Instruction) -> Text:
        whole, index = i.operands
        return Text(f"{self.simple(whole).text}[{self.of(index).text}]", POSTFIX)

    def _insert_dynamic(self, i: Instruction) -> Text:
        whole, part, index = i.operands
        result = self._declare(i.type, self.of(whole), None)
        self.names.statement(f"{result.text}[{self.of(index).text}] = {self.of(part).text};")
        return result

    def _product_with_matrix(self, i: Instruction) -> Text:
        vector_first = i.op is ops.VEC_MAT
        value = i.operands[0] if vector_first else i.operands[-1]
        columns = i.operands[1:] if vector_first else i.operands[:-1]
        matrix = self._matrix(columns, i.block)
        if matrix is None:
            return self._sum_of_columns(i, value, columns)
        first, second = (self.of(value), matrix) if vector_first else (matrix, self.of(value))
        return binary("*", PRODUCT, first, second)

    def _matrix(self, columns: Sequence[Value], block: Block | None) -> Text | None:
        """Return the matrix of these columns, to be read in a block; None where the language has no such type."""
        rows = columns[0].type.width
        loads = [_column(column) for column in columns]
        first = loads[0]
        if first is not None:
            address: Address = first.address
            is_one = all(
                load is not None and load.address == replace(address, column=n) and load.operands == first.operands
                for n, load in enumerate(loads)
            )
            is_whole = (len(columns), rows) == (address.variable.columns, address.variable.type.width)
            # ES 1.00 makes no matrix of another one.
            if is_one and not address.dynamic_column and (is_whole or (rows == len(columns) and self._has_parts)):
                whole = self.names.element(address, [self.of(o) for o in first.operands])
                return whole if is_whole else call(matrix_name(rows, rows), whole)
        factors = factors_of(columns)
        if factors is not None and all(isinstance(c, Instruction) and c.block is block for c in columns):
            left, right = (self._matrix(factor, block) for factor in factors)
            if left is not None and right is not None:
                return binary("*", PRODUCT, left, right)
        if rows == len(columns) or self._has_parts:
            return call(matrix_name(len(columns), rows), *map(self.of, columns))
        return None

    @property
    def _has_parts(self) -> bool:
        """Tell whether there are matrices of other shapes than square ones, and parts of matrices."""
        return self.dialect.is_modern or not self.dialect.is_es

    def _sum_of_columns(self, i: Instruction, value: Value, columns: Sequence[Value]) -> Text:
        whole = self.simple(value)
        if i.op is ops.VEC_MAT:
            return call(i.type.name, *(call("dot", whole, self.of(column)) for column in columns))
        terms = [
            binary("*", PRODUCT, self.of(column), Text(f"{whole.text}.{_COMPONENTS[n]}", POSTFIX))
            for n, column in enumerate(columns)
        ]
        total = terms[0]
        for term in terms[1:]:
            total = binary("+", SUM, total, term)
        return total

    # ---------------------------------------------------------------------------------------- memory
    def _load(self, i: Instruction) -> Text:
        expression = self.names.place(i.address, [self.of(operand) for operand in i.operands])
        kind = i.address.variable.outer_kind
        return call(i.type.name, expression) if kind == "uint" else expression


def _column(value: Value) -> Instruction | None:
    """Return the load of a column of a matrix of which a value is the first components."""
    if (
        isinstance(value, Instruction)
        and value.op is ops.SWIZZLE
        and tuple(value.attribute) == tuple(range(value.type.width))
    ):
        value = value.operands[0]
    return value if isinstance(value, Instruction) and value.op is ops.LOAD else None


def _splat(value: Value) -> Value | None:
    """Return the scalar that all components of a vector are."""
    if value.type.is_scalar:
        return None
    if isinstance(value, Constant):
        components = value.components
        return Constant(value.type.scalar, components[:1]) if len({repr(c) for c in components}) == 1 else None
    if isinstance(value, Instruction) and value.op is ops.SWIZZLE and value.operands[0].type.is_scalar:
        return value.operands[0]
    return None


def _source(value: Value, component: int) -> tuple[Value, int]:
    """Return where a component comes from, through swizzles."""
    while isinstance(value, Instruction) and value.op is ops.SWIZZLE:
        component = value.attribute[component]
        value = value.operands[0]
    return value, component


_OTHERS: Mapping[Opcode, Callable[[Expressions, Instruction], Text]] = {
    ops.IREM: Expressions._remainder,
    ops.FNEG: Expressions._minus,
    ops.INEG: Expressions._minus,
    ops.NOT: Expressions._not,
    ops.INOT: Expressions._bits_not,
    ops.ISHL: Expressions._shift,
    ops.ISHR: Expressions._shift,
    ops.USHR: Expressions._shift,
    ops.FMAD: Expressions._mad,
    ops.FRCP: lambda e, i: binary("/", PRODUCT, Text("1.0"), e.of(i.operands[0])),
    ops.FSATURATE: lambda e, i: call("clamp", e.of(i.operands[0]), "0.0", "1.0"),
    ops.UTOF: lambda e, i: call(i.type.name, e._unsigned(i.operands[0])),
    ops.FTOU: lambda e, i: call(i.type.name, e._unsigned(i.operands[0])),
    ops.SELECT: Expressions._select,
    ops.SWIZZLE: Expressions._swizzle,
    ops.CONSTRUCT: Expressions._construct,
    ops.INSERT: Expressions._insert,
    ops.EXTRACT_DYNAMIC: Expressions._extract,
    ops.INSERT_DYNAMIC: Expressions._insert_dynamic,
    ops.MAT_VEC: Expressions._product_with_matrix,
    ops.VEC_MAT: Expressions._product_with_matrix,
    ops.LOAD: Expressions._load,
    ops.TEXTURE: lambda e, i: lookup(i, e.dialect, e.names, e.of),
    ops.TEXTURE_SIZE: lambda e, i: size_of_texture(i, e.names, e.of),
}
