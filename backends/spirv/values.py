"""Values of the IR as instructions of SPIR-V."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from glslc_multi.backends.spirv.memory import Memory
from glslc_multi.backends.spirv.textures import write_lookup, write_size
from glslc_multi.backends.spirv.vectors import pieces_of, write_vector
from glslc_multi.backends.spirv.writer import Writer
from glslc_multi.compiler.analysis.compositions import distance_of, reflection_of
from glslc_multi.compiler.ir import ops
from glslc_multi.compiler.ir.module import Constant, Instruction, Value
from glslc_multi.compiler.ir.ops import Opcode
from glslc_multi.compiler.ir.variables import Address, SourceKind, Stage
from glslc_multi.compiler.passes.rules.chains import factors_of
from glslc_multi.compiler.records import replace

_INSTRUCTIONS: Mapping[Opcode, str] = {
    ops.FADD: "OpFAdd",
    ops.FSUB: "OpFSub",
    ops.FDIV: "OpFDiv",
    ops.FNEG: "OpFNegate",
    ops.FMOD: "OpFMod",
    ops.IADD: "OpIAdd",
    ops.ISUB: "OpISub",
    ops.IMUL: "OpIMul",
    ops.IDIV: "OpSDiv",
    ops.IREM: "OpSRem",
    ops.INEG: "OpSNegate",
    ops.IAND: "OpBitwiseAnd",
    ops.IOR: "OpBitwiseOr",
    ops.IXOR: "OpBitwiseXor",
    ops.INOT: "OpNot",
    ops.FLT: "OpFOrdLessThan",
    ops.FLE: "OpFOrdLessThanEqual",
    ops.FEQ: "OpFOrdEqual",
    ops.FNE: "OpFUnordNotEqual",
    ops.ILT: "OpSLessThan",
    ops.ILE: "OpSLessThanEqual",
    ops.ULT: "OpULessThan",
    ops.ULE: "OpULessThanEqual",
    ops.IEQ: "OpIEqual",
    ops.INE: "OpINotEqual",
    ops.FISNAN: "OpIsNan",
    ops.AND: "OpLogicalAnd",
    ops.OR: "OpLogicalOr",
    ops.XOR: "OpLogicalNotEqual",
    ops.NOT: "OpLogicalNot",
    ops.ITOF: "OpConvertSToF",
    ops.FTOI: "OpConvertFToS",
    ops.UTOF: "OpConvertUToF",
    ops.BITCAST_FTOI: "OpBitcast",
    ops.BITCAST_ITOF: "OpBitcast",
    ops.DDX: "OpDPdx",
    ops.DDY: "OpDPdy",
    ops.EXTRACT_DYNAMIC: "OpVectorExtractDynamic",
    ops.INSERT_DYNAMIC: "OpVectorInsertDynamic",
}
#: The functions of GLSL.std.450.
_FUNCTIONS: Mapping[Opcode, str] = {
    ops.FABS: "FAbs",
    ops.FSIGN: "FSign",
    ops.FFLOOR: "Floor",
    ops.FCEIL: "Ceil",
    ops.FTRUNC: "Trunc",
    ops.FROUNDEVEN: "RoundEven",
    ops.FFRACT: "Fract",
    ops.FMIN: "FMin",
    ops.FMAX: "FMax",
    ops.FCLAMP: "FClamp",
    ops.FMIX: "FMix",
    ops.FSTEP: "Step",
    ops.FSMOOTHSTEP: "SmoothStep",
    ops.FSQRT: "Sqrt",
    ops.FRSQRT: "InverseSqrt",
    ops.FEXP2: "Exp2",
    ops.FLOG2: "Log2",
    ops.FEXP: "Exp",
    ops.FLOG: "Log",
    ops.FPOW: "Pow",
    ops.FSIN: "Sin",
    ops.FCOS: "Cos",
    ops.FTAN: "Tan",
    ops.FASIN: "Asin",
    ops.FACOS: "Acos",
    ops.FATAN: "Atan",
    ops.FATAN2: "Atan2",
    ops.LENGTH: "Length",
    ops.NORMALIZE: "Normalize",
    ops.CROSS: "Cross",
}
_SHIFTS = {ops.ISHL: "OpShiftLeftLogical", ops.ISHR: "OpShiftRightArithmetic", ops.USHR: "OpShiftRightLogical"}
_INT_BITS = 32


class Values:
    """Writes the values of one function."""

    def __init__(self, writer: Writer, memory: Memory, stage: Stage) -> None:
        self._writer = writer
        self._memory = memory
        self._stage = stage

    def write(self, i: Instruction) -> None:
        """Write an instruction that yields a value."""
        writer = self._writer
        writer.flags = i.flags if i.type.kind in ("float", "int") else 0
        type_ = writer.type_of(i.type)
        reflection, distance = reflection_of(i), distance_of(i)
        if reflection is not None:
            id = writer.call("Reflect", type_, *map(writer.of, reflection))
        elif distance is not None:
            id = writer.call("Distance", type_, *map(writer.of, distance))
        elif i.op in _INSTRUCTIONS:
            id = writer.share(_INSTRUCTIONS[i.op], type_, *map(writer.of, i.operands))
        elif i.op in _FUNCTIONS:
            id = writer.call(_FUNCTIONS[i.op], type_, *map(writer.of, i.operands))
        else:
            id = _OTHERS[i.op](self, i, type_)
        writer.ids[i] = id
        writer.flags = 0

    # ------------------------------------------------------------------------------------------ numbers
    def _product(self, i: Instruction, type_: int) -> int:
        x, y = i.operands
        return self._times(x, y, type_)

    def _times(self, x: Value, y: Value, type_: int) -> int:
        """Multiply; a vector of one number counts as the number."""
        of = self._writer.of
        for vector, scalar in ((x, _splat(y)), (y, _splat(x))):
            if scalar is not None:
                return self._writer.share("OpVectorTimesScalar", type_, of(vector), of(scalar))
        return self._writer.share("OpFMul", type_, of(x), of(y))

    def _mad(self, i: Instruction, type_: int) -> int:
        x, y, z = i.operands
        return self._writer.share("OpFAdd", type_, self._times(x, y, type_), self._writer.of(z))

    def _dot(self, i: Instruction, type_: int) -> int:
        name = "OpFMul" if i.operands[0].type.is_scalar else "OpDot"
        return self._writer.share(name, type_, *map(self._writer.of, i.operands))

    def _reciprocal(self, i: Instruction, type_: int) -> int:
        one = self._number("float", 1.0, i)
        return self._writer.share("OpFDiv", type_, one, self._writer.of(i.operands[0]))

    def _saturate(self, i: Instruction, type_: int) -> int:
        zero, one = self._number("float", 0.0, i), self._number("float", 1.0, i)
        return self._writer.call("FClamp", type_, self._writer.of(i.operands[0]), zero, one)

    def _divide_unsigned(self, i: Instruction, type_: int) -> int:
        """Divide numbers without signs, for which SPIR-V has a type."""
        writer, width = self._writer, i.type.width
        operands = [writer.bitcast("uint", writer.of(operand), width) for operand in i.operands]
        name = "OpUDiv" if i.op is ops.UDIV else "OpUMod"
        return writer.bitcast("int", writer.share(name, writer.assembly.value_type("uint", width), *operands), width)

    def _to_unsigned(self, i: Instruction, type_: int) -> int:
        unsigned = self._writer.assembly.value_type("uint", i.type.width)
        number = self._writer.share("OpConvertFToU", unsigned, self._writer.of(i.operands[0]))
        return self._writer.bitcast("int", number, i.type.width)

    def _shift(self, i: Instruction, type_: int) -> int:
        value, count = i.operands
        bits = self._writer.of(count)
        # Counts are those modulo 32.
        if not isinstance(count, Constant) or any(c is None or not 0 <= c < _INT_BITS for c in count.components):
            bits = self._writer.share("OpBitwiseAnd", type_, bits, self._number("int", _INT_BITS - 1, i))
        return self._writer.share(_SHIFTS[i.op], type_, self._writer.of(value), bits)

    # -------------------------------------------------------------------------------------------- bools
    def _of_components(self, i: Instruction, type_: int) -> int:
        (operand,) = i.operands
        if operand.type.is_scalar:
            return self._writer.of(operand)
        return self._writer.share("OpAll" if i.op is ops.ALL else "OpAny", type_, self._writer.of(operand))

    def _from_bool(self, i: Instruction, type_: int) -> int:
        kind: Literal["float", "int"] = "float" if i.op is ops.BTOF else "int"
        one, zero = self._number(kind, 1, i), self._number(kind, 0, i)
        return self._writer.share("OpSelect", type_, self._writer.of(i.operands[0]), one, zero)

    def _to_bool(self, i: Instruction, type_: int) -> int:
        operand = self._writer.of(i.operands[0])
        if i.op is ops.FTOB:
            return self._writer.share("OpFUnordNotEqual", type_, operand, self._number("float", 0.0, i))
        return self._writer.share("OpINotEqual", type_, operand, self._number("int", 0, i))

    def _select(self, i: Instruction, type_: int) -> int:
        condition, x, y = i.operands
        choice = self._writer.of(condition)
        if condition.type.is_scalar and not i.type.is_scalar:
            flags, self._writer.flags = self._writer.flags, 0
            choice = self._writer.splat(choice, i.type.with_kind("bool"))
            self._writer.flags = flags
        return self._writer.share("OpSelect", type_, choice, self._writer.of(x), self._writer.of(y))

    # ------------------------------------------------------------------------------------------ vectors
    def _swizzle(self, i: Instruction, type_: int) -> int:
        if i.operands[0].type.is_scalar:
            return self._writer.splat(self._writer.of(i.operands[0]), i.type)
        return write_vector(self._writer, i.type, pieces_of(i))

    def _construct(self, i: Instruction, type_: int) -> int:
        return write_vector(self._writer, i.type, [piece for operand in i.operands for piece in pieces_of(operand)])

    def _insert(self, i: Instruction, type_: int) -> int:
        whole, part = i.operands
        pieces = [(whole, component) for component in range(i.type.width)]
        pieces[i.attribute] = pieces_of(part)[0]
        return write_vector(self._writer, i.type, pieces)

    def _product_with_matrix(self, i: Instruction, type_: int) -> int:
        if i.op is ops.VEC_MAT:
            vector, *columns = i.operands
            return self._writer.share("OpVectorTimesMatrix", type_, self._writer.of(vector), self._matrix(columns))
        *columns, vector = i.operands
        return self._writer.share("OpMatrixTimesVector", type_, self._matrix(columns), self._writer.of(vector))

    def _matrix(self, columns: Sequence[Value]) -> int:
        """Return the matrix of these columns, loaded at once where it lies in memory."""
        writer, rows = self._writer, columns[0].type.width
        first = columns[0]
        if isinstance(first, Instruction) and first.op is ops.LOAD and self._memory.is_given(first.address.variable):
            address: Address = first.address
            is_one = not address.dynamic_column and len(columns) == address.variable.columns
            if is_one and all(_is_column(column, first, n) for n, column in enumerate(columns)):
                return self._memory.load_matrix(address, first.operands)
        type_ = writer.assembly.value_type("float", rows, len(columns))
        factors = factors_of(columns)
        if factors is not None:
            left, right = map(self._matrix, factors)
            return writer.share("OpMatrixTimesMatrix", type_, left, right)
        return writer.share("OpCompositeConstruct", type_, *map(writer.of, columns))

    def _number(self, kind: SourceKind, value: float, i: Instruction) -> int:
        """Return a constant that has a number in as many components as a result."""
        return self._writer.assembly.splat(kind, value, i.type.width)


def _is_column(value: Value, first: Instruction, number: int) -> bool:
    """Tell whether a value is a column of the matrix that a load reads the first one of."""
    if not isinstance(value, Instruction) or value.op is not ops.LOAD:
        return False
    return value.address == replace(first.address, column=number) and value.operands == first.operands


def _splat(value: Value) -> Value | None:
    """Return the scalar that all components of a vector are."""
    if value.type.is_scalar:
        return None
    if isinstance(value, Constant):
        is_one = len({repr(component) for component in value.components}) == 1
        return Constant(value.type.scalar, value.components[:1]) if is_one else None
    if isinstance(value, Instruction) and value.op is ops.SWIZZLE and value.operands[0].type.is_scalar:
        return value.operands[0]
    return None


_OTHERS: Mapping[Opcode, Callable[[Values, Instruction, int], int]] = {
    ops.FMUL: Values._product,
    ops.FMAD: Values._mad,
    ops.FRCP: Values._reciprocal,
    ops.FSATURATE: Values._saturate,
    ops.UDIV: Values._divide_unsigned,
    ops.UREM: Values._divide_unsigned,
    ops.FTOU: Values._to_unsigned,
    ops.ISHL: Values._shift,
    ops.ISHR: Values._shift,
    ops.USHR: Values._shift,
    ops.ALL: Values._of_components,
    ops.ANY: Values._of_components,
    ops.BTOF: Values._from_bool,
    ops.BTOI: Values._from_bool,
    ops.FTOB: Values._to_bool,
    ops.ITOB: Values._to_bool,
    ops.SELECT: Values._select,
    ops.DOT: Values._dot,
    ops.SWIZZLE: Values._swizzle,
    ops.CONSTRUCT: Values._construct,
    ops.INSERT: Values._insert,
    ops.MAT_VEC: Values._product_with_matrix,
    ops.VEC_MAT: Values._product_with_matrix,
    ops.LOAD: lambda values, i, type_: values._memory.load(i),
    ops.TEXTURE: lambda values, i, type_: write_lookup(i, values._writer, values._memory, values._stage),
    ops.TEXTURE_SIZE: lambda values, i, type_: write_size(i, values._writer, values._memory),
}
