"""The declarations of a shader as text: geometry, inputs, outputs, names of uniforms, constants.

What the assembler would put elsewhere is kept where it is by private names; what no directive can express
becomes a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from backends.pica200.isa import numbers
from backends.pica200.isa.program import SEMANTICS, Constant, Executable, Output, Uniform
from backends.pica200.isa.registers import BANKS
from compiler.isa.components import COMPONENTS, letters_of, mask_text

_NAME = re.compile(r"(?!_)[A-Za-z$][A-Za-z0-9_$]*", re.ASCII)
_REGISTER = re.compile(r"[vorcib]\d+", re.ASCII)
_DIRECTIVES = {"c": ".fvec", "i": ".ivec", "b": ".bool"}


def declarations(shader: Executable) -> list[str]:
    """The lines before the code."""
    names = [*_names(shader)]
    return [*_geometry(shader), *names, *map(_output, shader.outputs), *map(_constant, shader.constants)]


def _geometry(shader: Executable) -> Iterator[str]:
    geometry = shader.geometry
    if geometry is None:
        return
    operands = ["c0"]
    if geometry.kind == "fixed":
        operands.append(f"c{geometry.array}")
    if geometry.kind != "point":
        operands.append(str(geometry.count))
    yield f".gsh {geometry.kind} {' '.join(operands)}"


def _names(shader: Executable) -> Iterator[str]:
    """Inputs and uniforms, with private names in the gaps."""
    free = dict.fromkeys(_DIRECTIVES, 0)
    named_inputs = 0
    used: set[str] = set()
    for uniform in shader.uniforms:
        name = uniform.name.replace(".", "$")
        start = uniform.start
        if start is None or not _NAME.fullmatch(name) or _REGISTER.fullmatch(name) or name in used:
            yield _as_comment(uniform)
            continue
        bank, first = start
        size = uniform.last - uniform.first + 1
        if bank == "v" and size == 1 and not named_inputs >> first & 1:
            named_inputs |= 1 << first
            yield f".in {name} {_input(first)}"
        elif bank in _DIRECTIVES and first >= free[bank]:
            if first > free[bank]:
                yield f"{_DIRECTIVES[bank]} _{bank}{free[bank]}{_size(first - free[bank])}"
            yield f"{_DIRECTIVES[bank]} {name}{_size(size)}"
            free[bank] = first + size
        else:
            yield _as_comment(uniform)
            continue
        used.add(name)
    for register in range(BANKS["v"]):
        if shader.input_mask >> register & 1 and not named_inputs >> register & 1:
            yield f".in _v{register} {_input(register)}"


def _input(register: int) -> str:
    # picasso refuses the spelling v15, although the register exists.
    return "v14[1]" if register == 15 else f"v{register}"


def _as_comment(uniform: Uniform) -> str:
    name = uniform.name.encode("unicode_escape").decode("ascii")
    return f"; the name {name} belongs to {uniform.first} to {uniform.last}, which no directive can say"


def _size(count: int) -> str:
    return "" if count == 1 else f"[{count}]"


def _output(output: Output) -> str:
    letters = letters_of(output.mask)
    semantic = SEMANTICS.get(output.semantic)
    if semantic is None or not letters or output.register >= BANKS["o"] or output.mask >> len(COMPONENTS):
        return f"; output entry {output.semantic}, register {output.register}, mask {output.mask:#x}: unknown"
    return f".out - {semantic} o{output.register}{mask_text(letters)}"


def _constant(constant: Constant) -> str:
    register = f"{constant.bank}{constant.register}"
    if constant.register >= BANKS[constant.bank]:
        return f"; constant of register {register}, which does not exist"
    if constant.bank == "b":
        return f".setb {register} {'true' if constant.values[0] else 'false'}"
    if constant.bank == "i":
        return f".seti {register}({', '.join(map(str, constant.values))})"
    if not all(map(numbers.is_writable, constant.values)):
        patterns = ", ".join(f"{pattern:#08x}" for pattern in constant.values)
        return f"; {register} = ({patterns}), which no literal makes"
    return f".setf {register}({', '.join(map(repr, constant.floats))})"
