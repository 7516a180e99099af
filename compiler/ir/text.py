"""The text form of the IR, `.sir`: a module in, text out that `parse/` reads back exactly.

One definition a line, in the order of the module; `README.md` in this folder has the grammar.  A value shows its type
where it is defined and its number where it is used.  Broken modules can be printed too, as long as each attribute is of
the kind that its opcode takes: a print is what shows what is broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import zip_longest

from glslc_multi.compiler.arithmetic.protocol import round_to_float32
from glslc_multi.compiler.diagnostics.span import Span
from glslc_multi.compiler.ir.module import PRECISE, RELAXED, Block, Constant, Instruction, Module, Scalar, Value
from glslc_multi.compiler.ir.opcodes.opcode import AttributeKind
from glslc_multi.compiler.ir.types import VOID
from glslc_multi.compiler.ir.variables import Variable

#: Text, and the place in the source that it comes from.
Line = tuple[str, Span | None]

COMPONENT_LETTERS = "xyzw"
#: Words before the operands and the instruction flags they stand for.
FLAGS: dict[str, int] = {"precise": PRECISE, "relaxed": RELAXED}

#: Names that need no quotes.  A variable's name may hold members and the brackets of arrays that lead to a leaf
#: (`lights[].pos`); a number after a dot is a column, so it is no part of the name.
PLAIN_NAME = r"[A-Za-z_$][\w$]*(?:\[\]|\.[A-Za-z_$][\w$]*)*"
PLAIN_BLOCK_NAME = r"[\w$]+(?:\.[\w$]+)*"
_PLAIN_NAME = re.compile(PLAIN_NAME, re.ASCII)
_PLAIN_BLOCK_NAME = re.compile(PLAIN_BLOCK_NAME, re.ASCII)


def print_module(module: Module, *, spans: bool = False) -> str:
    """The whole module; with `spans` every place in the source is printed too."""
    return "".join(f"{line}\n" for line, _ in module_lines(module, spans=spans))


def module_lines(module: Module, *, spans: bool = False) -> Iterator[Line]:
    """The lines of the module, each with the place in the source that it comes from."""
    yield (f"shader {module.stage} {quote(module.name)}" if module.name else f"shader {module.stage}"), None
    for pragma in module.pragmas:
        yield f"pragma {quote(pragma)}", None
    for variable in module.variables.values():
        yield print_variable(variable, spans=spans), variable.span
    for function in module.functions.values():
        yield "", None
        yield f"func {symbol(function.name)}{_place(function.span, spans)} {{", function.span
        for variable in function.variables.values():
            yield f"  {print_variable(variable, spans=spans)}", variable.span
        for block in function.blocks:
            yield f"{label(block)}:", None
            for instruction in block:
                yield f"  {print_instruction(instruction, spans=spans)}", instruction.span
        yield "}", None


def print_instruction(instruction: Instruction, *, spans: bool = False) -> str:
    """The instruction on one line, without indentation."""
    head = "" if instruction.type is VOID else f"%{instruction.id}:{instruction.type.name} = "
    flags = "".join(f" {word}" for word, bit in FLAGS.items() if instruction.flags & bit)
    suffix, operands = _PARTS[instruction.op.attribute](instruction)
    return f"{head}{instruction.op.name}{suffix}{flags}{operands}{_place(instruction.span, spans)}"


def quote(text: str) -> str:
    """`text` in double quotes; what is not printable ASCII becomes an escape of JSON."""
    from json import dumps

    return dumps(text)


# ------------------------------------------------------------------------------- declarations
def print_variable(variable: Variable, *, spans: bool = False) -> str:
    """Return the declaration of a variable."""
    words = [variable.storage, f"{symbol(variable.name)}:", type_of_variable(variable)]
    if variable.layout == "rows":
        words.append("rows")
    if variable.precision:
        words.append(variable.precision)
    if variable.invariant:
        words.append("invariant")
    if variable.interpolation:
        words.append(variable.interpolation)
    if variable.location is not None:
        words.append(f"location({variable.location})")
    if variable.role:
        words.append(f"role({variable.role})")
    if variable.source_kind is not None:
        words.append(f"from({variable.source_kind})")
    return " ".join(words) + _place(variable.span, spans)


def type_of_variable(variable: Variable) -> str:
    """`mat3` for three columns of vec3, `vec3 columns(2)` for other counts, dimensions in brackets."""
    width, columns = variable.type.width, variable.columns
    is_square = columns == width and columns > 1 and variable.type.kind == "float"
    dims = "".join(f"[{dim}]" for dim in variable.dims)
    if is_square:
        return f"mat{width}{dims}"
    return f"{variable.type.name}{dims}" + ("" if columns == 1 else f" columns({columns})")


def symbol(name: str) -> str:
    """The name of a variable or function as it is written everywhere."""
    return f"@{name}" if _PLAIN_NAME.fullmatch(name) else f"@{quote(name)}"


def label(block: Block) -> str:
    return f"^{block.name}" if _PLAIN_BLOCK_NAME.fullmatch(block.name) else f"^{quote(block.name)}"


def _place(span: Span | None, spans: bool) -> str:
    if span is None or not spans:
        return ""
    origins = "".join(f" {origin.kind} {quote(origin.name)} {_range(origin.span)}" for origin in span.origins())
    return f" {_range(span)}{origins}"


def _range(span: Span) -> str:
    return f"at {quote(span.file.name)} {span.line}:{span.column}-{span.end_line}:{span.end_column}"


# ----------------------------------------------------------------------------------- operands
def print_operand(value: Value) -> str:
    """A use of a value: its number, or the constant itself."""
    if isinstance(value, Instruction):
        return f"%{value.id}"
    return print_constant(value) if isinstance(value, Constant) else "?"


def print_constant(constant: Constant) -> str:
    """`1.0`, `vec3(1.0, undef, 2.0)`, or `vec3(1.0)` where all components are alike."""
    parts = [print_scalar(component) for component in constant.components]
    if len(parts) == 1 and constant.type.is_scalar and constant.components[0] is not None:
        return parts[0]
    if len(parts) > 1 and len(set(parts)) == 1:
        del parts[1:]
    return f"{constant.type.name}({', '.join(parts)})"


def print_scalar(value: Scalar) -> str:
    if value is None:
        return "undef"
    if isinstance(value, bool):
        return "true" if value else "false"
    return print_float(value) if isinstance(value, float) else str(value)


@lru_cache(maxsize=4096)
def _shortest(value: float) -> str:
    for digits in range(1, 10):
        nearby = float(f"{value:.{digits}g}")
        if round_to_float32(nearby) == value:
            return repr(nearby)
    return repr(value)


def print_float(value: float) -> str:
    """The shortest decimal that reads back as the same float32 (as `inf`, `-inf`, `nan` where it is)."""
    # Zeros compare equal, so the cache must not see them.
    return repr(value) if value == 0.0 else _shortest(value)


def _joined(values: list[str]) -> str:
    return f" {', '.join(values)}" if values else ""


def _offset(offset: int) -> str:
    if offset == 0:
        return ""
    return f" + {offset}" if offset > 0 else f" - {-offset}"


def _index_operand(value: Value) -> str:
    """A dynamic index; parentheses tell a constant one from an address that is not dynamic."""
    text = print_operand(value)
    return text if isinstance(value, Instruction) else f"({text})"


# ------------------------------------------------------- attribute kind -> (suffix, operand text)
_Parts = tuple[str, str]


def _plain(instruction: Instruction) -> _Parts:
    return "", _joined([print_operand(value) for value in instruction.operands])


def _with_letters(instruction: Instruction) -> _Parts:
    attribute = instruction.attribute
    components = attribute if isinstance(attribute, tuple) else (attribute,)
    letters = "".join(COMPONENT_LETTERS[c] if c in range(4) else "?" for c in components)
    return f".{letters}", _plain(instruction)[1]


def _with_address(instruction: Instruction) -> _Parts:
    address = instruction.address
    count = address.index_count
    indices = [_index_operand(value) for value in instruction.operands[:count]]
    others = [print_operand(value) for value in instruction.operands[count:]]
    # `@name[index].column`, each part where it says something.
    pending = iter(indices)
    text = symbol(address.variable.name)
    if address.dynamic_index:
        text += f"[{next(pending, '?')}{_offset(address.offset)}]"
    elif address.variable.is_array or address.offset:
        text += f"[{address.offset}]"
    if address.dynamic_column:
        text += f".{next(pending, '?')}"
    elif address.column or address.variable.is_matrix:
        text += f".{address.column}"
    return "", _joined([text, *others])


def _with_texture(instruction: Instruction) -> _Parts:
    access = instruction.attribute
    offset = f" offset({', '.join(map(str, access.offset))})" if access.offset else ""
    return "" if access.mode == "auto" else f".{access.mode}", offset + _with_address(instruction)[1]


def _with_blocks(instruction: Instruction) -> _Parts:
    pairs = zip_longest(instruction.operands, instruction.attribute)
    return "", _joined(
        [f"[{'?' if v is None else print_operand(v)}, {'?' if b is None else label(b)}]" for v, b in pairs]
    )


def _with_targets(instruction: Instruction) -> _Parts:
    operands = [print_operand(value) for value in instruction.operands]
    return "", _joined([*operands, *map(label, instruction.attribute)])


def _with_callee(instruction: Instruction) -> _Parts:
    operands = [print_operand(value) for value in instruction.operands]
    return "", _joined([symbol(instruction.attribute.name), *operands])


_PARTS: dict[AttributeKind, Callable[[Instruction], _Parts]] = {
    "none": _plain,
    "swizzle": _with_letters,
    "component": _with_letters,
    "address": _with_address,
    "texture": _with_texture,
    "blocks": _with_blocks,
    "targets": _with_targets,
    "callee": _with_callee,
}
