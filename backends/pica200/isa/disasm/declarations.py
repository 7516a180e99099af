"""The declarations of a shader as text: geometry, inputs, outputs, names of uniforms, constants.

What the assembler would put elsewhere is kept where it is by private names; a name that no directive can say is said by
a comment, which our assembler reads and picasso skips.  Whatever else has no text becomes a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from glslc_multi.backends.pica200.isa import numbers
from glslc_multi.backends.pica200.isa.program import SEMANTICS, Constant, Executable, Output, Uniform, spelling_of
from glslc_multi.backends.pica200.isa.registers import BANKS
from glslc_multi.compiler.isa.components import COMPONENTS, letters_of, mask_text

_NAME = re.compile(r"(?!_)[A-Za-z$][A-Za-z0-9_$]*", re.ASCII)
_REGISTER = re.compile(r"[vorcib]\d+", re.ASCII)
_DIRECTIVES = {"c": ".fvec", "i": ".ivec", "b": ".bool"}


class Declarations:
    """The lines before the code of the shaders of a file, one by one: vertex shaders share names of uniforms."""

    def __init__(self) -> None:
        self._shared = _Uniforms()

    def of(self, shader: Executable) -> list[str]:
        uniforms = self._shared if shader.geometry is None else _Uniforms(_first_free(shader))
        names = [*uniforms.lines(shader)]
        outputs = [*map(_output, shader.outputs), *_outputs_nowhere(shader)]
        return [*_geometry(shader), *names, *outputs, *map(_constant, shader.constants)]


def _geometry(shader: Executable) -> Iterator[str]:
    geometry = shader.geometry
    if geometry is None:
        return
    operands = [f"c{_first_free(shader)}"]
    if geometry.kind == "fixed":
        operands.append(f"c{geometry.array}")
    if geometry.kind != "point":
        operands.append(str(geometry.count))
    yield f".gsh {geometry.kind} {' '.join(operands)}"


def _first_free(shader: Executable) -> int:
    """The first c register for names of uniforms: picasso wants it after the first one of an array of vertices."""
    geometry = shader.geometry
    if geometry is None or geometry.kind != "fixed":
        return 0
    starts = [uniform.start for uniform in shader.uniforms]
    after = [start[1] for start in starts if start and start[0] == "c" and start[1] > geometry.array]
    return min(after, default=min(geometry.array + 1, BANKS["c"] - 1))


class _Uniforms:
    """Inputs and uniforms as directives, with private names in the gaps."""

    def __init__(self, first_float: int = 0) -> None:
        self._free = dict.fromkeys(_DIRECTIVES, 0) | {"c": first_float}
        #: Name, bank and size -> first register: a uniform that another shader declares alike is the same one.
        self._declared: dict[tuple[str, str, int], int] = {}

    def lines(self, shader: Executable) -> Iterator[str]:
        named_inputs = 0
        used: set[str] = set()
        commented: set[int] = set()
        for uniform in shader.uniforms:
            name = uniform.name.replace(".", "$")
            is_name = _NAME.fullmatch(name) is not None and not _REGISTER.fullmatch(name) and "$" not in uniform.name
            lines: list[str] = []
            start = uniform.start
            if start is not None and is_name and name not in used and uniform.first not in commented:
                if start[0] != "v":
                    lines = self._directive(name, start, uniform.last - uniform.first + 1)
                elif uniform.first == uniform.last and not named_inputs >> start[1] & 1:
                    named_inputs |= 1 << start[1]
                    lines = [f".in {name} {_input(start[1])}"]
            if lines:
                used.add(name)
            else:
                commented.add(uniform.first)
            yield from lines or [_as_comment(uniform)]
        for register in range(BANKS["v"]):
            if shader.input_mask >> register & 1 and not named_inputs >> register & 1:
                yield f".in _v{register} {_input(register)}"

    def _directive(self, name: str, start: tuple[str, int], size: int) -> list[str]:
        """The directive that gives a uniform its registers, after one for a gap before them; none where none does."""
        bank, first = start
        declaration = self._declared.get((name, bank, size))
        free = self._free[bank]
        if (free > first) if declaration is None else (declaration != first):
            return []
        line = f"{_DIRECTIVES[bank]} {name}{_size(size)}"
        if declaration is not None:
            return [line]
        self._declared[name, bank, size] = first
        self._free[bank] = first + size
        return [line] if free == first else [f"{_DIRECTIVES[bank]} _{bank}{free}{_size(first - free)}", line]


def _input(register: int) -> str:
    # picasso refuses the spelling v15, although the register exists.
    return "v14[1]" if register == 15 else f"v{register}"


def _as_comment(uniform: Uniform) -> str:
    name, start = spelling_of(uniform.name), uniform.start
    if start is None:
        return f"; the name {name} belongs to {uniform.first} to {uniform.last}, which are no registers"
    bank, first = start
    last = first + uniform.last - uniform.first
    return f"; name {name} is {bank}{first}" + (f" to {bank}{last}" if last > first else "")


def _size(count: int) -> str:
    return "" if count == 1 else f"[{count}]"


def _output(output: Output) -> str:
    letters = letters_of(output.mask)
    semantic = SEMANTICS.get(output.semantic)
    if semantic is None or not letters or output.register >= BANKS["o"] or output.mask >> len(COMPONENTS):
        return f"; output entry {output.semantic}, register {output.register}, mask {output.mask:#x}: unknown"
    return f".out - {semantic} o{output.register}{mask_text(letters)}"


def _outputs_nowhere(shader: Executable) -> Iterator[str]:
    """Comments about outputs that the program writes and no entry maps, which the assembler reads."""
    mapped = {output.register for output in shader.outputs}
    for register in range(BANKS["o"]):
        if shader.output_mask >> register & 1 and register not in mapped:
            yield f"; output o{register} goes nowhere"


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
