"""The `.shbin` file: a DVLB with offsets, one DVLP (code and descriptors), one DVLE a shader.

Everything is little endian.  `write` lays the tables out as the common assembler does (constants, outputs,
uniforms, symbols, padding); `read` accepts any order and reports everything that does not fit inside the
file, so that no later step meets a bad offset.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from glslc_multi.backends.pica200.isa.program import (
    CONSTANT_BANKS,
    GEOMETRY_KINDS,
    Constant,
    Executable,
    Geometry,
    Label,
    Output,
    Program,
    Uniform,
)
from glslc_multi.compiler.diagnostics import DiagnosticSink
from glslc_multi.compiler.isa.container import BadContainer, report_bad

_DVLP = struct.Struct("<4s9I")
_DVLE = struct.Struct("<4sHBBIIHHBBBB10I")
_CONSTANT_HEAD = struct.Struct("<HH")
_CONSTANT_SIZE = 20
_LABEL = struct.Struct("<HHIII")
_OUTPUT = struct.Struct("<HHHH")
_UNIFORM = struct.Struct("<IHH")

_DVLE_VERSION = 0x1002
#: Descriptors take two words in the file; the second is unused.
_DESCRIPTOR_SIZE = 8


# --- Writing ----------------------------------------------------------------------------------------------------------


def write(program: Program) -> bytes:
    """The file of a program."""
    blocks = [_write_executable(executable) for executable in program.executables]
    code = _write_code(program)
    offset = 8 + 4 * len(blocks) + len(code)
    offsets = []
    for block in blocks:
        offsets.append(offset)
        offset += len(block)
    return b"".join((b"DVLB", struct.pack(f"<I{len(blocks)}I", len(blocks), *offsets), code, *blocks))


def _write_code(program: Program) -> bytes:
    code, descriptors = program.code, program.descriptors
    first_descriptor = _DVLP.size + 4 * len(code)
    size = first_descriptor + _DESCRIPTOR_SIZE * len(descriptors)
    header = _DVLP.pack(b"DVLP", 0, _DVLP.size, len(code), first_descriptor, len(descriptors), size, 0, 0, 0)
    words = struct.pack(f"<{len(code)}I", *code)
    return header + words + b"".join(struct.pack("<II", word, 0) for word in descriptors)


def _write_executable(shader: Executable) -> bytes:
    symbols = _Symbols()
    constants = b"".join(map(_write_constant, shader.constants))
    labels = b"".join(
        _LABEL.pack(label.number, label.kind, label.address, label.size, symbols.add(label.name))
        for label in shader.labels
    )
    outputs = b"".join(_OUTPUT.pack(output.semantic, output.register, output.mask, 0) for output in shader.outputs)
    uniforms = b"".join(
        _UNIFORM.pack(symbols.add(uniform.name), uniform.first, uniform.last) for uniform in shader.uniforms
    )
    tables = (
        (constants, len(shader.constants)),
        (labels, len(shader.labels)),
        (outputs, len(shader.outputs)),
        (uniforms, len(shader.uniforms)),
        (bytes(symbols.text), len(symbols.text)),
    )
    table_offsets: list[int] = []
    offset = _DVLE.size
    for table, count in tables:
        table_offsets += (offset, count)
        offset += len(table)
    body = b"".join(table for table, _ in tables)
    return _write_header(shader, table_offsets) + body + bytes(-len(body) % 4)


def _write_header(shader: Executable, table_offsets: list[int]) -> bytes:
    geometry = shader.geometry or Geometry("point")
    return _DVLE.pack(
        b"DVLE",
        _DVLE_VERSION,
        shader.geometry is not None,
        shader.merges_outputs,
        shader.entry,
        shader.end,
        shader.input_mask,
        shader.output_mask,
        GEOMETRY_KINDS.index(geometry.kind),
        geometry.array,
        geometry.count if geometry.kind == "variable" else 0,
        geometry.count if geometry.kind == "fixed" else 0,
        *table_offsets,
    )


def _write_constant(constant: Constant) -> bytes:
    layout = {"b": "<I12x", "i": "<4B12x", "c": "<4I"}[constant.bank]
    head = _CONSTANT_HEAD.pack(CONSTANT_BANKS.index(constant.bank), constant.register)
    return head + struct.pack(layout, *constant.values)


class _Symbols:
    """The names, each ended by a zero byte."""

    def __init__(self) -> None:
        self.text = bytearray()

    def add(self, name: str) -> int:
        offset = len(self.text)
        self.text += name.encode("utf-8") + b"\0"
        return offset


# --- Reading ----------------------------------------------------------------------------------------------------------


def read(data: bytes, filename: str, sink: DiagnosticSink) -> Program | None:
    """The program of a file; None, with a report, when it is not well formed."""
    try:
        return unpack(data)
    except BadContainer as error:
        report_bad(error, filename, sink, "pica200")
        return None


def unpack(data: bytes) -> Program:
    """The program of a file; raises `BadContainer`."""
    if data[:4] != b"DVLB":
        raise BadContainer("it does not begin with DVLB")
    (count,) = _unpack(struct.Struct("<I"), data, 4, "the number of DVLEs")
    offsets = list(_words(data, 8, count, "the table of DVLEs"))
    code, descriptors = _read_code(data, 8 + 4 * count)
    return Program(code, descriptors, [_read_executable(data, offset) for offset in offsets])


def _read_code(data: bytes, start: int) -> tuple[list[int], list[int]]:
    header = _unpack(_DVLP, data, start, "the DVLP header")
    if header[0] != b"DVLP":
        raise BadContainer("no DVLP follows the table of DVLEs")
    _, _, code, words, table, entries, *_ = header
    descriptors = list(_words(data, start + table, 2 * entries, "the table of descriptors"))
    return list(_words(data, start + code, words, "the code")), descriptors[::2]


def _read_executable(data: bytes, start: int) -> Executable:
    header = _unpack(_DVLE, data, start, "a DVLE header")
    magic, _, stage, merges, entry, end, inputs, outputs_used, kind, array, variable, fixed, *table_offsets = header
    if magic != b"DVLE":
        raise BadContainer(f"no DVLE at offset {start}")
    if stage > 1 or kind >= len(GEOMETRY_KINDS):
        raise BadContainer(f"the DVLE at offset {start} is of an unknown kind")
    constants, labels, outputs, uniforms = (
        _Table(data, start + table_offsets[index], table_offsets[index + 1]) for index in (0, 2, 4, 6)
    )
    names = _Names(data, start + table_offsets[8], table_offsets[9])
    name = GEOMETRY_KINDS[kind]
    geometry = Geometry(name, array, {"point": 0, "variable": variable, "fixed": fixed}[name])
    return Executable(
        entry,
        end,
        geometry if stage else None,
        bool(merges),
        inputs,
        outputs_used,
        [_read_constant(data, at) for at in constants.offsets(_CONSTANT_SIZE, "the constants")],
        [Output(*_OUTPUT.unpack_from(data, at)[:3]) for at in outputs.offsets(_OUTPUT.size, "the outputs")],
        [_read_uniform(data, at, names) for at in uniforms.offsets(_UNIFORM.size, "the uniforms")],
        [_read_label(data, at, names) for at in labels.offsets(_LABEL.size, "the labels")],
    )


def _read_constant(data: bytes, at: int) -> Constant:
    kind, register = _CONSTANT_HEAD.unpack_from(data, at)
    if kind >= len(CONSTANT_BANKS):
        raise BadContainer(f"the constant at offset {at} is of the unknown type {kind}")
    bank = CONSTANT_BANKS[kind]
    if bank == "c":
        patterns = struct.unpack_from("<4I", data, at + 4)
        if any(pattern >> 24 for pattern in patterns):
            raise BadContainer(f"the constant at offset {at} has more than 24 bits")
        return Constant(bank, register, patterns)
    if bank == "i":
        return Constant(bank, register, struct.unpack_from("<4B", data, at + 4))
    return Constant(bank, register, (int(struct.unpack_from("<I", data, at + 4)[0] != 0),))


def _read_uniform(data: bytes, at: int, names: _Names) -> Uniform:
    symbol, first, last = _UNIFORM.unpack_from(data, at)
    return Uniform(names[symbol], first, last)


def _read_label(data: bytes, at: int, names: _Names) -> Label:
    number, kind, address, size, symbol = _LABEL.unpack_from(data, at)
    return Label(number, kind, address, size, names[symbol])


class _Table:
    """A table of `count` entries."""

    def __init__(self, data: bytes, start: int, count: int) -> None:
        self._data, self._start, self._count = data, start, count

    def offsets(self, size: int, what: str) -> Iterator[int]:
        """The offsets of the entries."""
        if self._start + size * self._count > len(self._data):
            raise BadContainer(f"{what} go beyond the end")
        return iter(range(self._start, self._start + size * self._count, size))


class _Names:
    """The symbol table of one DVLE."""

    def __init__(self, data: bytes, start: int, size: int) -> None:
        if start + size > len(data):
            raise BadContainer("the symbols go beyond the end")
        self._text = data[start : start + size]

    def __getitem__(self, offset: int) -> str:
        end = self._text.find(b"\0", offset)
        if end < 0:
            raise BadContainer(f"no name at offset {offset} of the symbols")
        try:
            return self._text[offset:end].decode("utf-8")
        except UnicodeDecodeError:
            raise BadContainer(f"the name at offset {offset} of the symbols is not UTF-8") from None


def _unpack(layout: struct.Struct, data: bytes, at: int, what: str) -> tuple[Any, ...]:
    if at + layout.size > len(data):
        raise BadContainer(f"{what} goes beyond the end")
    return layout.unpack_from(data, at)


def _words(data: bytes, at: int, count: int, what: str) -> tuple[int, ...]:
    if at + 4 * count > len(data):
        raise BadContainer(f"{what} goes beyond the end")
    return struct.unpack_from(f"<{count}I", data, at)
